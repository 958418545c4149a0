"""What the executable promises on its command line: help, version, exit statuses, hints.

    command_line.py --solidyn build/bin/solidyn --models examples/slider_crank --mpiexec mpirun
"""
import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile


class Program:
    def __init__(self, command):
        self.command = command

    def __call__(self, *arguments):
        return subprocess.run(self.command + list(arguments), capture_output=True, text=True,
                              timeout=60)


def check_help(solidyn):
    overview = solidyn("--help")
    assert overview.returncode == 0
    commands = [line.split()[0] for line in overview.stdout.split("commands:")[1].splitlines()
                if line.startswith("  ")]
    assert {"check", "run", "info", "schema"} <= set(commands), commands
    for command in commands:
        done = solidyn(command, "--help")
        assert done.returncode == 0, command
        assert "example:\n" in done.stdout and "solidyn " + command in done.stdout, command


def check_version(solidyn):
    done = solidyn("--version")
    assert done.returncode == 0 and done.stdout.startswith("solidyn "), done.stdout


def check_usage_errors(solidyn):
    for arguments, fragment in (((), "no command"), (("rnu",), "unknown command `rnu`"),
                                (("check",), "the MODEL is missing"),
                                (("check", "a.yaml", "b.yaml"), "more than one argument"),
                                (("run", "--colour"), "--colour"),
                                (("check", "no_such_file.yaml"), "there is no file")):
        done = solidyn(*arguments)
        assert done.returncode == 2, (arguments, done.returncode, done.stderr)
        assert done.stderr.count(fragment) == 1, (arguments, done.stderr)


def check_info(solidyn, meshes):
    done = solidyn("info", str(meshes / "rod_circular_coarse.msh"))
    assert done.returncode == 0 and "tet10" in done.stdout, done.stdout + done.stderr
    assert done.stdout.count("tet10") < 4, "printed by more than one rank"
    done = solidyn("info", str(meshes / "rod_circular_coarse.msh"), "--mesh-units", "parsec")
    assert done.returncode == 2 and "unknown unit of length" in done.stderr, done.stderr
    done = solidyn("info", str(meshes / "README.md"))
    assert done.returncode == 2 and "README.md" in done.stderr, done.stderr


def check_conicity(solidyn):
    done = solidyn("conicity", "s1002", "uic60_mbench")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "equivalent conicity at 3 mm: 0.1836", done.stdout
    assert done.stdout.count("EN 15302") == 1, "printed by more than one rank"
    done = solidyn("conicity", "cone:0.05", "circle:0.3", "--gauge-depth", "2", "--amplitude", "0.5")
    assert done.stdout.splitlines()[-1] == "equivalent conicity at 0.5 mm: 0.0527", done.stdout + done.stderr
    for arguments, fragment in ((("s1003", "60e1"), "unknown wheel profile `s1003`"),
                                (("s1002", "60e1", "--gauge", "1000"), "the flanges have no room between the rails"),
                                (("s1002", "60e1", "--amplitude", "60"), "an amplitude of 60 mm is too large"),
                                (("s1002", "60e1", "--wheel-y", "inwards"), "--wheel-y is for profiles from files")):
        done = solidyn("conicity", *arguments)
        assert done.returncode == 2 and done.stderr.count(fragment) == 1, (arguments, done.returncode, done.stderr)


def check_model(solidyn, model):
    done = solidyn("check", model)
    assert done.returncode == 0 and "main_bearing" in done.stdout, done.stderr
    done = solidyn("check", model, "--set", "bodies.crank.mass=2", "--", "-options_left", "no")
    assert done.returncode == 0 and "mass 2 kg" in done.stdout, done.stderr
    done = solidyn("check", model, "--set", "bodies.crnak.mass=2")
    assert done.returncode == 2 and "did you mean `bodies.crank`?" in done.stderr, done.stderr


def check_unused_options(solidyn, model):
    """An option after `--` that nothing asks for is named at the end, in the log and in summary.json."""
    with tempfile.TemporaryDirectory() as folder:
        done = solidyn("run", model, "-o", folder + "/out", "--set", "analyses.dynamics.duration=1e-3",
                       "--", "-sytem_pc_type", "lu", "-options_left", "no")
        assert done.returncode == 0, done.stderr
        assert done.stderr.count("-sytem_pc_type") == 1, done.stderr
        warnings = json.loads(pathlib.Path(folder, "out", "summary.json").read_text())["warnings"]
        assert len(warnings) == 1 and "-sytem_pc_type" in warnings[0], warnings
        assert "check their spelling" in warnings[0] and "-options_left" not in warnings[0], warnings


def check_many_at_once(solidyn):
    """Programs that start and end at the same time do not take each other's temporary files."""
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for done in pool.map(lambda _: solidyn("run", "no such model.yaml"), range(60)):
            assert done.returncode == 2 and "no such model.yaml" in done.stderr, done.stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--solidyn", required=True)
    parser.add_argument("--models", required=True, type=pathlib.Path)
    parser.add_argument("--mpiexec", required=True)
    arguments = parser.parse_args()
    serial = Program([arguments.solidyn])
    parallel = Program([arguments.mpiexec, "-n", "2", "--oversubscribe", arguments.solidyn])
    model = str(arguments.models / "slider_crank_rigid.yaml")
    check_help(serial)
    check_version(serial)
    check_many_at_once(serial)
    check_usage_errors(serial)
    check_usage_errors(parallel)
    for solidyn in (serial, parallel):
        check_info(solidyn, arguments.models.parents[1] / "meshes")
        check_conicity(solidyn)
    check_model(serial, model)
    check_model(parallel, model)
    for solidyn in (serial, parallel):
        check_unused_options(solidyn, model)
    print("the command line keeps its promises")


if __name__ == "__main__":
    sys.exit(main())
