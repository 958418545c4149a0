#!/usr/bin/env python3
"""Writes flywheel.bdf (mm, N, tonne): a square steel shaft whose end carries a flywheel, a point mass with an inertia beyond
the shaft's end that an RBE3 holds.

    examples/import/make_flywheel.py
"""
import pathlib

LENGTH, WIDTH, N_ALONG, N_ACROSS = 200.0, 20.0, 12, 2
WHEEL = 9001  # the node on the wheel's axis


def node(i, j, k):
    return 1 + i + (N_ALONG + 1) * (j + (N_ACROSS + 1) * k)


def main():
    lines = ["SOL 103", "CEND", "BEGIN BULK", "MAT1,1,210000.,,0.3,7.85-9", "PSOLID,1,1"]
    for k in range(N_ACROSS + 1):
        for j in range(N_ACROSS + 1):
            for i in range(N_ALONG + 1):
                x = [LENGTH * i / N_ALONG, WIDTH * (j / N_ACROSS - 0.5), WIDTH * (k / N_ACROSS - 0.5)]
                lines.append(f"GRID,{node(i, j, k)},," + ",".join(f"{c:.4f}" for c in x))
    lines.append(f"GRID,{WHEEL},,{LENGTH:.4f},0.0,0.0")
    number = 0
    for k in range(N_ACROSS):
        for j in range(N_ACROSS):
            for i in range(N_ALONG):
                number += 1
                n = [node(i, j, k), node(i + 1, j, k), node(i + 1, j + 1, k), node(i, j + 1, k)]
                n += [tag + (N_ALONG + 1) * (N_ACROSS + 1) for tag in n]
                lines.append(f"CHEXA,{number},1," + ",".join(map(str, n[:6])))
                lines.append(f",{n[6]},{n[7]}")
    end = [node(N_ALONG, j, k) for k in range(N_ACROSS + 1) for j in range(N_ACROSS + 1)]
    lines.append(f"RBE3,{WHEEL + 1},,{WHEEL},123456,1.0,123," + ",".join(map(str, end[:2])))
    lines.append("," + ",".join(map(str, end[2:])))
    # 4 kg, 15 mm beyond the shaft's end; 2.5e-2 kg m^2 about the axis, half of that across it
    lines.append(f"CONM2,{WHEEL + 2},{WHEEL},,4.0-3,15.0,0.0,0.0")
    lines.append(",25.0,,12.5,,,12.5")
    lines.append("ENDDATA")
    (pathlib.Path(__file__).resolve().parent / "flywheel.bdf").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
