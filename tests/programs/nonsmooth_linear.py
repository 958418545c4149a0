"""Linear analyses about states with closed set-valued contacts, against frequencies by formulas: what sticks is joined, what has no
friction is held along its normal, and contact forces turn with the bodies.

    nonsmooth_linear.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import math
import pathlib
import re
import sys
import tempfile

from linear import frequencies, table
from support import EXAMPLES, Program, parsed_arguments, summary

PLANE = "first: {shape: plane, at: [0, 0, 0], axis: [0, 0, 1]}"
STICKS = "friction: {static: 0.5, dynamic: 0.4}"

# A ball of radius 0.1 whose mass centre is 0.03 below its middle.
ROLY_POLY = f"""
solidyn: 1
gravity: [0, 0, -9.81]
bodies:
  ball: {{type: rigid, mass: 2, inertia: [0.004, 0.004, 0.004], pose: {{position: [0, 0, 0.07]}}}}
contacts:
  floor: {{between: [ground, ball], {PLANE}, second: {{shape: sphere, radius: 0.1, at: [0, 0, 0.1]}}, law: {{type: impact}}, FRICTION}}
analyses:
  - modes: {{count: 6}}
"""
ROD = """
solidyn: 1
bodies:
  rod:
    type: modal
    import: {stiffness: stiffness.mtx, mass: mass.mtx, nodes: nodes.csv, units: SI}
    modes: {free_free: 120}
    interfaces: {root: {nodes: {near: [-0.153, 0, 0]}, attach: node}}
joints:
  clamp: {type: fixed, between: [ground, rod.root], at: [-0.153, 0, 0]}
analyses:
  - modes: {count: 120}
"""
# A ball, I = 2/5 m r^2, that is pushed at its middle.
BALL = f"""
solidyn: 1
gravity: [0, 0, -9.81]
bodies:
  ball: {{type: rigid, mass: 2, inertia: [0.008, 0.008, 0.008], pose: {{position: [0, 0, 0.1]}}}}
contacts:
  floor: {{between: [ground, ball], {PLANE}, second: {{shape: sphere, radius: 0.1}}, law: {{type: impact}}, {STICKS}}}
loads:
  push: {{type: force, at: ball, force: [0, 0, 0]}}
sensors:
  way: {{type: position, of: ball, component: x}}
  normal: {{type: contact, contact: floor, component: normal_force}}
  across: {{type: contact, contact: floor, component: force_x}}
analyses:
  - frequency_response: {{inputs: [push.force_x, push.force_z], frequencies: [1, 10]}}
  - linearise: {{inputs: [push.force_x], outputs: [way]}}
"""
# The same ball in a bowl.
BOWL = BALL.split("contacts:")[0].replace("[0, 0, 0.1]", "[0, 0, -0.4]") + """
contacts:
  floor: {between: [ground, ball], first: {shape: hollow_sphere, radius: 0.5}, second: {shape: sphere, radius: 0.1}, law: {type: impact}, FRICTION}
analyses:
  - modes: {count: 6}
"""
# A box on its corners, more than it needs to stand, with a mass on a spring.
BOX = f"""
solidyn: 1
gravity: [0, 0, -9.81]
bodies:
  box: {{type: rigid, mass: 3, inertia: [0.02, 0.02, 0.02], pose: {{position: [0, 0, 0.1]}}}}
  top: {{type: rigid, mass: 0.5, inertia: [0.01, 0.01, 0.01], pose: {{position: [0, 0, 0.3]}}}}
joints:
  guide: {{type: prismatic, between: [box, top], at: [0, 0, 0.3], axis: [1, 0, 0], spring: {{stiffness: 200}}}}
contacts:
  floor: {{between: [ground, box], {PLANE}, second: {{shape: box, size: [0.4, 0.4, 0.2]}}, law: {{type: impact}}, {STICKS}}}
analyses:
  - modes: {{count: 6}}
"""
# A slider that a force presses on what holds it in its joint, with another one on a spring.
STOP = """
solidyn: 1
bodies:
  first: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01]}
  second: {type: rigid, mass: 0.5, inertia: [0.01, 0.01, 0.01], pose: {position: [1, 0, 0]}}
joints:
  rail: {type: prismatic, between: [ground, first], at: [0, 0, 0], axis: [1, 0, 0], PART}
  spring: {type: prismatic, between: [first, second], at: [0, 0, 0], axis: [1, 0, 0], spring: {stiffness: 200}}
loads:
  press: {type: force, at: first, force: [FORCE, 0, 0]}
analyses:
  - modes: {count: 6}
"""
# A beam of 1.2 kg/m on its ends, which settles under its weight.
BEAM = f"""
solidyn: 1
gravity: [0, 0, -9.81]
materials:
  light: {{youngs_modulus: MODULUS, poissons_ratio: 0, density: 200}}
bodies:
  beam:
    type: beam
    points: {{left: [0, 0, 0], right: [2, 0, 0]}}
    elements: 8
    section: {{type: rectangle, width: 0.0774596669, height: 0.0774596669}}
    material: light
    shear: none
    rotary_inertia: torsion
    damping: {{rayleigh: {{stiffness: DAMPING}}}}
contacts:
  left:  {{between: [ground, beam.left],  {PLANE}, second: {{shape: point, at: [0, 0, 0]}}, law: {{type: impact}}}}
  right: {{between: [ground, beam.right], {PLANE}, second: {{shape: point, at: [2, 0, 0]}}, law: {{type: impact}}}}
sensors:
  force: {{type: contact, contact: left, component: normal_force}}
analyses:
  - dynamics: {{duration: DURATION, step: 1e-3, integrator: bathe}}
  - modes: {{count: 4}}
"""


def run(program, folder, text, *words):
    model = folder / "model.yaml"
    model.write_text(text)
    out = folder / "out"
    done = program.done("run", model, "-o", out, *words)
    return out, done.stdout + done.stderr


def kinds(rows):
    return [row["kind"] for row in rows]


def check_roly_poly(program, folder):
    d, r, m, inertia, g = 0.03, 0.1, 2.0, 0.004, 9.81
    for friction, about, held in ((STICKS, inertia + m * (r - d) ** 2, "joined, as they stick: floor"), ("friction: {static: 0, dynamic: 0}", inertia, "held along the normal alone: floor")):
        out, log = run(program, folder, ROLY_POLY.replace("FRICTION", friction))
        rows = table(out / "modes.csv")
        found = frequencies(rows, 0.0)
        expected = math.sqrt(m * g * d / about)
        # To either side; what is left spins, and slides where nothing holds it.
        assert len(found) == 2 and all(abs(w / expected - 1) < 1e-9 for w in found), (found, expected)
        assert kinds(rows).count("rigid") == (1 if friction == STICKS else 3), kinds(rows)
        assert held in log, log


def check_moments(program, folder):
    """What does not roll or spin is held: of a ball that sticks the spin is left, and with drilling friction nothing."""
    for more, held, n_rigid in ((", rolling: 1e-3", "floor; floor, rolling", 1), (", rolling: 1e-3, drilling: 1e-3", "floor; floor, rolling; floor, drilling", 0)):
        out, log = run(program, folder, ROLY_POLY.replace("FRICTION", STICKS.replace("}", more + "}")))
        rows = table(out / "modes.csv") if (out / "modes.csv").exists() else []
        assert f"joined, as they stick: {held}\n" in log + "\n", log
        assert [kind for kind in (kinds(rows) if rows else [])] == ["rigid"] * n_rigid, rows


def check_rod(program, folder):
    """The rod of P-NONSMOOTH, sect. 4.5, as 20 beam elements without rotary inertia, clamped: 1.8751^2 sqrt(EI/(rho A l^4)), and 52 of 60 frequencies
    in the plane below 1e7 Hz: all 20 of stretching and 32 of bending, which come twice in space, beside 20 of torsion."""
    sys.path.insert(0, str(EXAMPLES.parent / "tests/verification/nonsmooth/models/beam_rod"))
    import make_matrices as rod
    rod.MOMENT_Y = rod.MOMENT_Z = 0.0
    rod.main(folder)
    out, _ = run(program, folder, ROD)
    found = [w / (2 * math.pi) for w in frequencies(table(out / "modes.csv"), 0.0)]
    lowest = 1.87510407**2 * math.sqrt(rod.EI / rod.MASS) / rod.LENGTH**2 / (2 * math.pi)
    assert abs(found[0] / lowest - 1) < 1e-6 and abs(found[0] - 2659.5) < 0.05, (found[0], lowest)
    below = [f for f in found if f < 1e7]
    in_plane = [f for i, f in enumerate(below) if i + 1 < len(below) and abs(below[i + 1] / f - 1) < 1e-5]
    assert len(found) == 120 and len(below) == 20 + 20 + 2 * 32 and len(in_plane) == 32, (len(found), len(below), len(in_plane))


def check_bowl(program, folder):
    """Normals and points move over curved surfaces: omega^2 = g/(R - r), and 5/7 of it where the ball rolls."""
    for friction, part in ((STICKS, 5 / 7), ("friction: {static: 0, dynamic: 0}", 1.0)):
        out, _ = run(program, folder, BOWL.replace("FRICTION", friction))
        found = frequencies(table(out / "modes.csv"), 0.0)
        assert len(found) == 2 and all(abs(w**2 / (part * 9.81 / 0.4) - 1) < 1e-9 for w in found), found


def check_ball(programs, folder):
    texts = set()
    for ranks in (1, 2, 4):
        out, _ = run(programs[ranks], folder, BALL)
        texts.add((out / "frequency_response.csv").read_text())
    assert len(texts) == 1
    for row in table(out / "frequency_response.csv"):
        omega = 2 * math.pi * float(row["frequency"])
        value = complex(float(row["real"]), float(row["imaginary"]))
        # It rolls: m x'' = F + f, I x''/r = -f r.
        expected = {("push.force_x", "way"): -1 / (1.4 * 2 * omega**2), ("push.force_x", "across"): -2 / 7, ("push.force_z", "normal"): -1.0}.get((row["input"], row["output"]), 0.0)
        sign = math.copysign(1.0, value.real * expected) if row["output"] == "across" else 1.0  # on one of the two bodies
        assert abs(value * sign - expected) < 1e-6 * max(abs(expected), 1e-6), (row, expected)


def as_groups(text):
    """The same contacts, as those of groups of bodies."""
    text = re.sub(r"between: \[ground, ball\], first: \{", "first: {bodies: [ground], ", text)
    return text.replace("second: {shape", 'second: {bodies: ["ball*"], shape')


def check_groups(programs, folder):
    alone, _ = run(programs[1], folder, BALL)
    expected = (alone / "frequency_response.csv").read_text()
    for ranks in (1, 2):
        out, log = run(programs[ranks], folder, as_groups(BALL))
        assert (out / "frequency_response.csv").read_text() == expected
    assert "joined, as they stick: floor (ground and ball)" in log, log
    # A second one rolls beside it; a third falls, so that nothing is at rest.
    text = as_groups(ROLY_POLY).replace("FRICTION", STICKS).replace(", at: [0, 0, 0.1]", "").replace('["ball*"]', "[NAMES]")
    ball = "{type: rigid, mass: 2, inertia: [0.004, 0.004, 0.004], pose: {position: [X, 0, Z]}, frames: {middle: {position: [0, 0, 0.03]}}}"

    def balls(places):
        bodies = "".join(f"  ball{x}: {ball.replace('X', str(x)).replace('Z', str(z))}\n" for x, z in places)
        names = ", ".join(f"ball{x}.middle" for x, _ in places)
        first, rest = text.split("bodies:\n")[0], text[text.index("contacts:") :]
        return first + "bodies:\n" + bodies + rest.replace("NAMES", names)

    out, log = run(programs[1], folder, balls([(0, 0.07), (1, 0.07)]))
    found = frequencies(table(out / "modes.csv"), 0.0)
    expected = math.sqrt(2 * 9.81 * 0.03 / (0.004 + 2 * 0.07**2))
    assert len(found) == 4 and all(abs(w / expected - 1) < 1e-9 for w in found), (found, expected)
    assert kinds(table(out / "modes.csv")).count("rigid") == 2, log
    (folder / "model.yaml").write_text(balls([(0, 0.07), (1, 0.07), (2, 0.5)]))
    done = programs[1]("run", folder / "model.yaml", "-o", folder / "falls")
    assert done.returncode == 1 and "is closed and bodies move" in done.stderr, done.stderr


def check_box_and_stop(program, folder):
    out, log = run(program, folder, BOX)
    rows = table(out / "modes.csv")
    found = frequencies(rows, 0.0)
    assert kinds(rows) == ["oscillation"] and abs(found[0] / 20.0 - 1) < 1e-9, rows  # sqrt(200 / 0.5)
    assert "floor, point 1; floor, point 2; floor, point 3; floor, point 4" in log, log
    limit, clutch = "limits: {lower: 0, law: {type: impact}}", "one_way: positive"
    friction = "friction: {static: 0.3, dynamic: 0.2, preload: 20, pressed_by: preload, set_valued: true}"
    for part, held in ((limit, "held along the normal alone: rail.limits.lower"), (clutch, "held along the normal alone: rail.one_way"), (friction, "joined, as they stick: rail.friction")):
        out, log = run(program, folder, STOP.replace("PART", part).replace("FORCE", "-5"))
        found = frequencies(table(out / "modes.csv"), 0.0)
        assert len(found) == 1 and abs(found[0] / 20.0 - 1) < 1e-9, (part, found)
        assert held in log and "carries no force" not in log, log
    _, log = run(program, folder, STOP.replace("PART", limit).replace("FORCE", "0"))
    assert "`rail.limits.lower` is closed but carries no force" in log, log
    out, log = run(program, folder, STOP.replace("PART", clutch).replace("FORCE", "5"))
    found = frequencies(table(out / "modes.csv"), 0.0)
    assert len(found) == 1 and abs(found[0] ** 2 / (200 * (1 / 1 + 1 / 0.5)) - 1) < 1e-9, found
    assert "open, and without a part: rail.one_way" in log, log


def check_beam(program, folder):
    # Of the stiffer one the slowest eigenvalue is 1e-9 of the highest rate: in s^2 I + s c + 0 = 0, whose other root is zero, c is 1.3e-6 N m s, and
    # round-off of stiffnesses of 1e8 N/m stands for the 0. From one end of `dynamics` to another it scatters by -3 to 13 per cent.
    for stiffness, damping, duration, limit in ((1.4e3, 2.5e-3, 1.5, 2e-3), (1.4e4, 5e-4, 1, 0.5)):
        check_one_beam(program, folder, stiffness, damping, duration, limit)


def check_one_beam(program, folder, stiffness, damping, duration, limit):
    """@param stiffness  E I, N m^2   @param damping  s   @param duration  s, in which it settles   @param limit  relative, of the slowest eigenvalue"""
    modulus = stiffness / (0.0774596669**4 / 12)
    out, log = run(program, folder, BEAM.replace("MODULUS", f"{modulus:.17g}").replace("DAMPING", str(damping)).replace("DURATION", str(duration)))
    rows = table(out / "modes.csv")
    found = sorted(2 * math.pi * float(row["natural_frequency"]) for row in rows if row["kind"] == "oscillation")
    assert len(found) == 3, found
    time = 4 * math.sqrt(1.2 / stiffness)
    # On two contacts up and down, free to either side.
    for w, expected in zip(found, (math.pi**2, 22.3733, 4 * math.pi**2)):
        assert abs(w * time / expected - 1) < 2e-3, ([w * time for w in found], expected)
    # Along, aside and about the vertical. About its axis it turns and sags on, which its damping brakes, with int M^2/(E I) dx = q^2 L^5/(120 E I).
    assert kinds(rows).count("rigid") == 3 and kinds(rows).count("neutral") == 1, kinds(rows)
    braking = damping * (1.2 * 9.81) ** 2 * 2**5 / (120 * stiffness) / (200 * 0.0774596669**4 / 6 * 2)
    slowest = [float(row["real"]) for row in rows if row["kind"] == "aperiodic"]
    assert len(slowest) == 1 and abs(slowest[0] / -braking - 1) < limit, (slowest, braking)
    # What is less exact is named.
    assert abs(slowest[0] / -braking - 1) < 2e-3 or "modes are inaccurate" in log and f"{slowest[0]:.6g} +0 i (by" in log, log
    assert summary(out)["status"] == "done" and "held along the normal alone: left; right" in log, log


def check_refusals(program, folder):
    """What has no linear form, and what does not stand still."""
    model = folder / "model.yaml"
    moving = BALL.replace("bodies:\n  ball: {", "bodies:\n  ball: {velocity: {linear: [V, 0, 0], angular: [0, W, 0]}, ")
    for v, w, message in (("1", "0", "dry friction slides at floor"), ("0.1", "1", "`floor` is closed and bodies move")):
        model.write_text(moving.replace("V,", f"{v},").replace("W,", f"{w},"))
        done = program("run", model, "-o", folder / "refused")
        assert done.returncode == 1 and message in done.stderr, (v, done.stderr)
    model.write_text(BALL.replace("position: [0, 0, 0.1]", "position: [0, 0, 0.2]"))
    done = program.done("run", model, "-o", folder / "open")  # falls freely
    assert "open, and without a part: floor" in done.stdout + done.stderr, done.stderr


def main():
    arguments = parsed_arguments()
    programs = {ranks: Program(arguments, ranks) for ranks in (1, 2, 4)}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_roly_poly(programs[1], folder)
        check_moments(programs[1], folder)
        check_rod(programs[1], folder)
        check_bowl(programs[1], folder)
        check_ball(programs, folder)
        check_groups(programs, folder)
        check_box_and_stop(programs[1], folder)
        check_beam(programs[1], folder)
        check_refusals(programs[1], folder)


if __name__ == "__main__":
    main()
