"""solidyn convert: every format holds the same mesh, and a run on it gives the same numbers on any ranks.

    convert.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import pathlib
import sys
import tempfile

import h5py
import numpy

from support import FLEXIBLE, SOURCE, History, Program, largest_difference, parsed_arguments

MESH = SOURCE / "meshes" / "rod_circular_coarse.msh"
SHORT = ["--set", "bodies.rod.type=floating_frame", "--set", "analyses.dynamics.duration=2e-4"]


def content(solidyn, mesh):
    """What `solidyn info` says of a mesh, without the line that names its format."""
    return [line for line in solidyn.done("info", mesh).stdout.splitlines() if not line.startswith("format ")]


def check_formats(solidyn, folder):
    report = content(solidyn, MESH)
    solidyn.done("convert", MESH, folder / "rod.smesh")
    assert content(solidyn, folder / "rod.smesh") == report
    for kind in ("msh41", "msh41_binary", "msh22", "msh22_binary"):
        solidyn.done("convert", folder / "rod.smesh", folder / f"{kind}.msh", "--format", kind)
        lines = (folder / f"{kind}.msh").read_bytes().splitlines()
        assert lines[1].startswith(b"4.1 " if "41" in kind else b"2.2 "), (kind, lines[1])
        assert content(solidyn, folder / f"{kind}.msh") == report, kind
    solidyn.done("convert", MESH, folder / "mm.smesh", "--mesh-units", "mm")
    assert "(0.0003, " in solidyn.done("info", folder / "mm.smesh").stdout


def check_units(solidyn, folder):
    """A unit of length does not convert materials and masses: it is refused where they are kept."""
    rod = SOURCE / "examples" / "import" / "rod.bdf"
    for words in (("convert", rod, folder / "rod.inp"), ("info", rod)):
        refused = solidyn(*words, "--mesh-units", "mm")
        assert refused.returncode == 2, refused.stderr
        assert "--mesh-units mm is a unit of length and cannot convert them" in refused.stderr, refused.stderr
        assert "--mesh-units tonne-mm-s" in refused.stderr, refused.stderr
        assert not (folder / "rod.inp").exists()
    solidyn.done("convert", rod, folder / "rod.inp", "--mesh-units", "tonne-mm-s")
    (folder / "rod.inp").unlink()
    solidyn.done("convert", rod, folder / "rod_mm.smesh", "--mesh-units", "mm")


def check_loss(solidyn, folder):
    """What changes stiffness or mass is not lost in silence: a body of such a file is refused, too."""
    for name, cards in (("nastran/solids/rigid_rbe2.bdf", ("CBAR", )), ("spring.bdf", ("CELAS2", )),
                        ("contact.inp", ("CONTACTPAIR", "SPRING"))):
        deck = SOURCE / "tests" / "data" / "interop" / name
        if not deck.exists():
            deck = folder / name
        if name == "spring.bdf":
            text = (SOURCE / "examples" / "import" / "rod.bdf").read_text()
            deck.write_text(text.replace("ENDDATA", "CELAS2,99999,1.+6,1,1\nENDDATA"))
        if name == "contact.inp":
            text = (SOURCE / "tests" / "data" / "interop" / "generated" / "blocks" / "block_c3d8.inp").read_text()
            deck.write_text(text.replace("*STEP", "*SPRING, ELSET=s\n\n1e6\n*CONTACT PAIR, INTERACTION=i\na, b\n*STEP", 1))
        for out in (folder / "lost.inp", folder / "lost.smesh", folder / "lost.msh"):
            refused = solidyn("convert", deck, out)
            assert refused.returncode == 2 and not out.exists(), (name, refused.stderr)
            for card in cards:
                assert f"{card} changes stiffness or mass" in refused.stderr, (name, refused.stderr)
            told = solidyn.done("convert", deck, out, "--leave-out").stderr
            for card in cards:
                assert f"{card} is left out" in told, (name, told)
            out.unlink()


def check_materials(solidyn, folder):
    """A .frd names materials, but has none of their constants: they are not made 0."""
    frd = SOURCE / "tests" / "data" / "interop" / "generated" / "blocks" / "block_c3d8.frd"
    assert "E 0 Pa" not in solidyn.done("info", frd).stdout
    for ending in ("inp", "bdf"):
        told = solidyn.done("convert", frd, folder / f"from_frd.{ending}").stderr
        assert "has no Young's modulus" in told, told
        assert "E 0 Pa" not in solidyn.done("info", folder / f"from_frd.{ending}").stdout
        (folder / f"from_frd.{ending}").unlink()


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
            ((MESH, folder / "rod.vtk"), "the file extension of OUT must be one of"),
            ((MESH, ), "the OUT is missing"),
            ((MESH, "a.msh", "b.msh"), "more than 2 arguments"),
            ((MESH, folder / "a.msh", "--format", "msh40"), "unknown format `msh40`"),
            ((MESH, folder / "a.smesh", "--mesh-units", "furlong"), "unknown unit of length `furlong`"),
            ((MESH, folder / "a.smesh", "--frobnicate"), "'--frobnicate'"),
            ((folder, folder / "a.msh"), "this is a folder, not a mesh file"),
            ((folder / "rod.smesh", folder / "rod.smesh"), "is the input file"),
            ((folder / "no.smesh", folder / "a.msh"), "does not exist"),
            ((folder / "cut.smesh", folder / "a.msh"), "as an HDF5 file"),
            ((MESH, folder / "no" / "a.smesh"), "does not exist")):
        done = solidyn("convert", *words)
        assert done.returncode == 2, (words, done.returncode, done.stderr)
        assert done.stderr.count(fragment) == 1, (words, done.stderr)


def changed(change):
    """A damage done through HDF5."""
    def work(path):
        with h5py.File(path, "r+") as file:
            change(file)
    return work


def replace(name, values):
    def work(file):
        del file[name]
        file[name] = values
    return changed(work)


DAMAGES = {
    "cut": (lambda path: path.write_bytes(path.read_bytes()[:path.stat().st_size // 2]), "truncated file"),
    "empty": (lambda path: path.write_bytes(b""), "as an HDF5 file"),
    "gmsh": (lambda path: path.write_bytes(MESH.read_bytes()), "as an HDF5 file"),
    "version": (changed(lambda file: file.attrs.modify("version", 2)), "has format version 2"),
    "kind": (changed(lambda file: file.attrs.modify("format", numpy.bytes_("solidyn body"))),
             "is not a Solidyn mesh"),
    "text": (replace("nodes/x", numpy.full((1125, 3), b"one")), "no appropriate function for conversion"),
    "short": (replace("nodes/x", numpy.zeros((1125, 2))), "nodes/x has the shape [1125, 2]"),
    "node": (replace("elements/tet10/nodes", numpy.full((528, 10), 2**40)), "contains the node 1099511627776"),
    "element": (changed(lambda file: file.move("elements/tet10", "elements/tet11")),
                "elements/tet11 is not an element type"),
    "sets": (changed(lambda file: file.pop("sets")), "sets is missing")}


def check_damaged_meshes(solidyn, folder):
    """As a model's mesh: told once, by the file's name, before anything is written."""
    for name, (damage, fragment) in DAMAGES.items():
        path = folder / f"{name}.smesh"
        path.write_bytes((folder / "rod.smesh").read_bytes())
        damage(path)
        done = solidyn("run", FLEXIBLE, *SHORT, "--set", f"bodies.rod.mesh={path}", "-o", folder / "no_run")
        assert done.returncode == 2 and not (folder / "no_run").exists(), (name, done.stderr)
        assert done.stderr.count(fragment) == 1 and f"{name}.smesh" in done.stderr, (name, done.stderr)
        assert done.stderr.count(": error: ") == 1, (name, done.stderr)


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for ranks in (1, 2):
            solidyn = Program(arguments, ranks)
            check_formats(solidyn, folder)
            check_units(solidyn, folder)
            check_loss(solidyn, folder)
            check_materials(solidyn, folder)
            check_refusals(solidyn, folder)
            check_damaged_meshes(solidyn, folder)
        check_run(arguments, folder)
    print("every format holds the same mesh")


if __name__ == "__main__":
    sys.exit(main())
