#!/usr/bin/env python3
"""Positions and forces of the leading bogie's wheelsets in the arc, as means over the last tenth of the run.

    examples/railway/curve.py OUT        OUT: results of coach_in_curve.yaml
"""
import csv
import pathlib
import sys


def main():
    with open(pathlib.Path(sys.argv[1]) / "history.csv") as file:
        rows = [row for row in csv.reader(file) if not row[0].startswith("#")]
    column = lambda name: [float(row[rows[0].index(name)]) for row in rows[1:]]
    end = len(rows) // 10
    for n in (1, 2):
        mean = lambda name: sum(column(f"wheels_{n}.{name}")[-end:]) / end
        print(f"wheelset {n}, steady: y {1e3 * mean('y'):.2f} mm, yaw {1e3 * mean('yaw'):.2f} mrad, Y {mean('right_Y') / 1e3:.1f} kN outer, {mean('left_Y') / 1e3:.1f} kN inner, "
              f"Q {mean('right_Q') / 1e3:.1f} and {mean('left_Q') / 1e3:.1f} kN, Y/Q {mean('right_Y_over_Q'):.3f}")


if __name__ == "__main__":
    main()
