#!/usr/bin/python3
"""Draws the power spectral density of the lateral acceleration of point P of several runs, by `solidyn psd`, over each other; prints
how far the power of each is from the first's in bands, dB.

    examples/locomotive/spectra.py PICTURE.png rigid=out/locomotive_rigid flexible=out/locomotive damaged=out/locomotive_cut

The speed of the runs, 70 km/h, makes the upper axis: wavelengths of the track.
"""
import argparse
import csv
import os
import pathlib
import subprocess

os.environ.setdefault("MPLBACKEND", "Agg")
import matplotlib.pyplot as plt
import numpy as np

SOLIDYN = pathlib.Path(__file__).resolve().parents[2] / "build" / "bin" / "solidyn"
SPEED = 70 / 3.6  # m/s
BANDS = [(0.5, 5), (5, 20), (20, 35), (35, 60), (60, 100), (100, 150)]  # Hz


def density(run, arguments):
    """Frequencies in Hz and density in (m/s^2)^2/Hz."""
    command = [arguments.solidyn.resolve(), "psd", run / "history.csv", "--columns", "P_acceleration_y", "--segment", str(arguments.segment),
               "--from", str(arguments.start), "--band", "0.5,150"]
    text = subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout
    rows = [row for row in csv.reader(text.splitlines()) if row and not row[0].startswith("#")]
    names, numbers = rows[0], [row for row in rows[1:] if len(row) == len(rows[0])]
    table = np.array(numbers, dtype=float)
    return table[:, 0], table[:, names.index("P_acceleration_y")]


def parsed_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("picture", type=pathlib.Path)
    parser.add_argument("runs", nargs="+", metavar="NAME=FOLDER")
    parser.add_argument("--solidyn", type=pathlib.Path, default=SOLIDYN)
    parser.add_argument("--segment", type=float, default=4.0, help="s")
    parser.add_argument("--start", type=float, default=5.0, help="s, what is before is left out")
    return parser.parse_args()


def main():
    arguments = parsed_arguments()
    figure, axes = plt.subplots(figsize=(8, 4), layout="constrained")
    first = None
    for name, _, folder in (run.partition("=") for run in arguments.runs):
        f, psd = density(pathlib.Path(folder), arguments)
        inside = (f >= 0.5) & (f <= 150)
        axes.loglog(f[inside], psd[inside], label=name, linewidth=1)
        power = np.array([psd[(f >= low) & (f < high)].sum() for low, high in BANDS])
        first = power if first is None else first
        print(name + ": " + ", ".join(f"{low:g}-{high:g} Hz {10 * np.log10(p / q):+.2f} dB" for (low, high), p, q in zip(BANDS, power, first) if q > 0))
    axes.set(xlabel="frequency (Hz)", ylabel="PSD of the lateral acceleration of P ((m/s²)²/Hz)")
    axes.secondary_xaxis("top", functions=(lambda f: SPEED / np.maximum(f, 1e-9), lambda w: SPEED / np.maximum(w, 1e-9))).set_xlabel("wavelength (m)")
    axes.legend()
    axes.grid(alpha=0.3)
    figure.savefig(arguments.picture, dpi=100)


main()
