"""Statics with set-valued contacts where there is hardly, or no, equilibrium: wedges at tan(a + phi), piles that stand on a point, bodies
that fall far, or onto each other, and are squeezed; penalty and set-valued contacts in one model; tiny and huge masses.

    static_contact_limits.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import math
import pathlib
import tempfile

from support import History, Program, parsed_arguments, summary

G = 9.81
PLANE = "first: {shape: plane, at: [0, 0, 0], axis: [0, 0, 1]}"


def run(program, folder, text, fails=False):
    (folder / "model.yaml").write_text(text)
    done = program("run", folder / "model.yaml", "-o", folder / "out")
    assert done.returncode == (1 if fails else 0), (done.returncode, done.stderr, text)
    history = History(folder / "out")
    return {"t": history.times, **{name: history.column(i) for i, name in enumerate(history.names)}}, done.stdout + done.stderr


def near(value, expected, tolerance, what=""):
    assert abs(value - expected) <= tolerance, (what, value, expected, value - expected)


# A wedge on the floor under a block on a vertical guide that is pressed down by 1 kN.
WEDGE = f"""
solidyn: 1
bodies:
  wedge: {{type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1]}}
  block: {{type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], pose: {{position: [0, 0, 0.1]}}}}
joints:
  guide: {{type: prismatic, between: [ground, block], at: [0, 0, 0], axis: [0, 0, 1]}}
  level: {{type: orientation, between: [ground, wedge]}}
contacts:
  floor: {{between: [ground, wedge], {PLANE}, second: {{shape: sphere, radius: RADIUS, at: [0, 0, RADIUS]}}, law: LAW, friction: {{static: MU}}}}
  slope: {{between: [wedge, block], first: {{shape: plane, at: [0, 0, 0.1], axis: [AXIS]}}, second: {{shape: point}}, law: {{type: impact}}, friction: {{static: MU}}}}
loads:
  down: {{type: force, at: block, force: [0, 0, -1000]}}
  push: {{type: force, at: wedge, force: ["PUSH*t", 0, 0]}}
sensors:
  floor: {{type: contact, contact: floor, component: normal_force}}
  slope: {{type: contact, contact: slope, component: normal_force}}
  rubs: {{type: contact, contact: slope, component: friction_force}}
  x: {{type: position, of: wedge, component: x}}
analyses:
  - statics: {{load_steps: 4}}
"""


def wedge(angle, mu, push, law="{type: impact}", radius="1e-4"):
    axis = f"{-math.sin(angle)!r}, 0, {math.cos(angle)!r}"
    return WEDGE.replace("AXIS", axis).replace("MU", str(mu)).replace("PUSH", repr(push)).replace("LAW", law).replace("RADIUS", radius)


def check_wedge(program, folder):
    """Driven in by W (tan(a + phi) + tan(phi)), out by W (tan(phi - a) + tan(phi)); by itself above a = 2 phi."""
    a, mu = math.radians(10), 0.3
    phi = math.atan(mu)
    for push in (-1000 * (math.tan(a + phi) + mu), 1000 * (math.tan(phi - a) + mu)):
        c, _ = run(program, folder, wedge(a, mu, 0.999 * push))
        near(c["x"][-1], 0, 1e-12)
        near(c["floor"][-1], 1000, 1e-8)
        c, log = run(program, folder, wedge(a, mu, 1.001 * push), fails=True)
        near(c["t"][-1], 1 / 1.001, 2e-5)
        assert "friction is at its limit" in log and "`floor`" in log and "`slope`" in log, log
    run(program, folder, wedge(2 * math.atan(0.1) - 1e-4, 0.1, 0.0))
    run(program, folder, wedge(2 * math.atan(0.1) + 1e-4, 0.1, 0.0), fails=True)


def check_both_laws(program, folder):
    """On a floor by penalty, whose friction needs a speed: the slope alone holds what pushes, F = N sin(a) -+ T cos(a)."""
    a = math.radians(10)
    c, _ = run(program, folder, wedge(a, 0.3, -100.0, "{type: hertz, stiffness: 1e10}"))
    near(c["slope"][-1] * math.cos(a) + c["rubs"][-1] * math.sin(a), 1000, 1e-6)
    near(c["slope"][-1] * math.sin(a) - c["rubs"][-1] * math.cos(a), 100, 1e-6)
    near(c["floor"][-1], 1000, 1e-6)


# Balls of 0.1 m: name, x, z, mass.
def balls(*of, group=False, pairs=(), friction="friction: {static: 0.5}", more="", g=G):
    bodies = "".join(f"  {n}: {{type: rigid, mass: {m!r}, inertia: [{0.004 * m!r}, {0.004 * m!r}, {0.004 * m!r}], pose: {{position: [{x!r}, 0, {z!r}]}}}}\n" for n, x, z, m in of)
    names = ", ".join(ball[0] for ball in of)
    sphere, law = "shape: sphere, radius: 0.1", f"law: {{type: impact}}, {friction}"
    if group:
        contacts = f"  floor: {{first: {{bodies: [ground], {PLANE[8:-1]}}}, second: {{bodies: [{names}], {sphere}}}, {law}}}\n  balls: {{first: {{bodies: [{names}], {sphere}}}, {law}}}\n"
    else:
        contacts = "".join(f"  floor_{ball[0]}: {{between: [ground, {ball[0]}], {PLANE}, second: {{{sphere}}}, {law}}}\n" for ball in of)
        contacts += "".join(f"  {a}_{b}: {{between: [{a}, {b}], first: {{{sphere}}}, second: {{{sphere}}}, {law}}}\n" for a, b in pairs)
    sensors = "".join(f"  {ball[0]}: {{type: position, of: {ball[0]}}}\n" for ball in of)
    return f"solidyn: 1\ngravity: [0, 0, -{g}]\nbodies:\n{bodies}contacts:\n{contacts}{more}sensors:\n{sensors}analyses:\n  - statics: {{}}\n"


def check_falls(program, folder):
    """Each body falls as far as it is, beside others that rest with friction, and onto them; in groups, which know near pairs only, too."""
    for group in (False, True):
        for x, heights in ((1.0, (0.1, 0.15)), (1.0, (0.1, 3.0)), (5.0, (0.11, 0.4)), (1.0, (20.0, 20.0))):
            text = balls(("a", 0.0, heights[0], 1.0), ("b", x, heights[1], 1.0), group=group)
            c, _ = run(program, folder, text)
            for name, at in (("a", 0.0), ("b", x)):
                near(c[f"{name}.z"][-1], 0.1, 1e-12, (group, heights, name))
                near(c[f"{name}.x"][-1], at, 1e-12, (group, heights, name))
            assert summary(folder / "out")["nonsmooth"]["largest_closed"] == 2
        c, _ = run(program, folder, balls(("a", 0.0, 0.4, 1.0), ("b", 0.0, 2.0, 1.0), group=group, pairs=[("a", "b")]))
        near(c["a.z"][-1], 0.1, 1e-12)
        near(c["b.z"][-1], 0.3, 1e-12)


def check_masses(program, folder):
    for mass in (1e-9, 1e9):
        sensor = "sensors:\n  force: {type: contact, contact: floor_a, component: normal_force}\n"
        c, _ = run(program, folder, balls(("a", 0.0, 100.0, mass)).replace("sensors:\n", sensor))
        near(c["force"][-1], mass * G, 1e-9 * mass * G)


def check_piles(program, folder):
    """A ball on a ball is an unstable equilibrium, and told so; what only friction could hold falls where there is none, by no limit of it."""
    _, log = run(program, folder, balls(("a", 0.0, 0.1, 1.0), ("b", 0.0, 0.3, 1.0), pairs=[("a", "b")]))
    assert "is unstable" in log, log
    pyramid = (("a", 0.0, 0.1, 1.0), ("b", 0.2, 0.1, 1.0), ("c", 0.1, 0.1 + 0.1 * math.sqrt(3) + 1e-9, 1.0))
    run(program, folder, balls(*pyramid, pairs=["ac", "bc"]))
    text = balls(*pyramid, pairs=["ac", "bc"], friction="friction: {static: 0}")
    without_floor = [line for line in text.splitlines(keepends=True) if not line.startswith("  floor_c")]
    _, log = run(program, folder, "".join(without_floor), fails=True)
    assert "friction is at its limit" not in log and "still moves" in log, log


def check_tower(program, folder):
    """Eight boxes whose faces are exactly over each other, drawn 2 cm apart: where their edges meet, these are as curved as they are rounded."""
    size = "shape: box, size: [0.4, 0.4, 0.2]"
    bodies = "".join(f"  b{i}: {{type: rigid, mass: 3, inertia: [0.06, 0.06, 0.09], pose: {{position: [0, 0, {0.1 + 0.2 * i + 0.02 * (i + 1)!r}]}}}}\n" for i in range(8))
    contacts = f"  floor: {{between: [ground, b0], {PLANE}, second: {{{size}}}, law: {{type: impact}}, friction: {{static: 0.5}}}}\n"
    contacts += "".join(f"  c{i}: {{between: [b{i}, b{i + 1}], first: {{{size}}}, second: {{{size}}}, law: {{type: impact}}, friction: {{static: 0.5}}}}\n" for i in range(7))
    sensors = "  floor: {type: contact, contact: floor, component: normal_force}\n  top: {type: position, of: b7, component: z}\n"
    c, _ = run(program, folder, f"solidyn: 1\ngravity: [0, 0, -{G}]\nbodies:\n{bodies}contacts:\n{contacts}sensors:\n{sensors}analyses:\n  - statics: {{}}\n")
    near(c["top"][-1], 1.5, 1e-11)
    near(c["floor"][-1], 24 * G, 1e-7)


def check_far(program, folder):
    """Three boxes exactly above each other that are drawn 1 m apart: they are found, or the message says that this is far, and what to do."""
    size, law = "shape: box, size: [0.4, 0.4, 0.2]", "law: {type: impact}, friction: {static: 0.5}"
    bodies = "".join(f"  b{i}: {{type: rigid, mass: 3, inertia: [0.05, 0.05, 0.08], pose: {{position: [0, 0, {0.1 + 0.2 * i + (i + 1)!r}]}}}}\n" for i in range(3))
    contacts = f"  floor: {{between: [ground, b0], {PLANE}, second: {{{size}}}, {law}}}\n"
    contacts += "".join(f"  c{i}: {{between: [b{i}, b{i + 1}], first: {{{size}}}, second: {{{size}}}, {law}}}\n" for i in range(2))
    text = f"solidyn: 1\ngravity: [0, 0, -{G}]\nbodies:\n{bodies}contacts:\n{contacts}sensors:\n  top: {{type: position, of: b2, component: z}}\nanalyses:\n  - statics: {{}}\n"
    (folder / "model.yaml").write_text(text)
    done = program("run", folder / "model.yaml", "-o", folder / "far")
    if done.returncode == 0:
        near(History(folder / "far").rows[-1][-1], 0.5, 1e-9)
    else:
        assert done.returncode == 1 and "m nearer to each other" in done.stderr and "draw them as they will stand" in done.stderr, done.stderr


# A drive pushes a ball against another one, and that into a wall.
SQUEEZE = """
solidyn: 1
bodies:
  a: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1]}
  b: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], pose: {position: [0.3, 0, 0]}}
joints:
  guide_a: {type: prismatic, between: [ground, a], at: [0, 0, 0], axis: [1, 0, 0]}
  guide_b: {type: prismatic, between: [ground, b], at: [0, 0, 0], axis: [1, 0, 0]}
  drive: {type: translation_drive, joint: guide_a, translation: "0.2*t"}
contacts:
  balls: {between: [a, b], first: {shape: sphere, radius: 0.1}, second: {shape: sphere, radius: 0.1}, law: {type: impact}}
  wall: {between: [ground, b], first: {shape: plane, at: [0.45, 0, 0], axis: [-1, 0, 0]}, second: {shape: sphere, radius: 0.1}, law: {type: impact}}
sensors:
  b: {type: position, of: b, component: x}
analyses:
  - statics: {load_steps: 10}
"""


def check_squeeze(program, folder):
    """At t = 0.75 there is no room left, and it is told where."""
    c, log = run(program, folder, SQUEEZE, fails=True)
    near(c["t"][-1], 0.75, 2e-5)
    near(c["b"][-1], 0.35, 1e-5)
    assert "squeezed" in log and "`balls`" in log and "`wall`" in log, log


def check_ranks(programs, folder):
    text = balls(("a", 0.0, 0.4, 1.0), ("b", 0.0, 2.0, 1.0), ("c", 1.0, 3.0, 2.0), group=True)
    rows = []
    for ranks in (1, 2, 4):
        c, _ = run(programs[ranks], folder, text)
        rows.append(c)
    assert rows[0] == rows[1] == rows[2], rows


TESTS = [check_wedge, check_both_laws, check_falls, check_masses, check_piles, check_tower, check_far, check_squeeze]


def main():
    arguments = parsed_arguments()
    programs = {ranks: Program(arguments, ranks) for ranks in (1, 2, 4)}
    with tempfile.TemporaryDirectory() as name:
        for test in [*TESTS, check_ranks]:
            folder = pathlib.Path(name) / test.__name__
            folder.mkdir()
            test(programs if test is check_ranks else programs[1], folder)
            print(test.__name__, flush=True)


if __name__ == "__main__":
    main()
