#!/usr/bin/env python3
"""The lowest modes of one mesh by Solidyn's reduction and by CalculiX' *FREQUENCY, side by side.

    python3 benchmarks/reduction/beside_calculix.py [--modes 20] [--folder /tmp/beside]

Needs gmsh and ccx (Debian: gmsh, calculix-ccx) and a built benchmark_reduction. Prints one line of JSON: CPU seconds of both, wall clock, and the largest
difference of a frequency. Both work on one thread; the order is CalculiX, Solidyn, so that neither disturbs the other.
"""
import argparse
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
STEP = """*MATERIAL, NAME=STEEL
*ELASTIC
2e11, 0.3
*DENSITY
7870
*SOLID SECTION, ELSET={elset}, MATERIAL=STEEL
*STEP
*FREQUENCY
{modes}
*END STEP
"""


def timed(command, folder):
    """CPU and wall-clock seconds of a program, and what it printed."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, cwd=folder, env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, time.monotonic() - start, done.stdout


def calculix_frequencies(dat):
    """Elastic frequencies in Hz: the table without its six rigid modes."""
    table = dat.read_text().split("E I G E N V A L U E   O U T P U T")[1].split("P A R T I C I P A T I O N")[0]
    rows = re.findall(r"^ +\d+ +\S+ +\S+ +(\S+) +\S+ *$", table, re.MULTILINE)
    return [float(row) for row in rows][6:]


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--modes", type=int, default=20, help="elastic modes")
    arguments.add_argument("--folder", default="/tmp/beside_calculix")
    options = arguments.parse_args()
    for program in ("gmsh", "ccx"):
        if not shutil.which(program):
            sys.exit(f"skipped: {program} is not installed (Debian: gmsh, calculix-ccx)")
    folder = pathlib.Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["gmsh", "-3", ROOT / "benchmarks/reduction/bar.geo", "-o", "bar.msh", "-v", "1"], cwd=folder, check=True)
    subprocess.run([ROOT / "build/bin/solidyn", "convert", "bar.msh", "bar.inp"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    text = (folder / "bar.inp").read_text()
    elset = re.search(r"^\*ELEMENT.*TYPE=C3D10.*ELSET=([^,\s]+)", text, re.MULTILINE | re.IGNORECASE).group(1)
    (folder / "job.inp").write_text(text + STEP.format(elset=elset, modes=options.modes + 6))

    ccx_cpu, ccx_wall, _ = timed(["ccx", "job"], folder)
    cpu, wall, printed = timed([ROOT / "build/benchmarks/benchmark_reduction", "bar.msh", "--modes", str(options.modes), "--repeat", "1",
                                "--no-bare"], folder)
    ours = json.loads(printed.splitlines()[-1])
    theirs = calculix_frequencies(folder / "job.dat")
    difference = max(abs(a / b - 1.0) for a, b in zip(ours["check"]["frequencies_hz"], theirs))
    assert len(theirs) == options.modes and difference < 1e-5, (theirs, ours)
    print(json.dumps({"n_dofs": ours["n_dofs"], "modes": options.modes, "calculix_cpu_seconds": round(ccx_cpu, 1), "cpu_seconds": round(cpu, 1),
                      "ratio": round(ccx_cpu / cpu, 1), "calculix_seconds": round(ccx_wall, 1), "seconds": round(wall, 1),
                      "largest_difference_of_a_frequency": difference}))


if __name__ == "__main__":
    main()
