"""Statics, then dynamics in one file: a motion that begins from the equilibrium rests there, of every kind of body and
on 1, 2 and 4 ranks; linear analyses between; what varies with time; restarts; starts that do not ring; refusals.

    statics_then_dynamics.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import csv
import math
import pathlib
import sys
import tempfile

from support import SOURCE, History, Program, largest_difference, parsed_arguments, summary

LENGTH, RADIUS = 0.3, 0.003  # m, of the rod in meshes/
YOUNG, DENSITY, GRAVITY = 1e9, 1140.0, 9.81
SAG = DENSITY * GRAVITY * LENGTH**4 / (2.0 * YOUNG * RADIUS**2)  # of a clamped rod: w L^4/(8 EI)
AT_REST = 1e-6  # of the sag: statics' own tolerance is 1e-8 of the largest displacement
AGREES = 1e-9  # ranks, of the sag
MESH = f"mesh: {SOURCE}/meshes/rod_circular_coarse.msh, material: soft"
ENDS = ("interfaces: {root: {nodes: {in_set: big_end_face}, attach: rbe3}, "
        "tip: {nodes: {in_set: small_end_face}, attach: rbe3}}")
RODS = {
    "modal": f"{{type: modal, {MESH}, modes: {{free_free: 20}}, {ENDS}}}",
    "floating_frame": f"{{type: floating_frame, {MESH}, {ENDS}}}",
    "corotational": f"{{type: corotational, {MESH}, {ENDS}}}",
    "inertial": f"{{type: inertial, {MESH}, {ENDS}}}",
    "superelement": f"{{type: superelement, {MESH}, modes: {{free_free: 10}}, internal_modes: 8, {ENDS}}}",
    "beam": f"{{type: beam, points: {{root: [0, 0, 0], tip: [{LENGTH}, 0, 0]}}, elements: 8, material: soft, "
            f"section: {{type: circle, radius: {RADIUS}}}}}",
}
FULL_MESH = ("floating_frame", "corotational", "inertial")
STATICS, MOTION = "{statics: {}}", "dynamics: {duration: 0.01, step: 1e-4START}"
AT_ROOT, BESIDE = "fixed, between: [ground, rod.root]", "revolute, axis: [0, 0, 1], between: [ground, rod.root]"


def model(rod, analyses, joint=AT_ROOT, gravity=GRAVITY, start="", more=""):
    motion = "{" + MOTION.replace("START", start) + "}"
    return f"""
solidyn: 1
gravity: [0, 0, {-gravity}]
materials:
  soft: {{youngs_modulus: {YOUNG}, poissons_ratio: 0.4, density: {DENSITY}}}
bodies:
  rod: {rod}
joints:
  held: {{type: {joint}}}
sensors:
  tip: {{type: position, of: rod.tip}}
  speed: {{type: velocity, of: rod.tip}}
{more}
analyses: [{analyses.replace("MOTION", motion)}]
"""


def run(solidyn, folder, name, text, *words):
    (folder / f"{name}.yaml").write_text(text)
    out = folder / name
    solidyn.done("run", folder / f"{name}.yaml", "-o", out, *words)
    return out


def refused(solidyn, folder, text, wanted):
    (folder / "wrong.yaml").write_text(text)
    result = solidyn("run", folder / "wrong.yaml", "-o", folder / "wrong")
    assert result.returncode == 2 and wanted in result.stderr, (wanted, result.returncode, result.stderr)


def tip(history, axis="z"):
    return history.column(history.names.index(f"tip.{axis}"))


def rows_of(path):
    return list(csv.DictReader(path.read_text().splitlines()[1:]))


def check_rest(out, kind, sag):
    history = History(out)
    z = tip(history)
    assert len(z) == 101, len(z)
    moved = max(abs(value - z[0]) for value in z) / sag
    print(f"{kind}: sag {-z[0] / SAG:.4f} of the beam's, then moves by {moved:.1e} of it")
    assert abs(-z[0] / SAG - 1.0) < 0.05, (kind, z[0], SAG)
    assert moved < AT_REST, (kind, moved)
    return history


def test_rest(arguments, folder):
    """Every kind of body sags, and stays there for 100 steps; the same on all numbers of ranks."""
    for kind, rod in RODS.items():
        text, found = model(rod, f"{STATICS}, MOTION"), {}
        for ranks in (1, 2, 4) if kind in FULL_MESH else (1, 2):
            out = run(Program(arguments, ranks, folder / "cache"), folder, f"{kind}_{ranks}", text)
            found[ranks] = tip(check_rest(out, f"{kind} on {ranks}", SAG))
            path = rows_of(out / "statics.csv")
            assert float(path[0]["time"]) == 0.0 and float(path[-1]["time"]) == 1.0, (kind, ranks, path)
            assert abs(float(path[-1]["tip.z"]) - found[ranks][0]) < AT_REST * SAG
            told = summary(out)
            assert told["status"] == "done" and told["steps"] == 100, told
            assert told["statics"]["steps"] == len(path) - 1 and told["equilibria"]["relaxed"] == 0, told
        for ranks, z in found.items():
            assert max(abs(a - b) for a, b in zip(z, found[1])) < AGREES * SAG, (kind, ranks)


def test_rigid(solidyn, folder):
    """A pendulum held by a spring hangs where the moments balance, whatever integrator goes on."""
    text = """
solidyn: 1
gravity: [0, 0, -9.81]
bodies:
  bob: {type: rigid, mass: 1, center_of_mass: [0.5, 0, 0], inertia: [1e-3, 1e-3, 1e-3]}
joints:
  pin: {type: revolute, between: [ground, bob], at: [0, 0, 0], axis: [0, 1, 0], spring: {stiffness: 20}}
sensors:
  angle: {type: joint_angle, joint: pin}
analyses: [{statics: {}}, {dynamics: {duration: 0.1, step: 1e-3, integrator: WHICH}}]
"""
    for integrator in ("generalized_alpha", "hht", "bdf", "runge_kutta"):
        out = run(solidyn, folder, "pendulum", text.replace("WHICH", integrator))
        angles = History(out).column(1)
        assert abs(20.0 * angles[0] - 9.81 * 0.5 * math.cos(angles[0])) < 1e-8, angles[0]
        assert max(abs(a - angles[0]) for a in angles) < 1e-8, (integrator, angles)


def test_velocities(solidyn, folder):
    """The velocities of the model are those of the motion: a field in space, at the places of the equilibrium."""
    for kind in ("modal", "corotational", "beam"):
        rod = RODS[kind][:-1] + ", velocity: {angular: [0, 0, 2]}}"
        out = run(solidyn, folder, "turning", model(rod, f"{STATICS}, MOTION", BESIDE))
        history = History(out)
        x, v = tip(history, "x")[0], history.column(history.names.index("speed.y"))[0]
        assert abs(v - 2.0 * x) < 1e-6 and abs(tip(history)[0] + SAG) < 0.05 * SAG, (kind, x, v)


def test_linear(solidyn, folder):
    """Modes between are of the equilibrium, modes before of the drawing, and modes behind of the end of the motion."""
    modes, found = "{modes: {count: 2}}", {}
    for name, order, time in [("before", f"{modes}, {STATICS}, MOTION", 0.0), ("between", f"{STATICS}, {modes}, MOTION", 1.0),
                              ("behind", f"{STATICS}, MOTION, {modes}", 0.01)]:
        rows = rows_of(run(solidyn, folder, name, model(RODS["beam"], order, gravity=5 * GRAVITY)) / "modes.csv")
        assert [float(row["time"]) for row in rows] == [time, time], (name, rows)
        found[name] = [float(row["frequency"]) for row in rows]
    drawn, sagged, after = (found[name][0] for name in ("before", "between", "behind"))
    assert abs(sagged - after) < 1e-6 * after and abs(drawn - sagged) > 1e-4 * drawn, found


def test_time(solidyn, folder):
    """What varies with time stands still at t = 0; `load_parameter` lets it grow first; steps that do nothing are told."""
    force, fixed = "loads:\n  push: {type: force, at: rod.tip, force: [0, 0, \"%s\"]}", RODS["beam"]
    push = 1e-3
    compliance = LENGTH**3 / (3.0 * YOUNG * math.pi * RADIUS**4 / 4.0)
    held = model(fixed, f"{STATICS}, MOTION", gravity=0, more=force % f"{push}*cos(30*t)")
    out = run(solidyn, folder, "held", held)
    assert abs(tip(History(out))[0] / (push * compliance) - 1.0) < 1e-3
    assert [float(row["time"]) for row in rows_of(out / "statics.csv")] == [0.0]
    out = run(solidyn, folder, "told", held.replace("statics: {}", "statics: {load_steps: 3}"))
    assert any("load_steps" in text and "t = 0" in text for text in summary(out)["warnings"]), summary(out)
    grown = model(fixed, "{statics: {time: load_parameter, load_steps: 2}}, MOTION", gravity=0,
                  more=force % f"{push}*t")
    z = tip(History(run(solidyn, folder, "grown", grown)))
    assert abs(z[0] / (push * compliance) - 1.0) < 1e-3 and abs(z[-1] - z[0]) > 0.05 * z[0], z
    told = solidyn.done("check", folder / "grown.yaml").stdout
    assert "a run chooses where `statics` ends" in told, told
    refused(solidyn, folder, grown.replace("held: {type: fixed,", "turns: {type: rotation_drive, joint: held, angle: \"t\"}"
                                           "\n  held: {type: revolute, axis: [0, 0, 1],"),
            "dynamics cannot start from the end of statics")


def test_restart(solidyn, folder):
    """A motion goes on from its checkpoint, without statics anew."""
    text = model(RODS["beam"][:-1] + ", velocity: {angular: [0, 0, 2]}}", f"{STATICS}, MOTION", BESIDE)
    whole = run(solidyn, folder, "whole", text)
    parts = run(solidyn, folder, "parts", text, "--set", "analyses.dynamics.duration=0.005")
    before = (parts / "statics.csv").read_text()
    run(solidyn, folder, "parts", text, "--restart")
    # Positions to their round-off, and velocities to what that is over a step; the speed hardly changes.
    worst = largest_difference(History(whole), History(parts), of_unit=True)
    assert worst[0] < 1e-10 and (parts / "statics.csv").read_text() == before, worst
    refused_text = text.replace(STATICS, STATICS + ", {modes: {count: 1}}")
    (folder / "between.yaml").write_text(refused_text)
    result = solidyn("run", folder / "between.yaml", "-o", parts, "--restart")
    assert result.returncode == 2 and "between statics and dynamics" in result.stderr, result.stderr


def test_sweep(solidyn, folder):
    """The table of a sweep is of the motions alone."""
    path = folder / "sweep.yaml"
    path.write_text(model(RODS["beam"], f"{STATICS}, MOTION"))
    solidyn.done("run", path, "-o", folder / "sweep", "--sweep", "gravity.2=-5,-10")
    rows = list(csv.DictReader(line for line in (folder / "sweep" / "sweep.csv").read_text().splitlines()
                               if not line.startswith("#")))
    assert len(rows) == 2, rows


def test_refusals(solidyn, folder):
    rod = RODS["beam"]
    refused(solidyn, folder, model(rod, f"MOTION, {STATICS}"), "`statics` after a motion")
    refused(solidyn, folder, model(rod, f"{STATICS}, {STATICS}, MOTION"), "a second `statics`")
    refused(solidyn, folder, model(rod, f"{STATICS}, MOTION, MOTION"), "a second `dynamics`")
    refused(solidyn, folder, model(rod, f"{STATICS}, {{kinematics: {{duration: 1, step: 0.1}}}}"), "`kinematics` cannot start")
    refused(solidyn, folder, model(rod, f"{STATICS}, MOTION", start=", start: {elastic: undeformed}"),
            "start.elastic is `undeformed`")


def test_quasi_static(arguments, folder):
    """A start that does not ring: a clamped rod that sags, and a spinning one with its steady stretch."""
    start, spin = ", start: {elastic: quasi_static}", 20.0
    stretch = DENSITY * spin**2 * LENGTH**3 / (3.0 * YOUNG)  # of a rod that turns about its end
    for kind, rod in RODS.items():
        for ranks in (1, 2, 4) if kind in FULL_MESH else (1,):
            solidyn = Program(arguments, ranks, folder / "cache")
            out = run(solidyn, folder, f"sagged_{kind}_{ranks}", model(rod, "MOTION", start=start))
            check_rest(out, f"{kind}, quasi-static on {ranks}", SAG)
            turning = rod[:-1] + f", velocity: {{angular: [0, 0, {spin}]}}}}"
            out = run(solidyn, folder, f"spun_{kind}_{ranks}",
                      model(turning, "MOTION", BESIDE, gravity=0, start=start))
            check_spin(History(out), kind, ranks, spin, stretch)


def check_spin(history, kind, ranks, spin, stretch):
    x, y, z = (tip(history, axis) for axis in "xyz")
    lengths = [math.hypot(a, b, c) - LENGTH for a, b, c in zip(x, y, z)]
    ringing = max(abs(value - lengths[0]) for value in lengths) / stretch
    angle = math.atan2(y[-1], x[-1]) / (spin * history.times[-1])
    print(f"{kind} spun up on {ranks}: stretch {lengths[0] / stretch:.4f} of its own, rings by {ringing:.1e}, "
          f"angle {angle:.8f}")
    # The rod's face is held in the mean, and modes or static shapes know the stretch as far as they can.
    if kind in FULL_MESH + ("beam",):
        assert abs(lengths[0] / stretch - 1.0) < 0.02, (kind, lengths[0], stretch)
    assert ringing < 1e-3 and abs(angle - 1.0) < 1e-6, (kind, ringing, angle)


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        solidyn = Program(arguments, cache=folder / "cache")
        test_rest(arguments, folder)
        test_rigid(solidyn, folder)
        test_velocities(solidyn, folder)
        test_linear(solidyn, folder)
        test_time(solidyn, folder)
        test_restart(solidyn, folder)
        test_sweep(solidyn, folder)
        test_refusals(solidyn, folder)
        test_quasi_static(arguments, folder)


if __name__ == "__main__":
    sys.exit(main())
