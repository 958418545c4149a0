#!/usr/bin/python3
"""Writes an elastic block that stands on a plane, or falls on it, with nodes of its lower face in contact: its mesh
(block.msh) and model (block.yaml), into a folder.

    benchmarks/nonsmooth/block.py FOLDER --cells 16 16 20 --touching 17 --steps 20
"""
import argparse
import itertools
import os

SIZE = 0.1  # m, of a cell


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--cells", type=int, nargs=3, default=[16, 16, 20])
    parser.add_argument("--element", choices=["hex8", "tet10"], default="hex8")
    parser.add_argument("--touching", type=int, default=0, help="vertices along each side of the lower face that touch; "
                        "0: no contact, free fall")
    parser.add_argument("--body", default="floating_frame")
    parser.add_argument("--integrator", default="generalized_alpha")
    parser.add_argument("--drop", type=float, default=0.0, help="m, from which it falls")
    parser.add_argument("--step", type=float, default=1e-4)
    parser.add_argument("--steps", type=int, default=20)
    return parser.parse_args()


class Mesh:
    """Vertices of the cells, and with tet10 the middles of edges."""

    def __init__(self):
        self.number, self.points, self.elements, self.sole = {}, [], [], []

    def node(self, p):
        """@param p  in half cells"""
        if p not in self.number:
            self.points.append(p)
            self.number[p] = len(self.points)
        return self.number[p]


CORNERS = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (0, 0, 2), (2, 0, 2), (2, 2, 2), (0, 2, 2)]
EDGES_OF_TET10 = [(0, 1), (1, 2), (0, 2), (0, 3), (2, 3), (1, 3)]  # Gmsh's order


def tetrahedra(at):
    """Six of a cell, around its diagonal, right-handed."""
    for order in itertools.permutations(range(3)):
        p, corners = list(at), [at]
        for axis in order:
            p[axis] += 2
            corners.append(tuple(p))
        inversions = sum(order[i] > order[j] for i in range(3) for j in range(i + 1, 3))
        yield corners if inversions % 2 == 0 else [corners[i] for i in (0, 2, 1, 3)]


def make_mesh(args):
    mesh = Mesh()
    for k, j, i in itertools.product(*(range(n) for n in reversed(args.cells))):
        at = (2 * i, 2 * j, 2 * k)
        if args.element == "hex8":
            mesh.elements.append([mesh.node(tuple(a + b for a, b in zip(at, c))) for c in CORNERS])
            continue
        for corners in tetrahedra(at):
            middles = [tuple((corners[a][x] + corners[b][x]) // 2 for x in range(3)) for a, b in EDGES_OF_TET10]
            mesh.elements.append([mesh.node(p) for p in corners + middles])
    first = [(n + 1 - args.touching) // 2 for n in args.cells[:2]]
    mesh.sole = [mesh.number[2 * (first[0] + i), 2 * (first[1] + j), 0]
                 for i in range(args.touching) for j in range(args.touching)]
    return mesh


def write_mesh(mesh, args, path):
    kind = {"hex8": 5, "tet10": 11}[args.element]
    with open(path, "w") as out:
        out.write('$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n0 1 "sole"\n3 2 "block"\n$EndPhysicalNames\n')
        out.write(f"$Nodes\n{len(mesh.points)}\n")
        for n, p in enumerate(mesh.points):
            out.write(f"{n + 1} " + " ".join(f"{0.5 * SIZE * x:.10g}" for x in p) + "\n")
        out.write(f"$EndNodes\n$Elements\n{len(mesh.sole) + len(mesh.elements)}\n")
        number = itertools.count(1)
        for node in mesh.sole:
            out.write(f"{next(number)} 15 2 1 1 {node}\n")
        for nodes in mesh.elements:
            out.write(f"{next(number)} {kind} 2 2 2 " + " ".join(map(str, nodes)) + "\n")
        out.write("$EndElements\n")


def write_model(args, path):
    with open(path, "w") as out:
        out.write(f"""# Written by benchmarks/nonsmooth/block.py.
solidyn: 1
title: elastic block of {args.cells} {args.element}
gravity: [0, 0, -9.81]
materials:
  soft: {{youngs_modulus: 1e9, poissons_ratio: 0.3, density: 2000}}
bodies:
  block: {{type: {args.body}, mesh: block.msh, material: soft, pose: {{position: [0, 0, {args.drop:g}]}}}}
""")
        if args.touching:
            out.write("""contacts:
  floor:
    between: [ground, block]
    first: {shape: plane, at: [0, 0, 0], axis: [0, 0, 1]}
    second: {shape: nodes, nodes: {in_set: sole}}
    law: {type: impact}
    friction: {static: 0.5}
sensors:
  force: {type: contact, contact: floor, component: normal_force}
""")
        out.write(f"""analyses:
  - dynamics: {{duration: {args.steps * args.step:g}, step: {args.step:g}, integrator: {args.integrator}}}
""")


def main():
    args = arguments()
    os.makedirs(args.folder, exist_ok=True)
    mesh = make_mesh(args)
    write_mesh(mesh, args, os.path.join(args.folder, "block.msh"))
    write_model(args, os.path.join(args.folder, "block.yaml"))
    print(f"{3 * len(mesh.points)} unknowns, {len(mesh.sole)} nodes touch")


main()
