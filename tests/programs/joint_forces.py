"""Springs, stops and friction along each freedom of a joint against closed forms.

    joint_forces.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import math
import pathlib
import tempfile

from support import History, Program, parsed_arguments


def run(arguments, folder, name, text):
    model = folder / f"{name}.yaml"
    model.write_text(text)
    Program(arguments).done("run", model, "-o", folder / name)
    return History(folder / name)


def expect(seen, wanted, tolerance, what):
    worst = max(abs(a - b) for a, b in zip(seen, wanted))
    assert worst <= tolerance, (what, worst, tolerance)


def check_screw(arguments, folder, rate):
    """A nut of 100 N is driven up or down a square thread: F r tan(lead angle +- friction angle)."""
    history = run(arguments, folder, f"screw_{rate}", f"""solidyn: 1
gravity: [0, 0, -10]
bodies:
  nut: {{type: rigid, mass: 10, inertia: [0.1, 0.1, 0.1]}}
joints:
  thread: {{type: screw, between: [ground, nut], at: [0, 0, 0], axis: [0, 0, 1], pitch: 0.02,
            friction: {{static: 0.15, radius: 0.01, transition_speed: 1.0e-6}}}}
  motor: {{type: rotation_drive, joint: thread, angle: "{rate}*t"}}
sensors:
  torque: {{type: drive, joint: motor, component: torque}}
  held: {{type: joint_force, joint: thread, component: torque}}
analyses:
  - dynamics: {{duration: 0.1, step: 1.0e-3}}
""")
    lead, friction = math.atan(0.02 / (2 * math.pi * 0.01)), math.atan(0.15)
    wanted = 100 * 0.01 * math.tan(lead + math.copysign(friction, rate))
    expect(history.column(1)[5:], [wanted] * 200, 1e-3 * abs(wanted), "torque on the screw")
    assert all(value * rate < 0 for value in history.column(2)[5:]), "friction resists the motion"


def check_plane(arguments, folder):
    """A puck of 10 N slides on a plane with springs along x and y; another one slides and spins to a halt."""
    history = run(arguments, folder, "plane", """solidyn: 1
gravity: [0, 0, -10]
bodies:
  free: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], velocity: {linear: [0.3, 0.4, 0], angular: [0, 0, 2]}}
  puck: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], pose: {position: [9, 0, 0]}, velocity: {linear: [3, 4, 0]}}
  top: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], pose: {position: [-9, 0, 0]}, velocity: {angular: [0, 0, 5]}}
joints:
  sprung: {type: planar, between: [ground, free], at: [0, 0, 0], axis: [0, 0, 1], reference: [1, 0, 0],
           translation_x: {spring: {stiffness: 100}},
           translation_y: {spring: {stiffness: 400}, limits: {upper: 0.015, stiffness: 4000}},
           rotation: {spring: {stiffness: 0.9}}}
  floor: {type: planar, between: [ground, puck], at: [9, 0, 0], axis: [0, 0, 1], friction: {static: 0.2}}
  table: {type: planar, between: [ground, top], at: [-9, 0, 0], axis: [0, 0, 1], friction: {static: 0.2, radius: 0.05}}
sensors:
  x: {type: joint_translation, joint: sprung, along: x}
  y: {type: joint_translation, joint: sprung, along: y}
  angle: {type: joint_angle, joint: sprung}
  force_x: {type: joint_force, joint: sprung, component: force, along: x}
  stop: {type: joint_force, joint: sprung, part: limits, component: force, along: y}
  torque: {type: joint_force, joint: sprung, component: torque}
  puck: {type: acceleration, of: puck}
  top: {type: angular_acceleration, of: top, component: z}
analyses:
  - dynamics: {duration: 0.3, step: 1.0e-3}
""")
    column = lambda name: history.column(history.names.index(name))
    t = history.column(0)
    expect(column("x"), [0.03 * math.sin(10 * s) for s in t], 3e-6, "x")
    expect(column("angle"), [2 / 3 * math.sin(3 * s) for s in t], 3e-6, "angle")
    expect(column("force_x"), [-100 * x for x in column("x")], 1e-9, "force along x")
    expect(column("torque"), [-0.9 * a for a in column("angle")], 1e-9, "torque")
    assert 0.0155 < max(column("y")) < 0.0199, "the stop holds what the spring would let go to 0.02"
    expect(column("stop"), [-4000 * max(0.0, y - 0.015) for y in column("y")], 1e-9, "stop")
    expect(column("puck.x"), [-0.2 * 10 * 0.6] * 400, 1e-5, "braking of the puck")
    expect(column("puck.y"), [-0.2 * 10 * 0.8] * 400, 1e-5, "braking of the puck")
    expect(column("top"), [-0.2 * 10 * 0.05 / 0.1] * 400, 1e-3, "braking of the top")


def check_cross(arguments, folder):
    """Springs about the arms of a cross: alone each swings as a torsion pendulum; together they keep energy."""
    model = """solidyn: 1
gravity: [0, 0, 0]
bodies:
  yoke: {{type: rigid, mass: 1, inertia: [0.2, 0.5, 0.6], velocity: {{angular: {spin}}}}}
joints:
  cross: {{type: universal, between: [ground, yoke], at: [0, 0, 0], axis: [0, 0, 1], reference: [1, 0, 0],
           first_arm: {{spring: {{stiffness: 20}}}}, second_arm: {{spring: {{stiffness: 8}}, limits: {{upper: 0.3, stiffness: 100}}}}}}
sensors:
  first: {{type: joint_angle, joint: cross, arm: first}}
  second: {{type: joint_angle, joint: cross, arm: second}}
  first_torque: {{type: joint_force, joint: cross, arm: first}}
  second_torque: {{type: joint_force, joint: cross, arm: second}}
  energy: {{type: energy, kind: total}}
analyses:
  - dynamics: {{duration: 1, step: 1.0e-3}}
"""
    alone = run(arguments, folder, "first_arm", model.format(spin="[2, 0, 0]"))
    expect(alone.column(1), [0.2 * math.sin(10 * t) for t in alone.column(0)], 2e-5, "about the first arm")
    alone = run(arguments, folder, "second_arm", model.format(spin="[0, 1, 0]"))
    expect(alone.column(2), [0.25 * math.sin(4 * t) for t in alone.column(0)], 2e-5, "about the second arm")
    both = run(arguments, folder, "both_arms", model.format(spin="[3, 3, 0]"))
    assert max(both.column(2)) > 0.35, "the second arm meets its stop"
    expect(both.column(3), [-20 * a for a in both.column(1)], 1e-8, "torque about the first arm")
    expect(both.column(4), [-8 * a - 100 * max(0.0, a - 0.3) for a in both.column(2)], 1e-8, "about the second")
    energy = both.column(5)
    assert max(energy) - min(energy) < 1e-4 * energy[0], (min(energy), max(energy))


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for rate in (5, -5):
            check_screw(arguments, folder, rate)
        check_plane(arguments, folder)
        check_cross(arguments, folder)


if __name__ == "__main__":
    main()
