"""Runs `solidyn run` on wrong model files: exit status 2, each message once, no folder, no crash.

    wrong_models.py --solidyn build/bin/solidyn --models tests/robustness/models --mpiexec mpirun

Every third file runs on one rank, every 24th on two; the unit tests of the loader take them all. Those under built/ are wrong
where the loader cannot see it, in the mechanism that is made of them: all of them run, on one rank and on two.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

SECONDS_ALLOWED = 60


def expected_fragments(model):
    return re.findall(r"^# expect \d+: (.*)$", model.read_text(), re.MULTILINE)


def problems_of(command, model, folder):
    """What the program did wrong on this file, as a list of sentences."""
    out = folder / "out"
    try:
        done = subprocess.run(command + ["run", str(model), "-o", str(out)], capture_output=True,
                              text=True, timeout=SECONDS_ALLOWED, cwd=folder)
    except subprocess.TimeoutExpired:
        return ["hangs"]
    problems = []
    if done.returncode != 2:
        problems.append(f"exit status {done.returncode}")
    if out.exists() or list(folder.iterdir()):
        problems.append("touched the result folder")
    fragments = expected_fragments(model)
    for fragment in fragments:
        if fragment not in done.stderr:
            problems.append(f"does not say: {fragment}")
    n_errors = len(re.findall(r"error: ", done.stderr))
    if n_errors != len(fragments):
        problems.append(f"{n_errors} messages for {len(fragments)} errors:\n{done.stderr}")
    if re.search(r"terminate called|Segmentation|PETSC ERROR", done.stderr):
        problems.append("crashes")
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--solidyn", required=True)
    parser.add_argument("--models", required=True, type=pathlib.Path)
    parser.add_argument("--mpiexec", required=True)
    arguments = parser.parse_args()
    serial = [arguments.solidyn]
    parallel = [arguments.mpiexec, "-n", "2", "--oversubscribe", arguments.solidyn]
    models = sorted(arguments.models.resolve().glob("*.yaml"))
    jobs = [(serial, model) for model in models[::3]] + [(parallel, model) for model in models[1::24]]
    built = sorted((arguments.models.resolve() / "built").glob("*.yaml"))
    jobs += [(command, model) for model in built for command in (serial, parallel)]
    n_failed = 0
    for command, model in jobs:
        with tempfile.TemporaryDirectory() as folder:
            for problem in problems_of(command, model, pathlib.Path(folder)):
                n_failed += 1
                print(f"{model.name}, {'2 ranks' if command is parallel else '1 rank'}: {problem}")
    print(f"{len(jobs)} runs, {n_failed} problems")
    return 1 if n_failed or not models or not built else 0


if __name__ == "__main__":
    sys.exit(main())
