#!/usr/bin/python3
"""Whether the unknowns are why errors of P-NONSMOOTH, Table 4, are larger here than in the paper.

    benchmarks/nonsmooth/table4.py [--step 1e-4]

The slider-crank without clearance and friction by the same schemes, once with the places and angles of three bodies and eight constraints (as `formulation:
absolute` has it), once with three angles and two constraints (as the paper has it). Nothing of Solidyn is used. Prints in Markdown the error (92) of th2, its
largest absolute error and that at 0.034 s, next to its zero. Generalized-alpha begins with the acceleration (alpha_m - alpha_f) h later, as in Solidyn, or as
printed with that at the start. Python with numpy.
"""
import argparse
import math

import numpy as np

L1, L2, G = 0.153, 0.306, 9.81
M = (0.038, 0.038, 0.076)
J = (7.4e-5, 5.9e-4, 2.7e-6)
W0, END = 150.0, 0.05
M11 = J[0] + M[0] * L1 * L1 / 4 + (M[1] + M[2]) * L1 * L1
M12 = (M[1] / 2 + M[2]) * L1 * L2
M22 = J[1] + M[1] * L2 * L2 / 4 + M[2] * L2 * L2


class Places:
    """(x, y, angle) of crank, rod and slider."""
    th2 = 5
    q0 = np.array([L1 / 2, 0, 0, L1 + L2 / 2, 0, 0, L1 + L2, 0, 0.0])
    v0 = np.array([0, L1 / 2 * W0, W0, 0, L1 / 2 * W0, -W0 / 2, 0, 0, 0.0])

    def mass(self, q):
        return np.diag([M[0], M[0], J[0], M[1], M[1], J[1], M[2], M[2], J[2]])

    def forces(self, q, v):
        return np.array([0, M[0] * G, 0, 0, M[1] * G, 0, 0, M[2] * G, 0.0])

    def phi(self, q):
        x1, y1, a, x2, y2, b, x3, y3, c = q
        u, w = L1 / 2 * np.array([math.cos(a), math.sin(a)]), L2 / 2 * np.array([math.cos(b), math.sin(b)])
        return np.array([x1 - u[0], y1 - u[1], x1 + u[0] - x2 + w[0], y1 + u[1] - y2 + w[1], x2 + w[0] - x3, y2 + w[1] - y3, y3, c])

    def rows(self, q):
        u, w = L1 / 2 * np.array([-math.sin(q[2]), math.cos(q[2])]), L2 / 2 * np.array([-math.sin(q[5]), math.cos(q[5])])
        g = np.zeros((8, 9))
        for k in (0, 1):
            g[k, k], g[k, 2] = 1, -u[k]
            g[2 + k, k], g[2 + k, 2], g[2 + k, 3 + k], g[2 + k, 5] = 1, u[k], -1, w[k]
            g[4 + k, 3 + k], g[4 + k, 5], g[4 + k, 6 + k] = 1, w[k], -1
        g[6, 7] = g[7, 8] = 1
        return g


class Angles:
    """th1, th2, th3 of the paper."""
    th2 = 1
    q0, v0 = np.zeros(3), np.array([W0, -W0 / 2, 0])

    def mass(self, q):
        c = M12 * math.cos(q[0] - q[1])
        return np.array([[M11, c, 0], [c, M22, 0], [0, 0, J[2]]])

    def forces(self, q, v):
        s = M12 * math.sin(q[0] - q[1])
        return np.array([s * v[1] ** 2 + (M[0] / 2 + M[1] + M[2]) * G * L1 * math.cos(q[0]),
                         -s * v[0] ** 2 + (M[1] / 2 + M[2]) * G * L2 * math.cos(q[1]), 0])

    def phi(self, q):
        return np.array([L1 * math.sin(q[0]) + L2 * math.sin(q[1]), q[2]])

    def rows(self, q):
        return np.array([[L1 * math.cos(q[0]), L2 * math.cos(q[1]), 0], [0, 0, 1.0]])


def saddle(p, q, upper, lower):
    g = p.rows(q)
    return np.linalg.solve(np.block([[p.mass(q), g.T], [g, np.zeros((len(g), len(g)))]]), np.concatenate([upper, lower]))


def accelerations(p, q, v):
    e = 1e-8
    turning = (p.rows(q + e * v) - p.rows(q - e * v)) @ v / (2 * e)
    x = saddle(p, q, -p.forces(q, v), -turning)
    return x[:len(q)], x[len(q):]


def newton(residual, x, sizes):
    """Central differences; `sizes` of the unknowns."""
    for _ in range(12):
        steps = 1e-7 * sizes
        jacobian = np.column_stack([(residual(x + d) - residual(x - d)) / (2 * s) for d, s in zip(np.diag(steps), steps)])
        d = np.linalg.solve(jacobian, residual(x))
        x = x - d
        if np.all(np.abs(d) < 1e-10 * (sizes + np.abs(x))):
            break
    return x


def balance(p, q, v, a, multipliers):
    return p.mass(q) @ a + p.forces(q, v) + p.rows(q).T @ multipliers


def generalized_alpha(p, h, rho, shifted):
    am, af = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
    gamma = 0.5 - am + af
    beta = (0.5 + gamma) ** 2 / 4
    q, v = p.q0, p.v0
    a, lam = accelerations(p, q, v)
    n, A = len(q), a
    if shifted:
        dt = 0.01 * h
        A = a + (am - af) * h * (accelerations(p, q + dt * v + dt * dt / 2 * a, v + dt * a)[0] - a) / dt
    sizes = np.concatenate([np.full(n, 1e4), np.full(len(lam), 10.0)])
    while True:
        def end(x):
            return (q + h * v + h * h * ((0.5 - beta) * A + beta * x[:n]), v + h * ((1 - gamma) * A + gamma * x[:n]),
                    ((1 - am) * x[:n] + am * A - af * a) / (1 - af))
        x = newton(lambda x: np.concatenate([balance(p, *end(x), x[n:]), p.phi(end(x)[0]) / h ** 2]), np.concatenate([A, lam]), sizes)
        q, v, a = end(x)
        A, lam = x[:n], x[n:]
        yield q[p.th2]


def bathe(p, h):
    q, v = p.q0, p.v0
    a, lam = accelerations(p, q, v)
    n = len(q)
    sizes = np.concatenate([np.full(n, 1e-2), np.full(len(lam), 10.0)])

    def solve(end, guess, lam):
        x = newton(lambda x: np.concatenate([balance(p, *end(x[:n]), x[n:]), p.phi(end(x[:n])[0]) / h ** 2]), np.concatenate([guess, lam]), sizes)
        return x[:n], end(x[:n]), x[n:]
    while True:
        def middle(m):
            w = -v + 4 * m / h
            return q + m, w, -a + 4 * (w - v) / h
        m, (_, w, _), lam = solve(middle, v * h / 2, lam)

        def end(x):
            u = (3 * x - 4 * m) / h
            return q + x, u, (v - 4 * w + 3 * u) / h
        _, (q, v, a), lam = solve(end, v * h, lam)
        yield q[p.th2]


def ed_alpha(p, h, rho, ar=1 / 6):
    alpha = (1 - rho) / (1 + rho)
    q, v = p.q0, p.v0
    a, lam = accelerations(p, q, v)
    n, k = len(q), len(lam)
    sizes = np.concatenate([np.full(2 * n, 1e4), np.full(2 * k, 10.0)])
    while True:
        def states(x):
            aj, b = x[:n], x[n:2 * n]
            vj, w = v + h * ar * (alpha * (aj - a) - b + a), v + h / 2 * (aj + b)
            return (q + h * ar * (alpha * (vj - v) - w + v), vj, aj), (q + h / 2 * (vj + w), w, b)

        def residual(x):
            first, last = states(x)
            return np.concatenate([balance(p, *first, x[2 * n:2 * n + k]), balance(p, *last, x[2 * n + k:]), p.phi(last[0]) / h ** 2,
                                   p.rows(last[0]) @ last[1] / h])
        x = newton(residual, np.concatenate([a, a, lam, lam]), sizes)
        q, v, a = states(x)[1]
        lam = x[2 * n + k:]
        yield q[p.th2]


def moreau_jean(p, h, theta=0.5):
    """As Solidyn's: forces at both ends, directions at the end, then both levels of the constraints."""
    q, v = p.q0, p.v0
    n, lam = len(q), h * accelerations(p, p.q0, p.v0)[1]
    sizes = np.concatenate([np.ones(n), np.full(len(lam), 1e-3)])
    while True:
        f = p.forces(q, v)

        def residual(x):
            r = q + h * (theta * x[:n] + (1 - theta) * v)
            return np.concatenate([(p.mass(r) @ (x[:n] - v) + h * (theta * p.forces(r, x[:n]) + (1 - theta) * f) + p.rows(r).T @ x[n:]) / h,
                                   p.rows(r) @ x[:n] / h])
        x = newton(residual, np.concatenate([v, lam]), sizes)
        q, v, lam = q + h * (theta * x[:n] + (1 - theta) * v), x[:n], x[n:]
        for _ in range(4):
            q = q + saddle(p, q, np.zeros(n), -p.phi(q))[:n]
        v = v + saddle(p, q, np.zeros(n), -p.rows(q) @ v)[:n]
        yield q[p.th2]


def moreau_midpoint(p, h):
    """The paper's: one solution with what is at the middle of the step."""
    q, v = p.q0, p.v0
    while True:
        m = q + h / 2 * v
        v = saddle(p, m, p.mass(m) @ v - h * p.forces(m, v), np.zeros(len(p.phi(m))))[:len(q)]
        q = m + h / 2 * v
        yield q[p.th2]


def exact(times):
    """th2 by the angle of the crank alone, in steps of 1e-6 s of the classical Runge-Kutta method."""
    def rate(y):
        th, w = y
        s = -L1 * math.sin(th) / L2
        c = math.sqrt(1 - s * s)
        k = -L1 * math.cos(th) / (L2 * c)
        dk = (L1 * math.sin(th) + L2 * s * k * k) / (L2 * c)
        b = math.asin(s)
        m = M11 + 2 * M12 * math.cos(th - b) * k + M22 * k * k
        first = -M12 * math.sin(th - b) * (k * w) ** 2 - (M[0] / 2 + M[1] + M[2]) * G * L1 * math.cos(th)
        second = M12 * math.sin(th - b) * w * w - (M[1] / 2 + M[2]) * G * L2 * c
        return np.array([w, (first + k * second - (M12 * math.cos(th - b) + M22 * k) * dk * w * w) / m])
    y, h, found = np.array([0.0, W0]), 1e-6, []
    per_row = round(times[0] / h)
    for i in range(1, per_row * len(times) + 1):
        k1 = rate(y)
        k2 = rate(y + h / 2 * k1)
        k3 = rate(y + h / 2 * k2)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + rate(y + h * k3))
        if i % per_row == 0:
            found.append(math.asin(-L1 * math.sin(y[0]) / L2))
    return np.array(found)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--step", type=float, default=1e-4)
    h = parser.parse_args().step
    per_row = round(1e-4 / h)
    times = np.arange(1, 501) * 1e-4
    reference = exact(times)
    schemes = {"moreau_jean": moreau_jean, "moreau, midpoint, as printed": moreau_midpoint, "bathe": bathe,
               "ed_alpha 0": lambda p, h: ed_alpha(p, h, 0.0), "ed_alpha 0.8": lambda p, h: ed_alpha(p, h, 0.8)}
    for rho in (0.8, 0.5, 0.0):
        for shifted in (True, False):
            schemes[f"generalized_alpha {rho}" + ("" if shifted else ", start as printed")] = lambda p, h, r=rho, s=shifted: generalized_alpha(p, h, r, s)
    print("| scheme | places: (92) | largest | at 0.034 s | angles: (92) | largest | at 0.034 s |\n|---|---|---|---|---|---|---|")
    for name, scheme in schemes.items():
        cells = []
        for p in (Places(), Angles()):
            steps = scheme(p, h)
            th2 = np.array([next(steps) for _ in range(500 * per_row)])[per_row - 1::per_row]
            e = th2 - reference
            cells += [f"{np.linalg.norm(e / reference):.4g}", f"{np.abs(e).max():.3g}", f"{e[339]:.3g}"]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
