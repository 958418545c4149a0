#!/usr/bin/python3
"""Draws the bracket and its strut at some load parameters, deformation at true scale, coloured by displacement.

    examples/bracket/draw.py out/bracket bracket.png
"""
import os
import sys

os.environ.setdefault("MPLBACKEND", "Agg")
import h5py
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import PolyCollection

PARAMETERS = [0.0, 0.5, 1.0]
WALL_BEARING = np.array([0.0, 0.0, 0.09])  # m, as in bracket.yaml
PIN = np.array([0.108, 0.0, -0.002])
TURN, TILT = np.radians(-55.0), np.radians(22.0)  # the camera's, about z and about its own horizontal


def camera():
    """Rows: to the right, upwards, towards the camera."""
    right = np.array([np.cos(TURN + np.pi / 2), np.sin(TURN + np.pi / 2), 0.0])
    towards = np.array([np.cos(TILT) * np.cos(TURN), np.cos(TILT) * np.sin(TURN), np.sin(TILT)])
    return np.array([right, np.cross(towards, right), towards])


def draw(axes, part, snapshot):
    x = part[f"positions/{snapshot}"][:]
    start = part[f"positions/{sorted(part['positions'])[0]}"][:]
    (cells,) = part["cells"].values()
    corners = cells[:, :3]
    seen = x @ camera().T
    a, b, c = (seen[corners[:, i]] for i in range(3))
    normals = np.cross(b - a, c - a)
    faces_camera = normals[:, 2] > 0
    order = np.flatnonzero(faces_camera)[np.argsort(seen[corners[faces_camera], 2].mean(axis=1))]
    displacement = 1e3 * np.linalg.norm(x - start, axis=1)[corners].mean(axis=1)
    faces = axes.add_collection(PolyCollection(seen[corners[order], :2], array=displacement[order], cmap="viridis",
                                               edgecolors="face", linewidths=0.3))
    faces.set_clim(0.0, LARGEST)
    nearest = np.argsort(np.linalg.norm(start - PIN, axis=1))[:60]
    ends = np.array([WALL_BEARING, x[nearest].mean(axis=0)]) @ camera().T
    axes.plot(ends[:, 0], ends[:, 1], "-o", color="0.35", linewidth=3, markersize=5)
    return faces


def main():
    global LARGEST
    folder, picture = sys.argv[1:]
    figure, panels = plt.subplots(1, len(PARAMETERS), figsize=(11, 4.2), sharex=True, sharey=True, layout="constrained")
    with h5py.File(os.path.join(folder, "fields.h5")) as fields:
        times, part = fields["times"][:], fields["parts/bracket"]
        snapshots = sorted(part["positions"])
        last = snapshots[int(np.nanargmax(times))]
        LARGEST = 1e3 * np.linalg.norm(part[f"positions/{last}"][:] - part[f"positions/{snapshots[0]}"][:], axis=1).max()
        for axes, parameter in zip(panels, PARAMETERS):
            nearest = int(np.nanargmin(np.abs(times - parameter)))
            faces = draw(axes, part, snapshots[nearest])
            axes.set(aspect="equal", title=f"{100 * times[nearest]:.0f} kPa")
            axes.axis("off")
    figure.colorbar(faces, ax=panels, label="displacement [mm]", shrink=0.8)
    figure.savefig(picture, dpi=110)


LARGEST = 1.0
main()
