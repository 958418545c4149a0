#!/usr/bin/python3
"""The motion of Bricard's loop (A04 of the IFToMM benchmarks) by its one coordinate, as reference for
examples/mechanisms/bricard.yaml: no constraint is integrated, and nothing is shared with Solidyn.

    tests/data/mechanisms/bricard.py > tests/data/mechanisms/bricard.csv

The six hinge angles th follow a path on which the screws of the hinges add up to zero: d th/ds = n, the unit null
vector of their 6 x 6 matrix. With m(s) = n^T M n and V(s) of the five bars, m s'' + m'(s) s'^2/2 + V'(s) = 0; the
derivatives are central differences of order four along the path. Dormand and Prince's method of order five.
"""
import numpy as np

POINTS = np.array([[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1]], float)
AXES = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]], float)
MASS, GRAVITY = 1.0, 9.81
ACROSS, ALONG = MASS * (1 + 0.1**2) / 12, MASS * 0.1**2 / 6
DISTANCE, TOLERANCE = 2e-3, 1e-11

NODES = [0, 1/5, 3/10, 4/5, 8/9, 1, 1]
STAGES = [[], [1/5], [3/40, 9/40], [44/45, -56/15, 32/9], [19372/6561, -25360/2187, 64448/6561, -212/729],
          [9017/3168, -355/33, 46732/5247, 49/176, -5103/18656], [35/384, 0, 500/1113, 125/192, -2187/6784, 11/84]]
FIFTH = np.array([35/384, 0, 500/1113, 125/192, -2187/6784, 11/84, 0])
FOURTH = np.array([5179/57600, 0, 7571/16695, 393/640, -92097/339200, 187/2100, 1/40])


def rotation(axis, angle):
    K = np.cross(np.eye(3), -axis)
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


class Loop:
    """Axes, points and motions x -> R x + p of the bars at hinge angles th."""

    def __init__(self, th, near):
        R, p = np.eye(3), np.zeros(3)
        self.axes, self.points, self.bars = [], [], []
        for i in range(6):
            axis, point = R @ AXES[i], R @ POINTS[i] + p
            turn = rotation(axis, th[i])
            R, p = turn @ R, turn @ (p - point) + point
            self.axes.append(axis), self.points.append(point), self.bars.append((R, p))
        self.axes, self.points = np.array(self.axes), np.array(self.points)
        screws = np.hstack([self.axes, np.cross(self.points, self.axes)]).T
        n = np.linalg.svd(screws)[2][-1]
        self.n = n if near is None or n @ near > 0 else -n

    def mass_and_potential(self):
        mass = potential = 0.0
        for i, (R, p) in enumerate(self.bars[:5]):
            centre = R @ (POINTS[i] + POINTS[i + 1]) / 2 + p
            along = R @ (POINTS[i + 1] - POINTS[i])
            w = self.axes[:i + 1].T @ self.n[:i + 1]
            v = self.n[:i + 1] @ np.cross(self.axes[:i + 1], centre - self.points[:i + 1])
            spin = w @ along
            mass += MASS * v @ v + ACROSS * (w @ w - spin**2) + ALONG * spin**2
            potential += MASS * GRAVITY * centre[1]
        return mass, potential

    def p3(self):
        R, p = self.bars[2]
        return R @ POINTS[3] + p


def along_path(th, n, distance):
    k1 = n
    k2 = Loop(th + distance / 2 * k1, n).n
    k3 = Loop(th + distance / 2 * k2, n).n
    k4 = Loop(th + distance * k3, n).n
    return Loop(th + distance / 6 * (k1 + 2 * k2 + 2 * k3 + k4), n)


class Motion:
    def __init__(self):
        self.near = None

    def __call__(self, y):
        loop = Loop(y[:6], self.near)
        self.near = loop.n
        mass, _ = loop.mass_and_potential()
        beside = [np.array(along_path(y[:6], loop.n, k * DISTANCE).mass_and_potential()) for k in (-2, -1, 1, 2)]
        slope = (beside[0] - 8 * beside[1] + 8 * beside[2] - beside[3]) / (12 * DISTANCE)
        return np.append(loop.n * y[6], -(slope[1] + slope[0] * y[6]**2 / 2) / mass)


def main():
    f, y, t, h = Motion(), np.zeros(7), 0.0, 1e-4
    first, turned = f(y), []
    print("# t, P3 of Bricard's loop: one coordinate along its path (tests/data/mechanisms/bricard.py)")
    for end in np.arange(0.0, 10.01, 0.5):
        while t < end - 1e-14:
            h = min(h, end - t)
            k = [first]
            for a in STAGES[1:]:
                k.append(f(y + h * sum(x * y for x, y in zip(a, k))))
            change, error = h * FIFTH @ k, h * (FIFTH - FOURTH) @ k
            size = np.sqrt(np.mean((error / (TOLERANCE * (1 + np.abs(y))))**2))
            if size <= 1:
                if y[6] * (y + change)[6] < 0:  # at rest
                    turned.append(t - h * y[6] / change[6])
                t, y, first = t + h, y + change, k[-1]
            h *= min(5.0, max(0.2, 0.9 * max(size, 1e-12)**-0.2))
        print(f"{end:.1f}," + ",".join(f"{x:.9f}" for x in Loop(y[:6], f.near).p3()))
    # The loop comes to rest at the other end after half a period.
    print(f"# at rest at {', '.join(f'{t:.6f}' for t in turned)} s")


if __name__ == "__main__":
    main()
