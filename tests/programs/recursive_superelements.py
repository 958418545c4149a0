"""Superelements in relative coordinates: the same results as in absolute ones, on 1, 2 and 4 ranks, through restarts into the other
formulation, in implicit steps, in statics, in modes; and loops of interfaces alone, which are refused with a remedy that works.

    recursive_superelements.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import csv
import pathlib
import tempfile

from support import EXAMPLES, History, Program, largest_difference, parsed_arguments, summary

# Two halves of a rod that share a node, on a pivot; a bob on a ball at its end.
MODEL = """solidyn: 1
gravity: [0.5, -9.81, 2]
materials:
  steel: {youngs_modulus: 2.0e9, poissons_ratio: 0.3, density: 7870}
bodies:
  rod_1: &rod
    type: superelement
    mesh: %s/meshes/rod_half.msh
    material: steel
    modes: {free_free: 2}
    internal_modes: 1
    interfaces:
      left:  {nodes: {in_set: big_end_face}}
      right: {nodes: {in_set: small_end_face}}
    points: {middle: [0.075, 0, 0]}
    stress: {places: {root: {near: [0.075, 0.003, 0]}}}
  rod_2:
    <<: *rod
    pose: {position: [0.15, 0, 0]}
  bob: {type: rigid, mass: 0.05, inertia: [1.0e-5, 2.0e-5, 3.0e-5], pose: {position: [0.34, -0.02, 0.01]}}
joints:
  pivot: {type: revolute, between: [ground, rod_1.left], axis: [0, 0, 1]}
  weld:  {type: fixed, between: [rod_1.right, rod_2.left]}
  ball:  {type: universal, between: [rod_2.right, bob], at: [0.3, 0, 0], axis: [0, 0, 1], reference: [0, 1, 0]}
sensors:
  bob:     {type: position, of: bob}
  middle:  {type: position, of: rod_2.middle}
  sag:     {type: relative_displacement, point: rod_1.right, chord: [rod_1.left, rod_2.right]}
  stress:  {type: stress, body: rod_1, place: root}
  pivot:   {type: reaction, joint: pivot}
  ball:    {type: reaction, joint: ball}
  energy:  {type: energy}
analyses:
  - dynamics: {duration: 4.0e-3, step: 2.0e-4, integrator: runge_kutta, relative_tolerance: 1.0e-9, absolute_tolerance: 1.0e-11}
output: {history_interval: 4.0e-4}
""" % EXAMPLES.parent
STATICS = "  - statics: {load_steps: 2}\n"
MODES = "  - modes: {count: 12}\n"


def with_analysis(text, analysis):
    return text[:text.index("analyses:\n")] + "analyses:\n" + analysis


def in_formulation(name, *words):
    return ["--set", f"formulation={name}", *words]


def same(first, second, allowed):
    worst = largest_difference(History(first), History(second), of_unit=True)
    assert worst[0] < allowed, worst
    return worst


def check_motion(solidyn, arguments, model, folder):
    for name in ("absolute", "recursive"):
        solidyn.done("run", model, "-o", folder / name, *in_formulation(name))
        found = summary(folder / name)
        assert found["formulation"] == name and abs(found["energy"]["relative_drift"]) < 1e-6, found
    print("explicit steps agree to", same(folder / "absolute", folder / "recursive", 1e-6))
    told = solidyn.done("check", model, *in_formulation("recursive")).stdout
    assert "recursive: 6 bodies on hinges, none free in the world, at most 6 hinges from the ground" in told, told
    assert "closures: none" in told, told
    for ranks in (2, 4):
        Program(arguments, ranks).done("run", model, "-o", folder / f"on_{ranks}", *in_formulation("recursive"))
        same(folder / "recursive", folder / f"on_{ranks}", 1e-7)  # by round-off of the reduction


def check_implicit_steps(solidyn, model, folder):
    implicit = ["--set", "analyses.0.dynamics.integrator=generalized_alpha", "--set", "analyses.0.dynamics.step=5.0e-5"]
    for name in ("absolute", "recursive"):
        solidyn.done("run", model, "-o", folder / f"implicit_{name}", *in_formulation(name, *implicit))
    print("implicit steps agree to", same(folder / "implicit_absolute", folder / "implicit_recursive", 2e-3))


def check_friction(solidyn, folder):
    """Friction of the pivot, which is nearly free of load: explicit steps agree, and implicit ones are of order two from the first one on."""
    model = folder / "rubbing.yaml"
    model.write_text(MODEL.replace("pivot: {type: revolute, between: [ground, rod_1.left], axis: [0, 0, 1]}",
                                   "pivot: {type: revolute, between: [ground, rod_1.left], axis: [0, 0, 1], friction: {static: 0.8, transition_speed: 1.0e-2, radius: 0.01}}")
                     .replace("bob: {type: rigid,", "bob: {type: rigid, velocity: {angular: [3, 2, 5]},"))
    for name in ("absolute", "recursive"):
        solidyn.done("run", model, "-o", folder / f"rubbing_{name}", *in_formulation(name))
    print("explicit steps with friction agree to", same(folder / "rubbing_absolute", folder / "rubbing_recursive", 1e-6))
    drifts = []
    for step in ("1.0e-4", "5.0e-5"):
        implicit = ["--set", "analyses.0.dynamics.integrator=generalized_alpha", "--set", f"analyses.0.dynamics.step={step}"]
        solidyn.done("run", model, "-o", folder / "rubbing_implicit", *in_formulation("recursive", *implicit))
        drifts.append(abs(summary(folder / "rubbing_implicit")["energy"]["relative_drift"]))
    assert drifts[0] < 5e-8 and drifts[1] < 0.3 * drifts[0], drifts  # 1e-6 and 5e-7 where its first step is of order one


def check_restart(solidyn, model, folder):
    for first, second in (("absolute", "recursive"), ("recursive", "absolute")):
        out = folder / f"from_{first}"
        solidyn.done("run", model, "-o", out, *in_formulation(first, "--set", "analyses.0.dynamics.duration=2.0e-3"))
        solidyn.done("run", model, "-o", out, "--restart", *in_formulation(second))
        assert summary(out)["formulation"] == second
        same(folder / "recursive", out, 1e-6)


def check_modes(solidyn, folder):
    model = folder / "modes.yaml"
    model.write_text(with_analysis(MODEL.replace("gravity: [0.5, -9.81, 2]", "gravity: [9.81, 0.3, 0]"), STATICS + MODES))
    found = {}
    for name in ("absolute", "recursive"):
        out = folder / f"modes_{name}"
        solidyn.done("run", model, "-o", out, *in_formulation(name))
        rows = csv.DictReader(line for line in (out / "modes.csv").read_text().splitlines() if not line.startswith("#"))
        found[name] = [float(row["frequency"]) for row in rows]
    assert len(found["absolute"]) == len(found["recursive"]) >= 10 and max(found["absolute"]) > 10, found
    for a, b in zip(found["absolute"], found["recursive"]):
        assert abs(a - b) < 1e-6 * max(found["absolute"]), (a, b)


def check_loop_of_interfaces(solidyn, folder):
    """A rod that is clamped at both ends: nothing can be cut, until one clamp is kept as a joint."""
    model = folder / "clamped.yaml"
    text = with_analysis(MODEL.replace("pivot: {type: revolute, between: [ground, rod_1.left], axis: [0, 0, 1]}",
                                       "pivot: {type: fixed, between: [ground, rod_1.left], share: SHARE}")
                         .replace("  ball:  {type: universal, between: [rod_2.right, bob], at: [0.3, 0, 0], axis: [0, 0, 1], reference: [0, 1, 0]}\n",
                                  "  clamp: {type: fixed, between: [ground, rod_2.right]}\n")
                         .replace("  pivot:   {type: reaction, joint: pivot}\n  ball:    {type: reaction, joint: ball}\n", ""), STATICS)
    text = text[:text.index("  bob: {")] + text[text.index("joints:"):].replace("  bob:     {type: position, of: bob}\n", "")
    model.write_text(text.replace("SHARE", "true"))
    refused = solidyn("run", model, "-o", folder / "refused", *in_formulation("recursive"))
    assert refused.returncode == 2, (refused.returncode, refused.stderr)
    for expected in ("closes a loop of interfaces of superelements", "write  share: false"):
        assert expected in refused.stderr, refused.stderr
    assert not (folder / "refused").exists()
    model.write_text(text.replace("SHARE", "false"))
    for name in ("absolute", "recursive"):
        solidyn.done("run", model, "-o", folder / f"clamped_{name}", *in_formulation(name))
    sags = [History(folder / f"clamped_{name}") for name in ("absolute", "recursive")]
    worst = largest_difference(*sags, of_unit=True)
    assert worst[0] < 1e-8, worst
    # `cut: true` keeps it too: not the joint at the other end, which would be cut by default.
    model.write_text(text.replace("share: SHARE", "cut: true"))
    told = solidyn.done("check", model, *in_formulation("recursive")).stdout
    assert "closures: 1 (joint pivot)" in told, told
    solidyn.done("run", model, "-o", folder / "clamped_cut", *in_formulation("recursive"))
    assert largest_difference(sags[0], History(folder / "clamped_cut"), of_unit=True)[0] < 1e-8


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        solidyn = Program(arguments)
        model = folder / "rods.yaml"
        model.write_text(MODEL)
        check_motion(solidyn, arguments, model, folder)
        check_implicit_steps(solidyn, model, folder)
        check_friction(solidyn, folder)
        check_restart(solidyn, model, folder)
        check_modes(solidyn, folder)
        check_loop_of_interfaces(solidyn, folder)


if __name__ == "__main__":
    main()
