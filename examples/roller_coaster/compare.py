#!/usr/bin/python3
"""Compares a run of roller_coaster.yaml with work and energy, and the rails' force with the curvature that the track was made of.

    examples/roller_coaster/compare.py out/roller_coaster
"""
import pathlib
import sys

import numpy as np

from track import curvature, slope, track

MASS, GRAVITY, START = 600.0, 9.81, 2.0

lines = [line for line in (pathlib.Path(sys.argv[1]) / "history.csv").read_text().splitlines()
         if line and not line.startswith("#")]
names = lines[0].split(",")
column = dict(zip(names, np.array([line.split(",") for line in lines[1:]], dtype=float).T))

way = column["travelled"]
s, x, z = track()
arc = START + way
thrust = np.interp(s - START, [0.0, 28.0, 32.0], [8e3, 8e3, 0.0])
work = np.concatenate(([0.0], np.cumsum(0.5 * (s[1] - s[0]) * (thrust[1:] + thrust[:-1]))))
work_done = np.interp(arc, s, work) - np.interp(START, s, work)
height = np.interp(arc, s, z)
speed = np.sqrt(np.maximum(2.0 * (work_done / MASS - GRAVITY * height), 0.0))
load = MASS * (speed**2 * curvature(arc) + GRAVITY * np.cos(slope(arc)))
rails = -np.sin(slope(arc)) * column["rails.force_x"] + np.cos(slope(arc)) * column["rails.force_z"]
errors = {
    "place": np.hypot(column["place.x"] - np.interp(arc, s, x), column["place.z"] - height).max() / z.max(),
    "speed": np.abs(column["speed"] - speed).max() / speed.max(),
    "force of the rails": np.abs(rails - load).max() / load.max(),
}
top = np.argmax(height)
print(f"{column['speed'].max():.2f} m/s after the launch, {column['speed'][top]:.2f} m/s at the top, {z.max():.2f} m high")
print(f"{rails.max() / (MASS * GRAVITY):.2f} g at most, {rails[top] / (MASS * GRAVITY):.2f} g at the top")
for name, error in errors.items():
    print(f"{name}: largest error {error:.1e}")
sys.exit(0 if max(errors.values()) < 2e-3 else 1)
