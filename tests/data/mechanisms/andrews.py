#!/usr/bin/python3
"""The motion of Andrews' squeezer by its seven angles, as reference for examples/mechanisms/andrews.yaml: equations of
Hairer and Wanner (Solving Ordinary Differential Equations II, VII.7), nothing is shared with Solidyn.

    tests/data/mechanisms/andrews.py > tests/data/mechanisms/andrews.csv

Constraints on accelerations (index 1), steps of the modified midpoint rule extrapolated to order 16 (Gragg, Bulirsch and
Stoer). Twice as many steps agree to 2e-11 rad, and the constraints are kept to 1e-13 m. The values that are published (Test
Set for IVP Solvers, PSIDE at 1e-14) are 1.4e-9 rad off.
"""
import numpy as np

START = np.array([-0.0617138900142764496, 0.0, 0.455279819163070380, 0.222668390165885884, 0.487364979543842550,
                  -0.222668390165885884, 1.23054744454982119])
NAMES = ["beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"]
DURATION, STEPS = 0.03, 600
COUNTS = (2, 4, 6, 8, 10, 12, 14, 16)  # midpoints of a step

A, B, C = np.array([-0.06934, -0.00227]), np.array([-0.03635, 0.03273]), np.array([0.014, 0.072])
MOTOR, STIFFNESS, FREE_LENGTH = 0.033, 4530.0, 0.07785
MASSES = [0.04325, 0.00365, 0.02373, 0.00706, 0.0705, 0.00706, 0.05498]
INERTIAS = [2.194e-6, 4.41e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5]
# How K1 to K7 turn with the angles.
K1, K2, K3, K4, K5, K6, K7 = TURNS = np.array(
    [[1, 0, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0, 0], [0, 0, 0, 1, 1, 0, 0],
     [0, 0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 0, 1, 1], [0, 0, 0, 0, 0, 0, 1]], float)

# A point: where it starts, and vectors that turn with a body.
ORIGIN = np.zeros(2)
CENTRES = [(ORIGIN, [(K1, (0.00092, 0))]),
           (ORIGIN, [(K1, (0.007, 0)), (K2, (-0.0115, 0))]),
           (B, [(K3, (0.01043, -0.01874))]),
           (A, [(K5, (0.04, 0)), (K4, (0, 0.01421 - 0.02))]),
           (A, [(K5, (0.02308, 0.00916))]),
           (A, [(K7, (0, -0.04)), (K6, (0.02 - 0.01421, 0))]),
           (A, [(K7, (-0.00449, -0.01228))])]
E_OF_K2 = (ORIGIN, [(K1, (0.007, 0)), (K2, (-0.028, 0))])
E_OF_OTHERS = [(B, [(K3, (0, -0.035))]), (A, [(K5, (0.04, 0)), (K4, (0, -0.02))]), (A, [(K7, (0, -0.04)), (K6, (0.02, 0))])]
D = (B, [(K3, (0.02, -0.018))])


def place(point, q, v):
    """-> x, its derivatives by the angles, and what of its acceleration comes from the angles' rates."""
    start, vectors = point
    x, J, bias = start.copy(), np.zeros((2, 7)), np.zeros(2)
    for turn, (a, b) in vectors:
        c, s = np.cos(turn @ q), np.sin(turn @ q)
        arm = np.array([c * a - s * b, s * a + c * b])
        x += arm
        J += np.outer([-arm[1], arm[0]], turn)
        bias -= arm * (turn @ v)**2
    return x, J, bias


def accelerations(q, v):
    """-> of the angles, and the violation of the constraints."""
    M, f = np.zeros((7, 7)), np.zeros(7)
    f[0] = MOTOR
    for mass, inertia, turn, centre in zip(MASSES, INERTIAS, TURNS, CENTRES):
        _, J, bias = place(centre, q, v)
        M += mass * J.T @ J + inertia * np.outer(turn, turn)
        f -= mass * J.T @ bias
    x, J, _ = place(D, q, v)
    length = np.hypot(*(C - x))
    f += J.T @ (STIFFNESS * (length - FREE_LENGTH) / length * (C - x))
    of_k2 = place(E_OF_K2, q, v)
    gaps = [[a - b for a, b in zip(of_k2, place(point, q, v))] for point in E_OF_OTHERS]
    phi, G, bias = (np.concatenate(part) for part in zip(*gaps))
    equations = np.block([[M, G.T], [G, np.zeros((6, 6))]])
    return np.linalg.solve(equations, np.concatenate([f, -bias]))[:7], np.abs(phi).max()


def rates(y):
    return np.concatenate([y[7:], accelerations(y[:7], y[7:])[0]])


def step(y, length):
    above = []
    for j, n in enumerate(COUNTS):
        h = length / n
        before, now = y, y + h * rates(y)
        for _ in range(1, n):
            before, now = now, before + 2 * h * rates(now)
        row = [(before + now + h * rates(now)) / 2]
        for k in range(1, j + 1):
            row.append(row[k - 1] + (row[k - 1] - above[k - 1]) / ((n / COUNTS[j - k])**2 - 1))
        above = row
    return above[-1]


def main():
    y = np.concatenate([START, np.zeros(7)])
    print("# t, angles of Andrews' squeezer (tests/data/mechanisms/andrews.py):", ", ".join(NAMES))
    for i in range(STEPS):
        y = step(y, DURATION / STEPS)
        if (i + 1) % (STEPS // 3) == 0:
            print(f"{DURATION * (i + 1) / STEPS:.2f}," + ",".join(f"{x:.12f}" for x in y[:7]))
    print(f"# constraints are violated by {accelerations(y[:7], y[7:])[1]:.0e} m")


if __name__ == "__main__":
    main()
