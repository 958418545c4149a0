"""Matrices of beams, six rows per node, become a body by a table of their nodes: its frequencies are those of the beam.

    node_table.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import math
import pathlib
import re
import sys
import tempfile

import numpy

from support import Program, parsed_arguments

E, NU, RHO = 2.1e11, 0.3, 7850.0
LENGTH, WIDTH, HEIGHT, ELEMENTS = 1.0, 0.02, 0.03, 16
AREA, I_Y, I_Z = WIDTH * HEIGHT, WIDTH * HEIGHT**3 / 12, HEIGHT * WIDTH**3 / 12
TORSION, POLAR = 0.196 * HEIGHT * WIDTH**3, I_Y + I_Z  # 0.196: of a rectangle 1.5 : 1 (Timoshenko)

MODEL = """
solidyn: 1
bodies:
  beam:
    type: modal
    import: {{stiffness: k.mtx, mass: m.mtx, nodes: {nodes}}}
    modes: {{free_free: 6}}
    interfaces:
      end: {{nodes: {{near: [0, 0, 0]}}, attach: node}}
"""


def bending(ei, mass, h, sign):
    """Hermite's cubic: deflections and rotations of both ends; sign: of the rotation in the slope."""
    k = ei / h**3 * numpy.array([[12, 6 * h, -12, 6 * h], [6 * h, 4 * h**2, -6 * h, 2 * h**2],
                                 [-12, -6 * h, 12, -6 * h], [6 * h, 2 * h**2, -6 * h, 4 * h**2]])
    m = mass * h / 420 * numpy.array([[156, 22 * h, 54, -13 * h], [22 * h, 4 * h**2, 13 * h, -3 * h**2],
                                      [54, 13 * h, 156, -22 * h], [-13 * h, -3 * h**2, -22 * h, 4 * h**2]])
    turn = numpy.diag([1, sign, 1, sign])
    return turn @ k @ turn, turn @ m @ turn


def matrices():
    n, h = ELEMENTS + 1, LENGTH / ELEMENTS
    k, m = numpy.zeros((6 * n, 6 * n)), numpy.zeros((6 * n, 6 * n))
    bar_k, bar_m = numpy.array([[1, -1], [-1, 1]]) / h, numpy.array([[2, 1], [1, 2]]) * h / 6
    parts = [((0, 6), E * AREA * bar_k, RHO * AREA * bar_m),
             ((3, 9), E / (2 * (1 + NU)) * TORSION * bar_k, RHO * POLAR * bar_m),
             ((1, 5, 7, 11), *bending(E * I_Z, RHO * AREA, h, 1)),
             ((2, 4, 8, 10), *bending(E * I_Y, RHO * AREA, h, -1))]
    for e in range(ELEMENTS):
        for rows, part_k, part_m in parts:
            at = numpy.ix_([6 * e + r for r in rows], [6 * e + r for r in rows])
            k[at] += part_k
            m[at] += part_m
    return k, m


def write(path, matrix):
    rows, columns = numpy.nonzero(numpy.tril(matrix))
    lines = [f"{r + 1} {c + 1} {matrix[r, c]:.17g}" for r, c in zip(rows, columns)]
    path.write_text("%%MatrixMarket matrix coordinate real symmetric\n"
                    f"{len(matrix)} {len(matrix)} {len(lines)}\n" + "\n".join(lines) + "\n")


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        k, m = matrices()
        write(folder / "k.mtx", k)
        write(folder / "m.mtx", m)
        places = [f"{i + 1}, {LENGTH * i / ELEMENTS}, 0, 0" for i in range(ELEMENTS + 1)]
        (folder / "nodes.csv").write_text("node, x, y, z\n" + "\n".join(places) + "\n")
        (folder / "masses.csv").write_text("node, x, y, z, mass\n" + ", 1\n".join(places) + ", 1\n")
        (folder / "short.csv").write_text("\n".join(places[:-1]) + "\n")
        for table in ("nodes", "masses", "short"):
            (folder / f"{table}.yaml").write_text(MODEL.format(nodes=f"{table}.csv"))
        # free-free bending of a slender beam in both planes
        expected = sorted(4.730040745**2 / (2 * math.pi * LENGTH**2) * math.sqrt(E * i / (RHO * AREA)) for i in (I_Y, I_Z))
        for ranks in (1, 2):
            solidyn = Program(arguments, ranks)
            done = solidyn.done("reduce", "nodes.yaml", "--body", "beam", "-o", "beam.sbody", folder=folder)
            found = [float(f) for f in re.findall(r"free-free +([\d.]+)", done.stdout)][:2]
            print(f"{ranks}: {found} for {expected}")
            assert len(found) == 2 and all(abs(f / e - 1) < 1e-3 for f, e in zip(found, expected)), done.stdout
            assert f"{RHO * AREA * LENGTH:.3g}" in solidyn.done("info", "beam.sbody", folder=folder).stdout
            for table, told in (("masses", "the columns are named `node, x, y, z, mass`"),
                                ("short", "102 rows, but 16 nodes have 48 translations, and 96 with rotations")):
                refused = solidyn("reduce", f"{table}.yaml", "--body", "beam", "-o", "no.sbody", folder=folder)
                assert refused.returncode == 2 and told in refused.stderr, (table, refused.stderr)


if __name__ == "__main__":
    sys.exit(main())
