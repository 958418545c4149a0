"""solidyn info says what is in every sample of results and matrices, in a screenful.

    info.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import gzip
import pathlib
import re
import sys
import tempfile

from support import SOURCE, Program, parsed_arguments

SAMPLES = SOURCE / "tests" / "data" / "interop"
ENDINGS = (".op2", ".op4", ".pch", ".fil", ".frd", ".mtx", ".sti", ".mas", ".dof", ".asm", ".csv", ".sti.gz", ".mas.gz")
SCREEN = 60

# What a file of each ending must be told of: one of these.
TOLD = {".op2": ("modes ", "matrices ", "hex8", "tet", "blocks "), ".op4": ("matrices ", ),
        ".pch": ("modes ", "matrices ", "grids "), ".fil": ("release    Abaqus ", ), ".frd": ("format     CalculiX", ),
        ".mtx": (" terms, ", ), ".sti": (" terms, symmetric", ), ".mas": (" terms, symmetric", ),
        ".dof": ("translations and 0 rotations of ", ), ".asm": ("grids ", ), ".csv": ("format     plain table", )}

# What is no file of modes or matrices.
REFUSED = {"cbush_displacements.pch": "contains no eigenvectors ($EIGENVECTOR); it contains $DISPLACEMENTS"}

# Facts of facts.json and of the programs' own listings.
FACTS = {
    "nastran/modal/mode_solid_shell_bar.op2": (r"4-byte words", r"modes +3 of \d+ nodes, real"),
    "nastran/modal/fsi.op2": (r"mesh +cannot be used: PSOLID: property 2 is a fluid", r"\bmodes +\d+ of \d+ nodes, complex"),
    "nastran/modal/fsi.pch": (r"modes +10 of 9 nodes, complex, with rotations", ),
    "nastran/op2_matrices/double_be.op2": (r"big-endian", r"matrices +\d+"),
    "nastran/superelement/inboard.op4": (r"matrices +29\n", r"KXX +32 x 32, 584 terms, symmetric to .* \(form 6, type 2\)",
                                         r"PX +32 x 30, 960 terms, rectangular"),
    "nastran/superelement/inboard.pch": (r"1 EXTRN", r"grids +4\n"),
    "nastran/dmig/test_case.pch": (r"format +Nastran DMIG", r"KAAX +\d+ x \d+", r"MAAX +\d+ x \d+"),
    "generated/abaqus_like/modal_constructed_be.fil": (r"hex20 +4\n", r"modes +3 of 51 nodes", r" 1 +30110\.8  1\n"),
    "generated/abaqus_like/superelement_constructed.mtx": (r"rows +36: 36 translations and 0 rotations of 12 nodes",
                                                           r"MASS +36 x 36, 666 terms, symmetric, lower triangle"),
    "abaqus/exudyn/blockC3D10_STIF1.mtx": (r"FORMAT=COORDINATE", r" x \d+, \d+ terms, symmetric"),
    "generated/tables/nodes.csv": (r"plain table of nodes", r"nodes +3\n", r"mass +[\d.e+-]+ kg on 3 nodes"),
    "nastran/superelement/inboard.asm": (r"grids +4\n", ),
    "generated/blocks/block_c3d8_mat.sti": (r"format +CalculiX matrix", r"symmetric, upper triangle")}


def samples():
    for path in sorted(SAMPLES.rglob("*")):
        if path.name.endswith(ENDINGS):
            yield path


def check(solidyn, path):
    done = solidyn("info", path)
    if path.name in REFUSED:
        assert done.returncode == 2 and REFUSED[path.name] in done.stderr, (path, done.stderr)
        return
    assert done.returncode == 0 and not done.stderr, (path, done.returncode, done.stderr)
    assert done.stdout.count("\n") <= SCREEN, (path, done.stdout)
    ending = path.name.removesuffix(".gz")[-4:]
    assert any(words in done.stdout for words in TOLD[ending]), (path, done.stdout)
    for fact in FACTS.get(str(path.relative_to(SAMPLES)), ()):
        assert re.search(fact, done.stdout), (path, fact, done.stdout)


def check_matrix_market(solidyn, folder):
    """Symmetry is measured where both triangles are there."""
    for last, told in (("1 2 3.0\n2 1 3.0\n", "4 terms, symmetric, sum 9\n"),
                       ("1 2 3.0\n2 1 2.9\n", "4 terms, not symmetric, by 3.3e-02 of its largest term, sum 8.9\n")):
        (folder / "k.mtx").write_text("%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 2.0\n2 2 1.0\n" + last)
        assert told in solidyn.done("info", folder / "k.mtx").stdout, told


def check_sums(solidyn):
    """Of a mass by its translations: the mass, thrice where only the rows' number is known."""
    mass = solidyn.done("info", SAMPLES / "generated" / "blocks" / "block_c3d8_mat.mas").stdout
    assert float(re.search(r", sum (\S+)\n", mass).group(1)) == 3 * 6.296e-5, mass
    both = solidyn.done("info", SAMPLES / "generated" / "abaqus_like" / "superelement_constructed.mtx").stdout
    assert "6.296e-05, 6.296e-05, 6.296e-05 by translations along 1, 2, 3" in both, both


def check_results_without_solids(solidyn, folder):
    """Nodes of a results file that holds no solids, as of shells, are told all the same."""
    sample = SAMPLES / "generated" / "abaqus_like" / "modal_constructed_ascii.fil"
    records = "".join(sample.read_text().splitlines()).split("*")
    kept = "*".join(record for record in records if not re.match(r"I [1-9]\d+I 419(00|33)", record))
    path = folder / "shells.fil"
    path.write_text("".join(kept[i:i + 80] + "\n" for i in range(0, len(kept), 80)))
    told = solidyn.done("info", path).stdout
    assert re.search(r"nodes +51 not on solids", told) and "modes      3 of 51 nodes" in told, told


def check_pointers(solidyn, folder):
    """What Git LFS leaves in place of a file is told as such, whatever the file's name."""
    endings = {*ENDINGS, ".bdf", ".blk", ".bulk", ".dat", ".nas", ".inp", ".msh", ".vtu", ".smesh", ".sbody"}
    for ending in sorted(endings):
        path = folder / f"pointer{ending}"
        path.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n")
        done = solidyn("info", path)
        assert done.returncode == 2 and "git lfs pull" in done.stderr, (ending, done.stderr)
        assert path.name in done.stderr, (ending, done.stderr)
    (folder / "pointer.yaml").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n")
    done = solidyn("check", folder / "pointer.yaml")
    assert done.returncode == 2 and "git lfs pull" in done.stderr, done.stderr


def check_refusals(solidyn, folder):
    packed = folder / "rod.sti.gz"
    packed.write_bytes(gzip.compress(b"1 1 1.0\n" * 1000)[:-20])
    (folder / "empty.op2").write_bytes(b"")
    (folder / "text.mtx").write_text("not a matrix\n")
    (folder / "job.dat").write_text("\n     E I G E N V A L U E   O U T P U T\n\n MODE NO    EIGENVALUE\n")
    for path, fragment in ((packed, "damaged or truncated"), (folder / "empty.op2", "the file is empty"),
                           (folder / "text.mtx", "instead of a number"), (folder, "this is a folder"),
                           (folder / "job.dat", "a CalculiX listing of frequencies, not a mesh"),
                           (folder / "none.fil", "No such file")):
        done = solidyn("info", path)
        assert done.returncode == 2 and done.stderr.count(fragment) == 1, (path, done.stderr)
        assert path.name in done.stderr, done.stderr


def main():
    arguments = parsed_arguments()
    solidyn = Program(arguments)
    n = 0
    for path in samples():
        check(solidyn, path)
        n += 1
    assert n > 60, n
    with tempfile.TemporaryDirectory() as name:
        check_matrix_market(solidyn, pathlib.Path(name))
        check_sums(solidyn)
        check_results_without_solids(solidyn, pathlib.Path(name))
        check_pointers(solidyn, pathlib.Path(name))
        check_refusals(solidyn, pathlib.Path(name))
    print(f"{n} samples are told of")


if __name__ == "__main__":
    sys.exit(main())
