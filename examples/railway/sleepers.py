#!/usr/bin/python3
"""Wheel load and rail under the wheel of sleepers.yaml, and how much of the load goes with the passing of sleepers.

    examples/railway/sleepers.py OUT        OUT: results of sleepers.yaml
"""
import pathlib
import sys

import numpy as np

FROM, TO, SPACING = 6.0, 18.0, 0.6

lines = [line for line in (pathlib.Path(sys.argv[1]) / "history.csv").read_text().splitlines() if line and not line.startswith("#")]
column = dict(zip(lines[0].split(","), np.array([line.split(",") for line in lines[1:]], dtype=float).T))
s, load, rail = (column[name] for name in ("s", "Q", "rail"))

# Away from the ends, where the wheelset comes from rigid rails and goes on to them: a whole number of bays.
inner = (s > FROM + 5 * SPACING) & (s < TO - 5 * SPACING)
wave = lambda values, n: 2 * abs(np.mean((values - values.mean()) * np.exp(-2j * np.pi * n * s[inner] / SPACING)))
print(f"in the middle of the part the rail is {-1e3 * rail[inner].mean():.3f} mm down under {load[inner].mean() / 1e3:.2f} kN")
print(f"with the sleepers the load goes by {wave(load[inner], 1) / 1e3:.3f} kN and the rail by {1e6 * wave(rail[inner], 1):.1f} um, twice as often by {wave(load[inner], 2) / 1e3:.3f} kN")
