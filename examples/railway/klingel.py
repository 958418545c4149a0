#!/usr/bin/python3
"""Compares the wavelength of a run of wheelset.yaml with Klingel's, and draws it where Matplotlib is there.

    examples/railway/klingel.py out/railway [--picture wheelset.png]
"""
import argparse
import pathlib
import sys

import numpy as np

R0, B, CONICITY, AMPLITUDE = 0.46, 0.75, 0.05, 0.003

parser = argparse.ArgumentParser()
parser.add_argument("results", type=pathlib.Path)
parser.add_argument("--picture", type=pathlib.Path)
arguments = parser.parse_args()
lines = [line for line in (arguments.results / "history.csv").read_text().splitlines() if line and not line.startswith("#")]
column = dict(zip(lines[0].split(","), np.array([line.split(",") for line in lines[1:]], dtype=float).T))
s, y = column["s"] - column["s"][0], column["y"]

klingel = 2.0 * np.pi * np.sqrt(R0 * B / CONICITY)
turns = np.flatnonzero(np.diff(np.sign(y)))
crossings = s[turns] - y[turns] * np.diff(s)[turns] / np.diff(y)[turns]
wavelength = 2.0 * np.mean(np.diff(crossings))
print(f"wavelength {wavelength:.4f} m, Klingel's {klingel:.4f} m: {100 * (wavelength / klingel - 1):+.2f} %")
if arguments.picture:
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(7, 2.8), constrained_layout=True)
    axes.plot(s, 1e3 * y, label="wheelset.yaml")
    axes.plot(s, 1e3 * AMPLITUDE * np.cos(2.0 * np.pi * s / klingel), "--", label="Klingel")
    axes.set(xlabel="along the track [m]", ylabel="to the left [mm]")
    axes.legend(loc="lower left")
    figure.savefig(arguments.picture, dpi=110)
sys.exit(0 if abs(wavelength / klingel - 1.0) < 0.01 else 1)
