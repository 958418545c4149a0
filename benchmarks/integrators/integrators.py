#!/usr/bin/python3
"""What accuracy costs with each integrator: error against known answers over steps and CPU time.

    benchmarks/integrators/integrators.py --solidyn build/bin/solidyn [--only bricard]

Prints one table per case in Markdown, and leaves with status 1 when the finest setting of an integrator misses
the accuracy that README.md promises.
"""
import argparse
import csv
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
MECHANISMS = SOURCE / "examples" / "mechanisms"


def steps(*sizes):
    return [("step", f"{h:g} s", [f"step={h!r}"]) for h in sizes]


def tolerances(*values):
    return [("tolerance", f"{t:g}", [f"relative_tolerance={t!r}", f"absolute_tolerance={t * 1e-3!r}"])
            for t in values]


# Model, columns with their values at the end, unit of the error, settings, and what the finest must reach.
CASES = {
    "pendulum": ("a point mass on a rod, 10 s", {"bob.x": -0.275087463}, "m",
                 {"generalized_alpha": steps(4e-3, 1e-3, 2.5e-4), "hht": steps(4e-3, 1e-3, 2.5e-4),
                  "bdf": tolerances(1e-4, 1e-6, 1e-8), "runge_kutta": tolerances(1e-4, 1e-6, 1e-8)}, 3e-5,
                 ["bodies.bob.inertia=[1e-9, 1e-9, 1e-9]"]),
    "heavy_top": ("a top that spins fast, 2 s", {"centre.z": -0.673022270}, "m",
                  {"generalized_alpha": steps(4e-4, 1e-4, 2.5e-5), "hht": steps(4e-4, 1e-4, 2.5e-5),
                   "bdf": tolerances(1e-4, 1e-6, 1e-8), "runge_kutta": tolerances(1e-4, 1e-6, 1e-8)}, 5e-5, []),
    "andrews": ("Andrews' squeezer, 0.03 s", {"beta": 15.81077119629904, "Theta": -15.75637105984298}, "rad",
                {"generalized_alpha": steps(2e-5, 5e-6, 1e-6), "hht": steps(2e-5, 5e-6, 1e-6),
                 "bdf": tolerances(1e-4, 1e-6, 1e-8), "runge_kutta": tolerances(1e-4, 1e-6, 1e-8)}, 1e-4, []),
    "bricard": ("Bricard's loop, 10 s", {"P3.x": 0.999999964, "P3.y": -1.000269013, "P3.z": 0.999730951}, "m",
                {"generalized_alpha": steps(1e-2, 4e-3, 1e-3), "hht": steps(1e-2, 4e-3, 1e-3),
                 "bdf": tolerances(1e-4, 1e-6, 1e-8), "runge_kutta": tolerances(1e-4, 1e-6, 1e-8)}, 1e-3, []),
}


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(solidyn, model, overrides, out):
    words = [w for value in overrides for w in ("--set", value)]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    before = cpu_seconds()
    done = subprocess.run([solidyn, "run", model, "-o", out, "-q", *words], capture_output=True, text=True,
                          env=environment)
    seconds = cpu_seconds() - before
    if done.returncode not in (0, 3):  # 3: doubtful, which is part of what is measured
        return None, seconds, done.stderr.strip().splitlines()[-1]
    return json.loads((out / "summary.json").read_text()), seconds, ""


def last_values(out):
    with open(out / "history.csv", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return dict(zip(rows[1], map(float, rows[-1])))


def measure(solidyn, name, folder):
    title, expected, unit, settings, promised, overrides = CASES[name]
    print(f"\n{title}\n\n| integrator | setting | error, {unit} | energy, imbalance | steps | CPU, s | status |\n"
          "| --- | --- | --- | --- | --- | --- | --- |")
    is_good = True
    for integrator, list_of_settings in settings.items():
        for kind, shown, values in list_of_settings:
            out = folder / f"{name}_{integrator}"
            found, seconds, failure = run(
                solidyn, MECHANISMS / f"{name}.yaml",
                [f"analyses.dynamics.integrator={integrator}", "output.history_every=1000000", *overrides,
                 *(f"analyses.dynamics.{value}" for value in values)], out)
            if found is None:
                print(f"| `{integrator}` | {kind} {shown} | {failure} | | | {seconds:.2f} | failed |")
                error = float("inf")
                continue
            last, energy = last_values(out), found["energy"]
            error = max(abs(last[column] - value) for column, value in expected.items())
            imbalance = energy["imbalance"] / energy["exchanged"]
            print(f"| `{integrator}` | {kind} {shown} | {error:.1e} | {imbalance:.1e} | {found['steps']} | "
                  f"{seconds:.2f} | {found['status']} |", flush=True)
        is_good &= error <= promised
    return is_good


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--solidyn", required=True)
    parser.add_argument("--only", choices=CASES)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        good = [measure(arguments.solidyn, name, pathlib.Path(folder))
                for name in ([arguments.only] if arguments.only else CASES)]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
