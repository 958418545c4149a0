#!/usr/bin/python3
"""Draws the meshes of the linkage at some instants, deformation at true scale, with the straight lines between the pins.

    examples/four_bar/draw.py out/four_bar linkage.png
"""
import os
import sys

os.environ.setdefault("MPLBACKEND", "Agg")
import h5py
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import PolyCollection

INSTANTS = [0.18, 0.21, 0.24, 0.265]  # s; a run that ends before is drawn at its end
LINKS = ["crank", "coupler", "rocker"]


def undeformed_distance(link, snapshot):
    """Positions of the boundary's nodes, and how far each is from where the link, moved rigidly, would have it [m]."""
    first = sorted(link["positions"])[0]
    x, reference = link[f"positions/{snapshot}"][:], link[f"positions/{first}"][:]
    mean, reference_mean = x.mean(axis=0), reference.mean(axis=0)
    u, _, v = np.linalg.svd((x - mean).T @ (reference - reference_mean))
    rotation = u @ np.diag([1, 1, np.linalg.det(u @ v)]) @ v
    return x, np.linalg.norm(x - mean - (reference - reference_mean) @ rotation.T, axis=1)


def faces_seen_along_z(link, snapshot):
    """Boundary triangles from the farthest to the nearest, and mean distances from the rigid shape [mm]."""
    x, distance = undeformed_distance(link, snapshot)
    (cells,) = link["cells"].values()
    corners = cells[:, :3]
    corners = corners[np.argsort(x[corners, 2].mean(axis=1))]
    return x[corners, :2], 1e3 * distance[corners].mean(axis=1)


def draw_instant(axes, fields, snapshot):
    for name in LINKS:
        triangles, distance = faces_seen_along_z(fields[f"parts/{name}"], snapshot)
        faces = axes.add_collection(PolyCollection(triangles, array=distance, cmap="viridis", edgecolors="face",
                                                   linewidths=0.3))
        faces.set_clim(0.0, 2.5)
    return faces


def main():
    folder, picture = sys.argv[1:]
    figure, panels = plt.subplots(2, 2, figsize=(9, 6.8), sharex=True, sharey=True, layout="constrained")
    with h5py.File(os.path.join(folder, "fields.h5")) as fields:
        times = fields["times"][:]
        snapshots = sorted(fields["parts/coupler/positions"])
        for axes, instant in zip(panels.flat, INSTANTS):
            nearest = int(np.nanargmin(np.abs(times - instant)))
            faces = draw_instant(axes, fields, snapshots[nearest])
            axes.plot([0, 0.3], [0, 0], "+", color="0.2", markersize=9)
            axes.set(aspect="equal", title=f"t = {times[nearest]:.3f} s", xlim=(-0.13, 0.42), ylim=(-0.13, 0.32))
    figure.colorbar(faces, ax=panels, label="distance from the rigid link's shape [mm]", shrink=0.8)
    for axes in panels[-1]:
        axes.set_xlabel("x [m]")
    for axes in panels[:, 0]:
        axes.set_ylabel("y [m]")
    figure.savefig(picture, dpi=110)


main()
