#!/usr/bin/python3
"""Friction-contact problems by Solidyn and by Siconos (Debian's python3-siconos), side by side on the same blocks.

    sudo apt-get install python3-siconos python3-h5py
    benchmarks/friction/peer.py --solidyn build/bin/solidyn tests/data/friction/*.hdf5

Prints in Markdown the processor time of `automatic` and of each method of Siconos, in ms, medians of five, to 1e-8 of |q| by each
code's own error, and by how much the answer of each misses the laws by Solidyn's error. What was not solved is in brackets.
"""
import argparse
import pathlib
import re
import statistics
import subprocess
import tempfile
import time

import h5py
import numpy as np
import siconos.numerics as sn

METHODS = {"NSGS": sn.SICONOS_FRICTION_3D_NSGS, "NSN_AC": sn.SICONOS_FRICTION_3D_NSN_AC, "ADMM": sn.SICONOS_FRICTION_3D_ADMM}
MOST_ITERATIONS = {"NSGS": 100000, "NSN_AC": 500, "ADMM": 20000}


def problem_of(file):
    with h5py.File(file) as f:
        w, vectors = f["fclib_local/W"], f["fclib_local/vectors"]
        n = int(w["m"][0])
        dense = np.zeros((n, n))
        starts, rows, values = w["p"][:], w["i"][:], w["x"][:]
        for column in range(n):
            part = slice(starts[column], starts[column + 1])
            dense[rows[part], column] = values[part]
        return dense, np.array(vectors["q"]), np.array(vectors["mu"])


def natural_map(W, q, mu, r):
    """Solidyn's error (doc/theory/friction_contact.md), relative to |q|."""
    u = W @ r + q
    total = 0.0
    for i, m in enumerate(mu):
        at = slice(3 * i, 3 * i + 3)
        rho = 1.0 / np.trace(W[at, at])
        lifted = u[at].copy()
        lifted[0] += m * np.hypot(*u[at][1:])
        y = r[at] - rho * lifted
        t = np.hypot(y[1], y[2])
        if t <= m * y[0]:
            p = y
        elif m * t <= -y[0]:
            p = np.zeros(3)
        else:
            p = (y[0] + m * t) / (1 + m * m) * np.array([1.0, m * y[1] / t, m * y[2] / t])
        total += (np.linalg.norm(r[at] - p) / rho) ** 2
    return total ** 0.5 / np.linalg.norm(q)


def by_siconos(name, W, q, mu, repeat):
    """-> ms, relative error, whether it says that it has converged"""
    times = []
    for _ in range(repeat):
        problem = sn.FrictionContactProblem(3, len(mu), W, q, mu)
        options = sn.SolverOptions(METHODS[name])
        options.dparam[sn.SICONOS_DPARAM_TOL] = 1e-8
        options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = MOST_ITERATIONS[name]
        r, u = np.zeros(len(q)), np.zeros(len(q))
        start = time.process_time()
        info = sn.fc3d_driver(problem, r, u, options)
        times.append(1e3 * (time.process_time() - start))
        if times[-1] > 20e3:
            break
    return statistics.median(times), natural_map(W, q, mu, r), info == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--solidyn", required=True)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("problems", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    print("| problem | contacts | Solidyn `automatic` |", " | ".join(f"Siconos {m}" for m in METHODS), "|")
    print("| --- " * (3 + len(METHODS)) + "|")
    with tempfile.TemporaryDirectory() as name:
        for path in args.problems:
            local = pathlib.Path(name) / "local.hdf5"
            done = subprocess.run([args.solidyn, "bench", "friction", path, "--method", "automatic", "--repeat", str(args.repeat), "-o", local],
                                  capture_output=True, text=True, check=True)
            ms, _, error = re.search(r"^automatic\s+(\S+)\s+(\S+)\s+(\S+)", done.stdout, re.M).groups()
            W, q, mu = problem_of(local)
            cells = [f"{float(ms):.3g} ({error})"]
            for method in METHODS:
                ms, error, converged = by_siconos(method, W, q, mu, args.repeat)
                cells.append(f"{ms:.3g} ({error:.1e})" if converged else f"[{ms:.3g} ({error:.1e})]")
            print(f"| {path.stem} | {len(mu)} |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
