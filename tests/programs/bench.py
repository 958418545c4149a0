"""solidyn bench: the same answers on any ranks, a table of scaling, and wrong uses refused.

    bench.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import json
import pathlib
import re
import sys
import tempfile

from support import SOURCE, Program, parsed_arguments

MESH = SOURCE / "meshes" / "rod_circular_coarse.msh"
CASES = (("--dofs", 3000), ("--dofs", 3000, "--element", "hex8", "--formulation", "neo_hookean",
                            "--solver", "direct"),
         ("--mesh", MESH, "--formulation", "st_venant_kirchhoff", "--no-steps"))
SECONDS = ("mesh", "pattern", "first_assembly", "assembly", "force", "product", "factor", "solve")


def check_case(arguments, folder, number, words):
    file = folder / f"case{number}.jsonl"
    for ranks in (1, 2, 4):
        table = Program(arguments, ranks).done("bench", *words, "--repeat", 2, "-o", file).stdout
    results = [json.loads(line) for line in file.read_text().splitlines()]
    assert [r["ranks"] for r in results] == [1, 2, 4], results
    for r in results:
        assert r["n_dofs"] == 3 * r["n_nodes"] == results[0]["n_dofs"] >= 3000, r
        assert all(r["seconds"][name] > 0 for name in SECONDS), r
        assert (r["seconds"]["time_step"] > 0) == ("--no-steps" not in words), r
        assert len(r["peak_rss_mb"]) == r["ranks"] and min(r["peak_rss_mb"]) > 1, r
        assert r["check"]["solution"] < 1e-5 and r["check"]["rigid_force"] < 1e-8, r
        energies = r["check"]["energy"], results[0]["check"]["energy"]
        assert abs(energies[0] - energies[1]) < 1e-10 * energies[1], energies
    assert table.count("(100 %)") >= 3 and len(table.splitlines()) == 5, table
    assert Program(arguments).done("bench", "--table", file).stdout == table
    return file


def check_weak_scaling(arguments, folder):
    for ranks in (1, 4):
        Program(arguments, ranks).done("bench", "--dofs-per-rank", 2000, "--no-steps", "--repeat", 1,
                                       "-o", folder / "weak.jsonl")
    one, four = [json.loads(line) for line in (folder / "weak.jsonl").read_text().splitlines()]
    assert 2000 <= one["n_dofs"] < 4000 and 8000 <= four["n_dofs"] < 12000, (one, four)


def check_smesh_gives_the_same(arguments, folder):
    Program(arguments).done("convert", MESH, folder / "rod.smesh")
    energies = []
    for mesh in (MESH, folder / "rod.smesh"):
        out = Program(arguments, 2).done("bench", "--mesh", mesh, "--no-steps", "--repeat", 1).stdout
        energies.append(json.loads(out.splitlines()[0])["check"]["energy"])
    assert abs(energies[0] - energies[1]) < 1e-10 * energies[0], energies


def check_refusals(arguments, file, folder):
    lines = file.read_text().splitlines()
    other = json.loads(lines[1])
    other["check"]["energy"] *= 1 + 1e-6
    (folder / "other.jsonl").write_text(lines[0] + "\n" + json.dumps(other) + "\n")
    (folder / "cut.jsonl").write_text(lines[0] + "\n" + lines[1][:100] + "\n")
    for words, fragment in (
            (("--table", folder / "other.jsonl"), "different problems"),
            (("--table", folder / "cut.jsonl"), "cut.jsonl:2 is not a result of `solidyn bench`"),
            (("--table", folder / "none.jsonl"), "cannot read"),
            (("--element", "wedge6"), "unknown element `wedge6`"),
            (("--formulation", "linear"), "unknown formulation `linear`"),
            (("--solver", "magic"), "unknown solver `magic`"),
            (("--box", "1,2"), "three lengths"), (("--dofs", 0), "cannot have 0 unknowns"),
            (("--dofs", 10, "--dofs-per-rank", 10), "not both"),
            (("--repeat", 0), "at least one repetition"), (("--step", 0), "a positive step"),
            (("--step", "nan"), "a positive step"), (("--box", "1,1,-1"), "positive sizes"),
            (("--dofs", "ten"), "('ten') for option '--dofs' is invalid"),
            (("--mesh", MESH, "--dofs", 10), "has a fixed number of unknowns"),
            (("--mesh", MESH, "--mesh-units", "furlong"), "unknown unit of length `furlong`"),
            (("--dofs-per-rank", -3), "unknowns"), (("--frobnicate", ), "'--frobnicate'"),
            (("--dofs", 100000000, "-o", folder / "no" / "out.jsonl"), "cannot write"),
            (("--mesh", folder / "none.smesh"), "does not exist")):
        for ranks in (1, 2):
            done = Program(arguments, ranks)("bench", *words)
            assert done.returncode == 2, (words, done.returncode, done.stderr)
            assert done.stderr.count(fragment) == 1, (words, done.stderr)
    done = Program(arguments)("bench", "--dofs", 3000, "--no-steps", "--", "-bench_ksp_max_it", 1)
    assert done.returncode == 1 and "timings are invalid" in done.stderr, done.stderr


def check_scaling(arguments, folder):
    """Lines on one and two ranks make a model; one of four is compared with it; what is wrong is refused."""
    file = folder / "model.jsonl"
    words = ("bench", "scaling", "--dofs", 1500, "--repeat", 1, "-o", file)
    one = Program(arguments).done(*words).stdout
    assert "Measured:" in one and "No model yet" in one and "Predicted" not in one, one
    assert "nothing to compare the model with" in Program(arguments, 2).done(*words).stdout
    text = Program(arguments, 4).done(*words).stdout
    assert text.count("large ") == 3 and re.search(r"\nghosts, all +\d+ \(\d+\)\n", text), text
    measured, predicted = re.search(r"\nghosts, all +(\d+) \((\d+)\)\n", text).groups()
    assert measured == predicted, text
    assert Program(arguments).done("bench", "scaling", "--table", file).stdout == text
    slow = json.loads(Program(arguments).done("bench", "scaling", "--table", file, "--json", "--latency", 1e6, "--ranks", 512,
                                              "--large-dofs", 1e6).stdout)
    assert slow["latency"] == 1.0 and slow["compared"][0]["ranks"] == 4, slow
    assert [p["ranks"] for p in slow["predicted"]["large"]] == [512], slow
    assert slow["predicted"]["large"][0]["dominates"].startswith("latency"), slow
    (folder / "alone.jsonl").write_text(file.read_text().splitlines()[0] + "\n")
    for options, fragment in ((("--table", folder / "alone.jsonl"), "at least two ranks"), (("--ranks", "8,x"), "--ranks takes numbers"),
                              (("--latency", 0), "--latency is 0"), (("--table", folder / "case0.jsonl"), "is not a result of `solidyn bench scaling`"),
                              (("--repeat", 0), "at least one repetition"), (("--solver", "direct"), "'--solver'")):
        done = Program(arguments)("bench", "scaling", *options)
        assert done.returncode == 2 and done.stderr.count(fragment) == 1, (options, done.returncode, done.stderr)


FRICTION = SOURCE / "tests" / "data" / "friction"
METHODS = ("automatic", "gauss_seidel", "newton", "interior_point", "projected_gradient", "convex")


def check_friction(arguments, folder):
    """All methods in one table, the same norm of u from each that is exact, on any ranks; what is written is a start."""
    spheres = FRICTION / "Spheres-i099-356-679.hdf5"
    for ranks in (1, 2):
        out = Program(arguments, ranks).done("bench", "friction", spheres, "--repeat", 1, "-o", folder / "s.hdf5").stdout
        rows = {line.split()[0]: line.split() for line in out.splitlines() if line.split()[0] in METHODS and ":" not in line}
        assert out.count("356 contacts") == 1, out
        for method in METHODS[:-1]:
            assert float(rows[method][3]) <= 1e-8, out
            assert abs(float(rows[method][4]) - 2.638962071) < 1e-6 * 2.639, out
        assert rows["newton"][5:8] == ["88", "253", "15"], out
        assert abs(float(rows["convex"][4]) - 2.638962071) > 1 and "contacts that slip open" in out, out
    warm = Program(arguments).done("bench", "friction", folder / "s.hdf5", "--method", "gauss_seidel", "--warm").stdout
    assert warm.splitlines()[2].split()[2] == "0", warm


def check_friction_refusals(arguments, folder):
    (folder / "text.hdf5").write_text("no such thing")
    packing = FRICTION / "spheres-in-a-box-98-i10000-256-10.hdf5"
    for words, status, fragment in (
            ((folder / "none.hdf5",), 2, "none.hdf5"), ((folder / "text.hdf5",), 2, "text.hdf5"),
            ((), 2, "the problem is missing"), ((packing, "--method", "magic"), 2, "unknown method `magic`"),
            ((packing, "--tolerance", 0), 2, "a positive tolerance"), ((packing, "--repeat", 0), 2, "at least one repetition"),
            ((packing, "--warm"), 2, "has no forces to start from"),
            ((packing, "--method", "gauss_seidel", "--max-iterations", 50), 1, "worst is contact")):
        done = Program(arguments)("bench", "friction", *words)
        assert done.returncode == status and fragment in done.stderr, (words, done.returncode, done.stdout, done.stderr)


def check_railway(arguments):
    """Parts of a contact, and steps of the coach: with answers that are checked, and refusals."""
    out = Program(arguments).done("bench", "wheel_rail", "--seconds", 0.005).stdout
    assert out.count("allowed") == 8 and "wrong by 0.0e+00, allowed 0e+00" in out, out
    coach = SOURCE / "examples" / "railway" / "coach.yaml"
    short = ("--set", "track.irregularities.waves=50")
    for ranks in (1, 2):
        out = Program(arguments, ranks).done("bench", "vehicle", coach, "--steps", 20, *short).stdout
        assert "4 wheelsets, 42 + 0 unknowns" in out and "20 steps of 0.001 s" in out, out
        load, weight = (float(x) for x in re.search(r"wheels carry (\S+) N of (\S+) N", out).groups())
        assert abs(weight / 436368.42 - 1) < 1e-3 and abs(load / weight - 1) < 0.01, out
    out = Program(arguments).done("bench", "vehicle", SOURCE / "examples" / "railway" / "bogie.yaml", "--steps", 20).stdout
    assert "N of 218184 N" in out, out  # half a car is a load
    for words, fragment in ((("wheel_rail", "--seconds", 0), "a positive time"), (("vehicle", coach, "--steps", 0, *short), "at least one step"),
                            (("vehicle", SOURCE / "examples" / "door" / "door.yaml"), "no wheelsets")):
        done = Program(arguments)("bench", *words)
        assert done.returncode == 2 and fragment in done.stderr, (words, done.stderr)


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        files = [check_case(arguments, folder, i, words) for i, words in enumerate(CASES)]
        check_weak_scaling(arguments, folder)
        check_smesh_gives_the_same(arguments, folder)
        check_scaling(arguments, folder)
        check_refusals(arguments, files[0], folder)
        check_friction(arguments, folder)
        check_friction_refusals(arguments, folder)
    check_railway(arguments)
    print("the bench measures right answers only")


if __name__ == "__main__":
    sys.exit(main())
