"""Statics with set-valued contacts, dry friction, stops and clutches, against closed forms; what follows it; refusals.

    static_contacts.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import csv
import math
import pathlib
import tempfile

from support import SOURCE, History, Program, largest_difference, parsed_arguments, summary

G = 9.81
PLANE = "first: {shape: plane, at: [0, 0, 0], axis: [0, 0, 1]}"
ALONE = "analyses:\n  - statics: {STEPS}\n"


def run(program, folder, text, *words, fails=False):
    model = folder / "model.yaml"
    model.write_text(text)
    out = folder / "out"
    done = program("run", model, "-o", out, *words)
    assert (done.returncode == 1) == fails and done.returncode in (0, 1), (done.returncode, done.stderr, text)
    return out, done.stdout + done.stderr


def columns(out, file="history"):
    history = History(out) if file == "history" else None
    if history:
        return {"t": history.times, **{name: history.column(i) for i, name in enumerate(history.names)}}
    rows = list(csv.DictReader((out / f"{file}.csv").read_text().splitlines()[1:]))
    return {name: [float(row[name]) for row in rows] for name in rows[0]}


def near(value, expected, tolerance, what=""):
    assert abs(value - expected) <= tolerance, (what, value, expected, value - expected)


# A box of 0.4 x 0.4 x 0.2 m on its corners, 0.3 m above the floor or on it.
BOX = f"""
solidyn: 1
gravity: [0, 0, -{G}]
bodies:
  box: {{type: rigid, mass: 3, inertia: [0.05, 0.05, 0.08], pose: {{position: [0, 0, HEIGHT]}}, frames: {{grip: {{position: [0, 0, ARM]}}}}}}
contacts:
  floor: {{between: [ground, box], {PLANE}, second: {{shape: box, size: [0.4, 0.4, 0.2]}}, law: {{type: impact}}, FRICTION}}
loads:
  push: {{type: force, at: box.grip, force: ["PUSH*t", 0, 0]}}
sensors:
  box: {{type: position, of: box}}
  turn: {{type: orientation, of: box, component: y}}
  normal: {{type: contact, contact: floor, component: normal_force}}
  rubs: {{type: contact, contact: floor, component: friction_force}}
  state: {{type: contact, contact: floor, component: state}}
  gap: {{type: contact, contact: floor, component: gap}}
""" + ALONE


def box(height=0.1, friction="friction: {static: 0.5}", arm=0.0, push=0.0, steps="load_steps: 10"):
    text = BOX.replace("HEIGHT", str(height)).replace("FRICTION", friction)
    return text.replace("ARM", str(arm)).replace("PUSH", repr(push)).replace("STEPS", steps)


def check_box(program, folder):
    weight = 3 * G
    for height in (0.1, 0.4, 30.0):  # it lies there, or falls
        out, log = run(program, folder, box(height))
        c = columns(out)
        for i in range(len(c["t"])):
            near(c["box.z"][i], 0.1, 1e-12, "height")
            near(c["normal"][i], weight, 1e-9, "weight")
            near(c["turn"][i], 0, 1e-12)
            assert c["state"][i] == 2.0 and abs(c["gap"][i]) < 1e-12
        found = summary(out)
        assert found["nonsmooth"]["largest_closed"] == 4 and found["nonsmooth"]["impacts"] == 0, found
    # Pushed at the floor's height: it stays where it is up to mu W, and then slides away.
    out, log = run(program, folder, box(arm=-0.1, push=1.3 * 0.5 * weight), fails=True)
    c = columns(out)
    assert 1 / 1.3 - 2e-5 < c["t"][-1] <= 1 / 1.3 + 1e-9, c["t"][-1]
    assert max(map(abs, c["box.x"])) < 1e-12
    near(c["rubs"][-1], 1.3 * 0.5 * weight * c["t"][-1], 1e-8)
    assert "friction is at its limit" in log and "`floor, point" in log, log
    # Pushed higher up it tips before it slides: F h = W b/2.
    out, log = run(program, folder, box(friction="friction: {static: 5}", arm=0.1, push=2 * weight), fails=True)
    c = columns(out)
    near(c["t"][-1], 0.5, 2e-5, "tips")
    near(c["normal"][-1], weight, 1e-8)
    assert "body `box`" in log or "`floor, point" in log, log  # as it lifts, the edge that stays slips by tenths of a micrometre
    # Without friction nothing says where it is: it stays, and that is told. Without a load, and weight, it does too.
    out, log = run(program, folder, box(friction="friction: {static: 0}"))
    assert "not unique" in log and abs(columns(out)["box.x"][-1]) < 1e-12, log
    out, log = run(program, folder, box().replace(f"-{G}", "0"))
    c = columns(out)
    assert c["normal"][-1] == 0.0 and c["box.z"][-1] == 0.1, c


# A block on a spring: what it drags is played back.
PLAY = f"""
solidyn: 1
gravity: [0, 0, -10]
bodies:
  block: {{type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1]}}
joints:
  upright: {{type: orientation, between: [ground, block]}}
forces:
  spring: {{type: spring_damper, between: [ground, block], at_first: [-1, 0, 0], at_second: [0, 0, 0], stiffness: 1000, free_length: 1}}
contacts:
  floor: {{between: [ground, block], {PLANE}, second: {{shape: point}}, law: {{type: impact}}, friction: {{static: MU_S, dynamic: MU_D}}}}
loads:
  push: {{type: force, at: block, force: ["30*sin(7*t)", 0, 0]}}
sensors:
  x: {{type: position, of: block, component: x}}
  rubs: {{type: contact, contact: floor, component: friction_force}}
  state: {{type: contact, contact: floor, component: state}}
""" + ALONE


def check_hysteresis(program, folder):
    for mu_s, mu_d, n in ((0.5, 0.5, 50), (0.5, 0.5, 7), (0.5, 0.3, 50)):
        text = PLAY.replace("MU_S", str(mu_s)).replace("MU_D", str(mu_d)).replace("STEPS", f"load_steps: {n}")
        out, _ = run(program, folder, text)
        c = columns(out)
        x, loss = 0.0, 0.0
        for i, t in enumerate(c["t"]):
            rest = 30 * math.sin(7 * t) - 1000 * x
            slips = abs(rest) > mu_s * 20 * (1 + 1e-12)
            if slips:
                after = (30 * math.sin(7 * t) - math.copysign(mu_d * 20, rest)) / 1000
                loss += mu_d * 20 * abs(after - x)
                x = after
            near(c["x"][i], x, 1e-12, (mu_s, mu_d, n, t))
            assert c["state"][i] == (1.0 if slips else 2.0), (t, c["state"][i], slips)
        found = summary(out)
        near(found["nonsmooth"]["energy_lost_in_friction"], loss, 1e-9 * loss)


# A ladder of 4 m, 20 kg, with its feet on the floor and its top at the wall x = 0.
def ladder(angle, mu_floor, mu_wall):
    x, z = 4 * math.cos(angle), 4 * math.sin(angle)
    return f"""
solidyn: 1
gravity: [0, 0, -{G}]
bodies:
  ladder: {{type: rigid, mass: 20, inertia: [30, 30, 30], pose: {{position: [{x / 2!r}, 0, {z / 2!r}]}}}}
joints:
  plane: {{type: planar, between: [ground, ladder], at: [0, 0, 0], axis: [0, 1, 0]}}
contacts:
  floor: {{between: [ground, ladder], {PLANE}, second: {{shape: point, at: [{x!r}, 0, 0]}}, law: {{type: impact}}, friction: {{static: {mu_floor}}}}}
  wall: {{between: [ground, ladder], first: {{shape: plane, at: [0, 0, 0], axis: [1, 0, 0]}}, second: {{shape: point, at: [0, 0, {z!r}]}}, law: {{type: impact}}, friction: {{static: {mu_wall}}}}}
sensors:
  floor: {{type: contact, contact: floor, component: normal_force}}
  floor_rubs: {{type: contact, contact: floor, component: friction_force}}
  wall: {{type: contact, contact: wall, component: normal_force}}
  foot: {{type: position, of: ladder}}
analyses:
  - statics: {{}}
"""


def check_ladder(program, folder):
    for mu_floor, mu_wall in ((0.4, 0.0), (0.4, 0.3)):
        limit = math.atan((1 - mu_floor * mu_wall) / (2 * mu_floor))
        out, log = run(program, folder, ladder(limit + 1e-6, mu_floor, mu_wall))
        c = columns(out)
        N = 20 * G / (1 + mu_floor * mu_wall)
        near(c["floor"][-1], N, 1e-3 * N, "floor")
        near(c["wall"][-1], mu_floor * N, 1e-3 * N, "wall")
        out, log = run(program, folder, ladder(limit - 1e-4, mu_floor, mu_wall), fails=True)
        assert "friction is at its limit" in log and "`floor`" in log, log


# A beam of 2 m, clamped at one end, is pulled against a stop at its other end that is 1e-4 m away, and pushed down.
STOP = """
solidyn: 1
materials:
  steel: {youngs_modulus: 2e11, poissons_ratio: 0.3, density: 7850}
bodies:
  bar: BAR
joints:
  wall: {type: fixed, between: [ground, bar.root]}
contacts:
  stop: {between: [ground, bar.tip], first: {shape: plane, at: [STOPS_AT, 0, 0], axis: [-1, 0, 0]}, second: {shape: point, at: [TIP, 0, 0]}, law: {type: impact}, FRICTION}
loads:
  pull: {type: force, at: bar.tip, force: ["PULL*t", ACROSS, SIDE]}
sensors:
  tip: {type: position, of: bar.tip}
  force: {type: contact, contact: stop, component: normal_force}
  rubs: {type: contact, contact: stop, component: friction_force}
  gap: {type: contact, contact: stop, component: gap}
  wall: {type: reaction, joint: wall}
analyses:
  - statics: {load_steps: 8}
"""
BEAM = "{type: beam, points: {root: [0, 0, 0], tip: [2, 0, 0]}, elements: 4, section: {type: rectangle, width: 0.02, height: 0.02}, material: steel}"
MESH = f"mesh: {SOURCE}/meshes/rod_circular_coarse.msh, material: steel, interfaces: {{root: {{nodes: {{in_set: big_end_face}}, attach: rbe3}}, tip: {{nodes: {{in_set: small_end_face}}, attach: rbe3}}}}"


def stop(bar, tip, gap, pull, friction="friction: {static: 0}", side="0"):
    text = STOP.replace("BAR", bar).replace("STOPS_AT", repr(tip + gap)).replace("TIP", repr(tip))
    return text.replace("PULL", repr(pull)).replace("FRICTION", friction).replace("SIDE", side).replace("ACROSS", "0" if side == "0" else '"0.07*t"')


def check_stop(program, folder):
    """The gap closes at F = EA g/L; beyond, the stop has what is more than that."""
    EA, L, gap = 2e11 * 4e-4, 2.0, 1e-4
    first = EA * gap / L
    out, _ = run(program, folder, stop(BEAM, 2.0, gap, 2.5 * first))
    c = columns(out)
    for i, t in enumerate(c["t"]):
        # Stretched, the bar is as stiff as EA/L to the first order in the strain, 5e-5.
        near(c["force"][i], max(0.0, 2.5 * t - 1) * first, 1e-8 * first, "force")
        near(c["gap"][i], max(0.0, gap - 2.5 * t * first * L / EA), 1e-12, "gap")
    kinds = {
        "modal": (f"{{type: modal, {MESH}, modes: {{free_free: 20}}}}", 0.3),
        "superelement": (f"{{type: superelement, {MESH}, modes: {{free_free: 10}}, internal_modes: 8}}", 0.3),
        "floating_frame": (f"{{type: floating_frame, {MESH}}}", 0.3),
        "corotational": (f"{{type: corotational, {MESH}}}", 0.3),
        "inertial": (f"{{type: inertial, {MESH}}}", 0.3),
    }
    for kind, (bar, length) in kinds.items():
        out, _ = run(program, folder, stop(bar, length, 1e-6, 60.0, "friction: {static: 0.001}", '"0.1*t"'))
        c = columns(out)
        assert c["force"][0] == 0.0 and c["force"][-1] > 1.0, (kind, c["force"])
        for i, t in enumerate(c["t"]):
            assert c["gap"][i] > -1e-13 and min(c["gap"][i], c["force"][i]) < 1e-12, (kind, c["gap"][i], c["force"][i])
            assert c["rubs"][i] <= 0.001 * c["force"][i] * (1 + 1e-9), (kind, i)
            # What the stop does not carry goes into the wall.
            near(abs(c["wall.force_x"][i]), 60 * t - c["force"][i], 1e-7, (kind, "balance"))
        print(f"{kind}: stop {c['force'][-1]:.9g} N, friction {c['rubs'][-1]:.9g} N, {summary(out)['newton_iterations']} iterations")


# Joints: a flap on a stop, a clutch with a spring, a shaft that rubs.
JOINT = """
solidyn: 1
bodies:
  wheel: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1]}
joints:
  axle: {type: revolute, between: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1], spring: {stiffness: 10}, PART}
loads:
  turn: {type: force, at: wheel, torque: [0, 0, "LAW"]}
sensors:
  angle: {type: joint_angle, joint: axle}
  part: {type: joint_force, joint: axle, part: NAME, component: torque}
  state: {type: joint_force, joint: axle, part: NAME, component: state}
analyses:
  - statics: {load_steps: 20}
"""


def check_joints(program, folder):
    def turned(part, name, law="4*sin(7*t)"):
        out, _ = run(program, folder, JOINT.replace("PART", part).replace("NAME", name).replace("LAW", law))
        return columns(out)

    c = turned("limits: {lower: -0.1, upper: 0.2, law: {type: impact}}", "limits")
    for i, t in enumerate(c["t"]):
        near(c["angle"][i], min(0.2, max(-0.1, 0.4 * math.sin(7 * t))), 1e-12, t)
    c, angle = turned("one_way: positive", "one_way"), 0.0
    for i, t in enumerate(c["t"]):
        angle = max(angle, 0.4 * math.sin(7 * t))
        near(c["angle"][i], angle, 1e-12, t)
        near(abs(c["part"][i]), 10 * angle - 4 * math.sin(7 * t), 1e-9, t)
    c, angle = turned("friction: {static: 0.5, dynamic: 0.5, radius: 0.1, preload: 20, pressed_by: preload, set_valued: true}", "friction"), 0.0
    for i, t in enumerate(c["t"]):
        rest = 4 * math.sin(7 * t) - 10 * angle
        if abs(rest) > 1:
            angle += (rest - math.copysign(1, rest)) / 10
        near(c["angle"][i], angle, 1e-12, t)
        near(abs(c["part"][i]), abs(4 * math.sin(7 * t) - 10 * angle), 1e-9, t)


# A belt drags a block on a spring.
BELT = PLAY.replace("friction: {static: MU_S, dynamic: MU_D}", "friction: {static: 0.4, dynamic: 0.2}, surface_velocity: [0.1, 0, 0]").replace('["30*sin(7*t)", 0, 0]', "[0, 0, 0]")


def check_belt(program, folder):
    out, _ = run(program, folder, BELT.replace("STEPS", "load_steps: 2"))
    c = columns(out)
    near(c["x"][-1], 0.2 * 20 / 1000, 1e-12)
    assert c["state"][-1] == 1.0


# A block on an incline, just below and just above the angle of friction.
INCLINE = f"""
solidyn: 1
gravity: [0, 0, -{G}]
bodies:
  block: {{type: rigid, mass: 2, inertia: [0.01, 0.01, 0.01]}}
contacts:
  slope: {{between: [ground, block], first: {{shape: plane, at: [0, 0, -0.1], axis: [AXIS]}}, second: {{shape: box, size: [0.4, 0.3, 0.2], axis: [AXIS]}}, law: {{type: impact}}, friction: {{static: 0.5}}}}
sensors:
  place: {{type: position, of: block}}
  normal: {{type: contact, contact: slope, component: normal_force}}
  rubs: {{type: contact, contact: slope, component: friction_force}}
analyses:
  - statics: {{load_steps: 1}}
"""


def check_incline(program, folder):
    for change in (-1e-6, 1e-6):
        angle = math.atan(0.5) + change
        n = [math.sin(angle), 0.0, math.cos(angle)]
        text = INCLINE.replace("AXIS", ", ".join(map(repr, n)))
        text = text.replace("at: [0, 0, -0.1]", f"at: [{-0.1 * n[0]!r}, 0, {-0.1 * n[2]!r}]")
        out, log = run(program, folder, text, fails=change > 0)
        if change > 0:
            assert "friction is at its limit" in log and "`slope, point" in log, log
            continue
        c = columns(out)
        near(c["normal"][-1], 2 * G * math.cos(angle), 1e-9)
        near(c["rubs"][-1], 2 * G * math.sin(angle), 1e-9)
        near(c["place.x"][-1], 0, 1e-12)


# Two boxes on each other and on the floor, as groups.
TOWER = f"""
solidyn: 1
gravity: [0, 0, -{G}]
bodies:
  low: {{type: rigid, mass: 3, inertia: [0.05, 0.05, 0.08], pose: {{position: [0, 0, 0.1]}}}}
  top: {{type: rigid, mass: 2, inertia: [0.03, 0.03, 0.05], pose: {{position: [0.05, 0, 0.3]}}, frames: {{grip: {{position: [0, 0, -0.1]}}}}}}
contacts:
  floor: {{first: {{bodies: [ground], shape: plane, at: [0, 0, 0], axis: [0, 0, 1]}}, second: {{bodies: [low], shape: box, size: [0.4, 0.4, 0.2]}}, law: {{type: impact}}, friction: {{static: 0.5}}}}
  boxes: {{first: {{bodies: [low, top], shape: box, size: [0.4, 0.4, 0.2]}}, law: {{type: impact}}, friction: {{static: 0.4}}}}
loads:
  push: {{type: force, at: top.grip, force: ["10*t", 0, 0]}}
sensors:
  low: {{type: position, of: low}}
  top: {{type: position, of: top}}
  floor: {{type: contact, contact: floor, component: normal_force}}
  between: {{type: contact, contact: boxes, component: normal_force}}
  rubs: {{type: contact, contact: boxes, component: friction_force}}
""" + ALONE


def check_tower(program, folder):
    limit = 0.4 * 2 * G
    out, log = run(program, folder, TOWER.replace("STEPS", "load_steps: 8"), fails=True)
    c = columns(out)
    near(c["t"][-1], limit / 10, 2e-5)
    for i, t in enumerate(c["t"]):
        near(c["floor"][i], 5 * G, 1e-8)
        near(c["between"][i], 2 * G, 1e-8)
        near(c["low.x"][i], 0, 1e-11)
        near(c["top.x"][i], 0.05, 1e-11)
        near(c["top.z"][i], 0.3, 1e-11)
    assert "slips at `boxes (low and top), point" in log, log


# Then a motion: it rests, with the forces of the equilibrium from the first row on.
def check_motion(program, folder):
    text = box(arm=-0.1, push=0.6 * 0.5 * 3 * G, steps="load_steps: 3").replace("PUSH*t", "PUSH").replace("*t", "")
    text = text.replace("analyses:\n  - statics: {load_steps: 3}\n", "analyses: [statics: {}, modes: {count: 4}, dynamics: {duration: 0.05, step: 1e-3SCHEME}]\n")
    for scheme in ("", ", integrator: bathe", ", integrator: ed_alpha", ", integrator: hht"):
        out, _ = run(program, folder, text.replace("SCHEME", scheme))
        c, before = columns(out), columns(out, "statics")
        for name, tolerance in (("box.x", 1e-13), ("box.z", 1e-13), ("normal", 1e-9), ("rubs", 1e-9)):
            for value in c[name]:
                near(value, before[name][-1], tolerance, (scheme, name))
        assert (out / "events.csv").read_text().strip().count("\n") <= 1, (out / "events.csv").read_text()
        assert summary(out)["nonsmooth"]["impacts"] == 0


def check_linear(program, folder):
    """What statics leaves closed is what linear analyses take as joints: a mass on a spring beside a stop."""
    text = JOINT.replace("PART", "limits: {upper: 0.1, law: {type: impact}}").replace("NAME", "limits").replace("LAW", "3*t")
    text = text.replace("  - statics: {load_steps: 20}\n", "  - statics: {load_steps: 4}\n  - modes: {count: 2}\n")
    out, log = run(program, folder, text)
    assert "held along the normal alone: axle.limits.upper" in log, log


def check_ranks(arguments, folder):
    bar = f"{{type: corotational, {MESH}}}"
    text = stop(bar, 0.3, 1e-6, 60.0, "friction: {static: 0.001}", '"0.1*t"')
    (folder / "model.yaml").write_text(text.replace("load_steps: 8", "load_steps: 2"))
    histories = {}
    for ranks in (1, 2, 4):
        Program(arguments, ranks).done("run", folder / "model.yaml", "-o", folder / f"out{ranks}")
        histories[ranks] = History(folder / f"out{ranks}")
    for ranks in (2, 4):
        worst, column = largest_difference(histories[1], histories[ranks])
        assert worst <= (1e-6 if "torque" in column else 1e-9), (ranks, worst, column)  # torques are small differences


def check_refusals(program, folder):
    def refused(text, *wanted):
        (folder / "wrong.yaml").write_text(text)
        result = program("run", folder / "wrong.yaml", "-o", folder / "wrong")
        assert result.returncode == 2, (result.returncode, result.stderr)
        for words in wanted:
            assert words in result.stderr, (words, result.stderr)

    refused(box(steps="method: relaxation"), "contacts.floor is set-valued", "method: relaxation", "hertz")
    refused(box(steps="control: arc_length"), "contacts.floor is set-valued", "control: arc_length")
    refused(box(0.05), "contacts.floor, point", "bodies overlap by 0.05 m")
    refused(JOINT.replace("PART", "limits: {lower: 0.1, law: {type: impact}}").replace("NAME", "limits").replace("LAW", "0"), "beyond this limit")



TESTS = [check_box, check_hysteresis, check_ladder, check_stop, check_joints, check_belt, check_incline, check_tower, check_motion, check_linear, check_refusals]


def main():
    arguments = parsed_arguments()
    program = Program(arguments)
    with tempfile.TemporaryDirectory() as name:
        for test in TESTS:
            folder = pathlib.Path(name) / test.__name__
            folder.mkdir()
            test(program, folder)
            print(test.__name__)
        folder = pathlib.Path(name) / "ranks"
        folder.mkdir()
        check_ranks(arguments, folder)


if __name__ == "__main__":
    main()
