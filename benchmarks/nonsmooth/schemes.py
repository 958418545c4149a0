#!/usr/bin/python3
"""What accuracy costs with each scheme for set-valued contacts, by the slider-crank with and without clearance.

    benchmarks/nonsmooth/schemes.py --solidyn build/bin/solidyn [--schemes bathe,generalized_alpha] [--repeats 5]

Prints in Markdown: errors of th2 without clearance (P-NONSMOOTH Table 4), with clearance and impacts (Table 6), and what a step costs
with four contacts at the corners against the same step with the slider on a prismatic joint.
"""
import argparse
import csv
import math
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
MODEL = SOURCE / "examples" / "nonsmooth" / "slider_crank_clearance.yaml"
SCHEMES = {"generalized_alpha": ["rho_infinity=0.8"], "hht": ["alpha=-0.05"], "bathe": [], "ed_alpha": ["rho_infinity=0"], "moreau_jean": ["theta=0.5"], "half_explicit": []}
STEPS = (1e-4, 1e-5, 1e-6)
# On a guide without clearance and friction, in the coordinates that contacts have.
BILATERAL = ["formulation=absolute", "contacts={}", "joints.guide={type: prismatic, between: [ground, slider], at: [0.459, 0, 0], axis: [1, 0, 0]}",
             "sensors={th2: {type: orientation, of: rod, component: z}}"]
REFERENCE = ["integrator=runge_kutta", "relative_tolerance=1e-12", "absolute_tolerance=1e-13", "step=1e-5"]
# With clearance: of small steps of the scheme whose error is smallest there.
REFERENCE_OF_IMPACTS = ["integrator=bathe", "step=1e-7"]


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Runs:
    def __init__(self, solidyn, folder):
        self.solidyn, self.folder = solidyn, folder

    def run(self, dynamics, overrides=(), duration=0.05):
        """-> th2 at each 1e-4 s, s of the processor"""
        words = [*overrides, *(f"analyses.dynamics.{value}" for value in [*dynamics, f"duration={duration!r}"])]
        before = cpu_seconds()
        done = subprocess.run([self.solidyn, "run", MODEL, "-o", self.folder, "-q", *(w for word in words for w in ("--set", word))],
                              capture_output=True, text=True, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
        seconds = cpu_seconds() - before
        if done.returncode not in (0, 3):  # 3: doubtful
            raise SystemExit(f"{' '.join(words)}: {done.stderr}")
        with open(self.folder / "history.csv") as file:
            rows = csv.DictReader(line for line in file if not line.startswith("#"))
            return [float(row["th2"]) for row in rows][1:], seconds

    def per_step(self, dynamics, overrides, step, repeats):
        """Microseconds, without what starting costs: the difference of a long run and a short one. Median."""
        short, long = 0.005, 0.045

        def once():
            return self.run(dynamics, overrides, long)[1] - self.run(dynamics, overrides, short)[1]
        return 1e6 * statistics.median(once() for _ in range(repeats)) * step / (long - short)


def relative_errors(values, reference):
    """The paper's (92)."""
    return math.sqrt(sum(((a - b) / b) ** 2 for a, b in zip(values, reference)))


def largest_over_mean(values, reference):
    """What its Table 6 has."""
    return max(abs(a - b) for a, b in zip(values, reference)) / statistics.mean(map(abs, reference))


def error_table(runs, title, schemes, overrides, reference_settings, measure):
    reference, _ = runs.run(reference_settings, overrides)
    print(f"\n{title}\n\n| scheme | " + " | ".join(f"{h:g} s" for h in STEPS) + " |\n|---|" + "---|" * len(STEPS))
    for scheme in schemes:
        errors = [measure(runs.run([f"integrator={scheme}", *SCHEMES[scheme], f"step={h!r}"], overrides)[0], reference) for h in STEPS]
        print(f"| {scheme} | " + " | ".join(f"{error:.2g}" for error in errors) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--solidyn", required=True)
    parser.add_argument("--schemes", default=",".join(SCHEMES))
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    schemes = arguments.schemes.split(",")
    with tempfile.TemporaryDirectory() as name:
        runs = Runs(arguments.solidyn, pathlib.Path(name) / "out")
        error_table(runs, "Without clearance, error (92) of th2", schemes, BILATERAL, REFERENCE, relative_errors)
        error_table(runs, "With clearance, largest error of th2 over its mean size", schemes, [], REFERENCE_OF_IMPACTS, largest_over_mean)
        print("\nMicroseconds of a step of 1e-5 s\n\n| scheme | prismatic joint | contacts | ratio |\n|---|---|---|---|")
        for scheme in schemes:
            dynamics = [f"integrator={scheme}", *SCHEMES[scheme], "step=1e-5"]
            joint, contacts = (runs.per_step(dynamics, overrides, 1e-5, arguments.repeats) for overrides in (BILATERAL, []))
            print(f"| {scheme} | {joint:.1f} | {contacts:.1f} | {contacts / joint:.2f} |", flush=True)


if __name__ == "__main__":
    main()
