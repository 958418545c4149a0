#!/usr/bin/python3
"""Draws the frequencies of modes.csv over the speed of rotation, a line for each branch, with multiples of the speed.

    examples/campbell/draw.py out/shaft campbell.png
"""
import csv
import math
import os
import sys

os.environ.setdefault("MPLBACKEND", "Agg")
import matplotlib.pyplot as plt


def main():
    folder, picture = sys.argv[1:]
    branches = {}
    with open(os.path.join(folder, "modes.csv"), encoding="utf-8") as file:
        file.readline()  # units
        for row in csv.DictReader(file):
            if row["kind"] == "oscillation":
                branches.setdefault(row["branch"], []).append((float(row["speed"]), float(row["frequency"])))
    figure, axes = plt.subplots(figsize=(8, 5))
    for branch, points in branches.items():
        axes.plot(*zip(*sorted(points)), marker=".", label=f"branch {branch}")
    fastest = max(speed for points in branches.values() for speed, _ in points)
    for multiple in (1, 2):
        axes.plot([0, fastest], [0, multiple * fastest / (2 * math.pi)], color="grey", linewidth=0.7, linestyle="--")
    axes.set_xlabel("speed (rad/s)")
    axes.set_ylabel("frequency (Hz)")
    axes.set_ylim(bottom=0)
    axes.legend(fontsize="small")
    figure.tight_layout()
    figure.savefig(picture, dpi=120)


if __name__ == "__main__":
    main()
