#!/usr/bin/python3
"""Compares the wavelength of a run of wheelset.yaml with Klingel's.

    examples/railway/klingel.py out/railway
"""
import pathlib
import sys

import numpy as np

R0, B, CONICITY = 0.46, 0.75, 0.05

lines = [line for line in (pathlib.Path(sys.argv[1]) / "history.csv").read_text().splitlines() if line and not line.startswith("#")]
column = dict(zip(lines[0].split(","), np.array([line.split(",") for line in lines[1:]], dtype=float).T))
s, y = column["s"] - column["s"][0], column["y"]

klingel = 2.0 * np.pi * np.sqrt(R0 * B / CONICITY)
turns = np.flatnonzero(np.diff(np.sign(y)))
crossings = s[turns] - y[turns] * np.diff(s)[turns] / np.diff(y)[turns]
wavelength = 2.0 * np.mean(np.diff(crossings))
print(f"wavelength {wavelength:.4f} m, Klingel's {klingel:.4f} m: {100 * (wavelength / klingel - 1):+.2f} %")
sys.exit(0 if abs(wavelength / klingel - 1.0) < 0.01 else 1)
