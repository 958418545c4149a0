#!/usr/bin/python3
"""The same contact by penalty laws of growing stiffness and by a set-valued law: only the words under `law` differ.

    benchmarks/nonsmooth/penalty.py --solidyn build/bin/solidyn

Prints in Markdown, for a bouncing ball, a pin with clearance and an elastic rod against a wall: steps and processor time of each law,
and how far the motion is from that of the set-valued law.
"""
import argparse
import bisect
import csv
import json
import pathlib
import resource
import subprocess
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
# Model, contact, seconds that are compared, column, rows each, words of all runs, set-valued law and its steps, penalty law and its stiffnesses.
REFINED = 20  # the reference, set-valued too, has steps this much shorter
CASES = [
    ("bouncing ball", "bouncing_ball/bouncing_ball.yaml", "plate", 0.6, "height", 1e-3,
     ["sensors={height: {type: position, of: ball, component: z}}", "contacts.plate.friction={static: 0.2, transition_speed: 1e-3}"],
     ("{type: impact, restitution: 0.5}", (1e-3, 1e-4)),
     "{{type: exact_restitution, stiffness: {}, restitution: 0.5}}", (1e5, 1e7, 1e9)),
    ("pin with clearance", "clearance/slider_crank.yaml", "wrist_pin", 0.004, "position", 1e-5,
     ["sensors={position: {type: position, of: slider, component: x}}"],
     ("{type: impact, restitution: 0.9}", (2e-5, 5e-6)),
     "{{type: exact_restitution, stiffness: {}, restitution: 0.9}}", (3.5e7, 3.5e9, 3.5e11)),
    ("rod against a wall", "rod_impact/rod_impact.yaml", "wall", 3e-4, "momentum", 1e-6,
     ["sensors={momentum: {type: momentum, component: x}}"],
     ("{type: impact}", (3e-6, 1e-6)),
     "{{type: hertz, stiffness: {}, exponent: 1, slow_speed: 1}}", (4e5, 4e6, 4e7)),
]


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(solidyn, model, overrides, folder):
    """-> summary, time, the recorded column; s of the processor"""
    before = cpu_seconds()
    done = subprocess.run([solidyn, "run", EXAMPLES / model, "-o", folder, "-q", *(w for word in overrides for w in ("--set", word))],
                          capture_output=True, text=True)
    if done.returncode not in (0, 3):  # 3: doubtful
        raise SystemExit(f"{model} {overrides}: {done.stderr}")
    with open(folder / "history.csv") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    values = [[float(x) for x in row] for row in rows[1:]]
    return json.loads((folder / "summary.json").read_text()), values, cpu_seconds() - before


def at(rows, t):
    """Of the first recorded column, linear between rows."""
    times = [row[0] for row in rows]
    i = min(max(bisect.bisect_left(times, t), 1), len(rows) - 1)
    (t0, x0), (t1, x1) = rows[i - 1][:2], rows[i][:2]
    return x0 + (x1 - x0) * (t - t0) / (t1 - t0)


def distance(rows, other, duration):
    return max(abs(at(rows, t) - at(other, t)) for t in (duration * i / 400 for i in range(1, 400)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--solidyn", required=True)
    arguments = parser.parse_args()
    print("| model | law | steps | CPU s | distance | status |\n|---|---|---|---|---|---|")
    for title, model, contact, duration, column, every, words, (law, steps), penalty, stiffnesses in CASES:
        common = [*words, f"analyses.dynamics.duration={duration!r}", f"output={{history_interval: {every!r}}}"]

        def result(overrides):
            with tempfile.TemporaryDirectory() as name:
                return run(arguments.solidyn, model, [*common, *overrides], pathlib.Path(name) / "out")

        def set_valued(step):
            return result([f"contacts.{contact}.law={law}", f"analyses.dynamics={{duration: {duration!r}, step: {step!r}, integrator: bathe}}"])

        def row(words, outcome):
            summary, rows, seconds = outcome
            print(f"| {title} | {words} | {summary['steps']} | {seconds:.2f} | {distance(rows, reference, duration):.2g} ({column}) | {summary['status']} |",
                  flush=True)

        reference = set_valued(steps[-1] / REFINED)[1]
        for step in steps:
            row(f"set-valued, {step:g} s", set_valued(step))
        for k in stiffnesses:
            row(f"penalty, {k:.2g}", result([f"contacts.{contact}.law={penalty.format(repr(k))}"]))


if __name__ == "__main__":
    main()
