"""Forces from model files: formulas see what history.csv shows, a model says the same in any units, what presses
the friction of a slide.

    forces.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import math
import pathlib
import tempfile

from support import SOURCE, History, Program, parsed_arguments

DEGREE = math.pi / 180

# Sensors that formulas may use, by their columns.
SEEN = ["place.x", "place.y", "place.z", "speed", "turn.x", "turn.y", "turn.z", "spin.x", "spin.y", "spin.z",
        "angle", "angle_rate", "slide", "slide_rate", "first", "second", "first_rate", "side", "_pi", "_e"]
MECHANISM = """solidyn: 1
units: {{length: mm, mass: t, angle: deg, time: ms}}
gravity: [0, 0.002, -0.00981]
bodies:
  arm: {{type: rigid, mass: 1.0e-3, inertia: [40, 90, 70], center_of_mass: [100, 20, 0], velocity: {{angular: [0, 0, 1.2]}},
         frames: {{tip: {{position: [200, 10, 30]}}}}}}
  cross: {{type: rigid, mass: 2.0e-3, inertia: [50, 60, 80], pose: {{position: [500, 0, 0]}}, velocity: {{angular: [0.1, 0.2, 0]}}}}
  plate: {{type: rigid, mass: 1.0e-3, inertia: [50, 60, 80], pose: {{position: [0, 900, 0]}}, velocity: {{linear: [0.3, -0.2, 0], angular: [0, 0, 0.1]}}}}
{probes}joints:
  hinge: {{type: cylindrical, between: [ground, arm], at: [0, 0, 0], axis: [0, 0, 1]}}
  cardan: {{type: universal, between: [ground, cross], at: [500, 0, 0], axis: [0, 0, 1], reference: [1, 0, 0]}}
  table: {{type: planar, between: [ground, plate], at: [0, 900, 0], axis: [0, 0, 1]}}
forces:
{forces}sensors:
  place: {{type: position, of: arm.tip}}
  speed: {{type: velocity, of: arm.tip, relative_to: cross, component: magnitude}}
  turn: {{type: orientation, of: cross}}
  spin: {{type: angular_velocity, of: cross, relative_to: arm}}
  angle: {{type: joint_angle, joint: hinge}}
  angle_rate: {{type: joint_angle, joint: hinge, quantity: velocity}}
  slide: {{type: joint_translation, joint: hinge}}
  slide_rate: {{type: joint_translation, joint: hinge, quantity: velocity}}
  first: {{type: joint_angle, joint: cardan, arm: first}}
  second: {{type: joint_angle, joint: cardan, arm: second}}
  first_rate: {{type: joint_angle, joint: cardan, arm: first, quantity: velocity}}
  side: {{type: joint_translation, joint: table, along: y}}
  _pi: {{type: joint_translation, joint: table, along: x, quantity: velocity}}
  _e: {{type: joint_angle, joint: table}}
{sensors}analyses:
  - dynamics: {{duration: 700, step: 1}}
"""


def check_formulas(arguments, folder):
    """A free body of one tonne is pushed by each sensor: its acceleration, in mm/ms^2, is the sensor's value."""
    probes = forces = sensors = ""
    in_file_units = {"m": 1e3, "rad": 1 / DEGREE, "m/s": 1.0, "rad/s": 1e-3 / DEGREE, "1": 1.0}
    for i, column in enumerate(SEEN):
        probes += f"  probe_{i}: {{type: rigid, mass: 1, inertia: [1, 1, 1]}}\n"
        forces += (f"  push_{i}: {{type: expression, at: probe_{i}, "
                   f"force: [\"{column}\", 0, 0]}}\n")
        sensors += f"  felt_{i}: {{type: acceleration, of: probe_{i}, component: x}}\n"
    model = folder / "formulas.yaml"
    model.write_text(MECHANISM.format(probes=probes, forces=forces, sensors=sensors))
    Program(arguments).done("run", model, "-o", folder / "formulas")
    history = History(folder / "formulas")
    for i, column in enumerate(SEEN):
        at = history.names.index(column)
        seen = [value * in_file_units[history.units[at]] for value in history.column(at)]
        felt = [value * 1e-3 for value in history.column(history.names.index(f"felt_{i}"))]
        size = max(map(abs, seen))
        assert size > 1e-4, (column, "does not move")
        worst = max(abs(a - b) for a, b in zip(seen, felt))
        assert worst < 1e-5 * size, (column, worst, size)  # what Newton leaves
    angles = history.column(history.names.index("angle"))
    assert max(angles) > 2 * math.pi, "the hinge shall turn more than once"


def in_units(si):
    """A model with each kind of joint coordinate, joint force and force; numbers in SI or in mm, t, ms and degrees."""
    L, M, A, T = (1.0, 1.0, 1.0, 1.0) if si else (1e3, 1e-3, 1 / DEGREE, 1e3)
    F = M * L / T ** 2
    g = lambda x: repr(float(x))
    six = lambda a, b: "[" + ", ".join([g(a)] * 3 + [g(b)] * 3) + "]"
    body = lambda x, y, z: f"type: rigid, mass: {g(M)}, inertia: [{g(x * M * L * L)}, {g(y * M * L * L)}, {g(z * M * L * L)}]"
    units = "" if si else "units: {length: mm, mass: t, angle: deg, time: ms}"
    return f"""solidyn: 1
{units}
gravity: [0, 0, {g(-9.81 * L / T ** 2)}]
bodies:
  a: {{{body(.1, .1, .1)}, center_of_mass: [{g(.1 * L)}, 0, 0], velocity: {{angular: [0, 0, {g(2 * A / T)}]}}, frames: {{f: {{position: [{g(.2 * L)}, 0, 0]}}}}}}
  b: {{{body(.1, .2, .1)}, pose: {{position: [{g(L)}, 0, 0]}}}}
  c: {{{body(.1, .2, .1)}, pose: {{position: [{g(L)}, {g(L)}, 0], rotation: {{vector: [{g(.1 * A)}, 0, 0]}}}}}}
  d: {{{body(.1, .2, .1)}, pose: {{position: [{g(1.5 * L)}, {g(L)}, 0]}}, velocity: {{linear: [0, {g(.4 * L / T)}, 0], angular: [{g(.3 * A / T)}, 0, 0]}}}}
  e: {{{body(.1, .2, .3)}, pose: {{position: [0, {g(3 * L)}, 0]}}}}
joints:
  hinge:
    type: revolute
    between: [ground, a]
    at: [0, 0, 0]
    axis: [1, 0, 1]
    spring: {{stiffness: {g(3 * F * L / A)}, free_angle: {g(.2 * A)}, preload: {g(.5 * F * L)}, torque_by_angle: {{table: [[{g(-2 * A)}, {g(-5 * F * L)}], [0, 0], [{g(2 * A)}, {g(5 * F * L)}]]}}, torque: "{g(.1 * F * L / A)}*x + {g(.2 * F * L * T / A)}*v + {g(.1 * F * L / T)}*t"}}
    damper: {{damping: {g(.1 * F * L * T / A)}, torque_by_rate: {{table: [[{g(-A / T)}, {g(-F * L)}], [{g(A / T)}, {g(F * L)}]]}}}}
    actuator: "{g(.3 * F * L / T)}*t"
    friction: {{static: 0.2, dynamic: 0.1, stribeck_speed: {g(.1 * L / T)}, transition_speed: {g(1e-2 * L / T)}, radius: {g(.05 * L)}, moment_arm: {g(.1 * L)}, preload: {g(2 * F)}}}
    limits: {{upper: {g(.1 * A)}, stiffness: {g(100 * F * L / A)}, damping: {g(.5 * T / A)}}}
  screw: {{type: screw, between: [ground, c], at: [{g(L)}, {g(L)}, 0], axis: [0, 0, 1], pitch: {g(.1 * L)}}}
  guide: {{type: cylindrical, between: [ground, b], at: [{g(L)}, 0, 0], axis: [0, 0, 1], translation: {{spring: {{stiffness: {g(40 * F / L)}, free_position: {g(.01 * L)}, force: "{g(10 * F / L)}*x"}}, limits: {{lower: {g(-.02 * L)}, stiffness: {g(1e3 * F / L)}, damping: {g(.2 * T / L)}}}}}}}
  coupled: {{type: coupler, terms: [{{joint: screw, coordinate: translation, factor: 1}}, {{joint: hinge, factor: {g(.02 * L / A)}}}]}}
  rack: {{type: rack_and_pinion, joints: [hinge, guide], radius: {g(.1 * L)}}}
  turntable: {{type: revolute, between: [ground, e], at: [0, {g(3 * L)}, 0], axis: [0, 1, 0]}}
  drive: {{type: rotation_drive, joint: turntable, angular_acceleration: "{g(20 * A / T ** 2)}*cos({g(5 / T)}*t)", start: {g(.2 * A)}, start_rate: {g(A / T)}}}
forces:
  mount: {{type: bushing, between: [ground, d], at: [{g(1.4 * L)}, {g(L)}, 0], stiffness: {six(20 * F / L, F * L / A)}, damping: {six(F * T / L, .1 * F * L * T / A)}, preload: [{g(F)}, 0, 0, {g(.1 * F * L)}, 0, 0]}}
  formula: {{type: expression, at: a.f, reaction_on: d, force: ["{g(-F / L)}*q.x + {g(.1 * F * T / L)}*v.y", 0, 0], torque: [0, 0, "{g(-.1 * F * L / A)}*angle + {g(.1 * F * L * T / A)}*w.z"]}}
  air: {{type: drag, at: d, viscous: {g(.1 * F * T / L)}, viscous_rotational: {g(.01 * F * L * T / A)}, drag_coefficient: 0.5, area: {g(.1 * L * L)}, density: {g(1.2 * M / L ** 3)}, medium_velocity: [{g(L / T)}, 0, 0]}}
  strut: {{type: spring_damper, between: [a.f, d], stiffness: {g(20 * F / L)}, damping: {g(F * T / L)}, free_length: {g(L)}, preload: {g(F)}, force: "{g(F / L)}*x", force_by_rate: {{table: [[{g(-L / T)}, {g(-F)}], [{g(L / T)}, {g(F)}]]}}, force_by_extension: {{table: [[{g(-L)}, {g(-F)}], [{g(L)}, {g(F)}]]}}}}
  twist: {{type: torsional_spring_damper, between: [ground, d], at: [0, 0, 0], axis: [0, 0, 1], stiffness: {g(F * L / A)}, damping: {g(.2 * F * L * T / A)}, free_angle: {g(.1 * A)}}}
sensors:
  q: {{type: position, of: d}}
  v: {{type: velocity, of: d}}
  w: {{type: angular_velocity, of: a}}
  angle: {{type: joint_angle, joint: hinge}}
  reaction: {{type: reaction, joint: hinge}}
  height: {{type: position, of: c}}
  guided: {{type: position, of: b}}
  energy: {{type: energy}}
  of_rack: {{type: multiplier, joint: rack}}
  of_coupler: {{type: multiplier, joint: coupled}}
  torque: {{type: reaction, joint: drive, component: torque_y}}
analyses:
  - dynamics: {{duration: {g(.4 * T)}, step: {g(1e-3 * T)}}}
"""


def check_units(arguments, folder):
    histories = []
    for si in (True, False):
        model, out = folder / f"units_{si}.yaml", folder / f"units_{si}"
        model.write_text(in_units(si))
        Program(arguments).done("run", model, "-o", out)
        histories.append(History(out))
    ours, others = histories
    assert ours.names == others.names and ours.units == others.units
    for i, name in enumerate(ours.names[1:], 1):
        size = max(map(abs, ours.column(i)))
        worst = max(abs(a - b) for a, b in zip(ours.column(i), others.column(i)))
        assert worst <= 1e-6 * max(size, 1e-3), (name, worst, size)


def check_coupler(arguments, folder):
    """The multiplier of a coupler times the first factor as the file gives it is a torque in N m."""
    for angle, unit in (("rad", ""), ("deg", "units: {angle: deg}")):
        model = folder / "coupler.yaml"
        model.write_text(f"""solidyn: 1
{unit}
bodies:
  a: {{type: rigid, mass: 1, inertia: [1, 1, 1]}}
  b: {{type: rigid, mass: 1, inertia: [1, 1, 1]}}
joints:
  j: {{type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}}
  k: {{type: revolute, between: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}}
  same: {{type: coupler, terms: [{{joint: j, factor: 1}}, {{joint: k, factor: -1}}]}}
loads:
  torque: {{type: force, at: a, torque: [0, 0, 2]}}
sensors:
  m: {{type: multiplier, joint: same}}
analyses:
  - dynamics: {{duration: 0.01, step: 1.0e-3}}
""")
        Program(arguments).done("run", model, "-o", folder / angle)
        for value in History(folder / angle).column(1):  # half of 2 N m goes on to b
            assert abs(value - 1.0) < 1e-6, (angle, value)


def check_roll(arguments, folder):
    """A torque about the axis of a slide presses its friction: 2 N m over 0.1 m, times 0.5 on 1 kg."""
    model = folder / "slide.yaml"
    model.write_text("""solidyn: 1
bodies:
  block: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], velocity: {linear: [5, 0, 0]}}
joints:
  slide: {type: prismatic, between: [ground, block], at: [0, 0, 0], axis: [1, 0, 0], friction: {static: 0.5, moment_arm: 0.1}}
loads:
  roll: {type: force, at: block, torque: [2, 0, 0]}
sensors:
  a: {type: acceleration, of: block, component: x}
analyses:
  - dynamics: {duration: 0.1, step: 1.0e-3}
""")
    Program(arguments).done("run", model, "-o", folder / "slide")
    for value in History(folder / "slide").column(1):
        assert abs(value + 10.0) < 0.02, value


def check_thrust(arguments, folder):
    """A disc of 10 N, lying on a face of 30 mm in its upright bearing, runs down by 0.2 * 10 N * 0.03 m on 0.5 kg m^2."""
    model = folder / "thrust.yaml"
    model.write_text("""solidyn: 1
gravity: [0, 0, -10]
bodies:
  disc: {type: rigid, mass: 1, inertia: [0.5, 0.5, 0.5], velocity: {angular: [0, 0, 8]}}
joints:
  bearing: {type: revolute, between: [ground, disc], at: [0, 0, 0], axis: [0, 0, 1],
            friction: {static: 0.2, radius: 0.01, thrust_radius: 0.03}}
sensors:
  spin: {type: joint_angle, joint: bearing, quantity: acceleration}
analyses:
  - dynamics: {duration: 0.1, step: 1.0e-3}
""")
    Program(arguments).done("run", model, "-o", folder / "thrust")
    for value in History(folder / "thrust").column(1):
        assert abs(value + 0.12) < 2e-4, value


STICKING = """solidyn: 1
materials:
  soft: {{youngs_modulus: 2.0e9, poissons_ratio: 0.3, density: 1000}}
bodies:
  rod:
    type: modal
    mesh: {mesh}
    material: soft
    modes: {{free_free: 8}}
    velocity: {{linear: [0, 0, 1], angular: [3, 10, 20]}}
    interfaces:
      big: {{nodes: {{near: [0, 0, 0]}}, attach: virtual_body}}
      small: {{nodes: {{near: [0.3, 0, 0]}}, attach: virtual_body}}
  a: {{type: rigid, mass: 0.05, inertia: [1.0e-4, 1.0e-4, 1.0e-4], pose: {{position: [0.3, 0, 0]}}, velocity: {{linear: [0, 6, -2], angular: [3, 10, 20]}}}}
joints:
  j: {{type: revolute, between: [rod.small, a], axis: [0, 0, 1], friction: {{static: 0.1, radius: 0.01}}}}
sensors:
  energy: {{type: energy}}
  momentum: {{type: momentum}}
analyses:
  - dynamics: {{duration: 0.004, step: 2.0e-4, rho_infinity: 0.9}}
"""


def check_sticking(arguments, folder):
    """A pin thicker than the rod it turns in sticks, while the force on it goes through zero."""
    model = folder / "sticking.yaml"
    model.write_text(STICKING.format(mesh=SOURCE / "meshes" / "rod_circular_coarse.msh"))
    Program(arguments).done("run", model, "-o", folder / "sticking")
    history = History(folder / "sticking")
    columns = {name: history.column(i) for i, name in enumerate(history.names)}
    assert max(columns["energy"]) <= columns["energy"][0] * (1 + 1e-5), columns["energy"]
    for axis in "yz":
        p = columns[f"momentum.{axis}"]
        assert max(p) - min(p) < 2e-5 * max(map(abs, p)), (axis, p)


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_formulas(arguments, folder)
        check_units(arguments, folder)
        check_coupler(arguments, folder)
        check_roll(arguments, folder)
        check_thrust(arguments, folder)
        check_sticking(arguments, folder)


if __name__ == "__main__":
    main()
