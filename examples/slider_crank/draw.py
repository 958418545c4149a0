#!/usr/bin/python3
"""Draws the mechanism at some instants, deformation at true scale, coloured by the rod's elastic displacement.

    examples/slider_crank/draw.py build/demo/slider_crank mechanism.png
"""
import os
import sys

os.environ.setdefault("MPLBACKEND", "Agg")
import h5py
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import PolyCollection

INSTANTS = [0.0, 0.0057, 0.0113, 0.018, 0.0238, 0.0323, 0.038]  # s


def rod_faces(fields, snapshot):
    """Boundary triangles of the rod seen along z, from the farthest to the nearest, and mean displacements."""
    rod = fields["parts/rod"]
    positions = rod[f"positions/{snapshot}"][:]
    displacement = np.linalg.norm(rod[f"displacement%20in%20body%20axes/{snapshot}"][:], axis=1)
    (cells,) = rod["cells"].values()
    corners = cells[:, :3]
    order = np.argsort(positions[corners, 2].mean(axis=1))
    return positions[corners[order], :2], 1e3 * displacement[corners[order]].mean(axis=1)


def main():
    folder, picture = sys.argv[1:]
    figure, axes = plt.subplots(figsize=(8, 3.9), layout="constrained")
    with h5py.File(os.path.join(folder, "fields.h5")) as fields:
        times = fields["times"][:]
        for instant in INSTANTS:
            snapshot = sorted(fields["parts/rod/positions"])[np.nanargmin(np.abs(times - instant))]
            triangles, displacement = rod_faces(fields, snapshot)
            x = triangles.reshape(-1, 2)
            pin = x[np.argmin(np.abs(np.hypot(*x.T) - 0.15))]
            slider = x[np.argmax(x[:, 0])]
            axes.plot([0, pin[0]], [0, pin[1]], color="0.35", linewidth=3, solid_capstyle="round")
            axes.add_patch(plt.Rectangle((slider[0] - 0.012, -0.008), 0.024, 0.016, color="0.75"))
            faces = axes.add_collection(PolyCollection(triangles, array=displacement, cmap="viridis",
                                                       edgecolors="face", linewidths=0.3))
            faces.set_clim(0.0, 4.0)
        axes.axhline(0.0, color="0.8", linewidth=0.7, zorder=0)
        axes.plot(0, 0, "o", color="0.35", markersize=7)
        figure.colorbar(faces, label="elastic displacement [mm]", shrink=0.9)
    axes.set(aspect="equal", xlabel="x [m]", ylabel="y [m]", xlim=(-0.18, 0.48), ylim=(-0.18, 0.18))
    figure.savefig(picture, dpi=130)


main()
