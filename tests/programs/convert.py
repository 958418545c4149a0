"""solidyn convert: every format holds the same mesh, and a run on it gives the same numbers on any ranks.

    convert.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import pathlib
import sys
import tempfile

from support import FLEXIBLE, SOURCE, History, Program, largest_difference, parsed_arguments

MESH = SOURCE / "meshes" / "rod_circular_coarse.msh"
SHORT = ["--set", "bodies.rod.type=floating_frame", "--set", "analyses.dynamics.duration=2e-4"]


def check_formats(solidyn, folder):
    report = solidyn.done("info", MESH).stdout
    solidyn.done("convert", MESH, folder / "rod.smesh")
    assert solidyn.done("info", folder / "rod.smesh").stdout == report
    for kind in ("msh41", "msh41_binary", "msh22", "msh22_binary"):
        solidyn.done("convert", folder / "rod.smesh", folder / f"{kind}.msh", "--format", kind)
        lines = (folder / f"{kind}.msh").read_bytes().splitlines()
        assert lines[1].startswith(b"4.1 " if "41" in kind else b"2.2 "), (kind, lines[1])
        assert solidyn.done("info", folder / f"{kind}.msh").stdout == report, kind
    solidyn.done("convert", MESH, folder / "mm.smesh", "--mesh-units", "mm")
    assert "(0.0003, " in solidyn.done("info", folder / "mm.smesh").stdout


def check_run(arguments, folder):
    whole = Program(arguments)
    whole.done("run", FLEXIBLE, *SHORT, "--set", f"bodies.rod.mesh={MESH}", "-o", folder / "whole")
    for ranks in (1, 2, 4):
        out = folder / f"out{ranks}"
        Program(arguments, ranks).done("run", FLEXIBLE, *SHORT, "--set",
                                       f"bodies.rod.mesh={folder}/rod.smesh", "-o", out)
        worst = largest_difference(History(folder / "whole"), History(out))
        assert worst[0] < 1e-6, (ranks, worst)


def check_refusals(solidyn, folder):
    (folder / "cut.smesh").write_bytes((folder / "rod.smesh").read_bytes()[:5000])
    for words, fragment in (
            ((MESH, folder / "rod.vtk"), "ends neither in .smesh nor in .msh"),
            ((MESH, ), "the OUT is missing"),
            ((MESH, "a.msh", "b.msh"), "more than 2 arguments"),
            ((MESH, folder / "a.msh", "--format", "msh40"), "unknown format `msh40`"),
            ((folder / "rod.smesh", folder / "rod.smesh"), "over itself"),
            ((folder / "no.smesh", folder / "a.msh"), "does not exist"),
            ((folder / "cut.smesh", folder / "a.msh"), "cannot be opened as an HDF5 file"),
            ((MESH, folder / "no" / "a.smesh"), "does not exist")):
        done = solidyn("convert", *words)
        assert done.returncode == 2, (words, done.returncode, done.stderr)
        assert done.stderr.count(fragment) == 1, (words, done.stderr)
    done = solidyn("run", FLEXIBLE, *SHORT, "--set", f"bodies.rod.mesh={folder}/cut.smesh", "-o",
                   folder / "cut")
    assert done.returncode == 2 and done.stderr.count("cut.smesh cannot be opened") == 1, done.stderr


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for ranks in (1, 2):
            solidyn = Program(arguments, ranks)
            check_formats(solidyn, folder)
            check_refusals(solidyn, folder)
        check_run(arguments, folder)
    print("every format holds the same mesh")


if __name__ == "__main__":
    sys.exit(main())
