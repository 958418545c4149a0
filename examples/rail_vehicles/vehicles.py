#!/usr/bin/env python3
"""Writes coach_held.yaml (Manchester Benchmark vehicle 1) and locomotive_held.yaml (a six-axle locomotive for the meter gauge):
rigid bodies on their springs, with wheelsets that are held, so that what the suspension alone does can be seen. And the same
vehicles on a track: ../railway/coach.yaml, coach_in_curve.yaml and locomotive_rigid.yaml.

    examples/rail_vehicles/vehicles.py [FOLDER]        into FOLDER/rail_vehicles and FOLDER/railway, by default those of the examples

x forward, y to the left, z up from the rails; SI. Springs carry the weight as drawn: the vehicles stand level at t = 0.
"""
import pathlib
import sys


def number(x):
    return f"{x:.10g}"


def vector(*x):
    return "[" + ", ".join(c if isinstance(c, str) else number(c) for c in x) + "]"


ZERO = (0.0, 0.0, 0.0)
SIDES = (("left", 1), ("right", -1))
HELD = ["  - statics: {}", "  - modes: {count: 24}"]


class Vehicle:
    """The parts of a model file. With `track`, its lines, the vehicle's middle stands there at `x`; without, wheelsets are held."""

    def __init__(self, track=(), x=0.0, wheels=""):
        self.track, self.x, self.wheels = track, x, wheels
        self.bodies, self.joints, self.forces = [], [], []

    def place(self, x, y, z):
        return vector(self.x + x, y, z)

    def body(self, name, mass, inertia, at, more=""):
        self.bodies.append(f"  {name}: {{type: rigid, mass: ={mass}, inertia: {vector(*inertia)}, pose: {{position: {self.place(*at)}}}{more}}}")

    def axle(self, radius):
        """How high it is: on the track wheels overlap the rails by some 0.1 mm, as they do under load. What turns with a wheelset
        has to be there: bearings, and springs that stand on it."""
        return radius - (0.0002 if self.track else 0.0)

    def wheelset(self, n, inertia, at):
        """Of nominal radius at[2]; on the track its wheels turn on it."""
        name = f"wheelset_{n}"
        self.body(name, "wheelset_mass", inertia, (at[0], at[1], self.axle(at[2])))
        if self.track:
            self.forces.append(f"  wheels_{n}: {{type: wheel_rail, at: {name}, radius: {number(at[2])}, rolling_inertia: {number(inertia[1])}, {self.wheels}}}")
        else:
            self.fixed(f"hold_{name}", "ground", name, at)
        return name

    def fixed(self, name, first, second, at):
        self.joints.append(f"  {name}: {{type: fixed, between: [{first}, {second}], at: {self.place(*at)}}}")

    def bearing(self, name, wheelset, box, at):
        if self.track:
            self.joints.append(f"  {name}: {{type: revolute, between: [{wheelset}, {box}], at: {self.place(*at)}, axis: [0, 1, 0]}}")
        else:
            self.fixed(name, wheelset, box, at)

    def bushing(self, name, lower, upper, at, stiffness, damping, carries=0.0, sign=-1):
        """Forces along x, y, z, and moments about them. Without moments, its axes are those of the first body: on the track of the
        upper one, as wheelsets turn a little."""
        first, second, preload = (upper, lower, -sign) if self.track else (lower, upper, sign)
        if carries:
            carries = f"={'-' if preload < 0 else ''}{carries}"
        self.forces.append(f"  {name}: {{type: bushing, between: [{first}, {second}], at: {self.place(*at)}, stiffness: {vector(*stiffness)}, "
                           f"damping: {vector(*damping)}, preload: {vector(0.0, 0.0, carries, 0.0, 0.0, 0.0)}}}")

    def write(self, path, title, parameters, sensors, analyses):
        parts = [f"# {title}", "# Written by examples/rail_vehicles/vehicles.py, which says what the numbers are.", "solidyn: 1", "gravity: [0, 0, =-g]"]
        parts += ["parameters:"] + parameters + list(self.track)
        for name, lines in (("bodies", self.bodies), ("joints", self.joints), ("forces", self.forces), ("sensors", sensors), ("analyses", analyses)):
            if lines:
                parts += [f"{name}:"] + lines
        path.write_text("\n".join(parts) + "\n")


COACH = ["  g: 9.81   # 0: neither weight nor what carries it",
         "  car_mass: 32000", "  frame_mass: 2615", "  wheelset_mass: 1813",
         "  # one axle box: N/m, N s/m", "  kx_1: 31.391e6", "  ky_1: 3.884e6", "  kz_1: 1.22e6", "  dx_1: 15e3", "  dy_1: 2e3", "  dz_1: 4e3",
         "  # one side of a bogie; in bending N m/rad", "  k_2: 160e3", "  kz_2: 430e3", "  kr_2: 10.5e3", "  dy_2: 16e3", "  dz_2: 20e3", "  k_roll: 940e3"]


def build_coach(v):
    """Iwnicki's vehicle 1. Dampers and bump stops act at the springs; the roll bar between frame and car body."""
    points = ", frames: {floor_front: {position: [9.5, 0, -0.7]}}" if v.track else ""
    v.body("car", "car_mass", (56800, 1970000, 1970000), (0, 0, 1.8), points)
    for i, side in ((1, 1), (2, -1)):
        x, frame = side * 9.5, f"frame_{i}"
        v.body(frame, "frame_mass", (1722, 1476, 3067), (x, 0, 0.6))
        for j, end in ((1, 1), (2, -1)):
            n, at = 2 * (i - 1) + j, x + 1.28 * end
            wheelset = v.wheelset(n, (1120, 112, 1120), (at, 0, 0.46))
            for name, y in SIDES:
                v.bushing(f"primary_{n}_{name}", wheelset, frame, (at, y, v.axle(0.46)), ("=kx_1", "=ky_1", "=kz_1", 0.0, 0.0, 0.0),
                          ("=dx_1", "=dy_1", "=dz_1") + ZERO, "g*(car_mass + 2*frame_mass)/8")
        for name, y in SIDES:
            v.bushing(f"secondary_{i}_{name}", frame, "car", (x, y, 0.8275), ("=k_2", "=k_2", "=kz_2", "=kr_2", "=kr_2", 0.0),
                      (0.0, "=dy_2", "=dz_2") + ZERO, "g*car_mass/4")
        v.forces.append(f"  roll_bar_{i}: {{type: torsional_spring_damper, between: [{frame}, car], at: {v.place(x, 0, 0.8275)}, axis: [1, 0, 0], stiffness: =k_roll}}")
        v.forces.append(f"  bump_stop_{i}: {{type: bump_stop, between: [{frame}, car], at: {v.place(x, 0, 0.8275)}, axis: [0, 1, 0], force_by_travel: {{table: "
                        "[[0.025, 0], [0.03, 600], [0.035, 1760], [0.04, 3730], [0.045, 6870], [0.05, 11580], [0.055, 17170], [0.06, 29200], [0.065, 230000]]}}")


LOCOMOTIVE = ["  g: 9.81   # 0: neither weight nor what carries it",
              "  car_mass: 50000", "  bolster_mass: 1200", "  frame_mass: 5200", "  motor_mass: 1900", "  wheelset_mass: 1900", "  box_mass: 90",
              "  # one axle box: each of two springs, guide and damper; N/m, N s/m", "  kz_1: 0.55e6", "  kx_1: 5.0e6", "  ky_1: 2.5e6", "  d_1: 5e3", "  dz_1: 12e3",
              "  # each of four rubber springs of a bogie", "  k_2: 0.6e6", "  kz_2: 6.0e6", "  d_2: 8e3", "  dz_2: 20e3",
              "  # what the springs would carry alike; motors behind their axles pitch the frames a little",
              "  carried_2: =g*(car_mass + 2*bolster_mass)/8", "  carried_1: =g*(car_mass + 2*bolster_mass + 2*frame_mass + 6*motor_mass)/24"]


def build_locomotive(v):
    """Frames carry three motors each; bolsters turn about a pivot on the car body and stand on four rubber springs. Axle boxes
    turn on the axle; where wheelsets are held, they do not."""
    v.body("car", "car_mass", (60e3, 850e3, 850e3), (0, 0, 1.75))
    axles = {1: 1.70, 2: 0.0, 3: -1.70}
    for i, side in ((1, 1), (2, -1)):
        x = side * 3.8
        frame, bolster = f"frame_{i}", f"bolster_{i}"
        v.body(bolster, "bolster_mass", (500, 350, 800), (x, 0, 0.95))
        v.joints.append(f"  pivot_{i}: {{type: revolute, between: [car, {bolster}], at: {v.place(x, 0, 0.95)}, axis: [0, 0, 1]}}")
        point = ", frames: {P: {position: [1.98, -0.8, 0]}}" if v.track and i == 1 else ""  # where the front right primary spring sits
        v.body(frame, "frame_mass", (3000, 11000, 13500), (x, 0, 0.62), point)
        for j, offset in axles.items():
            n, at = 3 * (i - 1) + j, x + side * offset
            motor = f"motor_{n}"
            v.body(motor, "motor_mass", (180, 120, 180), (at - side * 0.52, 0, 0.48))
            v.fixed(f"seat_{n}", frame, motor, (at - side * 0.52, 0, 0.48))
            wheelset = v.wheelset(n, (820, 190, 820), (at, 0, 0.457))
            for name, y in SIDES:
                box = f"box_{n}_{name}"
                v.body(box, "box_mass", (3, 4, 4), (at, 0.80 * y, v.axle(0.457)))
                v.bearing(f"bearing_{n}_{name}", wheelset, box, (at, 0.80 * y, v.axle(0.457)))
                for end, dx in (("front", 0.28), ("rear", -0.28)):
                    v.bushing(f"spring_{n}_{name}_{end}", box, frame, (at + dx, 0.80 * y, 0.62), (0.0, 0.0, "=kz_1") + ZERO, ZERO + ZERO, "carried_1")
                v.bushing(f"guide_{n}_{name}", box, frame, (at, 0.80 * y, 0.457), ("=kx_1", "=ky_1", 0.0) + ZERO, ("=d_1", "=d_1", "=dz_1") + ZERO)
        for end, dx in (("front", 0.85), ("rear", -0.85)):
            for name, y in SIDES:
                v.bushing(f"rubber_{i}_{end}_{name}", frame, bolster, (x + dx, 0.60 * y, 0.80), ("=k_2", "=k_2", "=kz_2") + ZERO,
                          ("=d_2", "=d_2", "=dz_2") + ZERO, "carried_2")


def track(length, rail, gauge, speed, band, waves):
    """Straight, with the irregularities of ERRI B176's good track, which begin in front of the vehicle."""
    return ["track:", f"  plan: [{{length: {length}}}]", f"  rail: {rail}", f"  gauge: {gauge}", f"  running_speed: {speed}",
            f"  irregularities: {{spectrum: erri_low, wavelengths: {band}, waves: {waves}, seed: 1, from: 55, fade_in: 20}}"]


WHEELS = "wheel: s1002, creep: polach, spin: rolling, damping_ratio: 0.3, damping_speed: 0.05"
X = 40.0  # where vehicles stand on their track


def wheel_sensors(n_wheelsets):
    lines = []
    for n in range(1, n_wheelsets + 1):
        for side in ("left", "right"):
            lines.append(f"  Q_{n}_{side}: {{type: force, force: wheels_{n}, component: {side}_Q}}")
        lines.append(f"  y_{n}: {{type: force, force: wheels_{n}, component: y}}")
    for side in ("left", "right"):
        lines.append(f"  Y_1_{side}: {{type: force, force: wheels_1, component: {side}_Y}}")
    return lines


def coach_on_track():
    v = Vehicle(track(1250, "uic60_mbench", 1.435, 44.44, "[3, 70]", 4000), X, WHEELS)
    build_coach(v)
    sensors = [f"  floor_{direction}: {{type: acceleration, of: car.floor_front, component: {direction}}}" for direction in ("y", "z")]
    return v, sensors + wheel_sensors(4), ["  - statics: {}", "  - dynamics: {duration: 25, step: 1.0e-3, rho_infinity: 0.8}"]


def coach_in_curve():
    """Through a transition into an arc of 300 m: the leading outer wheels come to their flanges."""
    lines = ["track:", "  plan: [{length: 60}, {length: 60, curvature_to: =1/300, cant_to: 0.1}, {length: 150}]", "  cant_axis: low_rail", "  rail: uic60_mbench", "  running_speed: 20"]
    v = Vehicle(lines, X, WHEELS)
    build_coach(v)
    sensors = [f"  wheels_{n}: {{type: force, force: wheels_{n}}}" for n in (1, 2)]
    return v, sensors, ["  - statics: {}", "  - dynamics: {duration: 6, step: 1.0e-3, rho_infinity: 0.8}"]


def locomotive_on_track():
    v = Vehicle(track(560, "60e1", "1.0", "=70/3.6", "[0.15, 70]", 4000), X, f"flange_back: 0.93, friction: 0.35, {WHEELS}")
    build_locomotive(v)
    sensors = ["  P_acceleration_y: {type: acceleration, of: frame_1.P, component: y}", "  car_y: {type: position, of: car, component: y}"]
    return v, sensors + wheel_sensors(6), ["  - statics: {}", "  - dynamics: {duration: 25, step: 2.0e-4, rho_infinity: 0.8}"]


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent
    held, running = folder / "rail_vehicles", folder / "railway"
    for each in (held, running):
        each.mkdir(exist_ok=True)
    v = Vehicle()
    build_coach(v)
    sensors = ["  car_z: {type: position, of: car, component: z}"]
    sensors += [f"  {spring}: {{type: force, force: {spring}, component: force_z}}" for spring in ("primary_1_left", "secondary_1_left")]
    v.write(held / "coach_held.yaml", "A coach: Manchester Benchmark vehicle 1 (Iwnicki 1998), on wheelsets that are held.", COACH, sensors, HELD)
    v = Vehicle()
    build_locomotive(v)
    sensors = ["  car_z: {type: position, of: car, component: z}", "  frame: {type: position, of: frame_1}", "  pitch: {type: orientation, of: frame_1}"]
    sensors += [f"  wheelset_{n}: {{type: reaction, joint: hold_wheelset_{n}, component: force_z}}" for n in range(1, 7)]
    v.write(held / "locomotive_held.yaml", "A six-axle locomotive for the meter gauge, on wheelsets that are held.", LOCOMOTIVE, sensors, HELD)
    v, sensors, analyses = coach_on_track()
    v.write(running / "coach.yaml", "A coach, Manchester Benchmark vehicle 1 (Iwnicki 1998), on a good track: 160 km/h, S1002 on UIC60.", COACH, sensors, analyses)
    v, sensors, analyses = coach_in_curve()
    v.write(running / "coach_in_curve.yaml", "A coach, Manchester Benchmark vehicle 1 (Iwnicki 1998), that runs with 72 km/h into a curve of 300 m.", COACH, sensors, analyses)
    v, sensors, analyses = locomotive_on_track()
    v.write(running / "locomotive_rigid.yaml", "A six-axle locomotive for the meter gauge on a good track: 70 km/h, S1002 on 60E1. All bodies are rigid.",
            LOCOMOTIVE, sensors, analyses)


if __name__ == "__main__":
    main()
