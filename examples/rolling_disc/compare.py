#!/usr/bin/python3
"""Compares a run of rolling_disc.yaml with the steady motion on a circle.

    examples/rolling_disc/compare.py out/rolling_disc
"""
import pathlib
import sys

import numpy as np

MASS, RADIUS, AXIAL, TRANSVERSE, GRAVITY, CIRCLE, LEAN = 3.0, 0.3, 0.135, 0.0675, 9.81, 0.8, 0.35

lines = [line for line in (pathlib.Path(sys.argv[1]) / "history.csv").read_text().splitlines()
         if line and not line.startswith("#")]
names = lines[0].split(",")
column = dict(zip(names, np.array([line.split(",") for line in lines[1:]], dtype=float).T))

turn = np.sqrt(MASS * GRAVITY * RADIUS * np.tan(LEAN)
               / (AXIAL * CIRCLE / RADIUS + TRANSVERSE * np.sin(LEAN) + MASS * RADIUS * CIRCLE))
angle = turn * column["time"]
away = np.hypot(column["centre.x"] - CIRCLE * np.cos(angle), column["centre.y"] - CIRCLE * np.sin(angle))
friction = np.hypot(column["contact.force_x"], column["contact.force_y"])
errors = {
    "place": away.max(),
    "height": np.abs(column["centre.z"] - RADIUS * np.cos(LEAN)).max(),
    "friction": np.abs(friction / (MASS * CIRCLE * turn**2) - 1.0).max(),
    "load": np.abs(column["contact.force_z"] / (MASS * GRAVITY) - 1.0).max(),
    "energy": np.ptp(column["energy"]) / column["energy"][0],
}
print(f"{turn:.4f} rad/s round the circle")
for name, error in errors.items():
    print(f"{name}: largest error {error:.1e}")
sys.exit(0 if max(errors.values()) < 1e-3 else 1)
