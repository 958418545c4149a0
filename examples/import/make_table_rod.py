#!/usr/bin/env python3
"""Writes rod_nodes.csv and rod_modes.csv: the rod of tests/data/interop/generated/rod as point masses at its nodes and
their natural modes, in SI, as plain tables (doc/formats/tables.md).

    examples/import/make_table_rod.py

The stiffness is CalculiX'; the mass of each node is its share of the diagonal of CalculiX' mass matrix, so that the
masses are positive and add up to the rod's. The modes are those of this pair.
"""
import gzip
import pathlib

import numpy

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent / "tests/data/interop/generated/rod"
LENGTH, MASS = 1e-3, 1e3  # of mm and tonnes, in SI
N_MODES = 12


def read_matrix(name, n):
    row, column, value = numpy.loadtxt(gzip.open(SOURCE / name, "rt"), unpack=True)
    matrix = numpy.zeros((n, n))
    i, j = row.astype(int) - 1, column.astype(int) - 1
    matrix[i, j] = matrix[j, i] = value
    return matrix


def read_nodes():
    nodes, is_node = {}, False
    for line in (SOURCE / "rod_straight.inp").read_text().splitlines():
        if line.startswith("*"):
            is_node = line.split(",")[0].upper() == "*NODE"
        elif is_node:
            tag, *x = line.split(",")
            nodes[int(tag)] = [float(c) for c in x]
    return nodes


def main():
    dofs = [line.split(".") for line in (SOURCE / "rod_straight_mat.dof").read_text().split()]
    tags, n = [int(node) for node, _ in dofs[::3]], len(dofs)
    assert [(int(a), int(b)) for a, b in dofs] == [(tag, c) for tag in tags for c in (1, 2, 3)]
    stiffness = read_matrix("rod_straight_mat.sti.gz", n) * MASS  # of tonnes / s^2
    consistent = read_matrix("rod_straight_mat.mas.gz", n) * MASS
    share = numpy.diag(consistent).reshape(-1, 3).mean(axis=1)
    masses = share * consistent[::3, ::3].sum() / share.sum()
    scale = numpy.repeat(1.0 / numpy.sqrt(masses), 3)
    values, vectors = numpy.linalg.eigh(scale[:, None] * stiffness * scale)
    frequencies = numpy.sqrt(values.clip(0.0)) / (2.0 * numpy.pi)
    shapes = scale[:, None] * vectors
    nodes = read_nodes()
    with open(HERE / "rod_nodes.csv", "w") as file:
        file.write("node, x, y, z, mass\n")
        for tag, mass in zip(tags, masses):
            x = [LENGTH * c for c in nodes[tag]]
            file.write(f"{tag}, {x[0]:.9g}, {x[1]:.9g}, {x[2]:.9g}, {mass:.9g}\n")
    with open(HERE / "rod_modes.csv", "w") as file:
        file.write("mode, frequency, node, ux, uy, uz\n")
        for mode in range(6, 6 + N_MODES):  # without the rigid ones
            for i, tag in enumerate(tags):
                u = shapes[3 * i:3 * i + 3, mode]
                file.write(f"{mode + 1}, {frequencies[mode]:.9g}, {tag}, {u[0]:.6g}, {u[1]:.6g}, {u[2]:.6g}\n")


if __name__ == "__main__":
    main()
