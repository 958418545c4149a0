"""Singular positions (dead centres): a four-bar that is driven on the wrong link comes near one, and is told which
drive and joints meet there, and when; driven beyond, it ends with their names.

    singular.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import math
import pathlib
import tempfile

from support import SOURCE, History, Program, parsed_arguments, summary

CRANK, COUPLER, ROCKER, GROUND = 0.1, 0.3, 0.25, 0.3  # m; a crank-rocker

MODEL = """
solidyn: 1
bodies:
CRANK
COUPLER
ROCKER
joints:
  crank_bearing:  {type: revolute, between: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1]}
  crank_pin:      {type: spherical, between: [crank, coupler], at: CRANK_PIN}
  rocker_pin:     {type: cylindrical, between: [coupler, rocker], at: ROCKER_PIN, axis: [0, 0, 1]}
  rocker_bearing: {type: revolute, between: [ground, rocker], at: [0.3, 0, 0], axis: [0, 0, 1]}
  push:           {type: rotation_drive, joint: WHICH, angle: "LAW"}
sensors:
  crank: {type: joint_angle, joint: crank_bearing}
analyses:
  - dynamics: {duration: 1, step: 2.0e-3}
"""


def loop(crank_angle):
    """The pins of the loop that is open upwards."""
    a = (CRANK * math.cos(crank_angle), CRANK * math.sin(crank_angle))
    dx, dy = GROUND - a[0], -a[1]
    d = math.hypot(dx, dy)
    x = (COUPLER ** 2 - ROCKER ** 2 + d * d) / (2 * d)
    y = math.sqrt(COUPLER ** 2 - x * x)
    return a, (a[0] + (dx * x - dy * y) / d, a[1] + (dy * x + dx * y) / d)


def rocker_angle(crank_angle):
    pin = loop(crank_angle)[1]
    return math.atan2(pin[1], pin[0] - GROUND)


def bar(name, start, end):
    """A slender bar of 1 kg/m."""
    length = math.dist(start, end)
    turn = math.atan2(end[1] - start[1], end[0] - start[0])
    inertia = length ** 3 / 12
    return (f"  {name}: {{type: rigid, mass: {length}, center_of_mass: [{length / 2}, 0, 0], "
            f"inertia: [1.0e-6, {inertia}, {inertia}], pose: {{position: [{start[0]!r}, {start[1]!r}, 0], "
            f"rotation: {{vector: [0, 0, {turn!r}]}}}}}}")


def model(start, which, law):
    a, b = loop(start)
    text = MODEL.replace("WHICH", which).replace("LAW", law)
    text = text.replace("CRANK_PIN", f"[{a[0]!r}, {a[1]!r}, 0]").replace(
        "ROCKER_PIN", f"[{b[0]!r}, {b[1]!r}, 0]")
    return text.replace("\nCRANK\n", "\n" + bar("crank", (0, 0), a) + "\n").replace(
        "\nCOUPLER\n", "\n" + bar("coupler", a, b) + "\n").replace(
        "\nROCKER\n", "\n" + bar("rocker", (GROUND, 0), b) + "\n")


def run(arguments, folder, name, text):
    path = folder / f"{name}.yaml"
    path.write_text(text)
    return Program(arguments)("run", path, "-o", folder / name)


def dead_point():
    """The crank angle at which the stretched crank and coupler push the rocker farthest, by golden section."""
    low, high = -0.5, 2.0
    for _ in range(100):
        a, b = low + 0.382 * (high - low), low + 0.618 * (high - low)
        low, high = (a, high) if rocker_angle(a) > rocker_angle(b) else (low, b)
    return 0.5 * (low + high)


def check_near(arguments, folder):
    """There and back again, to within 2e-5 of the rocker's way to the dead point, where t = 0.5 s."""
    start = dead_point() + 0.8
    way = rocker_angle(dead_point()) - rocker_angle(start)
    law = f"{0.99998 * way!r}*sin(pi*t)^2"
    done = run(arguments, folder, "near", model(start, "rocker_bearing", law))
    assert done.returncode == 0, done.stderr
    warning, = summary(folder / "near")["warnings"]
    t = float(warning.split("t = ")[1].split(" s")[0])
    assert abs(t - 0.5) <= 2e-3 and "singular position" in warning, warning
    for name in ("push (driven)", "crank_pin", "rocker_pin"):
        assert name in warning, (name, warning)


def check_beyond(arguments, folder):
    start = dead_point() + 0.8
    way = rocker_angle(dead_point()) - rocker_angle(start)
    done = run(arguments, folder, "beyond",
               model(start, "rocker_bearing", f"{1.2 * way!r}*sin(pi*t)^2"))
    assert done.returncode == 1, done.stderr
    assert "push" in done.stderr and "dead centre" in done.stderr, done.stderr


def check_right_link(arguments, folder):
    """Driven on its crank it has no dead point: two turns without a word."""
    done = run(arguments, folder, "right", model(1.0, "crank_bearing", "4*pi*t"))
    assert done.returncode == 0, done.stderr
    assert summary(folder / "right")["warnings"] == []


FLAT = """
solidyn: 1
gravity: [0, -9.81, 0]
bodies:
  left:    {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], pose: {position: [0.5, 0, 0]}}
  coupler: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], pose: {position: [2, 0, 0]}}
  right:   {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], pose: {position: [2.5, 0, 0]}}
joints:
  left_pivot:  {type: revolute, between: [ground, left], at: [0, 0, 0], axis: [0, 0, 1]}
  left_pin:    {type: LEFT_PIN, between: [left, coupler], at: [1, 0, 0]}
  right_pin:   {type: RIGHT_PIN, between: [coupler, right], at: [3, 0, 0], axis: [0, 0, 1]}
  right_pivot: {type: revolute, between: [ground, right], at: [2, 0, 0], axis: [0, 0, 1]}
  push:        {type: rotation_drive, joint: left_pivot, angle: "LAW"}
analyses:
  - WAY: {duration: 0.2, step: 1.0e-2}
"""


def flat(way, law="pi/4*t", with_redundant_rows=False):
    """A parallelogram that is drawn flat, with or without rows that are redundant everywhere."""
    pins = ("revolute, axis: [0, 0, 1]", "revolute") if with_redundant_rows else ("spherical", "cylindrical")
    return FLAT.replace("WAY", way).replace("LAW", law).replace("LEFT_PIN", pins[0]).replace("RIGHT_PIN", pins[1])


def check_drawn_flat(arguments, folder):
    for way in ("dynamics", "kinematics"):
        for with_redundant_rows in (False, True):
            name = f"flat_{way}_{with_redundant_rows}"
            done = run(arguments, folder, name, flat(way, with_redundant_rows=with_redundant_rows))
            assert done.returncode == 2 and "singular position" in done.stderr, done.stderr
            for part in ("left_pin", "right_pin", "driven by: joint push", "start a few degrees away"):
                assert part in done.stderr, (part, done.stderr)
    # Beside it, by the drive's own angle, rows that are redundant everywhere are told as before.
    done = run(arguments, folder, "beside", flat("dynamics", "0.3 + pi/4*t", True))
    assert done.returncode == 0 and "are redundant" in done.stderr, done.stderr
    assert "singular" not in done.stderr, done.stderr


# A crank and a rod of equal lengths: at a quarter turn, t = 1 s, the rod lies on the crank, and may turn with it from
# there on instead of pushing the slider.
EQUAL = """
solidyn: 1
gravity: [0, -9.81, 0]
bodies:
  crank:  {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], pose: {position: [0.5, 0, 0]}}
  rod:    {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], pose: {position: [1.5, 0, 0]}}
  slider: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], pose: {position: [2, 0, 0]}}
joints:
  bearing: {type: revolute, between: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1]}
  pin:     {type: spherical, between: [crank, rod], at: [1, 0, 0]}
  wrist:   {type: cylindrical, between: [rod, slider], at: [2, 0, 0], axis: [0, 0, 1]}
  guide:   {type: prismatic, between: [ground, slider], at: [2, 0, 0], axis: [1, 0, 0]}
  push:    {type: rotation_drive, joint: bearing, angle: "pi/2*t"}
sensors:
  slider: {type: position, of: slider, component: x}
  push:   {type: drive, joint: push}
analyses:
  - kinematics: {duration: 1.8, step: STEP}
"""


def check_kinematics(arguments, folder):
    """A dead centre that a step meets ends the run before it, and one that steps pass over is told."""
    for step, last in ((0.01, 0.99), (0.2, 0.8)):
        done = run(arguments, folder, f"met_{step}", EQUAL.replace("STEP", str(step)))
        assert done.returncode == 1 and "t = 1 s" in done.stderr, done.stderr
        for part in ("singular position", "pin", "wrist", "choose a `step`"):
            assert part in done.stderr, (part, done.stderr)
        assert "jump" not in done.stderr, done.stderr
        history = History(folder / f"met_{step}")
        assert math.isclose(history.times[-1], last), history.times
        assert max(map(abs, history.column(history.names.index("push.torque")))) < 1e4
    for step in (0.3, 0.45):
        done = run(arguments, folder, f"passed_{step}", EQUAL.replace("STEP", str(step)))
        assert done.returncode == 0, done.stderr
        warning, = summary(folder / f"passed_{step}")["warnings"]
        assert "singular position" in warning and "wrist" in warning, warning


# Two or three bars pinned in a line between two walls: joints allow the beginning of a motion across it, and no more.
IN_LINE = """
solidyn: 1
gravity: [0, -9.81, 0]
bodies:
  left:   {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], pose: {position: [0.5, 0, 0]}}
  middle: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], pose: {position: [1.5, MIDDLE, 0]}}
  right:  {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], pose: {position: [2.5, 0, 0]}}
joints:
  left_pivot:  {type: revolute, between: [ground, left], at: [0, 0, 0], axis: [0, 0, 1]}
  left_pin:    {type: spherical, between: [left, middle], at: [1, MIDDLE, 0]}
  right_pin:   {type: revolute, between: [middle, right], at: [2, MIDDLE, 0], axis: [0, 0, 1]}
  right_pivot: {type: cylindrical, between: [ground, right], at: [3, 0, 0], axis: [0, 0, 1]}
analyses:
  - WAY: {duration: 0.01, step: 1.0e-3}
"""


def check_in_line(arguments, folder):
    done = run(arguments, folder, "in_line", IN_LINE.replace("WAY", "dynamics").replace("MIDDLE", "0"))
    assert done.returncode == 2 and "like bars pinned in a straight line" in done.stderr, done.stderr
    assert "are redundant" not in done.stderr, done.stderr
    for name in ("left_pivot", "left_pin", "right_pin", "right_pivot"):
        assert name in done.stderr, (name, done.stderr)
    # Out of the line it is a four-bar.
    done = run(arguments, folder, "out_of_line", IN_LINE.replace("WAY", "dynamics").replace("MIDDLE", "0.1"))
    assert done.returncode == 0 and "singular" not in done.stderr, done.stderr


def check_beside_full_mesh(arguments, folder):
    """A body with all its nodes elsewhere in the model hides no singular position."""
    body = f"""bodies:
  block: {{type: corotational, mesh: {SOURCE}/meshes/rod_circular_coarse.msh, material: steel, pose: {{position: [0, 0, 5]}}}}"""
    steel = "materials: {steel: {youngs_modulus: 2.0e11, poissons_ratio: 0.3, density: 7870}}\n"
    done = run(arguments, folder, "beside_mesh",
               flat("dynamics").replace("bodies:", body).replace("gravity:", steel + "gravity:"))
    assert done.returncode == 2 and "singular position" in done.stderr, done.stderr
    assert "left_pin" in done.stderr, done.stderr


MEETING = """
solidyn: 1
bodies:
  block: {type: rigid, mass: 2, inertia: [1, 1, 1], pose: {position: [1, 0, 0]}}
joints:
  guide: {type: prismatic, between: [ground, block], at: [0, 0, 0], axis: [1, 0, 0]}
  bar: {type: distance_drive, between: [ground, block], at: [0, 0, 0], LAW}
sensors:
  block: {type: position, of: block, component: x}
analyses:
  - kinematics: {duration: 1, step: 0.01}
"""


def check_meeting_points(arguments, folder):
    """No distance is less than 0: a bar that its velocity shortens to nothing ends the run there."""
    for law, meet, told in (('velocity: "-1.6"', 0.625, "the points whose distance joint bar drives coincide"),
                            ('acceleration: "-3.2"', math.sqrt(2 / 3.2), "violated: joint bar (driven length)")):
        done = run(arguments, folder, "meeting", MEETING.replace("LAW", law))
        assert done.returncode == 1 and told in done.stderr, done.stderr
        last = History(folder / "meeting").times[-1]
        assert meet - 0.0101 < last <= meet, (law, last)


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_near(arguments, folder)
        check_beyond(arguments, folder)
        check_right_link(arguments, folder)
        check_drawn_flat(arguments, folder)
        check_kinematics(arguments, folder)
        check_in_line(arguments, folder)
        check_beside_full_mesh(arguments, folder)
        check_meeting_points(arguments, folder)


if __name__ == "__main__":
    main()
