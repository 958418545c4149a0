"""Runs of solid bodies that fail on one rank or on all end on all, with a reason, and soon.

    solid_failure.py --solidyn build/bin/solidyn --mpiexec mpirun

An element turns inside out after some steps; drives contradict each other; the memory of one of two ranks ends in the factorisation, in a
solution or at the start; the disk of one rank is full when the state is saved. Options of solvers that cannot be taken are refused.
"""
import os
import pathlib
import sys
import tempfile
import time

import h5py

from support import SOURCE, History, Program, largest_difference, parsed_arguments, summary

PENDULUM = str(SOURCE / "tests" / "verification" / "floating_frame" / "pendulum.yaml")
COARSE = SOURCE / "meshes" / "rod_circular_coarse.msh"
FINE = ["--set", f"bodies.rod.mesh={SOURCE}/meshes/rod_circular.msh"]
SOLID = [PENDULUM, "--set", "bodies.rod.type=corotational", "--set", "analyses.dynamics.duration=3e-4"]
SECONDS_ALLOWED = 60


class LimitedProgram(Program):
    """One rank of two may use so much only: `ulimit` options, such as -v and kibibytes."""

    def __init__(self, arguments, rank, *limit):
        super().__init__(arguments, 2)
        words = " ".join(map(str, limit))
        if limit[0] == "-f":  # Open MPI's shared memory is a file, too
            self.environment.update(OMPI_MCA_btl="self,tcp", OMPI_MCA_btl_tcp_if_include="lo")
        script = f'if [ "$OMPI_COMM_WORLD_RANK" = {rank} ]; then trap "" XFSZ; ulimit {words}; fi; exec "$@"'
        self.command = self.command[:-1] + ["sh", "-c", script, "sh", self.command[-1]]


def check_saved_state(out):
    found = summary(out)
    assert found["status"] == "failed" and found["failure"]["time"] == found["time"], found
    with h5py.File(out / "checkpoint.h5") as file:
        assert file.attrs["time"] == found["time"] and file.attrs["step"] == found["steps"]
    assert History(out).times[-1] <= found["time"]
    return found


def check_inverted(arguments, ranks, folder):
    out = folder / f"inverted_{ranks}"
    done = Program(arguments, ranks)("run", PENDULUM, "--set", "bodies.rod.type=inertial", "--set",
                                     "gravity=[-1e6, 0, 0]", "-o", out, timeout=SECONDS_ALLOWED)
    assert done.returncode == 1, (done.returncode, done.stderr)
    assert done.stderr.count("error: t = ") == 1 and "is inverted: det F = -" in done.stderr, done.stderr
    assert "last good state: " in done.stderr, done.stderr
    assert check_saved_state(out)["steps"] > 0


def check_contradictions(arguments, ranks, folder):
    """A hinge is driven whose two sides another joint holds, and a four-bar beside the mesh is driven beyond its dead centre."""
    hinge = ["--set", "bodies.rod.velocity={angular: [0, 0, 0]}",
             "--set", "joints.hook={type: revolute, between: [ground, rod.root], axis: [0, 1, 0]}"]
    drives = ["--set", "joints.first={type: fixed, between: [ground, rod.root]}",
              "--set", 'joints.second={type: rotation_drive, joint: hook, angle: "1e7*t^3"}']
    slider = ["--set", "bodies.crank={type: rigid, mass: 1, inertia: [1, 1, 1]}",
              "--set", "bodies.slider={type: rigid, mass: 1, inertia: [1, 1, 1], pose: {position: [0.45, 0, 0]}}",
              "--set", "joints.bearing={type: revolute, between: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1]}",
              "--set", "joints.guide={type: prismatic, between: [ground, slider], at: [0.45, 0, 0], axis: [1, 0, 0]}",
              "--set", "joints.bar={type: distance, between: [crank, slider], at: [0.1, 0.1, 0], to: [0.45, 0, 0]}",
              "--set", 'joints.push={type: translation_drive, joint: guide, translation: "4e5*t^3"}']
    for formulation in ("corotational", "floating_frame"):
        for name, words, named in (("hinge", hinge + drives, ("first", "second")), ("slider", slider, ("bar", "driven by: joint push"))):
            out = folder / f"contradiction_{name}_{formulation}_{ranks}"
            done = Program(arguments, ranks)("run", PENDULUM, "--set", f"bodies.rod.type={formulation}", *words, "-o", out,
                                             timeout=SECONDS_ALLOWED)
            assert done.returncode == 1 and "contradict each other" in done.stderr, (name, formulation, done.stderr)
            assert all(word in done.stderr for word in named), (name, formulation, done.stderr)
            check_saved_state(out)


def peak_kib(arguments, folder):
    """Address space that the last of two ranks takes in a run."""
    solidyn = Program(arguments, 2)
    process = solidyn.start("run", *SOLID, *FINE, "-o", folder / "whole")
    peak = 0
    while process.poll() is None:
        try:
            rank = solidyn.ranks_of(process)[-1]
            lines = pathlib.Path(f"/proc/{rank}/status").read_text().splitlines()
            peak = max([peak] + [int(line.split()[1]) for line in lines if line.startswith("VmPeak")])
        except (OSError, IndexError):
            pass
        time.sleep(0.01)
    assert process.returncode == 0 and peak > 0, process.stderr.read()
    return peak


def check_memory(arguments, folder):
    """Where it ends depends on the machine; that a run ends, and says why, does not."""
    peak = peak_kib(arguments, folder)
    n_failed = 0
    for i, part in enumerate((0.72, 0.82, 0.85, 0.88, 0.91, 0.94)):
        out = folder / f"memory_{i}"
        done = LimitedProgram(arguments, 1, "-v", int(part * peak))("run", *SOLID, *FINE, "-o", out,
                                                                    timeout=SECONDS_ALLOWED)
        if done.returncode == 0:
            continue
        n_failed += 1
        assert "error: " in done.stderr, (part, done.stderr)
        if "last good state: " in done.stderr:
            check_saved_state(out)
    assert n_failed > 1, "the memory was enough"


def check_disk(arguments, folder):
    """Rank 0 writes the small part of a checkpoint, each rank its nodes."""
    for rank in (0, 1):
        out = folder / f"disk_{rank}"
        done = LimitedProgram(arguments, rank, "-f", 100)("run", *SOLID, "-o", out, timeout=SECONDS_ALLOWED)
        assert done.returncode == 1, (rank, done.returncode, done.stderr)
        assert "cannot write" in done.stderr and "checkpoint.h5" in done.stderr and not list(out.glob("checkpoint.h5*")), done.stderr


def check_convert(arguments, folder):
    out = folder / "rod.smesh"
    done = LimitedProgram(arguments, 0, "-f", 40)("convert", COARSE, out, timeout=SECONDS_ALLOWED)
    assert done.returncode == 1, (done.returncode, done.stderr)
    assert "cannot write" in done.stderr and "rod.smesh" in done.stderr, done.stderr
    assert not list(folder.glob("rod.smesh*")), done.stderr
    (folder / "folder.smesh").mkdir()
    done = Program(arguments, 2)("convert", COARSE, folder / "folder.smesh", timeout=SECONDS_ALLOWED)
    assert done.returncode == 1 and "cannot replace" in done.stderr, done.stderr
    if os.geteuid() != 0:  # nothing is unwritable for root
        closed = folder / "closed"
        closed.mkdir(mode=0o500)
        done = Program(arguments, 2)("convert", COARSE, closed / "rod.smesh", timeout=SECONDS_ALLOWED)
        assert done.returncode == 1 and "closed/rod.smesh" in done.stderr, done.stderr


def check_solver_options(arguments, ranks, folder):
    """Options of a body's solver give the motion that the kept factor gives, or are refused by name."""
    program = Program(arguments, ranks)
    words = ["run", *SOLID, "--set", f"bodies.rod.mesh={COARSE}"]
    program.done(*words, "-o", folder / f"kept_{ranks}")
    # A preconditioner alone is one of conjugate gradients; the options of another body do not count.
    for i, options in enumerate((["-body_precision", "single"], ["-body_pc_type", "mg"],
                                 ["-body_pc_type", "mg", "-body_precision", "double"], ["-body_rod_2_ksp_type", "cg"])):
        out = folder / f"other_{i}_{ranks}"
        program.done(*words, "-o", out, "--", *options)
        worst, column = largest_difference(History(folder / f"kept_{ranks}"), History(out))
        assert worst < 5e-5, (options, worst, column)
        print(f"{' '.join(options)} on {ranks}: {worst:.1e} ({column})")
    for options, message in (("-body_precision half", "option -body_precision is `half`"),
                             ("-body_precision single -body_pc_type gamg", "takes another solver"),
                             ("-body_ksp_type preonly -body_pc_type gamg", "takes one application of gamg for a solution"),
                             ("-body_pc_type mg -body_pc_mg_levels 3", "the levels are two, the mesh and its corners"),
                             ("-body_pc_type mg -body_matrix_free 0", "remove -body_matrix_free 0"),
                             ("-body_ksp_type cg -body_ksp_rtol -1", "option -body_ksp_rtol is `-1`"),
                             ("-body_ksp_type cg -body_ksp_max_it 0", "option -body_ksp_max_it is `0`"),
                             ("-body_ksp_type cg -body_matrix_free perhaps", "option -body_matrix_free is `perhaps`")):
        done = program(*words, "-o", folder / "refused", "--", *options.split(), timeout=SECONDS_ALLOWED)
        assert done.returncode == 2 and message in done.stderr, (options, done.returncode, done.stderr)
        assert not (folder / "refused").exists(), (options, list(folder.iterdir()))


HOT = f"""
solidyn: 1
gravity: [0, 0, -9.81]
materials: {{soft: {{youngs_modulus: 1.0e9, poissons_ratio: 0.4, density: 1140, thermal_expansion: 1.0e-4}}}}
bodies: {{rod: {{type: corotational, mesh: {COARSE}, material: soft, temperature_change: 5, points: {{tip: [0.3, 0, 0]}}}}}}
supports: {{clamp: {{body: rod, nodes: {{in_set: big_end_face}}, fix: [x, y, z]}}}}
sensors: {{tip: {{type: position, of: rod.tip}}}}
analyses: [{{statics: {{load_steps: 1}}}}]
"""


def check_indefinite(arguments, ranks, folder):
    """Thermal strain beyond buckling until the rod has grown: conjugate gradients leave such tangents to a factor."""
    program = Program(arguments, ranks)
    model = folder / "hot.yaml"
    model.write_text(HOT)
    program.done("run", model, "-o", folder / f"hot_{ranks}")
    for preconditioner in ("mg",):
        out = folder / f"hot_{preconditioner}_{ranks}"
        done = program.done("run", model, "-o", out, "--", "-body_ksp_type", "cg", "-body_pc_type", preconditioner)
        assert done.stderr.count("the tangent is not positive definite") == 1, done.stderr
        factor, found = History(folder / f"hot_{ranks}").rows[-1], History(out).rows[-1]
        assert all(abs(a - b) < 1e-8 for a, b in zip(factor, found)), (preconditioner, ranks, factor, found)  # m


def check_start(arguments, folder):
    """What filters leave of the first accelerations is never corrected: conjugate gradients have to give it as a factor does."""
    program = Program(arguments)
    model = folder / "falls.yaml"
    model.write_text(HOT.replace("temperature_change: 5", "temperature_change: 0"))
    words = ["run", model, "--set", "analyses=[{dynamics: {duration: 0.01, step: 0.002}}]"]
    sags = []
    for options in ([], ["--", "-body_ksp_type", "cg", "-body_pc_type", "mg"]):
        out = folder / f"falls_{len(sags)}"
        program.done(*words, "-o", out, *options)
        sags.append(History(out).rows[-1][3])
    assert abs(sags[1] - sags[0]) < 1e-7 * abs(sags[0]) > 0.0, sags


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for ranks in (1, 2):
            check_inverted(arguments, ranks, folder)
            check_contradictions(arguments, ranks, folder)
            check_solver_options(arguments, ranks, folder)
            check_indefinite(arguments, ranks, folder)
        check_start(arguments, folder)
        check_memory(arguments, folder)
        check_disk(arguments, folder)
        check_convert(arguments, folder)
    print("whatever fails, fails on all ranks and is told")


if __name__ == "__main__":
    sys.exit(main())
