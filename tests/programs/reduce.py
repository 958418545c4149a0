"""A body reduced into a file moves as the body reduced by the run; what cannot be reduced is refused.

    reduce.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import pathlib
import re
import sys
import tempfile

from support import (COARSE, FLEXIBLE, History, Program, largest_difference, parsed_arguments,
                     summary)

AGREES = 1e-8  # of each column's range, on other ranks: see ranks.py
SHORT = ["--set", "analyses.dynamics.duration=2e-3"]


def model_with_reduced_body(file):
    """The example, with the rod's mesh, material, modes, interfaces and points replaced by `file`."""
    text = pathlib.Path(FLEXIBLE).read_text()
    text = re.sub(r"    mesh: .*?\n(?=    pose:)", f"    reduced_body: {file}\n", text, flags=re.S)
    return re.sub(r"    interfaces:.*?\n(?=  slider:)", "", text, flags=re.S)


def check_same_motion(arguments, folder):
    Program(arguments).done("run", FLEXIBLE, *COARSE, *SHORT, "-o", folder / "from_mesh")
    model = folder / "model.yaml"
    model.write_text(model_with_reduced_body("rod.sbody"))
    for ranks in (1, 2):
        solidyn = Program(arguments, ranks)
        small = ["--skin", "--single-precision"] if ranks > 1 else []  # pictures only
        done = solidyn.done("reduce", FLEXIBLE, "--body", "rod", "-o", "rod.sbody", *COARSE, *small,
                            folder=folder)
        assert "free-free" in done.stdout or "free_free" in done.stdout, done.stdout
        assert done.stdout.count("eigensolve") == 1 and "rod.sbody" in done.stdout, done.stdout
        out = folder / f"from_sbody_{ranks}"
        solidyn.done("run", model, *SHORT, "-o", out)
        assert summary(out)["warnings"] == [], summary(out)["warnings"]
        worst, column = largest_difference(History(folder / "from_mesh"), History(out))
        print(f"reduced and run on {ranks}: {worst:.1e} of the range of {column}")
        assert worst <= AGREES, (worst, column)
        done = solidyn.done("info", folder / "rod.sbody")
        for part in ("rod_circular_coarse.msh", "big_end", "small_end", "midpoint", "mass "):
            assert part in done.stdout, (part, done.stdout)


def check_geometric_stiffening(arguments, folder):
    """The second order of the modes travels in the file; the model says whether it counts."""
    solidyn = Program(arguments)
    second_order = ["--set", "bodies.rod.geometric_stiffening=second_order"]
    solidyn.done("run", FLEXIBLE, *COARSE, *SHORT, *second_order, "-o", folder / "stiff_from_mesh")
    solidyn.done("reduce", FLEXIBLE, "--body", "rod", "-o", "stiff.sbody", *COARSE, *second_order,
                 folder=folder)
    model = folder / "stiff.yaml"
    model.write_text(model_with_reduced_body("stiff.sbody"))
    for options, reference in ((second_order, "stiff_from_mesh"), ([], "from_mesh")):
        out = folder / f"like_{reference}"
        solidyn.done("run", model, *SHORT, *options, "-o", out)
        worst, column = largest_difference(History(folder / reference), History(out))
        assert worst <= AGREES, (reference, worst, column)
    model.write_text(model_with_reduced_body("rod.sbody"))
    done = solidyn("run", model, *SHORT, *second_order, "-o", folder / "refused")
    assert done.returncode == 2, done.stderr
    assert "was computed without geometric stiffening" in done.stderr, done.stderr


def check_ignored_keys(arguments, folder):
    model = folder / "with_damping.yaml"
    model.write_text(model_with_reduced_body("rod.sbody").replace(
        "    reduced_body: rod.sbody\n",
        "    reduced_body: rod.sbody\n    damping: {modal_ratio: 0.1}\n"))
    done = Program(arguments).done("check", model)
    assert "bodies.rod.damping" in done.stderr and "reduced_body" in done.stderr, done.stderr


def check_no_analyses(arguments, folder):
    """A body needs none; a run does."""
    model = folder / "body_only.yaml"
    text = pathlib.Path(FLEXIBLE).read_text()
    rod = re.search(r"  rod:\n(?:    .*\n)+", text).group(0)
    material = re.search(r"materials:\n(?:  .*\n)+", text).group(0)
    model.write_text(f"solidyn: 1\n{material}bodies:\n{rod}")
    solidyn = Program(arguments)
    solidyn.done("reduce", model, "--body", "rod", "-o", "only.sbody", *COARSE, folder=folder)
    refused = solidyn("run", model, *COARSE, "-o", folder / "no_run")
    assert refused.returncode == 2 and "analyses is missing" in refused.stderr, refused.stderr


def check_cache(arguments, folder):
    solidyn = Program(arguments, cache=folder / "cache")
    words = ["reduce", FLEXIBLE, "--body", "rod", "-o", folder / "cached.sbody", *COARSE]
    assert "eigensolve" in solidyn.done(*words).stdout
    assert "read from the cache" in solidyn.done(*words).stdout


def check_refusals(arguments, folder):
    foreign = folder / "foreign.sbody"
    foreign.write_text("mine")
    model = str(folder / "model.yaml")
    for ranks in (1, 2):
        solidyn = Program(arguments, ranks)
        for words, fragment in (
                ([FLEXIBLE, "--body", "crank", "-o", "a.sbody"], "bodies.crank is of type rigid"),
                ([FLEXIBLE, "--body", "rdo", "-o", "a.sbody"], "no body `rdo`"),
                ([model, "--body", "rod", "-o", "a.sbody"], "bodies.rod is already reduced"),
                ([FLEXIBLE, "--body", "rod", "-o", "nowhere/a.sbody"], "folder of nowhere/a.sbody"),
                ([FLEXIBLE, "--body", "rod", "-o", "foreign.sbody"], "is not a reduced body"),
                ([FLEXIBLE, "--body", "rod", "-o", "a.msh"], "is not .sbody"),
                ([FLEXIBLE, "-o", "a.sbody"], "--body is missing"),
                ([FLEXIBLE, "--body", "rod"], "--output is missing")):
            done = solidyn("reduce", *words, folder=folder)
            assert done.returncode == 2, (words, done.returncode, done.stderr)
            assert done.stderr.count(fragment) == 1, (words, fragment, done.stderr)
    assert foreign.read_text() == "mine" and not (folder / "a.sbody").exists()


def check_petsc_options(arguments, folder):
    """The model's options act, the command line's win, unused ones are named in one warning."""
    solidyn = Program(arguments)
    words = ["reduce", FLEXIBLE, "--body", "rod", "-o", folder / "options.sbody", *COARSE]
    bad = ["--set", "solver.petsc_options=-modes_solver slepc -modes_eps_max_it none"]
    for options, message in (("-modes_solver slepc -modes_eps_max_it none", "option -modes_eps_max_it is `none`"),
                             ("-modes_solver slepc -modes_eps_tol -1", "option -modes_eps_tol is `-1`"),
                             ("-modes_solver slepc -modes_eps_type magic", "-modes_eps_type magic"),
                             ("-modes_ksp_type magic", "-modes_ksp_type magic"),
                             ("-modes_pc_factor_mat_solver_type magic", "-modes_pc_factor_mat_solver_type magic"),
                             ("-modes_solver magic", "option -modes_solver is `magic`"),
                             ("-modes_route magic", "option -modes_route is `magic`"),
                             ("-modes_shift none", "option -modes_shift is `none`"),
                             ("-modes_route iterative -modes_mg_levels_ksp_max_it 0", "-modes_mg_levels_ksp_max_it is")):
        done = solidyn(*words, "--", *options.split())
        assert done.returncode == 2 and message in done.stderr and not (folder / "options.sbody").exists(), (options, done.returncode, done.stderr)
    done = solidyn(*words, "--", *"-modes_ksp_type cg -modes_pc_type jacobi -modes_ksp_max_it 3".split())
    assert done.returncode == 1 and "stopped after 3 iterations (DIVERGED_ITS)" in done.stderr, (done.returncode, done.stderr)
    given = ["--set", "solver.petsc_options=-modes_solver slepc -modes_eps_view"]
    assert "EPS Object" in solidyn.done(*words, *given).stdout
    solidyn.done(*words, *bad, "--", "-modes_eps_max_it", "300")
    done = solidyn("check", FLEXIBLE, "--set", "solver.petsc_options=eps_view")
    assert done.returncode == 2 and "`eps_view` is not a PETSc option" in done.stderr, done.stderr
    out = folder / "misspelt"
    done = solidyn.done("run", FLEXIBLE, *COARSE, *SHORT, "-o", out, "--set",
                        "solver.petsc_options=-modes_epps_view", "--", "-system_kps_view")
    assert done.stderr.count("-modes_epps_view") == 1, done.stderr
    assert len(summary(out)["warnings"]) == 1, summary(out)["warnings"]
    for name in ("-modes_epps_view", "-system_kps_view"):
        assert name in summary(out)["warnings"][0], summary(out)["warnings"]
    assert "WARNING! There are options" not in done.stdout + done.stderr


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_same_motion(arguments, folder)
        check_geometric_stiffening(arguments, folder)
        check_ignored_keys(arguments, folder)
        check_no_analyses(arguments, folder)
        check_cache(arguments, folder)
        check_refusals(arguments, folder)
        check_petsc_options(arguments, folder)


if __name__ == "__main__":
    sys.exit(main())
