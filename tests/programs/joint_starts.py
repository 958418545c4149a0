"""How mechanisms start and turn: places that do not meet as drawn, turns that are counted however large the steps,
drives that begin far from the drawing, and what is said of starts that are not as given.

    joint_starts.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import math
import pathlib
import tempfile

from support import History, Program, parsed_arguments

BODY = "type: rigid, mass: 1, inertia: [1, 1, 1]"


def run(arguments, folder, text, statuses=(0, 3)):  # 3: angles far beyond the drawing cut the first step
    """History by columns and what was said."""
    model, out = folder / "model.yaml", pathlib.Path(tempfile.mkdtemp(dir=folder)) / "out"
    model.write_text("solidyn: 1\n" + text)
    done = Program(arguments)("run", model, "-o", out)
    assert done.returncode in statuses, (text, done.returncode, done.stderr)
    history = History(out)
    columns = {name: history.column(i) for i, name in enumerate(history.names)}
    return columns, done.stderr + done.stdout


def agree(seen, expected, limit):
    assert len(seen) == len(expected)
    worst = max(abs(a - b) for a, b in zip(seen, expected))
    assert worst < limit, (worst, limit, seen[:5], expected[:5])


DRIVEN = """bodies:
  nut: {{{body}}}
joints:
  hinge: {{type: cylindrical, between: [ground, nut], at: [0, 0, 0], axis: [0, 0, 1]}}
  drive: {{type: rotation_drive, joint: hinge, {law}}}
  slide: {{type: translation_drive, joint: hinge, translation: 0}}
forces:
  spring: {{type: torsional_spring_damper, joint: hinge, stiffness: 1}}
sensors:
  angle: {{type: joint_angle, joint: hinge}}
  torque: {{type: reaction, joint: drive, component: torque_z}}
analyses:
  - {analysis}
"""


def check_driven_turns(arguments, folder):
    """Angle and spring of a drive that turns further in a step than whole turns can be told from."""
    for law, angle, analysis in (
            ("angle: \"1000*t\"", lambda t: 1000 * t, "dynamics: {duration: 0.1, step: 5.0e-3}"),
            ("angle: \"4*pi*t\"", lambda t: 4 * math.pi * t, "kinematics: {duration: 1.2, step: 0.3}"),
            ("angle: \"12*t\"", lambda t: 12 * t, "statics: {load_steps: 2}"),
            ("angular_acceleration: 0, start: 4", lambda t: 4.0, "dynamics: {duration: 0.01, step: 1.0e-3}"),
            ("angle: \"40 + t\"", lambda t: 40 + t, "kinematics: {duration: 1, step: 0.1}")):
        columns, _ = run(arguments, folder, DRIVEN.format(body=BODY, law=law, analysis=analysis))
        expected = [angle(t) for t in columns["time"]]
        agree(columns["angle"], expected, 1e-8)
        agree(columns["torque"], expected, 1e-3)


TURNED = """bodies:
  a: {{{body}}}
  b: {{{body}, pose: {{position: [1, 0, 0]}}}}
joints:
  first: {{type: {type}, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]{more}}}
  second: {{type: cylindrical, between: [ground, b], at: [1, 0, 0], axis: [0, 0, 1], translation: {{spring: {{stiffness: 1}}}}}}
{joints}
sensors:
  first: {{type: joint_angle, joint: first}}
  second: {{type: joint_angle, joint: second}}
analyses:
  - dynamics: {{duration: 2.0e-3, step: 1.0e-3}}
"""


def check_far_starts(arguments, folder):
    """Couplings of drives that begin many turns from the drawing are assembled through the turns."""
    for kind, more, joints, first, second in (
            ("revolute", "", "  d: {type: rotation_drive, joint: first, angle: \"20 + t\"}\n"
             "  g: {type: gear, joints: [first, second], ratio: 1}", 20, 20),
            ("revolute", "", "  d: {type: rotation_drive, joint: first, angle: \"10 + t\"}\n"
             "  g: {type: gear, joints: [first, second], ratio: -3}", 10, -30),
            ("revolute", "", "  d: {type: rotation_drive, joint: first, angle: \"4 + t\"}\n"
             "  g: {type: gear, joints: [first, second], ratio: 10}", 4, 40),
            ("screw", ", pitch: 0.01", "  d: {type: translation_drive, joint: first, translation: \"0.03 + t\"}\n"
             "  e: {type: rotation_drive, joint: second, angle: 0}", 6 * math.pi, 0),
            ("screw", ", pitch: 0.01", "  d: {type: translation_drive, joint: first, translation: \"-0.1 + t\"}\n"
             "  e: {type: rotation_drive, joint: second, angle: 0}", -20 * math.pi, 0),
            # Sixty turns, which a gear makes a hundred and eighty.
            ("screw", ", pitch: 0.005", "  d: {type: translation_drive, joint: first, translation: \"0.3 + t\"}\n"
             "  g: {type: gear, joints: [first, second], ratio: 3}", 120 * math.pi, 360 * math.pi),
            # A drive with frames of its own, and the same way round from the other side.
            ("revolute", "", "  d: {type: rotation_drive, between: [ground, a], axis: [0, 0, 1], angle: \"20 + t\"}\n"
             "  e: {type: rotation_drive, between: [b, ground], axis: [0, 0, 1], angle: \"-15 + t\"}", 20, 15)):
        # The screws turn by up to a fifth of a turn in the first step, which Newton then cuts: doubtful.
        columns, _ = run(arguments, folder, TURNED.format(body=BODY, type=kind, more=more, joints=joints), (0, 3))
        assert abs(columns["first"][0] - first) < 1e-9 and abs(columns["second"][0] - second) < 1e-9, (
            joints, columns["first"][0], columns["second"][0])


def check_free_turns(arguments, folder):
    """Steps in which a wheel or its gear would turn too far are cut, whichever integrator takes them."""
    text = """bodies:
  wheel: {%s, velocity: {angular: [0, 0, 1000]}}
joints:
  hinge: {type: revolute, between: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1]}
sensors:
  angle: {type: joint_angle, joint: hinge}
analyses:
  - dynamics: {duration: 0.05, step: 5.0e-3, integrator: %s}
"""
    for integrator, limit in (("generalized_alpha", 1e-9), ("bdf", 1e-3), ("runge_kutta", 1e-3)):
        columns, said = run(arguments, folder, text % (BODY, integrator))
        agree(columns["angle"], [1000 * t for t in columns["time"]], limit)
        if integrator == "generalized_alpha":
            assert "too far to count full turns" in said, said
    geared = """bodies:
  slow: {%s}
  fast: {%s}
joints:
  a: {type: revolute, between: [ground, slow], at: [0, 0, 0], axis: [0, 0, 1]}
  b: {type: revolute, between: [ground, fast], at: [0, 0, 0], axis: [0, 0, 1]}
  gear: {type: gear, joints: [a, b], ratio: 10}
  drive: {type: rotation_drive, joint: a, angle: "2*t"}
sensors:
  angle: {type: joint_angle, joint: b}
analyses:
  - kinematics: {duration: 2, step: 0.2}
""" % (BODY, BODY)
    columns, _ = run(arguments, folder, geared)
    agree(columns["angle"], [20 * t for t in columns["time"]], 1e-8)
    # Half a turn per step is beyond what cuts can mend: an error that says so.
    model = folder / "model.yaml"
    model.write_text("solidyn: 1\n" + text.replace("1000", "1.0e6") % (BODY, "generalized_alpha"))
    done = Program(arguments)("run", model, "-o", folder / "out")
    assert done.returncode == 1 and "hinge.second rotates by" in done.stderr, done.stderr


def check_coupler_constant(arguments, folder):
    columns, said = run(arguments, folder, """bodies:
  a: {%s}
joints:
  hinge: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}
  offset: {type: coupler, terms: [{joint: hinge, factor: 1}], constant: 7}
sensors:
  angle: {type: joint_angle, joint: hinge}
analyses:
  - dynamics: {duration: 0.01, step: 1.0e-3}
""" % BODY)
    agree(columns["angle"], [7.0] * len(columns["time"]), 1e-9)
    assert "assembly moved a by" in said, said


def check_arms(arguments, folder):
    columns, _ = run(arguments, folder, """bodies:
  arm: {%s, velocity: {angular: [10, 0, 0]}}
joints:
  cross: {type: universal, between: [ground, arm], at: [0, 0, 0], axis: [0, 0, 1], reference: [1, 0, 0]}
sensors:
  counted: {type: joint_angle, joint: cross, arm: first}
  wrapped: {type: joint_angle, joint: cross, arm: first, turns: wrapped}
analyses:
  - dynamics: {duration: 1, step: 1.0e-3}
""" % BODY)
    agree(columns["counted"], [10 * t for t in columns["time"]], 1e-8)
    agree(columns["wrapped"], [math.remainder(10 * t, 2 * math.pi) for t in columns["time"]], 1e-8)


PLACES = """bodies:
  a: {{{body}, frames: {{f: {{position: [0.5, 0, 0]}}}}}}
  b: {{{body}, pose: {{position: [1, 0.2, 0]}}, frames: {{f: {{position: [-0.4, 0, 0], rotation: {{vector: [0.1, 0, 0]}}}}}}}}
joints:
  hold: {{type: fixed, between: [ground, a], at: [0, 0, 0]}}
  joint: {{type: {type}, between: [a.f, b.f]{keys}}}
sensors:
  a: {{type: position, of: a.f}}
  b: {{type: position, of: b.f}}
  turn: {{type: orientation, of: b.f, relative_to: a.f}}
{sensors}analyses:
  - dynamics: {{duration: 0.002, step: 1.0e-3}}
"""


def check_places(arguments, folder):
    """Each place brings its own origin, and without `axis` its own z axis; `at` and `axis` join what is drawn."""
    apart = lambda s: [s[f"b.{i}"][0] - s[f"a.{i}"][0] for i in "xyz"]

    def tilt(s):
        """Between the z axes, from the rotation vector: of (1 - cos) across it."""
        x, y, z = (s[f"turn.{i}"][0] for i in "xyz")
        turn = math.hypot(x, y, z) or 1.0
        return 2 * math.asin(math.sin(turn / 2) * math.hypot(x, y) / turn)

    moving = "  slide: {type: joint_translation, joint: joint%s}\n"
    for kind, keys, sensors, left, tilted, told in (
            ("spherical", "", "", [0, 0, 0], None, True),
            ("spherical", ", at: [0.5, 0, 0]", "", [0.1, 0.2, 0], 0.1, False),
            ("revolute", "", "", [0, 0, 0], 0.0, True),
            ("revolute", ", axis: [0, 0, 1]", "", [0, 0, 0], 0.1, True),
            ("revolute", ", at: [0.5, 0, 0], axis: [0, 0, 1]", "", [0.1, 0.2, 0], 0.1, False),
            ("prismatic", ", axis: [1, 0, 0]", moving % "", [0.1, 0, 0], 0.1, True),
            ("planar", ", axis: [0, 0, 1]", moving % ", along: y", [0.1, 0.2, 0], 0.1, False),
            ("fixed", "", "", [0.1, 0.2, 0], 0.1, True)):
        columns, said = run(arguments, folder, PLACES.format(
            body=BODY, type=kind, keys=keys, sensors=sensors))
        case = (kind, keys, said)
        for i, gap in zip(apart(columns), left):
            assert abs(i - gap) < 1e-9, (case, apart(columns))
        if tilted is not None:
            assert abs(tilt(columns) - tilted) < 1e-8, (case, tilt(columns))
        assert abs(columns.get("slide", [0.0])[0]) < 1e-9, (case, columns)
        assert ("apart as modelled" in said) == told, case


def check_axes_that_face_away(arguments, folder):
    """Frames whose z axes would come together the wrong way round are refused; free directions are not looked at."""
    text = """solidyn: 1
bodies:
  a: {%s, frames: {f: {position: [0, 0, 0]}}}
  b: {%s, frames: {f: {position: [0, 0, 0], rotation: {vector: [0, %s, 0]}}}}
joints:
  j: {type: %s, between: [a.f, b.f]}
sensors: {x: {type: position, of: a, component: x}}
analyses:
  - dynamics: {duration: 1.0e-3, step: 1.0e-3}
"""
    model = folder / "away.yaml"
    model.write_text(text % (BODY, BODY, "3", "revolute"))
    done = Program(arguments)("run", model, "-o", folder / "away")
    assert done.returncode == 2 and "is 172 deg as modelled" in done.stderr, done.stderr
    assert not (folder / "away").exists()
    for kind in ("point_on_line", "point_on_plane"):
        _, said = run(arguments, folder, (text % (BODY, BODY, "0.1", kind)).replace("solidyn: 1\n", ""))
        assert "apart as modelled" not in said, said


def check_bushing(arguments, folder):
    """Between two frames a bushing is deflected by what they are apart."""
    text = PLACES.replace("joint: {{type: {type}, between: [a.f, b.f]{keys}}}",
                          "far: {{type: prismatic, between: [ground, b], at: [1, 0.2, 0], axis: [1, 0, 0]}}\n"
                          "forces:\n  mount: {{type: bushing, between: [a.f, b.f]{keys}, stiffness: [10, 20, 30, 1, 1, 1]}}")
    sensors = "  force: {type: reaction, joint: hold}\n"
    for keys, force in (("", [1.0, 4.0]), (", at: [0.5, 0, 0]", [0.0, 0.0])):
        columns, _ = run(arguments, folder, text.format(body=BODY, type="", keys=keys, sensors=sensors))
        for i, expected in zip("xy", force):
            assert abs(-columns[f"force.force_{i}"][0] - expected) < 1e-6, (keys, i, columns)


def check_warnings(arguments, folder):
    hinged = """bodies:
  a: {%s, velocity: {linear: %%s, angular: %%s}}
joints:
  hinge: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]%%s}
%%sanalyses:
  - dynamics: {duration: 2.0e-3, step: 1.0e-3}
sensors:
  angle: {type: joint_angle, joint: hinge}
""" % BODY
    drive = "  drive: {type: rotation_drive, joint: hinge, angle: \"%s\"}\n"
    limits = ", limits: {lower: 0.2, stiffness: 50}"
    changed, passed, shock = "the velocity of a by", "joint hinge limits are exceeded at the start", "without bound"
    corner = "joints.drive.angle: its rate jumps from 2 to 0 (SI) at t = 0.001 s"
    for linear, angular, keys, more, told in (
            ("[10, 3, 0]", "[5, 0, 0]", "", "", [changed]),
            ("[0, 0, 0]", "[0, 0, 5]", "", "", []),
            ("[0, 0, 0]", "[0, 0, 0]", "", drive % "3*t", []),
            ("[0, 0, 0]", "[0, 0, 2.9]", "", drive % "3*t", [changed]),
            ("[0, 0, 0]", "[0, 0, 0]", limits, "", [passed]),
            ("[0, 0, 0]", "[0, 0, 0]", limits, drive % "0.5 + t", []),
            ("[0, 0, 0]", "[0, 0, 0]", "", drive % "0.002*ramp(t, 0, 0.001)", [corner]),
            ("[0, 0, 0]", "[0, 0, 0]", "", drive % "0.1*sqrt(t)", [shock])):
        # A jump's work is an impulse, which no step sees: such runs end as doubtful.
        _, said = run(arguments, folder, hinged % (linear, angular, keys, more))
        for words in (changed, passed, shock, corner):
            assert (words in said) == (words in told), (words, angular, keys, more, said)


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_driven_turns(arguments, folder)
        check_far_starts(arguments, folder)
        check_free_turns(arguments, folder)
        check_coupler_constant(arguments, folder)
        check_arms(arguments, folder)
        check_places(arguments, folder)
        check_axes_that_face_away(arguments, folder)
        check_bushing(arguments, folder)
        check_warnings(arguments, folder)


if __name__ == "__main__":
    main()
