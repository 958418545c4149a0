"""A run that is killed is continued to the end that it would have reached; a wrong restart is refused.

    restart.py --solidyn build/bin/solidyn --mpiexec mpirun

The run is killed with SIGKILL between two checkpoints, on one and on two ranks, and continued on the
same and on the other number of ranks. All of them take the rod's modes from one cache: without it, they
would be computed anew on another number of ranks, and differ by the eigensolver's tolerance.
"""
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

import h5py

from support import (COARSE, EXAMPLES, FLEXIBLE, RIGID, SOURCE, History, Program, largest_difference,
                     parsed_arguments, summary)

AGREES = 1e-12  # of each column's range
LAST_STEP = 2000
RUN = [FLEXIBLE, "--set", "analyses.dynamics.step=1e-5", "--set",
       f"analyses.dynamics.duration={LAST_STEP}e-5", "--set", "output.fields_interval=1e-3",
       "--set", "output.checkpoint_every=50", "--set", "output.history_every=5", *COARSE]


def killed_run(solidyn, out):
    """Kills it once it has passed a fifth of its steps; returns the step of its last checkpoint."""
    process = solidyn.start("run", *RUN, "-o", out)
    deadline = time.time() + 300
    while time.time() < deadline:
        step = checkpoint_step(out)
        if step >= LAST_STEP // 5:
            break
        assert process.poll() is None, "ended before it could be killed: " + process.stderr.read()
        time.sleep(0.002)
    for rank in solidyn.ranks_of(process):
        os.kill(rank, signal.SIGKILL)
    process.communicate()
    return checkpoint_step(out)


def checkpoint_step(out):
    try:
        with h5py.File(out / "checkpoint.h5") as file:
            return int(file.attrs["step"])
    except OSError:
        return 0


def check_readable(out, step):
    assert summary(out)["status"] == "running"
    assert LAST_STEP // 5 <= step < LAST_STEP, f"killed at step {step}"
    lines = (out / "history.csv").read_text().splitlines()[2:-1]  # the last may be cut
    assert len(lines) >= step // 5 and all(len(line.split(",")) > 1 for line in lines)
    xml.etree.ElementTree.parse(out / "fields.xdmf")
    with h5py.File(out / "fields.h5") as file:
        assert (file["times"][:] >= 0).sum() >= 1  # NaN: not yet complete


def snapshot_times(out):
    with h5py.File(out / "fields.h5") as file:
        times = file["times"][:]
    return [t for t in times if t == t]


def check_continued(arguments, killed_on, folder, whole):
    base = folder / f"killed_{killed_on}"
    cache = folder / "cache"
    step = killed_run(Program(arguments, killed_on, cache), base)
    check_readable(base, step)
    for ranks in (1, 2):
        out = folder / f"killed_{killed_on}_continued_{ranks}"
        shutil.copytree(base, out)
        Program(arguments, ranks, cache).done("run", *RUN, "-o", out, "--restart")
        worst, column = largest_difference(History(whole), History(out))
        print(f"killed on {killed_on} at step {step}, continued on {ranks}: {worst:.1e} of {column}")
        found = summary(out)
        assert found["status"] == "done" and found["steps"] == LAST_STEP, found
        assert len(History(out).rows) == len(History(whole).rows)
        assert snapshot_times(out) == snapshot_times(whole), "other snapshots"
        assert worst <= AGREES, (worst, column)


def check_refusals(arguments, folder, whole):
    for ranks in (1, 2):
        solidyn = Program(arguments, ranks)
        before = {file.name: file.read_bytes() for file in whole.iterdir()}
        done = solidyn("run", RIGID, "-o", whole, "--restart")
        assert done.returncode == 2 and "checkpoint.h5" in done.stderr, done.stderr
        assert "model" in done.stderr and done.stderr.count("error:") == 1, done.stderr
        assert before == {file.name: file.read_bytes() for file in whole.iterdir()}, "touched"
        nothing = folder / "nothing"
        done = solidyn("run", RIGID, "-o", nothing, "--restart")
        assert done.returncode == 2 and "checkpoint.h5" in done.stderr, done.stderr
        assert done.stderr.count("error:") == 1 and not nothing.exists(), done.stderr


RIGID_RUN = [RIGID, "--set", "analyses.dynamics.duration=5e-3"]
REFUSED_RIGID = [("bodies.crank.mass=0.25", "bodies.crank.mass was "),
                 ("bodies.crank.inertia=[1e-3, 1e-3, 2e-3]", "bodies.crank.inertia was "),
                 ("bodies.slider.center_of_mass=[0.01, 0, 0]", "bodies.slider.center_of_mass was "),
                 ("gravity=[0, -9.81, 0]", "gravity was not given, is [0, -9.81, 0]"),
                 ("joints.drive.angle=151*t", "joints.drive.angle was 150*t, is 151*t"),
                 ("joints.main_bearing.axis=[0, 0, 2]", "joints.main_bearing.axis was ")]
ALLOWED_RIGID = ["analyses.dynamics.step=5e-5", "output.history_every=3", "title=another one",
                 "bodies.crank.mass=1.00e-1", "bodies.slider.frames={tip: {position: [0.01, 0, 0]}}"]
REFUSED_ROD = [("materials.steel.density=7900", "materials.steel.density was 7870, is 7900"),
               ("bodies.rod.modes.free_free=7", "bodies.rod.modes.free_free was 8, is 7"),
               ("bodies.rod.modes.static_correction=none", "bodies.rod.modes.static_correction was "),
               ("bodies.rod.damping.modal_ratio=0.2", "bodies.rod.damping.modal_ratio was 0.3, is 0.2"),
               ("bodies.rod.mass_matrix=consistent", "bodies.rod.mass_matrix was lumped")]


def check_refused(solidyn, words, out, fragments):
    before = {file.name: file.read_bytes() for file in out.iterdir()}
    done = solidyn("run", *words, "-o", out, "--restart")
    assert done.returncode == 2, (words, done.returncode, done.stderr)
    for fragment in ("checkpoint.h5", *fragments):
        assert fragment in done.stderr, (fragment, done.stderr)
    assert before == {file.name: file.read_bytes() for file in out.iterdir()}, "touched"


def check_changed_rigid_models(arguments, folder):
    """Masses, forces and drives may not change under a run that goes on; its length and outputs may."""
    out = folder / "rigid"
    solidyn = Program(arguments)
    solidyn.done("run", *RIGID_RUN, "-o", out)
    for change, fragment in REFUSED_RIGID:
        check_refused(solidyn, [*RIGID_RUN, "--set", change], out, ["another model", fragment])
    check_refused(Program(arguments, 2), [*RIGID_RUN, "--set", "bodies.crank.mass=0.25"], out,
                  ["another model"])
    for i, change in enumerate(ALLOWED_RIGID):
        until = f"analyses.dynamics.duration={6 + i}e-3"
        solidyn.done("run", RIGID, "--set", until, "--set", change, "-o", out, "--restart")
        assert summary(out)["time"] > 5.9e-3 + i * 1e-3, (change, summary(out))


def rewritten(mesh, target):
    """A copy of a mesh file with one section of comments more: other content."""
    shutil.copy(mesh, target)
    with target.open("ab") as file:
        file.write(b"$Comments\nanother\n$EndComments\n")


def check_changed_flexible_models(arguments, folder):
    cache = folder / "cache"
    solidyn = Program(arguments, cache=cache)
    words = [FLEXIBLE, "--set", "analyses.dynamics.duration=2e-4"]
    out = folder / "flexible"
    solidyn.done("run", *words, *COARSE, "-o", out)
    for change, fragment in REFUSED_ROD:
        check_refused(solidyn, [*words, *COARSE, "--set", change], out, ["another model", fragment])
    coarse = pathlib.Path(COARSE[1].split("=")[1])
    same, other = folder / "same.msh", folder / "other.msh"
    shutil.copy(coarse, same)
    rewritten(coarse, other)
    solidyn.done("run", *words, "--set", f"bodies.rod.mesh={same}", "--set",
                 "analyses.dynamics.duration=4e-4", "-o", out, "--restart")
    check_refused(solidyn, [*words, "--set", f"bodies.rod.mesh={other}"], out,
                  ["another model", "bodies.rod.mesh was a file with checksum "])
    check_changed_modes(solidyn, [*words, *COARSE], out)


def checksum(values):
    """Of an array in a checkpoint: the sum over its rows of FNV-1a of row number and value."""
    total = 0
    for row, value in enumerate(values):
        code = 14695981039346656037
        for byte in struct.pack("<qd", row, value):
            code = (code ^ byte) * 1099511628211 % 2**64
        total = (total + code) % 2**64
    return total - 2**64 if total >= 2**63 else total


def check_changed_modes(solidyn, words, out):
    """The modes of another run of the eigensolver may have other signs."""
    with h5py.File(out / "checkpoint.h5", "r+") as file:
        name, = [name for name in file["arrays"] if "modes" in name]
        array = file["arrays"][name]
        assert checksum(array[:]) == array.attrs["checksum"], "the checksum is computed otherwise"
        array[:] = -array[:]
        array.attrs.modify("checksum", checksum(array[:]))
    check_refused(solidyn, words, out, ["the modes of body rod differ from those", "reduced_body"])


PENDULUM = str(SOURCE / "tests" / "verification" / "floating_frame" / "pendulum.yaml")
FULL_MESH_AGREES = 3e-8  # of each column's range; measured 3.8e-9: Newton's tolerance


def check_full_mesh(arguments, folder):
    """A body that keeps all its nodes goes on where it was, on the same and on the other number of ranks."""
    def until(duration):
        return [PENDULUM, "--set", f"analyses.dynamics.duration={duration}"]
    whole = folder / "pendulum"
    Program(arguments).done("run", *until(2e-3), "-o", whole)
    for before in (1, 2):
        half = folder / f"pendulum_{before}"
        Program(arguments, before).done("run", *until(1e-3), "-o", half)
        for after in (1, 2):
            out = folder / f"pendulum_{before}_{after}"
            shutil.copytree(half, out)
            Program(arguments, after).done("run", *until(2e-3), "-o", out, "--restart")
            worst, column = largest_difference(History(whole), History(out))
            print(f"all nodes, from {before} to {after} ranks: {worst:.1e} of {column}")
            assert summary(out)["steps"] == summary(whole)["steps"] and worst <= FULL_MESH_AGREES, worst


def check_plugin(arguments, folder):
    """A force from a shared library goes on bit for bit; another library is another model."""
    subprocess.run([EXAMPLES / "plugin" / "build", folder], check=True)
    library = folder / "libmagnet.so"
    def until(duration):
        return [EXAMPLES / "plugin" / "magnet.yaml", "--set", f"forces.magnets.library={library}",
                "--set", f"analyses.dynamics.duration={duration}"]
    whole, parts, solidyn = folder / "magnets", folder / "magnets_in_parts", Program(arguments)
    solidyn.done("run", *until(0.4), "-o", whole, "--set", "output.checkpoint_every=100")
    solidyn.done("run", *until(0.2), "-o", parts, "--set", "output.checkpoint_every=100")
    solidyn.done("run", *until(0.4), "-o", parts, "--set", "output.checkpoint_every=100",
                 "--restart")
    difference = largest_difference(History(whole), History(parts))
    assert difference[0] == 0.0, difference
    with open(library, "ab") as file:
        file.write(b"another one")
    check_refused(solidyn, until(0.8), parts, ["another model", "forces.magnets.library"])


FALLING = """
solidyn: 1
gravity: [0, 0, -9.81]
bodies:
  ball: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1]}
sensors:
  height: {type: position, of: ball, component: z}
analyses:
  - dynamics: {duration: 1, step: 0.01, stop_when: [{sensor: height, below: -1}]}
"""


def check_stopped_by_condition(arguments, folder):
    """A condition that has ended a run does not end the one that goes on from there, which says so."""
    path, out = folder / "falling.yaml", folder / "falling"
    path.write_text(FALLING)
    solidyn = Program(arguments)
    first = solidyn.done("run", path, "-o", out)
    assert "height fell below -1" in summary(out)["stopped_by"] and "continues nevertheless" not in first.stderr, first.stderr
    second = solidyn.done("run", path, "-o", out, "--restart")
    assert "height is already below -1: this run continues nevertheless" in second.stderr, second.stderr
    found = summary(out)
    assert found["time"] == 1.0 and "stopped_by" not in found, found


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_changed_rigid_models(arguments, folder)
        check_changed_flexible_models(arguments, folder)
        check_full_mesh(arguments, folder)
        check_plugin(arguments, folder)
        check_stopped_by_condition(arguments, folder)
        whole = folder / "whole"
        Program(arguments, cache=folder / "cache").done("run", *RUN, "-o", whole)
        for killed_on in (1, 2):
            check_continued(arguments, killed_on, folder, whole)
        check_refusals(arguments, folder, whole)


if __name__ == "__main__":
    sys.exit(main())
