"""Statics from a model file: the same history on 1, 2 and 4 ranks, its files when it is stopped, and its errors.

    statics.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import math
import pathlib
import signal
import sys
import tempfile
import time

from support import SOURCE, History, Program, largest_difference, parsed_arguments, summary

AGREES = 1e-9  # of each column's range

# A rod held at one end, by a support or by a joint at an interface, bent by a force that follows its tip.
MODEL = f"""
solidyn: 1
materials:
  aluminium: {{youngs_modulus: 7e10, poissons_ratio: 0.3, density: 2700}}
bodies:
  rod:
    type: corotational
    mesh: {SOURCE}/meshes/rod_circular_coarse.msh
    material: aluminium
    interfaces:
      root: {{nodes: {{in_set: big_end_face}}, attach: rbe3}}
      tip: {{nodes: {{in_set: small_end_face}}, attach: rbe3}}
HELD
loads:
  push: {{type: force, at: rod.tip, force: [0, "20*t", "-30*t"], axes: body}}
sensors:
  tip: {{type: position, of: rod.tip}}
  strain: {{type: energy, kind: strain}}
SENSOR
analyses:
  - statics: {{load_steps: 4}}
"""
SUPPORT = ("supports:\n  wall: {body: rod, nodes: {in_set: big_end_face}, fix: [x, y, z]}",
           "  wall: {type: support_force, support: wall}")
JOINT = ("joints:\n  wall: {type: fixed, between: [ground, rod.root]}",
         "  wall: {type: reaction, joint: wall}")
NOTHING = ("", "")


def model(folder, name, held):
    text = MODEL.replace("HELD", held[0]).replace("SENSOR", held[1])
    if held is SUPPORT:  # an interface of held nodes has nothing to say
        text = "\n".join(line for line in text.splitlines() if "root:" not in line)
    path = folder / f"{name}.yaml"
    path.write_text(text)
    return path


def check_ranks(arguments, folder, name, held):
    path, histories = model(folder, name, held), {}
    for ranks in (1, 2, 4):
        out = folder / f"{name}_{ranks}"
        Program(arguments, ranks).done("run", path, "-o", out)
        histories[ranks] = History(out)
        found = summary(out)
        assert found["status"] == "done" and found["steps"] >= 4, found
        assert found["newton_iterations"] <= 8 * found["steps"], found
        assert histories[ranks].times[0] == 0.0 and histories[ranks].times[-1] == 1.0
        energy = found["energy"]
        # The trapezoidal rule over four steps.
        assert math.isclose(energy["work"], energy["strain"], rel_tol=0.1), energy
    for ranks in (2, 4):
        worst, column = largest_difference(histories[1], histories[ranks])
        print(f"{name}, {ranks} ranks against 1: {worst:.1e} of the range of {column}")
        assert worst <= AGREES, (name, ranks, worst, column)
    return histories[1]


def check_both_hold_alike(by_support, by_joint):
    """A face held by all its nodes, or in the mean: the tip goes to the same place to a few percent."""
    for name in ("tip.y", "tip.z"):
        a = by_support.column(by_support.names.index(name))[-1]
        b = by_joint.column(by_joint.names.index(name))[-1]
        assert abs(a - b) < 0.03 * abs(a), (name, a, b)


def check_modal_body(arguments, folder):
    """Under a small load modes, with static corrections at the interfaces, bend as all nodes do."""
    path = model(folder, "modal", JOINT)
    small = ["--set", "loads.push.force=[0, '0.2*t', '-0.3*t']"]
    Program(arguments).done("run", path, "-o", folder / "nodal", *small)
    text = path.read_text().replace("type: corotational", "type: modal\n    modes: {free_free: 12}")
    path.write_text(text)
    Program(arguments).done("run", path, "-o", folder / "modal", *small)
    nodal, modal = History(folder / "nodal"), History(folder / "modal")
    for name in ("tip.y", "tip.z", "wall.torque_y"):
        a, b = (h.column(h.names.index(name))[-1] for h in (nodal, modal))
        assert abs(a - b) < 1e-5 * abs(a), (name, a, b)


def check_drive(arguments, folder):
    """A drive turns the rod, which no load bends, by 0.4 rad."""
    held = ("joints:\n  wall: {type: revolute, between: [ground, rod.root], axis: [0, 1, 0]}\n"
            "  drive: {type: rotation_drive, joint: wall, angle: '0.4*t'}", "  turn: {type: joint_angle, joint: wall}")
    path = model(folder, "drive", held)
    Program(arguments).done("run", path, "-o", folder / "drive", "--set", "loads.push.force=[0, 0, 0]")
    history = History(folder / "drive")
    angle = history.column(history.names.index("turn"))
    assert all(math.isclose(a, 0.4 * t, abs_tol=1e-9) for a, t in zip(angle, history.times)), angle
    x, z = (history.column(history.names.index(name)) for name in ("tip.x", "tip.z"))
    assert math.isclose(math.hypot(x[-1], z[-1]), x[0], rel_tol=1e-9), (x, z)
    assert math.isclose(math.atan2(-z[-1], x[-1]), 0.4, rel_tol=1e-9), (x, z)
    assert summary(folder / "drive")["energy"]["strain"] < 1e-9


def check_work_and_power(arguments, folder):
    """Dampers, friction and drag do nothing at rest: 60 N drawn out slowly against a spring of 100 N/m do 18 J of work,
    and a drive that lifts 1 kg by 2 m does 2 m g; none of them has any power."""
    for name, damped in (("free", ""), ("damped", ", damper: {damping: 50}, friction: {static: 0.3}")):
        path = folder / f"work_{name}.yaml"
        path.write_text(f"""
solidyn: 1
gravity: [0, 0, -9.81]
bodies:
  slider: {{type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01]}}
  bob: {{type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], pose: {{position: [0, 0, -1]}}}}
joints:
  guide: {{type: prismatic, between: [ground, slider], at: [0, 0, 0], axis: [1, 0, 0], spring: {{stiffness: 100}}{damped}}}
  hinge: {{type: revolute, between: [ground, bob], at: [0, 0, 0], axis: [0, 1, 0]{", damper: {damping: 3}" if damped else ""}}}
  drive: {{type: rotation_drive, joint: hinge, angle: "pi*t"}}
forces:
  air: {{type: drag, at: bob, viscous: {10 if damped else 0.001}}}
loads:
  pull: {{type: force, at: slider, force: ["60*t", 0, 0]}}
sensors:
  drive: {{type: drive, joint: drive}}
analyses:
  - statics: {{load_steps: 100}}
""")
        Program(arguments).done("run", path, "-o", folder / name)
        energy = summary(folder / name)["energy"]
        expected = 0.5 * 60.0 ** 2 / 100.0 + 2.0 * 9.81
        # The trapezoidal rule over the half circle is off by pi^2/(12 * 100^2) of 2 m g.
        assert math.isclose(energy["work"], expected, abs_tol=3e-3), energy
        history = History(folder / name)
        torque, power = (history.column(history.names.index(f"drive.{x}")) for x in ("torque", "power"))
        assert max(map(abs, torque)) > 9.8 and max(map(abs, power)) == 0.0, (torque, power)


def check_free_motion(arguments, folder):
    path = model(folder, "free", NOTHING)
    result = Program(arguments)("run", path, "-o", folder / "free")
    assert result.returncode == 1, result
    assert "can move freely" in result.stderr and "`rod`" in result.stderr, result.stderr
    assert summary(folder / "free")["status"] == "failed"


def check_short_interval(arguments, folder):
    """Room is made for one picture per step, not for one per `fields_interval`: that would fill a disk."""
    path = model(folder, "pictures", SUPPORT)
    interval = ["--set", "output={fields_interval: 1.0e-4}"]
    dynamics = ["--set", "analyses=[{dynamics: {duration: 2.0e-5, step: 1.0e-5}}]",
                "--set", "output.fields_interval=1.0e-8"]
    for name, more in (("pictures", []), ("moving_pictures", dynamics)):
        Program(arguments).done("run", path, "-o", folder / name, *interval, *more)
        size = (folder / name / "fields.h5").stat().st_size
        assert size < 2e6, (name, size)


def check_stopped(arguments, folder):
    path, out = model(folder, "stopped", SUPPORT), folder / "stopped"
    process = Program(arguments).start("run", path, "-o", out, "--set",
                                       "analyses.statics.load_steps=5000")
    history = out / "history.csv"
    until = time.monotonic() + 60
    while not (history.exists() and len(history.read_text().splitlines()) > 4):
        assert process.poll() is None and time.monotonic() < until, process.returncode
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    errors = process.communicate(timeout=60)[1]
    assert process.returncode == 1 and "stopped by Terminated" in errors, errors
    found = summary(out)
    assert found["status"] == "failed", found
    assert History(out).times[-1] == found["time"], found


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        by_support = check_ranks(arguments, folder, "support", SUPPORT)
        by_joint = check_ranks(arguments, folder, "joint", JOINT)
        check_both_hold_alike(by_support, by_joint)
        check_modal_body(arguments, folder)
        check_drive(arguments, folder)
        check_work_and_power(arguments, folder)
        check_free_motion(arguments, folder)
        check_short_interval(arguments, folder)
        check_stopped(arguments, folder)


if __name__ == "__main__":
    sys.exit(main())
