"""Equilibria that Newton's method does not find, or finds where nothing stays: dynamic relaxation and stability,
the same on 1, 2 and 4 ranks. What is expected is known in closed form.

    relaxation.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import math
import pathlib
import tempfile
import time

from support import History, Program, largest_difference, parsed_arguments, summary

AGREES = 1e-9  # of each column's range, between numbers of ranks
GRAVITY = "gravity: [0, 0, -9.81]"

# Almost upright; its mass centre is 1.0002 m from the hinge.
PENDULUM = f"""
solidyn: 1
{GRAVITY}
bodies:
  bob: {{type: rigid, mass: 2, center_of_mass: [0.02, 0, 1], inertia: [0.1, 0.1, 0.1], frames: {{centre: {{position: [0.02, 0, 1]}}}}}}
joints:
  hinge: {{type: revolute, between: [ground, bob], at: [0, 0, 0], axis: [0, 1, 0]}}
sensors:
  height: {{type: position, of: bob.centre, component: z}}
analyses:
  - statics: {{load_steps: 2, method: METHOD}}
"""

# Two springs of 1e4 N/m from walls 1 m away hold an apex 0.1 m high, which is pressed through.
TRUSS = """
solidyn: 1
bodies:
  apex: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], pose: {position: [0, 0, 0.1]}}
joints:
  guide: {type: prismatic, between: [ground, apex], at: [0, 0, 0.1], axis: [0, 0, 1]}
forces:
  left:  {type: spring_damper, between: [ground, apex], at_first: [-1, 0, 0], at_second: [0, 0, 0.1], stiffness: 1.0e4}
  right: {type: spring_damper, between: [ground, apex], at_first: [1, 0, 0], at_second: [0, 0, 0.1], stiffness: 1.0e4}
loads:
  press: {type: force, at: apex, force: [0, 0, "-12*t"]}
sensors:
  apex: {type: position, of: apex, component: z}
analyses:
  - statics: {load_steps: 5, method: METHOD}
"""

# A ball of steel 0.1 m above a plate; nothing keeps it from rolling away.
BALL = """
solidyn: 1
gravity: [0, 0, WEIGHT]
bodies:
  ball: {type: rigid, mass: 0.25, inertia: [4.0e-5, 4.0e-5, 4.0e-5], pose: {position: [0, 0, 0.12]}}
contacts:
  plate:
    between: [ground, ball]
    first: {shape: plane, at: [0, 0, 0], axis: [0, 0, 1]}
    second: {shape: sphere, radius: 0.02}
    law: {type: hunt_crossley, stiffness: 1.0e7, exponent: 1.5, restitution: 0.5}
sensors:
  height: {type: position, of: ball, component: z}
analyses:
  - statics: {load_steps: 1, method: relaxation}
"""

# A door that a force at its handle turns against a soft spring onto a stiff stop.
DOOR = """
solidyn: 1
bodies:
  door: {type: rigid, mass: 20, center_of_mass: [0.4, 0, 0], inertia: [1, 1, 1], frames: {handle: {position: [0.75, 0, 0]}}}
joints:
  hinge:
    type: revolute
    between: [ground, door]
    at: [0, 0, 0]
    axis: [0, 0, 1]
    spring: {stiffness: 4}
    limits: {lower: 0, upper: 1.7, stiffness: 2.0e4}
loads:
  push: {type: force, at: door.handle, axes: body, force: [0, "40*t", 0]}
sensors:
  angle: {type: joint_angle, joint: hinge}
analyses:
  - statics: {load_steps: 4, method: METHOD}
"""


def chain(n_links):
    """Bars of 0.1 m, stretched out along x, hung at one end."""
    bodies = [f"  bar_{i}: {{type: rigid, mass: 0.1, center_of_mass: [{0.1 * i + 0.05:.2f}, 0, 0], "
              "inertia: [1.0e-5, 1.0e-4, 1.0e-4], frames: {end: "
              f"{{position: [{0.1 * (i + 1):.1f}, 0, 0]}}}}}}" for i in range(n_links)]
    joints = [f"  pin_{i}: {{type: revolute, between: [{f'bar_{i - 1}' if i else 'ground'}, bar_{i}], "
              f"at: [{0.1 * i:.1f}, 0, 0], axis: [0, 1, 0]}}" for i in range(n_links)]
    return "\n".join(["solidyn: 1", GRAVITY, "bodies:", *bodies, "joints:", *joints, "sensors:",
                      f"  last: {{type: position, of: bar_{n_links - 1}.end, component: z}}",
                      "analyses:", "  - statics: {load_steps: 1}", ""])


def found_by(arguments, folder, name, text, on_ranks=(1,)):
    """The history and the summary, the same on all these numbers of ranks."""
    path, histories, summaries = folder / f"{name}.yaml", [], []
    path.write_text(text)
    for ranks in on_ranks:
        out = folder / f"{name}_{ranks}"
        Program(arguments, ranks).done("run", path, "-o", out)
        histories.append(History(out))
        summaries.append(summary(out))
        worst = largest_difference(histories[0], histories[-1])
        assert worst[0] <= AGREES, (name, ranks, worst)
        assert summaries[-1]["equilibria"] == summaries[0]["equilibria"], (name, ranks)
    print(f"{name}: {summaries[0]['equilibria']}")
    return histories[0], summaries[0]


def check_pendulum(arguments, folder):
    radius = math.hypot(0.02, 1.0)
    for method in ("automatic", "relaxation"):
        history, found = found_by(arguments, folder, method, PENDULUM.replace("METHOD", method),
                                  on_ranks=(1, 2, 4) if method == "automatic" else (1,))
        assert abs(history.rows[-1][1] + radius) < 1e-9, history.rows
        assert found["equilibria"]["relaxed"] >= 1 and found["equilibria"]["unstable"] == 0
        assert found["warnings"] == [], found
    history, found = found_by(arguments, folder, "newton", PENDULUM.replace("METHOD", "newton"))
    assert abs(history.rows[-1][1] - radius) < 1e-9, history.rows
    assert found["equilibria"]["unstable"] == 3 and found["equilibria"]["first_unstable"] == 0.0
    assert len(found["warnings"]) == 1 and "`bob`" in found["warnings"][0], found
    assert "unstable" in found["warnings"][0] and "turning about (0," in found["warnings"][0]
    exact = PENDULUM.replace("0.02", "0").replace("METHOD", "relaxation")
    history, found = found_by(arguments, folder, "upright", exact)
    assert abs(history.rows[-1][1] + 1.0) < 1e-9, history.rows


def check_truss(arguments, folder):
    free = math.hypot(1.0, 0.1)

    def push(z):  # of the springs, upwards
        length = math.hypot(1.0, z)
        return 2e4 * (free - length) * z / length
    limit = max(push(1e-4 * i) for i in range(1000))  # 3.8 N
    for method in ("automatic", "relaxation"):
        history, found = found_by(arguments, folder, f"truss_{method}",
                                  TRUSS.replace("METHOD", method))
        for t, z in zip(history.times, history.column(1)):
            assert abs(push(z) - 12.0 * t) < 1e-6, (t, z, push(z))
            assert (z < -0.1) == (12.0 * t > limit), (t, z)
        assert found["equilibria"]["unstable"] == 0 and found["warnings"] == [], found
        assert (found["equilibria"]["relaxed"] == 6) == (method == "relaxation"), found


def check_ball(arguments, folder):
    history, found = found_by(arguments, folder, "ball", BALL.replace("WEIGHT", "-9.81"))
    depth = (0.25 * 9.81 / 1e7) ** (2.0 / 3.0)
    assert abs(history.rows[-1][1] - (0.02 - depth)) < 1e-6 * depth, history.rows
    assert len(found["warnings"]) == 1 and "the equilibrium is not unique" in found["warnings"][0], found
    path = folder / "flies.yaml"
    path.write_text(BALL.replace("WEIGHT", "9.81"))
    result = Program(arguments)("run", path, "-o", folder / "flies")
    assert result.returncode == 1 and "`ball` continues to move" in result.stderr, result.stderr


def check_door(arguments, folder):
    for method in ("automatic", "relaxation"):
        name = f"door_{method}"
        history, found = found_by(arguments, folder, name, DOOR.replace("METHOD", method))
        for t, angle in zip(history.times, history.column(1)):
            torque = 30.0 * t - 4.0 * angle - 2e4 * max(0.0, angle - 1.7)
            assert abs(torque) < 1e-6, (t, angle, torque)
        assert history.rows[-1][1] > 1.7 and found["warnings"] == [], found
        assert (found["equilibria"]["relaxed"] == 5) == (method == "relaxation"), found


def check_chain(arguments, folder):
    history, found = found_by(arguments, folder, "chain", chain(10))
    assert abs(history.rows[-1][1] + 1.0) < 1e-8, history.rows
    assert found["equilibria"]["relaxed"] >= 1, found


def check_vertical_hinge(arguments, folder):
    """A door that stays where it is: relaxation does not move it, and the message says so in world axes, whichever way
    the body's own are turned."""
    for i, turn in enumerate(("", ", rotation: {axis: [1, 0, 0], angle: 1.5707963267948966}")):
        text = f"""
solidyn: 1
{GRAVITY}
bodies:
  door: {{type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], pose: {{position: [1, 0.3, 0.2]{turn}}}}}
joints:
  hinge: {{type: revolute, between: [ground, door], at: [0, 0, 0], axis: [0, 0, 1]}}
sensors:
  place: {{type: position, of: door}}
  wall: {{type: reaction, joint: hinge, component: force_z}}
analyses:
  - statics: {{load_steps: 2}}
"""
        history, found = found_by(arguments, folder, f"vertical_{i}", text)
        assert len(history.rows) == 3, history.rows
        for row in history.rows:
            assert max(abs(a - b) for a, b in zip(row[1:4], (1, 0.3, 0.2))) < 1e-9, row
            assert abs(row[4] - 9.81) < 1e-9, row
        warning, = found["warnings"]
        assert "the equilibrium is not unique" in warning and "`door`" in warning, warning
        assert "rotating about (0, 0, " in warning or "rotate about (0, 0, " in warning, warning


def check_origin_in_the_mass_centre(arguments, folder):
    """What holds a pendulum is the stiffness of its reaction, if its own origin is in its mass centre."""
    text = f"""
solidyn: 1
{GRAVITY}
bodies:
  bob: {{type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], pose: {{position: [0, 0, -1]}}}}
joints:
  hinge: {{type: revolute, between: [ground, bob], at: [0, 0, 0], axis: [0, 1, 0]}}
loads:
  turn: {{type: force, at: bob, torque: [0, "5*t", 0]}}
sensors:
  angle: {{type: joint_angle, joint: hinge}}
analyses:
  - statics: {{load_steps: 4, OPTION}}
"""
    for name, option in (("newton", "method: newton"), ("path", "control: arc_length")):
        history, found = found_by(arguments, folder, f"bob_{name}", text.replace("OPTION", option))
        for t, angle in zip(history.times, history.column(1)):
            assert abs(9.81 * math.sin(angle) - 5.0 * t) < 1e-6, (t, angle)
        assert found["warnings"] == [] and found["equilibria"]["relaxed"] == 0, found


def check_light_flap(arguments, folder):
    """20 g upright beside 500 kg: the flap falls, and stays upright with a warning where nothing else is wanted."""
    text = f"""
solidyn: 1
{GRAVITY}
bodies:
  big: {{type: rigid, mass: 500, inertia: [100, 100, 100], pose: {{position: [0, 0, -1]}}}}
  flap: {{type: rigid, mass: 0.02, inertia: [1.0e-5, 1.0e-5, 1.0e-5], pose: {{position: [1, 0, 0.02]}}}}
joints:
  h: {{type: revolute, between: [ground, big], at: [0, 0, 0], axis: [0, 1, 0]}}
  f: {{type: revolute, between: [ground, flap], at: [1, 0, 0], axis: [0, 1, 0]}}
sensors:
  flap: {{type: position, of: flap, component: z}}
analyses:
  - statics: {{load_steps: 1, method: METHOD}}
"""
    history, found = found_by(arguments, folder, "flap", text.replace("METHOD", "automatic"))
    assert abs(history.rows[-1][1] + 0.02) < 1e-6, history.rows
    history, found = found_by(arguments, folder, "flap_newton", text.replace("METHOD", "newton"))
    warning, = found["warnings"]
    assert "unstable" in warning and "`flap`" in warning, warning


def check_interrupt(arguments, folder):
    """SIGTERM ends a relaxation after its step, long before the equilibrium is found."""
    model, output = folder / "long_chain.yaml", folder / "long_chain"
    model.write_text(chain(800))
    run = Program(arguments).start("run", model, "-o", output)
    while run.poll() is None and not (output / "summary.json").exists():
        time.sleep(0.02)
    run.terminate()
    _, log = run.communicate(timeout=120)
    assert run.returncode == 1 and "t = 0: stopped by Terminated" in log and "found the equilibrium" not in log, (run.returncode, log)
    assert summary(output)["status"] == "failed" and "stopped by Terminated" in summary(output)["failure"]["message"], summary(output)
    print("SIGTERM ends a relaxation")


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_pendulum(arguments, folder)
        check_truss(arguments, folder)
        check_ball(arguments, folder)
        check_door(arguments, folder)
        check_chain(arguments, folder)
        check_vertical_hinge(arguments, folder)
        check_origin_in_the_mass_centre(arguments, folder)
        check_light_flap(arguments, folder)
        check_interrupt(arguments, folder)


if __name__ == "__main__":
    main()
