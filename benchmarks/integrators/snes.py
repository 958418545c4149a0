#!/usr/bin/env python3
"""Processor time and Newton iterations of a step with the code's own method and with PETSc's SNES: a table.

    benchmarks/integrators/snes.py build/bin/solidyn

One rank, one thread; medians of three runs each, taken in turns. What a run takes beside its steps is that of a run of one step.
"""
import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
# Steps and their length, s: about a second each.
MODELS = {"four_bar/four_bar_rigid": (20000, 1e-3), "mechanisms/bricard": (10000, 1e-3), "mechanisms/andrews": (20000, 1e-6),
          "door/door": (5000, 1e-3), "chair_ride/chair_ride": (5000, 5e-3), "gear_train/gear_train": (5000, 1e-4), "beams/pendulum": (500, 5e-4)}
KINDS = ("newton", "snes")


def run(program, model, kind, steps, step, out):
    words = [program, "run", EXAMPLES / f"{model}.yaml", "-o", out, "--set", f"solver.nonlinear={kind}", "--set", "formulation=absolute", "--set",
             f"analyses.dynamics.step={step!r}", "--set", f"analyses.dynamics.duration={steps * step!r}", "--set", "output={history_every: 1000}"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(words, env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}, capture_output=True, text=True)
    if done.returncode not in (0, 3):
        raise SystemExit(f"{model}, {kind}: {done.stderr}")
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, json.loads((out / "summary.json").read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="solidyn")
    arguments = parser.parse_args()
    print("| model | own method, us a step | SNES | ratio | iterations a step | SNES |\n| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as name:
        for model, (steps, step) in MODELS.items():
            seconds, iterations = {kind: [] for kind in KINDS}, {}
            for _ in range(3):
                for kind in KINDS:
                    few = run(arguments.program, model, kind, 1, step, pathlib.Path(name) / "few")[0]
                    long, summary = run(arguments.program, model, kind, steps, step, pathlib.Path(name) / "long")
                    seconds[kind].append((long - few) / steps)
                    iterations[kind] = summary["newton_iterations"] / summary["steps"]
            own, snes = (1e6 * statistics.median(seconds[kind]) for kind in KINDS)
            print(f"| {model} | {own:.3g} | {snes:.3g} | {snes / own:.2f} | {iterations['newton']:.2f} | {iterations['snes']:.2f} |", flush=True)


if __name__ == "__main__":
    main()
