#!/usr/bin/python3
"""Compares a run of cardan_shaft.yaml with the closed form of the universal joint.

    examples/cardan_shaft/compare.py out/cardan_shaft

With the first shaft's angle a from where its arm lies in the plane of the shafts, bent by b:
speed ratio cos b / (1 - sin^2 b cos^2 a), and by the power the motor's torque. A drive that prescribes a speed lets accelerations
ring for the first steps, which are left out.
"""
import pathlib
import sys

import numpy as np

BEND, BRAKE, INERTIA_INPUT, INERTIA_MIDDLE, INERTIA_OUTPUT = np.pi / 6, 5.0, 0.004, 0.002, 0.02

lines = [line for line in (pathlib.Path(sys.argv[1]) / "history.csv").read_text().splitlines()
         if line and not line.startswith("#")]
names = lines[0].split(",")
column = dict(zip(names, np.array([line.split(",") for line in lines[101:]], dtype=float).T))

unevenness = 1.0 - (np.sin(BEND) * np.cos(column["input_angle"])) ** 2
ratio = np.cos(BEND) / unevenness
rate = -np.cos(BEND) / unevenness**2 * np.sin(BEND) ** 2 * np.sin(2.0 * column["input_angle"])
speed = column["input_speed"]
acceleration = rate * speed**2
torque = ratio * (BRAKE + (INERTIA_MIDDLE + INERTIA_OUTPUT) * acceleration)
errors = {
    "output_speed": np.abs(column["output_speed"] / (ratio * speed) - 1.0).max(),
    "output_acceleration": np.abs(column["output_acceleration"] - acceleration).max()
    / np.abs(acceleration).max(),
    "motor_torque": np.abs(column["motor_torque"] - torque).max() / np.abs(torque).max(),
}
print(f"output over input speed: {column['output_speed'].min() / 20:.4f} to {column['output_speed'].max() / 20:.4f}, "
      f"closed form {np.cos(BEND):.4f} to {1 / np.cos(BEND):.4f}")
for name, error in errors.items():
    print(f"{name}: largest error {error:.1e}")
sys.exit(0 if max(errors.values()) < 1e-3 else 1)
