"""The analysis `inverse_dynamics`: a flexible arm and a loop with a flexible coupler, on 1, 2 and 4 ranks and through a restart;
drives.csv and what summary.json says of it; rigid bodies as `kinematics` has them; and what is refused or warned about.

    inverse_dynamics.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import math
import pathlib
import tempfile

from support import EXAMPLES, SOURCE, History, Program, largest_difference, parsed_arguments, summary

ARM = EXAMPLES / "inverse_dynamics" / "arm.yaml"
# A crank that is driven, a coupler of modes or a beam, a rocker: with redundant rows when all are rigid.
LOOP = f"""solidyn: 1
gravity: [0, -9.81, 0]
materials:
  steel: {{youngs_modulus: 2.1e11, poissons_ratio: 0.3, density: 7850}}
bodies:
  crank:   {{type: rigid, mass: 0.2, center_of_mass: [0, 0.05, 0], inertia: [2e-4, 1e-5, 2e-4]}}
  coupler:
    type: modal
    mesh: {SOURCE}/meshes/rod_circular_coarse.msh
    material: steel
    pose: {{position: [0, 0.1, 0]}}
    modes: {{fixed_interface: 4}}
    interfaces:
      crank:  {{nodes: {{in_set: big_end_face}}, attach: rbe2}}
      rocker: {{nodes: {{in_set: small_end_face}}, attach: rbe2}}
  rocker:  {{type: rigid, mass: 0.3, center_of_mass: [0, 0.1, 0], inertia: [1e-3, 1e-5, 1e-3], pose: {{position: [0.3, -0.1, 0]}}}}
joints:
  A: {{type: revolute, between: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1]}}
  B: {{type: revolute, between: [crank, coupler.crank], axis: [0, 0, 1]}}
  C: {{type: spherical, between: [rocker, coupler.rocker]}}
  D: {{type: revolute, between: [ground, rocker], at: [0.3, -0.1, 0], axis: [0, 0, 1]}}
  motor: {{type: rotation_drive, joint: A, angle: "3*t + 0.5*sin(4*t)"}}
sensors:
  motor: {{type: drive, joint: motor, component: all}}
  pin:   {{type: reaction, joint: C, component: force_x}}
  bend:  {{type: relative_displacement, body: coupler, point: middle, chord: [crank, rocker]}}
analyses:
  - inverse_dynamics: {{duration: 1, step: 0.02}}
""".replace("    interfaces:\n      crank", "    points: {middle: [0.15, 0, 0]}\n    interfaces:\n      crank")
PENDULUM = """solidyn: 1
gravity: [0, 0, -9.81]
bodies:
  arm: {type: rigid, mass: 2, center_of_mass: [0.5, 0, 0], inertia: [0.01, 0.2, 0.2]}
  tip: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], pose: {position: [1, 0, 0]}}
joints:
  pivot: {type: revolute, between: [ground, arm], at: [0, 0, 0], axis: [0, -1, 0]}
  hinge: {type: revolute, between: [arm, tip], at: [1, 0, 0], axis: [0, -1, 0]}
  motor: {type: rotation_drive, joint: pivot, angle: "0.3*t^2"}
  wrist: {type: rotation_drive, joint: hinge, angle: "0.2*sin(3*t)"}
sensors:
  motor: {type: drive, joint: motor, component: all}
analyses:
  - inverse_dynamics: {duration: 1, step: 0.01}
"""


BEAM = """solidyn: 1
bodies:
  arm:
    type: beam
    points: {root: [0, 0, 0], tip: [1, 0, 0]}
    elements: 8
    section: {type: stiffness, EA: 1.0e5, GJ: 50, EI_y: 50, EI_z: 50, mass_per_length: 1, mass_moments: [1.0e-4, 5.0e-5, 5.0e-5]}
    shear: none
joints:
  pivot: {type: revolute, between: [ground, arm.root], axis: [0, -1, 0]}
  motor: {type: rotation_drive, joint: pivot, angle: "ANGLE"}
loads:
  push: {type: force, at: arm.tip, force: ["FORCE", 0, 0.1]}
sensors:
  tip: {type: position, of: arm.tip}
analyses:
  - inverse_dynamics: {duration: DURATION, step: STEP}
"""


def drives(folder):
    return History(folder, "drives.csv")


def check_same_on_ranks(arguments, model, folder, *options):
    for ranks in (1, 2, 4):
        Program(arguments, ranks).done("run", model, "-o", folder / f"on_{ranks}", *options)
    for ranks in (2, 4):
        worst = largest_difference(drives(folder / "on_1"), drives(folder / f"on_{ranks}"))
        assert worst[0] < 1e-9, (ranks, worst)
    return drives(folder / "on_1"), summary(folder / "on_1")


def check_figures(table, found, name, effort):
    """What the summary says of a drive is what the rows come to."""
    said, t = found["drives"][name], table.column("time")
    force, power = table.column(f"{name}.{effort}"), table.column(f"{name}.power")
    largest = max(force, key=abs)
    work = sum((t[i + 1] - t[i]) * (power[i] + power[i + 1]) / 2 for i in range(len(t) - 1))
    square = sum((t[i + 1] - t[i]) * (force[i] ** 2 + force[i + 1] ** 2) / 2 for i in range(len(t) - 1))
    rms = math.sqrt(square / (t[-1] - t[0]))
    assert said[f"largest_{effort}"] == largest and said["largest_at"] == t[force.index(largest)], (said, largest)
    assert said["largest_power"] == max(power) and said["smallest_power"] == min(power), said
    assert abs(said["work"] - work) < 1e-9 * max(map(abs, power)) * t[-1], (said, work)
    assert abs(said[f"rms_{effort}"] - rms) < 0.01 * rms, (said, rms)


def check_arm(arguments, folder):
    table, found = check_same_on_ranks(arguments, ARM, folder)
    assert found["status"] == "done" and found["integrator"] == "inverse_dynamics", found
    for name in ("yaw_motor", "shoulder_motor", "elbow_motor"):
        check_figures(table, found, name, "torque")
    # With vibrations: the motion of `dynamics`, and torques about the quasi-static ones.
    vibrating = ["--set", "analyses.0.inverse_dynamics.deformation=dynamic", "--set", "analyses.0.inverse_dynamics.start={elastic: quasi_static}"]
    Program(arguments, 2).done("run", ARM, "-o", folder / "vibrating", *vibrating)
    model = folder / "dynamics.yaml"
    text = ARM.read_text().replace("../../meshes", str(SOURCE / "meshes"))
    model.write_text(text.replace("- inverse_dynamics: {", "- dynamics: {start: {elastic: quasi_static}, "))
    Program(arguments, 2).done("run", model, "-o", folder / "dynamics")
    worst = largest_difference(History(folder / "dynamics"), History(folder / "vibrating"))
    assert worst[0] < 1e-6, worst
    still, moving = (drives(folder / name).column("shoulder_motor.torque") for name in ("on_1", "vibrating"))
    difference = max(abs(a - b) for a, b in zip(still, moving))
    assert 0.01 * max(map(abs, still)) < difference < 0.9 * max(map(abs, still)), (difference, max(still))


def check_loop(arguments, folder):
    model = folder / "loop.yaml"
    model.write_text(LOOP)
    table, found = check_same_on_ranks(arguments, model, folder / "loop")
    check_figures(table, found, "motor", "torque")
    assert drives(folder / "loop" / "on_1").column("motor.torque") == History(folder / "loop" / "on_1").column("motor.torque")
    bend = History(folder / "loop" / "on_1")
    assert max(abs(value) for name in ("bend.y", "bend") if name in bend.names for value in bend.column(name)) > 1e-9
    # A stiff coupler needs what a rigid one does.
    stiff = ["--set", "materials.steel.youngs_modulus=2.1e16"]
    Program(arguments).done("run", model, "-o", folder / "stiff", *stiff)
    text = LOOP.replace("  bend:", "  unused:").split("  unused:")[0] + "analyses:\n  - kinematics: {duration: 1, step: 0.02}\n"
    rigid = folder / "rigid.yaml"
    rigid.write_text(text)
    Program(arguments).done("run", rigid, "-o", folder / "rigid", "--set", "bodies.coupler.type=rigid")
    a, b = drives(folder / "stiff").column("motor.torque"), History(folder / "rigid").column("motor.torque")
    assert max(abs(x - y) for x, y in zip(a, b)) < 1e-4 * max(map(abs, b)), (a[:3], b[:3])


def check_restart(arguments, folder):
    model, out = folder / "loop.yaml", folder / "restarted"
    short = ["--set", "analyses.0.inverse_dynamics.duration=0.4"]
    Program(arguments).done("run", model, "-o", out, *short)
    Program(arguments).done("run", model, "-o", out, "--restart")
    whole = folder / "loop" / "on_1"
    worst = largest_difference(drives(out), drives(whole))
    assert worst[0] < 1e-9, worst
    for key, value in summary(whole)["drives"]["motor"].items():
        assert abs(summary(out)["drives"]["motor"][key] - value) < 1e-6 * max(1.0, abs(value)), key


def check_rigid(arguments, folder):
    """Rigid bodies: what `kinematics` finds, and closed form: m g l cos and inertia."""
    model = folder / "pendulum.yaml"
    model.write_text(PENDULUM)
    Program(arguments).done("run", model, "-o", folder / "inverse")
    model.write_text(PENDULUM.replace("inverse_dynamics", "kinematics"))
    Program(arguments).done("run", model, "-o", folder / "kinematics")
    a, b = History(folder / "inverse"), History(folder / "kinematics")
    assert a.rows == b.rows
    assert not (folder / "kinematics" / "drives.csv").exists()
    model.write_text(PENDULUM.replace("0.2*sin(3*t)", "0"))
    Program(arguments).done("run", model, "-o", folder / "one")
    for t, torque in zip(drives(folder / "one").column("time"), drives(folder / "one").column("motor.torque")):
        # Inertia about the pivot: 0.2 + 2 (1/2)^2 + 0.01 + 1; moment of gravity (2/2 + 1) g cos.
        expected = 1.71 * 0.6 + 2.0 * 9.81 * math.cos(0.3 * t * t)
        assert abs(torque - expected) < 1e-9, (t, torque, expected)


def check_stability(arguments, folder):
    """A column below and above Euler's load, pi^2 EI/4 = 123.4 N; a beam below and above its critical speed, pi/2 sqrt(EA/m) = 496.7 rad/s."""
    def run(name, angle, force, duration="1", step="0.5"):
        model = folder / f"{name}.yaml"
        text = BEAM
        for word, value in (("ANGLE", angle), ("FORCE", force), ("DURATION", duration), ("STEP", step)):
            text = text.replace(word, value)
        model.write_text(text)
        result = Program(arguments)("run", model, "-o", folder / name)
        assert "superelements" not in result.stderr, result.stderr  # nobody has given velocities
        return result

    def fails(result):
        assert result.returncode == 1 and "no stable shape" in result.stderr and "deformation: dynamic" in result.stderr, (result.returncode, result.stderr)

    assert run("column", "0", "-100").returncode == 0
    k = math.sqrt(100 / 50)
    assert abs(History(folder / "column").column("tip.z")[-1] - 0.1 / 100 * (math.tan(k) / k - 1)) < 1e-4
    fails(run("buckled", "0", "-200"))
    fails(run("jump", "0", "-(60+140*t)"))  # in a step that is too long to follow it
    assert run("bent", "0", "-(60+140*t)", step="0.02").returncode == 0
    assert drives(folder / "bent").column("motor.torque")[-1] < -100
    assert run("turning", "300*t", "0", "0.001", "0.001").returncode == 0
    k = 300 / math.sqrt(1e5)
    assert abs(math.hypot(*(History(folder / "turning").column(f"tip.{axis}")[-1] for axis in "xz")) - math.tan(k) / k) < 2e-3
    fails(run("too_fast", "520*t", "0", "0.001", "0.001"))


def check_refusals(arguments, folder):
    program = Program(arguments)

    def refused(text, *expected):
        model = folder / "wrong.yaml"
        model.write_text(text)
        result = program("run", model, "-o", folder / "refused")
        assert result.returncode == 2, (result.returncode, result.stderr)
        for part in expected:
            assert part in result.stderr, (part, result.stderr)

    refused(PENDULUM.replace("  wrist: {type: rotation_drive, joint: hinge, angle: \"0.2*sin(3*t)\"}\n", ""),
            "the drives leave 1 motion of the mechanism free; these bodies can move: tip", "add drives")
    refused(LOOP.replace("type: modal", "type: corotational").replace("    modes: {fixed_interface: 4}\n", ""),
            "`coupler`, which keeps all nodes of its mesh", "reduce the body")
    refused(PENDULUM.replace("solidyn: 1", "solidyn: 1\nformulation: recursive"),
            "formulation: `recursive` with `inverse_dynamics` is not yet implemented")
    refused(PENDULUM.replace("  - inverse", "  - statics: {load_steps: 1}\n  - inverse"),
            "`inverse_dynamics` cannot start from the equilibrium of `statics`")
    refused(PENDULUM.replace("step: 0.01", "step: 0.01, deformation: rigid"), "quasi_static", "dynamic")
    model = folder / "warned.yaml"
    model.write_text(PENDULUM.replace("step: 0.01", "step: 0.01, integrator: bdf, start: {elastic: quasi_static}"))
    result = program.done("run", model, "-o", folder / "warned")
    for key in ("integrator", "start"):
        assert f"{key} has no effect: with  deformation: quasi_static" in result.stdout + result.stderr, result.stderr


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_rigid(arguments, folder)
        check_stability(arguments, folder)
        check_refusals(arguments, folder)
        check_loop(arguments, folder)
        check_restart(arguments, folder)
        (folder / "arm").mkdir()
        check_arm(arguments, folder / "arm")


if __name__ == "__main__":
    main()
