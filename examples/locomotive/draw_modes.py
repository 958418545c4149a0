#!/usr/bin/python3
"""Draws the frame and its first free-free modes from a file of `solidyn reduce`, coloured by displacement, with the points P
(seat of the front right primary spring) and Q (where the cut is).

    examples/locomotive/draw_modes.py out/frame.sbody out/frame.png
"""
import os
import sys

os.environ.setdefault("MPLBACKEND", "Agg")
import h5py
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import PolyCollection

PLACES = {"P": (1.98, -0.80, 0.0), "Q": (0.85, -0.665, -0.10)}  # m, in mesh axes
TURN, TILT = np.radians(-62.0), np.radians(28.0)  # the camera's, about z and about its own horizontal
LARGEST = 0.25  # displacement as drawn, m


def camera():
    """Rows: to the right, upwards, towards the camera."""
    right = np.array([-np.sin(TURN), np.cos(TURN), 0.0])
    towards = np.array([np.cos(TILT) * np.cos(TURN), np.cos(TILT) * np.sin(TURN), np.sin(TILT)])
    return np.array([right, np.cross(towards, right), towards])


def skin(tetrahedra):
    """Corners of the faces that belong to one element, outwards."""
    faces = tetrahedra[:, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]].reshape(-1, 3)
    _, first, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    return faces[first[count == 1]]


def draw(axes, x, faces, moved):
    seen = (x + moved) @ camera().T
    a, b, c = (seen[faces[:, i]] for i in range(3))
    normals = np.cross(b - a, c - a)
    visible = np.flatnonzero(normals[:, 2] > 0)
    visible = visible[np.argsort(seen[faces[visible], 2].mean(axis=1))]
    light = 0.35 + 0.65 * normals[visible, 2] / np.linalg.norm(normals[visible], axis=1)
    share = np.linalg.norm(moved, axis=1)[faces[visible]].mean(axis=1) / LARGEST
    colours = plt.get_cmap("viridis")(share)[:, :3] if moved.any() else np.full((len(visible), 3), 0.8)
    colours = colours * light[:, None]
    axes.add_collection(PolyCollection(seen[faces[visible], :2], facecolors=colours, edgecolors=colours, linewidths=0.2))
    axes.autoscale_view()
    axes.set(aspect="equal")
    axes.axis("off")


def main():
    body, path = sys.argv[1:]
    figure, panels = plt.subplots(2, 2, figsize=(9, 5.6), sharex=True, sharey=True, layout="constrained")
    with h5py.File(body) as file:
        x, tetrahedra = file["mesh/x"][:], file["mesh/tet10"][:].reshape(-1, 10)
        frequencies = file["frequencies"][0]
        shapes = [file[f"modes/{i}"][:].reshape(-1, 3) for i in range(3)]
    faces = skin(tetrahedra)
    draw(panels[0, 0], x, faces, np.zeros_like(x))
    panels[0, 0].set_title(f"{len(tetrahedra)} tet10", fontsize=9)
    for name, place in PLACES.items():
        at = camera() @ np.array(place)
        panels[0, 0].plot(*at[:2], "o", color="tab:red", markersize=4)
        panels[0, 0].annotate(name, at[:2], at[:2] + np.array([0.12, -0.28]), color="tab:red", arrowprops={"arrowstyle": "-", "color": "tab:red", "lw": 0.7})
    for axes, shape, frequency in zip(panels.flat[1:], shapes, frequencies):
        draw(axes, x, faces, LARGEST * shape / np.linalg.norm(shape, axis=1).max())
        axes.set_title(f"{frequency:.1f} Hz", fontsize=9)
    figure.savefig(path, dpi=100)


main()
