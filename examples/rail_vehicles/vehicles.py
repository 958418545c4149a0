#!/usr/bin/env python3
"""Writes coach_held.yaml (Manchester Benchmark vehicle 1) and locomotive_held.yaml (a six-axle locomotive for the meter gauge):
rigid bodies on their springs, with wheelsets that are held, so that what the suspension alone does can be seen.

    examples/rail_vehicles/vehicles.py [FOLDER]        into this folder by default

x forward, y to the left, z up from the rails; SI. Springs carry the weight as drawn: the vehicles stand level at t = 0.
"""
import pathlib
import sys


def number(x):
    return f"{x:.10g}"


def vector(*x):
    return "[" + ", ".join(c if isinstance(c, str) else number(c) for c in x) + "]"


def body(name, mass, inertia, at):
    return f"  {name}: {{type: rigid, mass: ={mass}, inertia: {vector(*inertia)}, pose: {{position: {vector(*at)}}}}}"


def bushing(name, between, at, stiffness, damping, preload):
    """Forces along x, y, z, and moments about them; `preload` is the weight that it carries."""
    return (f"  {name}: {{type: bushing, between: [{', '.join(between)}], at: {vector(*at)}, stiffness: {vector(*stiffness)}, "
            f"damping: {vector(*damping)}, preload: {vector(0.0, 0.0, preload, 0.0, 0.0, 0.0)}}}")


ZERO = (0.0, 0.0, 0.0)
SIDES = (("left", 1), ("right", -1))


def model(title, parameters, bodies, joints, forces, sensors):
    analyses = ["  - statics: {}", "  - modes: {count: 24}"]
    parts = [f"# {title}", "# Written by vehicles.py, which says what the numbers are.", "solidyn: 1", "gravity: [0, 0, =-g]"]
    for name, lines in (("parameters", parameters), ("bodies", bodies), ("joints", joints), ("forces", forces), ("sensors", sensors), ("analyses", analyses)):
        parts += [f"{name}:"] + lines
    return "\n".join(parts) + "\n"


def held(wheelset, at):
    return fixed(f"hold_{wheelset}", "ground", wheelset, at)


def fixed(name, first, second, at):
    return f"  {name}: {{type: fixed, between: [{first}, {second}], at: {vector(*at)}}}"


def coach():
    """Iwnicki's vehicle 1. Dampers and bump stops act at the springs; the roll bar between frame and car body."""
    bodies = [body("car", "car_mass", (56800, 1970000, 1970000), (0, 0, 1.8))]
    joints, forces = [], []
    carried_1, carried_2 = "=-g*(car_mass + 2*frame_mass)/8", "=-g*car_mass/4"
    for i, side in ((1, 1), (2, -1)):
        x = side * 9.5
        frame = f"frame_{i}"
        bodies.append(body(frame, "frame_mass", (1722, 1476, 3067), (x, 0, 0.6)))
        for j, end in ((1, 1), (2, -1)):
            wheelset, at = f"wheelset_{2 * (i - 1) + j}", x + 1.28 * end
            bodies.append(body(wheelset, "wheelset_mass", (1120, 112, 1120), (at, 0, 0.46)))
            joints.append(held(wheelset, (at, 0, 0.46)))
            for name, y in SIDES:
                forces.append(bushing(f"primary_{2 * (i - 1) + j}_{name}", (wheelset, frame), (at, y, 0.46), ("=kx_1", "=ky_1", "=kz_1", 0.0, 0.0, 0.0),
                                      ("=dx_1", "=dy_1", "=dz_1") + ZERO, carried_1))
        for name, y in SIDES:
            forces.append(bushing(f"secondary_{i}_{name}", (frame, "car"), (x, y, 0.8275), ("=k_2", "=k_2", "=kz_2", "=kr_2", "=kr_2", 0.0),
                                  (0.0, "=dy_2", "=dz_2") + ZERO, carried_2))
        forces.append(f"  roll_bar_{i}: {{type: torsional_spring_damper, between: [{frame}, car], at: {vector(x, 0, 0.8275)}, axis: [1, 0, 0], stiffness: =k_roll}}")
        forces.append(f"  bump_stop_{i}: {{type: bump_stop, between: [{frame}, car], at: {vector(x, 0, 0.8275)}, axis: [0, 1, 0], force_by_travel: {{table: "
                      "[[0.025, 0], [0.03, 600], [0.035, 1760], [0.04, 3730], [0.045, 6870], [0.05, 11580], [0.055, 17170], [0.06, 29200], [0.065, 230000]]}}")
    parameters = ["  g: 9.81   # 0: neither weight nor what carries it",
                  "  car_mass: 32000", "  frame_mass: 2615", "  wheelset_mass: 1813",
                  "  # one axle box: N/m, N s/m", "  kx_1: 31.391e6", "  ky_1: 3.884e6", "  kz_1: 1.22e6", "  dx_1: 15e3", "  dy_1: 2e3", "  dz_1: 4e3",
                  "  # one side of a bogie; in bending N m/rad", "  k_2: 160e3", "  kz_2: 430e3", "  kr_2: 10.5e3", "  dy_2: 16e3", "  dz_2: 20e3", "  k_roll: 940e3"]
    sensors = ["  car_z: {type: position, of: car, component: z}"]
    sensors += [f"  {spring}: {{type: force, force: {spring}, component: force_z}}" for spring in ("primary_1_left", "secondary_1_left")]
    return model("A coach: Manchester Benchmark vehicle 1 (Iwnicki 1998), on wheelsets that are held.", parameters, bodies, joints, forces, sensors)


def locomotive():
    """Frames carry three motors each; bolsters turn about a pivot on the car body and stand on four rubber springs. Axle boxes
    do not turn, as the wheelsets do not."""
    bodies = [body("car", "car_mass", (60e3, 850e3, 850e3), (0, 0, 1.75))]
    joints, forces = [], []
    axles = {1: 1.70, 2: 0.0, 3: -1.70}
    for i, side in ((1, 1), (2, -1)):
        x = side * 3.8
        frame, bolster = f"frame_{i}", f"bolster_{i}"
        bodies.append(body(bolster, "bolster_mass", (500, 350, 800), (x, 0, 0.95)))
        joints.append(f"  pivot_{i}: {{type: revolute, between: [car, {bolster}], at: {vector(x, 0, 0.95)}, axis: [0, 0, 1]}}")
        bodies.append(body(frame, "frame_mass", (3000, 11000, 13500), (x, 0, 0.62)))
        for j, offset in axles.items():
            n, at = 3 * (i - 1) + j, x + side * offset
            motor, wheelset = f"motor_{n}", f"wheelset_{n}"
            bodies.append(body(motor, "motor_mass", (180, 120, 180), (at - side * 0.52, 0, 0.48)))
            joints.append(fixed(f"seat_{n}", frame, motor, (at - side * 0.52, 0, 0.48)))
            bodies.append(body(wheelset, "wheelset_mass", (820, 190, 820), (at, 0, 0.457)))
            joints.append(held(wheelset, (at, 0, 0.457)))
            for name, y in SIDES:
                box = f"box_{n}_{name}"
                bodies.append(body(box, "box_mass", (3, 4, 4), (at, 0.80 * y, 0.457)))
                joints.append(fixed(f"bearing_{n}_{name}", wheelset, box, (at, 0.80 * y, 0.457)))
                for end, dx in (("front", 0.28), ("rear", -0.28)):
                    forces.append(bushing(f"spring_{n}_{name}_{end}", (box, frame), (at + dx, 0.80 * y, 0.62), (0.0, 0.0, "=kz_1") + ZERO, ZERO + ZERO,
                                          "=-carried_1"))
                forces.append(bushing(f"guide_{n}_{name}", (box, frame), (at, 0.80 * y, 0.457), ("=kx_1", "=ky_1", 0.0) + ZERO, ("=d_1", "=d_1", "=dz_1") + ZERO, 0.0))
        for end, dx in (("front", 0.85), ("rear", -0.85)):
            for name, y in SIDES:
                forces.append(bushing(f"rubber_{i}_{end}_{name}", (frame, bolster), (x + dx, 0.60 * y, 0.80), ("=k_2", "=k_2", "=kz_2") + ZERO,
                                      ("=d_2", "=d_2", "=dz_2") + ZERO, "=-carried_2"))
    parameters = ["  g: 9.81   # 0: neither weight nor what carries it",
                  "  car_mass: 50000", "  bolster_mass: 1200", "  frame_mass: 5200", "  motor_mass: 1900", "  wheelset_mass: 1900", "  box_mass: 90",
                  "  # one axle box: each of two springs, guide and damper; N/m, N s/m", "  kz_1: 0.55e6", "  kx_1: 5.0e6", "  ky_1: 2.5e6", "  d_1: 5e3", "  dz_1: 12e3",
                  "  # each of four rubber springs of a bogie", "  k_2: 0.6e6", "  kz_2: 6.0e6", "  d_2: 8e3", "  dz_2: 20e3",
                  "  # what the springs would carry alike; motors behind their axles pitch the frames a little",
                  "  carried_2: =g*(car_mass + 2*bolster_mass)/8", "  carried_1: =g*(car_mass + 2*bolster_mass + 2*frame_mass + 6*motor_mass)/24"]
    sensors = ["  car_z: {type: position, of: car, component: z}", "  frame: {type: position, of: frame_1}", "  pitch: {type: orientation, of: frame_1}"]
    sensors += [f"  wheelset_{n}: {{type: reaction, joint: hold_wheelset_{n}, component: force_z}}" for n in range(1, 7)]
    return model("A six-axle locomotive for the meter gauge, on wheelsets that are held.", parameters, bodies, joints, forces, sensors)


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent
    (folder / "coach_held.yaml").write_text(coach())
    (folder / "locomotive_held.yaml").write_text(locomotive())


if __name__ == "__main__":
    main()
