#!/usr/bin/python3
"""Writes track.csv: a straight of 40 m, a loop whose curvature is that of a sine squared, and a straight of 30 m.

    examples/roller_coaster/track.py examples/roller_coaster/track.csv
"""
import sys

import numpy as np

SHARPEST, STRAIGHT, RUN_OUT = 1.0 / 10.0, 40.0, 30.0
LOOP = 4.0 * np.pi / SHARPEST  # the curvature's integral is one turn


def curvature(s):
    """1/m, of the length of arc from the beginning."""
    within = np.clip((s - STRAIGHT) / LOOP, 0.0, 1.0)
    return SHARPEST * np.sin(np.pi * within) ** 2


def slope(s):
    """The angle of the tangent over the horizontal, rad."""
    within = np.clip((s - STRAIGHT) / LOOP, 0.0, 1.0)
    return SHARPEST * LOOP * (within / 2.0 - np.sin(2.0 * np.pi * within) / (4.0 * np.pi))


def track(n_per_metre=1000):
    """Length of arc, x and z, by the trapezoidal rule."""
    s = np.linspace(0.0, STRAIGHT + LOOP + RUN_OUT, int((STRAIGHT + LOOP + RUN_OUT) * n_per_metre) + 1)
    step = s[1] - s[0]
    x, z = (np.concatenate(([0.0], np.cumsum(0.5 * step * (f[1:] + f[:-1])))) for f in (np.cos(slope(s)), np.sin(slope(s))))
    return s, x, z


if __name__ == "__main__":
    s, x, z = track()
    at = np.linspace(0.0, s[-1], 161)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write("# x, y, z in m; written by track.py\n")
        for point in zip(np.interp(at, s, x), np.interp(at, s, z)):
            file.write(f"{point[0]:.9f}, 0, {point[1]:.9f}\n")
