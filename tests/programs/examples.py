"""Every example runs as it stands, and the commands of the examples' README files and of the tutorial
run as printed.

    examples.py --solidyn build/bin/solidyn --mpiexec mpirun

A command is an indented line that starts with solidyn, build/bin/solidyn, mpirun, scripts/ or examples/.
"""
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from support import EXAMPLES, SOURCE, Program, History, largest_difference, parsed_arguments, summary

TUTORIALS = [SOURCE / "doc" / "slider_crank.md", SOURCE / "doc" / "four_bar.md", SOURCE / "doc" / "bracket.md",
             SOURCE / "doc" / "reduction.md", SOURCE / "doc" / "geometric_stiffening.md",
             SOURCE / "doc" / "superelements.md", SOURCE / "doc" / "stress.md"]
# Models with full meshes go the first part of their way here; README files run them to the end.
SHORT = {"four_bar": ["--set", "analyses.dynamics.duration=0.02"],
         "bracket": ["--set", "loads.air.pressure=2e4*t", "--set", "analyses.statics.load_steps=2"]}
COMMAND = re.compile(r"^    ((?:solidyn |build/bin/solidyn|mpirun|scripts/|examples/)[^#\n]*)", re.MULTILINE)

# A run of a model as it stands.
PLAIN_RUN = re.compile(r"^(?:build/bin/)?solidyn run (?P<model>examples/\S+\.yaml) -o (?P<out>\S+)\s*$")

# Of contacts that end differently with other round-off: until the first ones close. Vehicles on a track: their first steps.
BRIEF = {"sphere_pile": ["--set", "analyses.dynamics.duration=0.05"], "coach": ["--set", "analyses.1.dynamics.duration=0.05"],
         "coach_in_curve": ["--set", "analyses.1.dynamics.duration=0.05"], "locomotive_rigid": ["--set", "analyses.1.dynamics.duration=0.01"],
         "locomotive": ["--set", "analyses.1.dynamics.duration=0.01"]}
# Thousands of steps of few unknowns, in which ranks would wait for each other; nonsmooth.py has it on several.
ON_ONE_RANK = ("dropped_bar",)
# Of models that are about what is warned of, and of one with a modulus of 900 Pa.
EXPECTED_WARNINGS = {"dropped_bar": ["which is unusual"],
                     "n_four_bar": ["passes through or close to a singular position"],
                     "andrews": ["9 of 50 constraint equations are redundant"],
                     "scissor_mast": ["13 of 72 constraint equations are redundant"],
                     "bogie": ["creep: polach  has no derivative"],
                     "bricard": ["1 of 30 constraint equations are redundant"]}


def check_models(arguments, folder, of_commands):
    """`of_commands`: the results of models which a command of a page has run as they stand, on one rank."""
    subprocess.run([EXAMPLES / "plugin" / "build", folder], check=True)
    plugin = ["--set", f"forces.magnets.library={folder}/libmagnet.so"]
    # The mesh of that in examples/extend has a reader in its program alone: extend.py runs it.
    models = sorted(model for model in EXAMPLES.glob("**/*.yaml") if EXAMPLES / "extend" not in model.parents)
    assert models
    for i, model in enumerate(models):
        out = folder / "results" / model.stem
        # Starting two ranks takes longer than most of these models.
        ranks = 2 if (i % 3 == 0 or model.stem in SHORT) and model.stem not in ON_ONE_RANK else 1
        if ranks == 1 and model in of_commands:
            out = of_commands[model]
        else:
            Program(arguments, ranks).done("run", model, "-o", out, *SHORT.get(model.stem, []), *BRIEF.get(model.stem, []),
                                       *(plugin if model.stem == "magnet" else []))
        found = summary(out)
        expected = EXPECTED_WARNINGS.get(model.stem, [])
        warnings = found["warnings"]
        assert found["status"] == "done" and len(warnings) == len(expected), (model, found)
        assert all(text in warning for text, warning in zip(expected, warnings)), found
        if "reflected_inertia" in found:  # no motion, but mobilities
            assert all(place["motions"] > 0 for place in found["reflected_inertia"]), found
        elif found["integrator"] == "linear":  # no motion, but a table of modes
            assert len((out / "modes.csv").read_text().splitlines()) > 2, model
        else:
            assert math.isfinite(sum(sum(row) for row in History(out).rows)), model
        listed = (model.parent / "README.md").read_text()
        assert model.name in listed, f"{model.parent}/README.md does not mention {model.name}"
        print(f"{model.relative_to(SOURCE)}: {found['steps']} steps")


def check_full_meshes_on_one_rank(arguments, folder):
    """Newton's tolerance is 1e-10 of a step's displacement; forces show it enlarged by the stiffness."""
    for name, options in SHORT.items():
        out = folder / "one_rank" / name
        Program(arguments, 1).done("run", EXAMPLES / name / f"{name}.yaml", "-o", out, *options)
        worst, column = largest_difference(History(out), History(folder / "results" / name))
        assert worst < 1e-5, f"{name}: one rank and two differ by {worst} of the range of {column}"
        print(f"{name}: one rank and two agree to {worst:.1e} ({column})")


def check_commands(arguments, folder):
    """Runs them in a folder that looks like the project's, so that results stay out of the sources. Returns the folder of
    results of each model that a command has run as it stands."""
    for name in ("examples", "meshes", "scripts", "tests"):
        (folder / name).symlink_to(SOURCE / name)
    (folder / "build" / "bin").mkdir(parents=True)
    (folder / "build" / "bin" / "solidyn").symlink_to(arguments.solidyn)
    environment = {**os.environ, "SOLIDYN_CACHE": str(folder / "cache"),
                   "PATH": f"{folder}/build/bin:{os.environ['PATH']}"}
    done_before, results = set(), {}
    # Those of examples/cpp and examples/extend want an installed Solidyn: cpp.py and extend.py run them.
    readmes = [readme for readme in sorted(EXAMPLES.glob("**/README.md")) if readme.parent.name not in ("cpp", "extend")]
    for readme in [*readmes, *TUTORIALS]:
        commands = COMMAND.findall(readme.read_text().replace("\\\n", " "))
        assert commands or readme.parent == EXAMPLES, f"{readme} shows no command"
        for command in filter(lambda command: command not in done_before, commands):
            done_before.add(command)
            done = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=folder,
                                  timeout=600, env=environment)
            assert done.returncode == 0, (readme, command, done.stderr)
            print(f"{readme.relative_to(SOURCE)}: {command.strip()}")
            if run := PLAIN_RUN.search(command):
                results[SOURCE / run["model"]] = folder / run["out"]
    return results


def check_index():
    index = (EXAMPLES / "README.md").read_text()
    for folder in EXAMPLES.iterdir():
        if folder.is_dir():
            assert f"({folder.name}/" in index, f"examples/README.md has no line for {folder.name}"


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_models(arguments, folder, check_commands(arguments, folder))
        check_full_meshes_on_one_rank(arguments, folder)
    check_index()


if __name__ == "__main__":
    sys.exit(main())
