#!/usr/bin/python3
"""What a row of the history costs: a run with a row for each step beside the same run without rows.

    benchmarks/output_cost/output_cost.py --solidyn build/bin/solidyn [--solidyn other/bin/solidyn] [--runs 15]

Programs take turns. Prints a table in Markdown, and leaves with status 1 where a run is not what it should be.
"""
import argparse
import csv
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

MODEL = pathlib.Path(__file__).resolve().parent / "hexapod.yaml"
ROWS = {"rows": (2001, []), "no rows": (2, ["--set", "output.history_every=1000000"])}


def run(solidyn, what, out):
    """Seconds of the steps, and of the output among them."""
    n_rows, options = ROWS[what]
    subprocess.run([solidyn, "run", MODEL, "-o", out, *options], check=True, capture_output=True,
                   env=dict(os.environ, OPENBLAS_NUM_THREADS="1"))
    summary = json.loads((out / "summary.json").read_text())
    with open(out / "history.csv", encoding="utf-8") as file:
        rows = list(csv.reader(file))[2:]
    if summary["status"] != "done" or len(rows) != n_rows or len(rows[-1]) != 31:
        sys.exit(f"{solidyn}: {summary['status']}, {len(rows)} rows of {len(rows[-1])} columns")
    if abs(summary["energy"]["imbalance"]) > 1e-5 * summary["energy"]["exchanged"]:
        sys.exit(f"{solidyn}: energies do not balance: {summary['energy']}")
    seconds = summary["seconds"]
    return seconds["total"] - seconds["setup"], seconds["output"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--solidyn", action="append", required=True)
    parser.add_argument("--runs", type=int, default=15)
    arguments = parser.parse_args()
    times = {(solidyn, what): [] for solidyn in arguments.solidyn for what in ROWS}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(arguments.runs):
            for solidyn, what in times:
                times[solidyn, what].append(run(solidyn, what, pathlib.Path(folder)))
    print("| program | with rows, s | without, s | output, s | output of the run with rows |\n| --- | --- | --- | --- | --- |")
    for solidyn in arguments.solidyn:
        total, output = (statistics.median(column) for column in zip(*times[solidyn, "rows"]))
        part = statistics.median(o / t for t, o in times[solidyn, "rows"])
        without = statistics.median(t for t, _ in times[solidyn, "no rows"])
        print(f"| {solidyn} | {total:.4f} | {without:.4f} | {output:.4f} | {100 * part:.1f} % |")


if __name__ == "__main__":
    main()
