#!/usr/bin/python3
"""Writes a wall of boxes that rests on a plane, with dry friction between all that touch: each box lies on two of the
course below, three quarters of it on the one. Every other course is a little narrower, so that no edges coincide.

    benchmarks/nonsmooth/wall.py COURSES BOXES_PER_COURSE STEPS > wall.yaml    # 25 10: 1,840 contact points
"""
import sys

LENGTH, DEPTHS, HEIGHT, MASS = 0.2, (0.1, 0.096), 0.1, 4.0  # m, kg
GAP = 0.01  # m, between the ends of boxes, which do not touch


def box(course):
    return f"{{shape: box, size: [{LENGTH}, {DEPTHS[course % 2]}, {HEIGHT}]}}"


def inertia(course):
    a, b, c = LENGTH**2, DEPTHS[course % 2]**2, HEIGHT**2
    return [MASS / 12 * (b + c), MASS / 12 * (a + c), MASS / 12 * (a + b)]


def contact(name, bodies, first, second):
    print(f"""  {name}:
    between: {bodies}
    first: {first}
    second: {second}
    law: {{type: impact}}
    friction: {{static: 0.5}}""")


def main():
    courses, per_course, steps = (int(word) for word in sys.argv[1:4])
    pitch = LENGTH + GAP
    print(f"""# Written by benchmarks/nonsmooth/wall.py.
solidyn: 1
title: wall of {courses * per_course} boxes
gravity: [0, 0, -9.81]
bodies:""")
    for i in range(courses):
        for j in range(per_course):
            x, z = (j + 0.25 * (i % 2)) * pitch, (i + 0.5) * HEIGHT
            print(f"  b_{i}_{j}: {{type: rigid, mass: {MASS}, inertia: {inertia(i)}, "
                  f"pose: {{position: [{x:.10g}, 0, {z:.10g}]}}}}")
    print("contacts:")
    for j in range(per_course):
        contact(f"floor_{j}", f"[ground, b_0_{j}]", "{shape: plane, at: [0, 0, 0], axis: [0, 0, 1]}", box(0))
    for i in range(1, courses):
        for j in range(per_course):
            for k in ((j - 1, j) if i % 2 == 0 else (j, j + 1)):
                if 0 <= k < per_course:
                    contact(f"c_{i}_{j}_{k}", f"[b_{i - 1}_{k}, b_{i}_{j}]", box(i - 1), box(i))
    print("sensors:")
    print(f"  top: {{type: position, of: b_{courses - 1}_{per_course // 2}, component: z}}")
    for j in range(per_course):
        print(f"  force_{j}: {{type: contact, contact: floor_{j}, component: normal_force}}")
    print(f"""analyses:
  - dynamics: {{duration: {steps * 1e-3:g}, step: 1e-3}}""")


main()
