#!/usr/bin/python3
"""Draws amplitude and phase of every input and output of a frequency response.

    examples/frequency_response/draw.py out/frequency_response answers.png
"""
import csv
import os
import sys

os.environ.setdefault("MPLBACKEND", "Agg")
import matplotlib.pyplot as plt
import numpy as np


def read(folder):
    """(input, output) -> rows of frequency, amplitude, phase."""
    with open(os.path.join(folder, "frequency_response.csv"), encoding="utf-8") as file:
        file.readline()  # units
        curves = {}
        for row in csv.DictReader(file):
            curves.setdefault((row["input"], row["output"]), []).append(
                [float(row[name]) for name in ("frequency", "amplitude", "phase")])
    return {names: np.array(rows) for names, rows in curves.items()}


def main():
    folder, picture = sys.argv[1:]
    figure, (above, below) = plt.subplots(2, 1, sharex=True, figsize=(8, 6))
    for (source, target), rows in read(folder).items():
        above.loglog(rows[:, 0], rows[:, 1], label=f"{target} by {source}")
        below.semilogx(rows[:, 0], np.degrees(rows[:, 2]))
    above.set_ylabel("amplitude per unit of input")
    above.legend()
    below.set_ylabel("phase (deg)")
    below.set_xlabel("frequency (Hz)")
    figure.tight_layout()
    figure.savefig(picture, dpi=120)


if __name__ == "__main__":
    main()
