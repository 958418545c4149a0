"""Vehicles on the track: wheel loads at rest and running, in a curve, hunting by linearisation and in time, steady running that stays steady.

    railway_vehicles.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import csv
import math
import pathlib
import tempfile

from support import EXAMPLES, History, Program, largest_difference, parsed_arguments

COACH = (EXAMPLES / "railway" / "coach.yaml").read_text()
LOCOMOTIVE = (EXAMPLES / "railway" / "locomotive_rigid.yaml").read_text()


def with_analyses(text, *analyses):
    return text[:text.index("analyses:")] + "analyses:\n" + "".join(f"  - {a}\n" for a in analyses)


def without_irregularities(text):
    return "\n".join(line for line in text.splitlines() if not line.startswith("  irregularities:")) + "\n"


def run(arguments, folder, name, text, *options, ranks=1):
    model = folder / f"{name}.yaml"
    model.write_text(text)
    Program(arguments, ranks).done("run", model, "-o", folder / name, *options)
    return folder / name


def loads(history, n):
    return [history.column(f"Q_{k}_{side}")[-1] for k in range(1, n + 1) for side in ("left", "right")]


def check_loads(arguments, folder):
    """Page G07's, at rest and running."""
    steady = without_irregularities(COACH)
    for speed in ("  running_speed: 44.44\n", ""):
        text = with_analyses(steady.replace("  running_speed: 44.44\n", speed), "statics: {load_steps: 1}")
        for Q in loads(History(run(arguments, folder, "coach", text)), 4):
            assert abs(Q / 54546.0525 - 1) < 1e-3, Q
    found = loads(History(run(arguments, folder, "locomotive", with_analyses(without_irregularities(LOCOMOTIVE), "statics: {}"))), 6)
    for Q, expected in zip(found, [Q for Q in (69095.82, 70860.90, 72625.98) * 2 for _ in "lr"]):
        assert abs(Q / expected - 1) < 5e-3, found
    print("wheel loads:", ", ".join(f"{Q:.1f}" for Q in found), "N")


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_loads(arguments, folder)


if __name__ == "__main__":
    main()
