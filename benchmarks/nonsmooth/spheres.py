#!/usr/bin/python3
"""Writes a box of planes into which spheres are poured: they fall in layers, a little out of line, and come to rest with dry friction, if rolling and drilling friction are part of it.

    benchmarks/nonsmooth/spheres.py 1000 10 0.2 --restitution 0 --rolling 0.006 --drilling 0.001 > spheres.yaml
    benchmarks/nonsmooth/spheres.py 27 3 0.6 --restitution 0 --rolling 0.002 --drilling 0.0005 --positions > examples/nonsmooth/sphere_pile.yaml
"""
import argparse
import math
import random

RADIUS, DENSITY = 0.02, 2500.0  # m, kg/m3
PITCH, JITTER, LIFT = 2.2 * RADIUS, 0.08 * RADIUS, 0.5 * RADIUS  # m: of the layers at the start, and of the lowest above the floor


def contact(name, arguments, first, second=None):
    moments = "".join(f", {key}: {value:g}" for key, value in (("rolling", arguments.rolling), ("drilling", arguments.drilling)) if value > 0)
    print(f"  {name}:\n    first: {first}")
    if second:
        print(f"    second: {second}")
    print(f"    law: {{type: impact, restitution: {arguments.restitution}}}\n    friction: {{static: 0.4{moments}}}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("spheres", type=int)
    parser.add_argument("per_side", type=int, help="of each layer")
    parser.add_argument("duration", type=float, help="s")
    parser.add_argument("--step", type=float, default=1e-3, help="s")
    parser.add_argument("--restitution", type=float, default=0.2)
    parser.add_argument("--rolling", type=float, default=0.0, help="m, of all contacts")
    parser.add_argument("--drilling", type=float, default=0.0, help="m, of all contacts")
    parser.add_argument("--integrator", default="bathe")
    parser.add_argument("--positions", action="store_true", help="with a sensor for each sphere, and a row of the history every 20 ms")
    arguments = parser.parse_args()
    n, per_side = arguments.spheres, arguments.per_side
    chance = random.Random(1)
    mass = DENSITY * 4.0 / 3.0 * math.pi * RADIUS**3
    width = per_side * PITCH
    print(f"""# Written by benchmarks/nonsmooth/spheres.py.
solidyn: 1
title: {n} spheres poured into a box
parameters: {{m: {mass:.10g}, i: {0.4 * mass * RADIUS**2:.10g}}}
gravity: [0, 0, -9.81]
bodies:""")
    for k in range(n):
        layer, place = divmod(k, per_side**2)
        row, column = divmod(place, per_side)
        x, y = ((c + 0.5) * PITCH + chance.uniform(-JITTER, JITTER) for c in (column, row))
        z = RADIUS + LIFT + layer * PITCH + chance.uniform(0.0, JITTER)
        print(f'  s{k:05d}: {{type: rigid, mass: "=m", inertia: ["=i", "=i", "=i"], pose: {{position: [{x:.5f}, {y:.5f}, {z:.5f}]}}}}')
    sphere = f'{{bodies: ["s*"], shape: sphere, radius: {RADIUS}}}'
    print("contacts:")
    contact("spheres", arguments, sphere)
    for name, at, axis in (("floor", [0, 0, 0], [0, 0, 1]), ("left", [0, 0, 0], [1, 0, 0]), ("right", [width, 0, 0], [-1, 0, 0]),
                           ("front", [0, 0, 0], [0, 1, 0]), ("back", [0, width, 0], [0, -1, 0])):
        contact(name, arguments, f"{{bodies: [ground], shape: plane, at: {at}, axis: {axis}}}", sphere)
    print("sensors:\n  energy: {type: energy, kind: kinetic}")
    for name in ("floor", "left", "right", "front", "back"):
        print(f"  {name}: {{type: contact, contact: {name}, component: force_z}}")
    if arguments.positions:
        for k in range(n):
            print(f"  s{k:05d}: {{type: position, of: s{k:05d}}}")
        print("output: {history_interval: 0.02}")
    print(f"analyses:\n  - dynamics: {{duration: {arguments.duration:g}, step: {arguments.step:g}, integrator: {arguments.integrator}}}")


main()
