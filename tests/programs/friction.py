"""Friction in joints at its limits: what locks itself holds, what has no solution is told, and joints that hold a
body twice share their forces.

    friction.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import math
import pathlib
import tempfile

from support import History, Program, parsed_arguments, summary

# A drawer of 1 kg pulled by 10 N beside its rails: they are pressed by the moment, 10 N times offset / 0.1 m.
DRAWER = """
solidyn: 1
bodies:
  drawer:
    type: rigid
    mass: 1
    center_of_mass: [0, CENTRE, 0]
    inertia: [0.01, 0.01, 0.01]
    frames: {grip: {position: [0, OFFSET, 0]}}
    velocity: {linear: [SPEED, 0, 0]}
joints:
  rails:
    type: prismatic
    between: [ground, drawer]
    at: [0, 0, 0]
    axis: [1, 0, 0]
    friction: {static: 0.3, transition_speed: TRANSITION, moment_arm: 0.1}
loads:
  pull: {type: force, at: drawer.grip, force: [10, 0, 0]}
sensors:
  x: {type: position, of: drawer, component: x}
  v: {type: velocity, of: drawer, component: x}
analyses:
  - dynamics: {duration: 0.2, step: 1.0e-3}
"""

# A shaft of 2 kg that runs down in two bearings, half a metre either side of its middle.
SHAFT = """
solidyn: 1
gravity: [0, 0, -9.81]
bodies:
  shaft: {type: rigid, mass: 2, inertia: [1.0e-3, 0.1, 0.1], velocity: {angular: [100, 0, 0]}}
joints:
  BEARINGS
sensors:
  spin: {type: angular_velocity, of: shaft, component: x}
analyses:
  - dynamics: {duration: 0.1, step: 1.0e-3}
"""
FRICTION = "friction: {static: 0.2, transition_speed: 1.0e-4, radius: 0.01}"


def bearing(x):
    return f"{{type: revolute, between: [ground, shaft], at: [{x}, 0, 0], axis: [1, 0, 0], {FRICTION}}}"


def drawer(arguments, folder, name, centre=0.0, offset=0.5, speed=0.0, transition=1e-3):
    path = folder / f"{name}.yaml"
    path.write_text(DRAWER.replace("CENTRE", str(centre)).replace("OFFSET", str(offset))
                    .replace("SPEED", str(speed)).replace("TRANSITION", str(transition)))
    return Program(arguments)("run", path, "-o", folder / name)


def check_self_locking(arguments, folder):
    """Friction could be 15 N at 10 N of pull, however hard it is pulled: it creeps, and with 9 N it slides."""
    for transition in (1e-3, 1e-5):
        name = f"locked_{transition}"
        done = drawer(arguments, folder, name, transition=transition)
        # It comes to creep within a part of a step, whose energies no step sees: told as doubtful.
        assert done.returncode in (0, 3), done.stderr
        share = 10.0 / 15.0
        creep = transition * share / math.sqrt(1.0 - share ** 2)
        _, x, v = History(folder / name).rows[-1]
        assert abs(v / creep - 1.0) < 0.05 and x < 0.5 * creep, (transition, x, v, creep)
        print(f"locked, transition speed {transition}: {x:.3g} m, creep {v:.3g} m/s")
    done = drawer(arguments, folder, "slides", offset=0.3)
    assert done.returncode == 0, done.stderr
    x = History(folder / "slides").rows[-1][1]
    assert abs(x - 0.5 * 1.0 * 0.2 ** 2) < 0.06 * x, x  # friction grows over the transition speed


def check_jamming(arguments, folder):
    """With its mass beside the rails as well, a moving drawer has no acceleration that balances: x + 1.5 |x - 20 N| is
    nowhere 10 N."""
    done = drawer(arguments, folder, "jams", centre=0.5, offset=1.0, speed=1.0)
    assert done.returncode == 2 and "is jammed by friction at the start" in done.stderr, done.stderr
    assert "joint friction" in done.stderr and "inertia" not in done.stderr, done.stderr


def run_shaft(arguments, folder, name, bearings):
    path = folder / f"{name}.yaml"
    path.write_text(SHAFT.replace("BEARINGS", "\n  ".join(
        f"bearing_{i}: {text}" for i, text in enumerate(bearings))))
    Program(arguments).done("run", path, "-o", folder / name)
    return History(folder / name).rows[-1][1], summary(folder / name)["warnings"]


def check_redundant_bearings(arguments, folder):
    """Two bearings hold twice over: by the smallest multipliers each carries half, and friction is that of one."""
    one, warnings = run_shaft(arguments, folder, "one", [bearing(0.0)])
    assert warnings == [], warnings
    torque = 0.2 * 2.0 * 9.81 * 0.01
    assert abs(one - (100.0 - torque / 1e-3 * 0.1)) < 1e-2, one
    two, warnings = run_shaft(arguments, folder, "two", [bearing(-0.5), bearing(0.5)])
    assert abs(two - one) < 1e-5 * one, (one, two)
    assert len(warnings) == 1 and "redundant" in warnings[0], warnings
    assert "friction" in warnings[0] and "bearing_0" in warnings[0], warnings


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_self_locking(arguments, folder)
        check_jamming(arguments, folder)
        check_redundant_bearings(arguments, folder)


if __name__ == "__main__":
    main()
