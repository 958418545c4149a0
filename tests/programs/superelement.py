"""Superelements as a user meets them: restart, pictures whose bodies hang together, a reduced body from a file,
and messages for what cannot be.

    superelement.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import pathlib
import sys
import tempfile

import h5py
import numpy

from support import EXAMPLES, History, Program, largest_difference, parsed_arguments, summary

MODEL = EXAMPLES / "superelements" / "slider_crank.yaml"
SHORT = ["--set", "analyses.dynamics.duration=0.002", "--set", "output.checkpoint_every=25",
         "--set", "output.fields_interval=5e-4"]
INTERNAL = ["--set", "bodies.rod_2.modes.free_free=4", "--set", "bodies.rod_2.internal_modes=2"]


def test_restart(solidyn, folder):
    """A run continued from its checkpoint is the run that was not interrupted, bit for bit."""
    whole, parts = folder / "whole", folder / "parts"
    solidyn.done("run", MODEL, "-o", whole, *SHORT, *INTERNAL)
    solidyn.done("run", MODEL, "-o", parts, *SHORT, *INTERNAL, "--set",
                 "analyses.dynamics.duration=0.001")
    solidyn.done("run", MODEL, "-o", parts, *SHORT, *INTERNAL, "--restart")
    difference = largest_difference(History(whole), History(parts))
    assert difference[0] == 0.0, difference
    written = summary(whole)
    assert written["dofs"] == 44 and written["constraints"] == 18, written
    assert abs(written["energy"]["relative_drift"]) < 1e-3, written["energy"]


def test_pictures(folder):
    """Faces of neighbours that were one plane are one still, to what the bodies' own deformation allows."""
    with h5py.File(folder / "whole" / "fields.h5") as file:
        def positions(body, picture):
            return file[f"parts/{body}/positions/{picture:06d}"][:]
        first, last = positions("rod_1", 0), positions("rod_1", 4)
        other, other_last = positions("rod_2", 0), positions("rod_2", 4)
    right, left = first[:, 0] > 0.225 - 1e-9, other[:, 0] < 0.225 + 1e-9
    assert right.sum() == left.sum() > 10
    gap = numpy.abs(last[right].mean(axis=0) - other_last[left].mean(axis=0)).max()
    assert gap < 1e-7, gap  # m
    assert numpy.abs(last - first).max() > 0.02  # it has moved, by two seventy-fifths of a turn


def test_reduced_body(solidyn, folder):
    """A segment from a file moves as the one that was reduced in the run."""
    solidyn.done("reduce", MODEL, "--body", "rod_3", "-o", folder / "segment.sbody")
    text = MODEL.read_text()
    source = """mesh: ../../meshes/rod_segment.msh
    material: steel
    modes: {free_free: 0, static_correction: at_interfaces}
    interfaces: *ends"""
    text = text.replace(source, "reduced_body: segment.sbody")
    assert text.count("segment.sbody") == 3, text
    text = text.replace("../../meshes", str(EXAMPLES.parent / "meshes"))
    (folder / "from_file.yaml").write_text(text)
    solidyn.done("run", folder / "from_file.yaml", "-o", folder / "file", *SHORT)
    solidyn.done("run", MODEL, "-o", folder / "mesh", *SHORT)
    difference = largest_difference(History(folder / "mesh"), History(folder / "file"))
    assert difference[0] < 1e-9, difference


HELD = f"""
solidyn: 1
materials:
  steel: {{youngs_modulus: 2e11, poissons_ratio: 0.3, density: 7870}}
bodies:
  rod_1: &rod
    type: superelement
    mesh: {EXAMPLES.parent}/meshes/rod_segment.msh
    material: steel
    modes: {{free_free: 0}}
    interfaces: {{left: {{nodes: {{in_set: big_end_face}}}}, right: {{nodes: {{in_set: small_end_face}}}}}}
  rod_2: *rod
  block: {{type: rigid, mass: 0.1, inertia: [1e-5, 1e-5, 1e-5], pose: {{position: [0.1, 0, 0]}}}}
joints:
  wall_1: {{type: fixed, between: [ground, rod_1.left]}}
  wall_2: {{type: fixed, between: [rod_2.left, ground]}}
  weld:   {{type: fixed, between: [rod_1.right, rod_2.right]}}
  tip:    {{type: fixed, between: [block, rod_2.right]}}
  ring:   {{type: fixed, between: [rod_1.right, block]}}
MORE
analyses:
  - dynamics: {{duration: 0.001, step: 1e-5}}
"""


def test_sharing(solidyn, folder):
    """Whatever order joints come in: one carrier per group, and none of two that hold the same place is lost."""
    model = folder / "held.yaml"
    for more, wanted in [
            # The block's six motions are all: both rods end on it and on the ground, ring is satisfied.
            ("", "6 velocity unknowns, 0 constraint equations (0 redundant), 6 degrees"),
            # A second carrier, the ground: the joint stays.
            ("  far: {type: fixed, between: [rod_1.right, ground]}",
             "6 velocity unknowns, 6 constraint equations (0 redundant), 0 degrees"),
            # Other joints act on the carrier.
            ("  turn: {type: revolute, between: [block, ground], axis: [0, 0, 1], at: [0.1, 0, 0]}",
             "6 velocity unknowns, 5 constraint equations (0 redundant), 1 degrees")]:
        model.write_text(HELD.replace("MORE", more))
        result = solidyn.done("check", model)
        assert wanted in result.stdout, (more, result.stdout)


def test_messages(solidyn):
    shapes = "bodies.rod_1.modes={free_free: 12, static_correction: none}"
    result = solidyn.done("check", MODEL, "--set", shapes)
    assert "body rod_1: its modes do not contain the static correction" in result.stderr, result.stderr
    for settings, wanted in [
            (["bodies.rod_1.modes={free_free: 4, static_correction: none}"],
             "bodies.rod_1: interface `right` cannot move independently: with these"),
            (["bodies.rod_1.internal_modes=9"], "bodies.rod_1: 9 internal modes are requested, but"),
            (["joints.weld_1={type: revolute, between: [rod_1.right, rod_2.left], axis: [0, 0, 1]}",
              "joints.extra={type: fixed, between: [rod_2.left, rod_1.right]}"],
             "joints.weld_1: the two places it connects are already one node by fixed joints"),
            (["bodies.rod_1.points={middle: [0.0375, 0, 0]}",
              "loads.push={type: force, at: rod_1.middle, force: [1, 0, 0]}"],
             "rod_1.middle is a point of a superelement")]:
        words = [word for setting in settings for word in ("--set", setting)]
        result = solidyn("check", MODEL, *words)
        assert result.returncode == 2 and wanted in result.stderr, (settings, result.stderr)


def test_read_joint(arguments, folder):
    """A joint between superelements whose reaction is read stays a constraint: on any ranks it carries the same, and the
    motion is that of the joint which is a node."""
    words = ["run", MODEL, "--set", "analyses.dynamics.duration=5e-4"]
    reads = [*words, "--set", "sensors.carried={type: reaction, joint: weld_1}"]
    Program(arguments, cache=folder / "cache").done(*words, "-o", folder / "node")
    histories = {}
    for ranks in (1, 2, 4):
        out = folder / f"read_{ranks}"
        Program(arguments, ranks, folder / "cache").done(*reads, "-o", out)
        histories[ranks] = History(out)
    carried = [i for i, name in enumerate(histories[1].names) if name.startswith("carried")]
    assert carried and max(abs(x) for i in carried for x in histories[1].column(i)) > 1, histories[1].names
    for ranks in (2, 4):
        worst, column = largest_difference(histories[1], histories[ranks])
        assert worst <= 1e-9, (ranks, worst, column)
    node = History(folder / "node")
    for i, name in enumerate(node.names):
        column, other = node.column(i), histories[1].column(histories[1].names.index(name))
        size = max(map(abs, column)) or 1.0
        worst = max(abs(a - b) for a, b in zip(column, other)) / size
        assert worst < 1e-4, (name, worst)


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        solidyn = Program(arguments, cache=folder / "cache")
        test_restart(solidyn, folder)
        test_pictures(folder)
        test_reduced_body(solidyn, folder)
        test_sharing(solidyn, folder)
        test_messages(solidyn)
        test_read_joint(arguments, folder)


if __name__ == "__main__":
    sys.exit(main())
