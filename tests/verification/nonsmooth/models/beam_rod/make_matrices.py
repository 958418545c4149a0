#!/usr/bin/env python3
"""Writes stiffness and mass of the rod of P-NONSMOOTH, Table 1, as 20 beam elements: stiffness.mtx, mass.mtx, nodes.csv.

Bernoulli's beam with the rotary inertia of its sections, in SI units, rows of a node: three translations, three rotations.
"""
LENGTH, N = 0.306, 20
EA, EI, GJ = 3.1842e6, 2.4592e4, 2.4592e4
MASS, MOMENT_Z, MOMENT_Y, MOMENT_X = 0.124183, 9.591e-4, 9.591e-4, 1.9182e-3  # per length: kg/m, kg m


def bending(h, stiffness, mass, rotary):
    """-> K, M of w1, phi1 = w1', w2, phi2."""
    K = [[12, 6 * h, -12, 6 * h], [6 * h, 4 * h * h, -6 * h, 2 * h * h], [-12, -6 * h, 12, -6 * h], [6 * h, 2 * h * h, -6 * h, 4 * h * h]]
    M = [[156, 22 * h, 54, -13 * h], [22 * h, 4 * h * h, 13 * h, -3 * h * h], [54, 13 * h, 156, -22 * h], [-13 * h, -3 * h * h, -22 * h, 4 * h * h]]
    R = [[36, 3 * h, -36, 3 * h], [3 * h, 4 * h * h, -3 * h, -h * h], [-36, -3 * h, 36, -3 * h], [3 * h, -h * h, -3 * h, 4 * h * h]]
    return ([[stiffness / h ** 3 * k for k in row] for row in K],
            [[mass * h / 420 * m + rotary / (30 * h) * r for m, r in zip(*rows)] for rows in zip(M, R)])


def stretching(h, stiffness, mass):
    """-> K, M of u1, u2."""
    return [[stiffness / h, -stiffness / h], [-stiffness / h, stiffness / h]], [[mass * h / 3, mass * h / 6], [mass * h / 6, mass * h / 3]]


def element(h):
    """-> entries (i, j, stiffness, mass) of the twelve rows of two nodes."""
    parts = [([0, 6], [1, 1], stretching(h, EA, MASS)), ([3, 9], [1, 1], stretching(h, GJ, MOMENT_X)),
             ([1, 5, 7, 11], [1, 1, 1, 1], bending(h, EI, MASS, MOMENT_Z)),
             ([2, 4, 8, 10], [1, -1, 1, -1], bending(h, EI, MASS, MOMENT_Y))]  # w' = -theta_y
    for rows, signs, (K, M) in parts:
        for a, i in enumerate(rows):
            for b, j in enumerate(rows):
                sign = signs[a] * signs[b]
                yield i, j, sign * K[a][b], sign * M[a][b]


def write(path, entries, n):
    lower = sorted(((j, i), value) for (i, j), value in entries.items() if i >= j)
    with open(path, "w") as file:
        file.write(f"%%MatrixMarket matrix coordinate real symmetric\n{n} {n} {len(lower)}\n")
        for (j, i), value in lower:
            file.write(f"{i + 1} {j + 1} {value!r}\n")


def main(folder="."):
    h = LENGTH / N
    stiffness, mass = {}, {}
    for e in range(N):
        for i, j, k, m in element(h):
            place = (6 * e + i, 6 * e + j)
            stiffness[place] = stiffness.get(place, 0.0) + k
            mass[place] = mass.get(place, 0.0) + m
    write(f"{folder}/stiffness.mtx", stiffness, 6 * (N + 1))
    write(f"{folder}/mass.mtx", mass, 6 * (N + 1))
    with open(f"{folder}/nodes.csv", "w") as file:
        file.write("node,x,y,z\n")
        for i in range(N + 1):
            file.write(f"{i + 1},{round(i * h - LENGTH / 2, 12)!r},0,0\n")


if __name__ == "__main__":
    main()
