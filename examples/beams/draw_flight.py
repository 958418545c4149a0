#!/usr/bin/python3
"""Draws a beam in flight: its line at the instants of fields.h5, coloured by time, and the way of its two ends, seen along y; and
along x where it leaves the plane.

    examples/beams/draw_flight.py out/flying_spaghetti flight.png
"""
import os
import sys

os.environ.setdefault("MPLBACKEND", "Agg")
import h5py
import matplotlib.pyplot as plt
import numpy as np

UNTIL = 12.0  # s: later lines lie over each other


def lines(folder):
    with h5py.File(os.path.join(folder, "fields.h5")) as fields:
        positions = fields["parts/spaghetti/positions"]
        shapes = np.array([positions[name][:] for name in sorted(positions)])
        times = fields["times"][:len(shapes)]
    is_seen = times <= UNTIL
    return times[is_seen], shapes[is_seen]


def draw(axes, times, shapes, across):
    colours = plt.cm.viridis(times / times[-1])
    for shape, colour in zip(shapes, colours):
        axes.plot(shape[:, across], shape[:, 2], color=colour, linewidth=0.8)
    for end, style in ((0, "-"), (-1, "--")):
        axes.plot(shapes[:, end, across], shapes[:, end, 2], style, color="0.3", linewidth=0.6)
    axes.set(aspect="equal", xlabel="xy"[across] + " [m]")


def main():
    folder, picture = sys.argv[1:]
    times, shapes = lines(folder)
    leaves_plane = np.ptp(shapes[:, :, 1]) > 1e-6
    figure, panels = plt.subplots(1, 2 if leaves_plane else 1, figsize=(12, 2.8), sharey=True, squeeze=False,
                                  layout="constrained",
                                  gridspec_kw={"width_ratios": [6, 1]} if leaves_plane else None)
    draw(panels[0, 0], times, shapes, 0)
    panels[0, 0].set_ylabel("z [m]")
    if leaves_plane:
        draw(panels[0, 1], times, shapes, 1)
    colours = plt.cm.ScalarMappable(plt.Normalize(0, times[-1]), "viridis")
    figure.colorbar(colours, ax=panels, label="t [s]", aspect=12)
    figure.savefig(picture, dpi=90)


main()
