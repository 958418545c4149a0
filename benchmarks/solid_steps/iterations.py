#!/usr/bin/env python3
"""Iterations and CPU time of conjugate gradients by preconditioner, over what makes them slow: a table in Markdown.

    benchmarks/solid_steps/iterations.py build/benchmarks/benchmark_solid_steps
    benchmarks/solid_steps/iterations.py build/benchmarks/benchmark_solid_steps --only nu --cells 10

Of the block of solid_steps (README.md), two steps after the first. A correction is one of Newton's, solved to 1e-3. A preconditioner whose
run fails is told as such: that is an answer, too.
"""
import argparse
import json
import subprocess

PRECONDITIONERS = ["mg", "gamg", "pbjacobi"]
CASES = {
    "element": [["--element", e] for e in ("tet10", "hex20", "wedge15", "pyramid13")],
    "aspect": [["--aspect", a] for a in ("2", "5", "10", "20")],
    "nu": [["--nu", nu] for nu in ("0.4", "0.45", "0.49", "0.499")],
    "jump": [["--jump", j] for j in ("1e2", "1e4", "1e6")],
    "slender": [["--slender", s, "--cells", "2", "--step", h] for s, h in (("10", "1e-3"), ("100", "1e-3"))],
    "step": [["--step", h] for h in ("1e-6", "1e-5", "1e-4", "1e-3")],
}


def run(program, options, preconditioner, cells, ranks):
    command = [program, "--case", "block", "--repeat", "1", "--steps", "3", "--petsc", f"-body_ksp_type cg -body_pc_type {preconditioner}"]
    command += [] if "--step" in options else ["--step", "1e-3"]
    command += [] if "--cells" in options else ["--cells", str(cells)]
    launcher = [] if ranks == 1 else ["mpirun", "-n", str(ranks)]
    try:
        done = subprocess.run(launcher + command + options, capture_output=True, text=True, timeout=120)
        line = [one for one in done.stdout.splitlines() if one.startswith("{")]
        return json.loads(line[0]) if line else None
    except subprocess.TimeoutExpired:
        return None


def cell(result):
    if result is None:
        return "fails"
    corrections = max(result["newton_iterations_per_step"], 1.0)
    return f"{result['linear_iterations_per_step'] / corrections:.1f} / {result['cpu_seconds_per_step']:.3g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--cells", type=int, default=8)
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("--only", choices=CASES)
    arguments = parser.parse_args()
    print("iterations per correction / CPU s per step")
    print("| " + " | ".join(["case"] + PRECONDITIONERS) + " |\n|" + " --- |" * (1 + len(PRECONDITIONERS)))
    for name, variants in CASES.items():
        if arguments.only not in (None, name):
            continue
        for options in variants:
            results = [run(arguments.program, options, p, arguments.cells, arguments.ranks) for p in PRECONDITIONERS]
            print("| " + " | ".join([" ".join(options).replace("--", "")] + [cell(r) for r in results]) + " |", flush=True)


if __name__ == "__main__":
    main()
