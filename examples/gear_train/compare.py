#!/usr/bin/python3
"""Compares a run of gear_train.yaml with closed forms.

    examples/gear_train/compare.py out/gear_train

Of the sun's angle s: carrier s/5, planet on its pin -(2/3)(s - s/5), rack 25 mm times the carrier's angle. The motor's torque
follows from the power.
"""
import pathlib
import sys

import numpy as np

lines = [line for line in (pathlib.Path(sys.argv[1]) / "history.csv").read_text().splitlines()
         if line and not line.startswith("#")]
names = lines[0].split(",")
column = dict(zip(names, np.array([line.split(",") for line in lines[1:]], dtype=float).T))

sun = column["sun_angle"]
carrier, planet = sun / 5.0, -2.0 / 3.0 * (sun - sun / 5.0)
# Per turn of the sun: the carrier turns by c, the planet (in the world) by p, the rack moves by r.
c, p, r = 0.2, 0.2 - 2.0 / 3.0 * 0.8, 0.2 * 0.025
inertia = (400e-6 + c**2 * (3000e-6 + 1.2 * 0.01**2 + 0.8 * 0.05**2) + p**2 * 800e-6 + r**2 * 6.0)
weight = 9.81 * c * np.cos(carrier) * (1.2 * 0.01 + 0.8 * 0.05)
torque = inertia * column["sun_acceleration"] + weight + 200.0 * r
errors = {
    "carrier_angle": np.abs(column["carrier_angle"] + carrier).max(),
    "planet_angle": np.abs(column["planet_angle"] - planet).max(),
    "rack_position": np.abs(column["rack_position"] - 0.025 * carrier).max(),
    "sun_speed": abs(column["sun_speed"][-1] - 24.0),
    "motor_torque": np.abs(column["motor_torque"] - torque).max() / np.abs(torque).max(),
}
print(f"sun {sun[-1] / (2 * np.pi):.2f} turns, rack {1e3 * column['rack_position'][-1]:.1f} mm, "
      f"torque {column['motor_torque'].min():.2f} to {column['motor_torque'].max():.2f} N m")
for name, error in errors.items():
    print(f"{name}: largest error {error:.1e}")
sys.exit(0 if max(errors.values()) < 1e-6 else 1)
