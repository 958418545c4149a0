"""What the executable promises on its command line: help, version, exit statuses, hints.

    command_line.py --solidyn build/bin/solidyn --models examples/slider_crank --mpiexec mpirun
"""
import argparse
import concurrent.futures
import json
import math
import pathlib
import re
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


def write_history(path, rows, step=0.005):
    """A ride at 20 m/s: 2 m/s^2 at 10 Hz to the side, steady wheel forces; `rows` of them."""
    times = [i * step for i in range(rows)]
    path.write_text("# units: s,m/s^2,N,N,N,N\ntime,floor_y,Y_l,Y_r,Q_l,Q_r\n" + "".join(
        f"{t!r},{2.0 * math.sin(20.0 * math.pi * t)!r},6e3,-2e3,60e3,50e3\n" for t in times))


def check_signals(solidyn, refuses=True):
    """psd and ride: values of a sine and of steady forces, and, if that is asked for, input that is refused."""
    with tempfile.TemporaryDirectory() as folder:
        history = pathlib.Path(folder, "history.csv")
        write_history(history, 4000)
        done = solidyn("psd", str(history), "--columns", "floor_y", "--segment", "5", "--band", "1,50", "--speed", "20")
        assert done.returncode == 0, done.stderr
        lines = done.stdout.splitlines()
        assert lines[:2] == ["# units: Hz,m,(m/s^2)^2/Hz", "frequency,wavelength,floor_y"], lines[:2]
        assert "# rms of floor_y: 1.41421 m/s^2" in lines, lines[:5]
        peak = max((line.split(",") for line in lines if line[0].isdigit()), key=lambda row: float(row[2]))
        assert peak[:2] == ["10", "2"], peak
        forces = ("--guiding", "Y_l,Y_r", "--load", "Q_l,Q_r")
        done = solidyn("ride", str(history), "--lateral", "floor_y", *forces, "--speed", "20", "--flange-angle", "70")
        assert done.returncode == 0, done.stderr
        for fragment in ("weighted by Wd 0.285", "from 4 blocks of 5 s, of 60", "Y/Q of Y_l over 2 m: 50 % 0.1,",
                         "kN: 50 % 4, 99.85 % 4, largest 4; Prud'homme's limit for this load 46.67", "Y/Q: 1.3416"):
            assert done.stdout.count(fragment) == 1, (fragment, done.stdout)
        done = solidyn("ride", str(history), *forces, "--speed", "20", "--sections", "100")
        assert done.stdout.count("over 3 sections of 100 m, of 25 that the standard takes: 50 % 0.1 in the mean; 99.85 % 0.1 in the mean, standard deviation ") == 1, done.stdout
        if not refuses:
            return
        for arguments, fragment in (
                (("ride", *forces, "--speed", "20", "--sections", "300"), "has no two sections of 300 m"),
                (("ride", *forces, "--speed", "20", "--sections", "2.3"), "has no two sections of 2.3 m, or these are below 2.5 m"),
                (("ride", "--lateral", "floor_y", "--sections", "100"), "--sections is for --guiding and --load"),
                (("psd", "--segment", "50"), "a segment of 50 s is longer"),
                (("psd", "--band", "1,300"), "frequencies up to 100 Hz"),
                (("psd", "--band", "3,1"), "--band takes two frequencies"),
                (("psd", "--window", "welch"), "--window takes hann"),
                (("psd", "--columns", "floor_x"), "no column `floor_x`"),
                (("psd", "--from", "30"), "has 0 rows"),
                (("psd", "--to", "nan"), "--to is nan"),
                (("psd", "--columns", "floor_y,"), "has an empty place"),
                (("psd", "--band", "3.01,3.02", "--segment", "5"), "has no line"),
                (("ride",), "nothing to evaluate"),
                (("ride", "--lateral", "Y_l"), "one in m/s^2 is needed"),
                (("ride", *forces), "need --speed or --distance"),
                (("ride", *forces, "--speed", "0.01"), "less than 2 m"),
                (("ride", *forces, "--speed", "1e300"), "and means are taken each 0.5 m"),
                (("ride", *forces, "--speed", "20", "--flange-angle", "5"), "whose tangent is above the friction"),
                (("ride", "--guiding", "Y_l", "--load", "Q_l,Q_r", "--speed", "1"), "one of each for a wheel"),
                (("ride", "--guiding", "Y_l", "--load", "Y_r", "--speed", "20"), "a wheel has no load")):
            done = solidyn(arguments[0], str(history), *arguments[1:])
            assert done.returncode == 2 and done.stderr.count(fragment) == 1, (arguments, done.returncode, done.stderr)
        with history.open("a") as file:
            file.write("20.1,0,0,0,1,1\n")
        done = solidyn("psd", str(history))
        assert done.returncode == 2 and done.stderr.count("not equally spaced") == 1, done.stderr
        write_history(history, 4000)
        history.write_text(history.read_text().replace(",6e3,", ",nan,", 1))
        for command, columns in (("psd", ("--columns", "Y_l")), ("ride", (*forces, "--speed", "20"))):
            done = solidyn(command, str(history), *columns)
            assert done.returncode == 2 and done.stderr.count("`Y_l` is nan at t = 0 s") == 1, done.stderr
        write_history(history, 4000, step=0.0)
        done = solidyn("psd", str(history))
        assert done.returncode == 2 and done.stderr.count("are all at t = 0 s") == 1, done.stderr


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


def check_log_stages(solidyn, model):
    """-log_view, on the command line or in the model, tells phases of a run apart, each with time of its own."""
    with tempfile.TemporaryDirectory() as folder:
        for number, way in enumerate((("--", "-log_view"), ("--set", "solver.petsc_options=-log_view"))):
            done = solidyn("run", model, "-o", f"{folder}/{number}",
                           "--set", "analyses.dynamics.duration=2e-2", *way)
            assert done.returncode == 0, done.stderr
            stages = dict(re.findall(r"^ *\d+: +(\w[\w ]*): +([\d.e+-]+) ", done.stdout, re.M))
            for name in ("Reading", "Start", "Residual", "Tangent", "Factor", "Solve", "Output"):
                assert float(stages.get(name, 0.0)) > 0.0, (name, done.stdout)
            assert "Reduction" not in stages and "Contacts" not in stages, stages


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
        check_signals(solidyn, refuses=solidyn is serial)
    check_model(serial, model)
    check_model(parallel, model)
    for solidyn in (serial, parallel):
        check_unused_options(solidyn, model)
        check_log_stages(solidyn, model)
    print("the command line keeps its promises")


if __name__ == "__main__":
    sys.exit(main())
