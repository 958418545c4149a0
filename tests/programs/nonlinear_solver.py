"""PETSc's SNES in implicit steps and in statics: the motion and the equilibria of the code's own Newton method, with its
line searches, trust regions and monitors, on 1, 2 and 4 ranks; why it ends.

    nonlinear_solver.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import pathlib
import tempfile

from support import EXAMPLES, History, Program, parsed_arguments, summary

# Redundant joints and a drive, friction of a joint, beams, modal bodies, another scheme: duration and step, s.
MOTIONS = {"four_bar/four_bar_rigid": (0.02, 1e-3, ()), "mechanisms/bricard": (0.05, 1e-3, ()), "door/door": (0.05, 1e-3, ()),
           "beams/pendulum": (0.2, 2e-3, ()), "chair_ride/chair_ride": (4.0, 4e-2, ()), "import/table_rod": (1e-4, 1e-5, ()),
           "mechanisms/andrews": (2e-3, 1e-4, ("--set", "analyses.dynamics.integrator=bathe"))}
SAME = 1e-6  # both iterate to the same tolerance, not to the same digit
STRIP = """
solidyn: 1
gravity: [0, 0, 0]
materials: {soft: {youngs_modulus: 1e7, poissons_ratio: 0.3, density: 1000}}
bodies:
  strip: {type: beam, points: {root: [0, 0, 0], tip: [1, 0, 0]}, elements: 10, material: soft, section: {type: rectangle, width: 0.02, height: 0.01}}
joints:
  held: {type: fixed, between: [ground, strip.root]}
loads:
  lift: {type: force, at: strip.tip, force: [0, 0, "0.015*t"]}
sensors:
  tip: {type: position, of: strip.tip}
  root: {type: reaction, joint: held}
analyses: [{statics: {load_steps: 3, method: newton}}]
"""


def same(folder, other, first=0):
    """The largest difference of the rows from the first on, relative to the largest number of the column, or to a millionth of the largest in
    its unit."""
    a, b = History(folder), History(other)
    assert a.names == b.names and a.times[first:] == b.times[first:]
    in_unit = {}
    for i, unit in enumerate(a.units):
        in_unit[unit] = max([in_unit.get(unit, 0.0), *map(abs, a.column(i))])
    worst = (0.0, "")
    for i, name in enumerate(a.names):
        largest = max([*map(abs, a.column(i)), 1e-6 * in_unit[a.units[i]]]) or 1.0
        worst = max(worst, (max(abs(x - y) for x, y in zip(a.column(i)[first:], b.column(i)[first:])) / largest, name))
    assert worst[0] < SAME, (folder, other, worst)
    return worst[0]


def check_motions(arguments, folder):
    for model, (duration, step, more) in MOTIONS.items():
        words = ["run", EXAMPLES / f"{model}.yaml", *more, "--set", f"analyses.dynamics.duration={duration}", "--set",
                 f"analyses.dynamics.step={step}", "--set", "formulation=absolute"]
        name = model.replace("/", "_")
        Program(arguments).done(*words, "-o", folder / name)
        Program(arguments).done(*words, "-o", folder / f"{name}_snes", "--set", "solver.nonlinear=snes")
        print(f"{model}: {same(folder / name, folder / f'{name}_snes'):.1e}")


def check_statics(arguments, folder):
    model = folder / "strip.yaml"
    model.write_text(STRIP)
    words = ["run", model, "--set", "solver.nonlinear=snes"]
    Program(arguments).done("run", model, "-o", folder / "strip")
    for i, options in enumerate(((), ("-system_snes_type", "newtontr"), ("-system_snes_linesearch_type", "l2"),
                                 ("-system_snes_ksp_type", "gmres", "-system_snes_mf_operator"))):
        done = Program(arguments).done(*words, "-o", folder / f"strip_{i}", *(("--", *options) if options else ()))
        assert "unused PETSc options" not in done.stderr, (options, done.stderr)
        print(f"statics {' '.join(options)}: {same(folder / 'strip', folder / f'strip_{i}', -1):.1e}")
    # It hangs by its own weight, a hundred times what its stiffness carries, and is lifted: the code's method finds that by
    # relaxation alone, SNES by a line search on the residual.
    hanging = ["run", model, "--set", "gravity=[0, 0, -9.81]", "--set", 'loads.lift.force=[0, 0, "3*t"]', "--set",
               "analyses.statics.max_iterations=200"]
    done = Program(arguments)(*hanging, "-o", folder / "fails")
    assert done.returncode == 1 and "Newton's method does not converge" in done.stderr, (done.returncode, done.stderr)
    Program(arguments).done(*hanging, "-o", folder / "relaxed", "--set", "analyses.statics.method=automatic")
    Program(arguments).done(*hanging, "-o", folder / "hangs", "--set", "solver.nonlinear=snes")
    print(f"hanging strip: {same(folder / 'relaxed', folder / 'hangs', -1):.1e}")
    # Thin as paper: shortened corrections leave a stretch, whose residual hides that it is not bent yet.
    thin = ["run", model, "--set", "bodies.strip.section.height=1e-4", "--set", "materials.soft.youngs_modulus=1e11", "--set",
            "loads.lift.force=[0, 0, 8.3e-5]", "--set", "analyses.statics.max_iterations=200"]
    Program(arguments).done(*thin, "-o", folder / "thin")
    done = Program(arguments)(*thin, "-o", folder / "thin_snes", "--set", "solver.nonlinear=snes")
    assert done.returncode in (0, 1), (done.returncode, done.stderr)
    if done.returncode == 0:
        print(f"thin strip: {same(folder / 'thin', folder / 'thin_snes', -1):.1e}")
    done = Program(arguments).done(*words, "-o", folder / "told", "--", "-system_snes_monitor")
    assert "SNES Function norm" in done.stdout + done.stderr
    for ranks in (2, 4):
        Program(arguments, ranks).done(*words, "-o", folder / f"strip_on_{ranks}")
        assert History(folder / f"strip_on_{ranks}").rows == History(folder / "strip_0").rows, ranks


def check_failures(arguments, folder):
    """A step that SNES does not solve fails as other steps do, with PETSc's word for the reason."""
    words = ["run", EXAMPLES / "four_bar/four_bar_rigid.yaml", "--set", "formulation=absolute", "--set", "solver.nonlinear=snes", "--set",
             "analyses.dynamics.step=1e-2"]
    done = Program(arguments)(*words, "-o", folder / "fails", "--", "-system_snes_max_it", "1")
    assert done.returncode == 1 and "SNES (DIVERGED_MAX_IT) stopped after 1 iterations" in done.stderr, (done.returncode, done.stderr)
    for options, status, message in (
            ("-system_snes_max_it 0", 2, "option -system_snes_max_it is `0`"),
            ("-system_snes_type magic", 2, "-system_snes_type magic"),
            ("-system_ksp_type magic", 2, "-system_ksp_type magic"),
            ("-system_ksp_type gmres -system_ksp_rtol -1", 2, "option -system_ksp_rtol is `-1`"),
            ("-system_pc_type icc", 2, "-system_pc_type icc alone takes one application of icc for a solution"),
            ("-system_ksp_type gmres -system_pc_type none -system_ksp_max_it 2", 1, "stopped after 2 iterations (DIVERGED_ITS)")):
        done = Program(arguments)(*words, "--set", "solver.preset=direct", "-o", folder / "options", "--", *options.split())
        assert done.returncode == status and message in done.stderr, (options, done.returncode, done.stderr)
    done = Program(arguments)("run", EXAMPLES / "four_bar/four_bar_rigid.yaml", "--set", "formulation=recursive", "--set", "solver.nonlinear=snes",
                              "-o", folder / "refused")
    assert done.returncode == 2 and "`snes` cannot iterate here: the unknowns are those of  formulation: recursive" in done.stderr, done.stderr
    done = Program(arguments)("check", EXAMPLES / "four_bar/four_bar_rigid.yaml", "--set", "analyses=[{kinematics: {duration: 0.1, step: 0.01}}]", "--set",
                              "solver.nonlinear=snes")
    assert "solver.nonlinear has no effect" in done.stdout + done.stderr, done.stderr
    done = Program(arguments).done(*words[:-2], "--set", "solver.nonlinear=snes", "--set", "analyses.dynamics.duration=1e-3", "-o", folder / "auto", "--set",
                                   "formulation=automatic")
    assert summary(folder / "auto")["formulation"] == "absolute"


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_motions(arguments, folder)
        check_statics(arguments, folder)
        check_failures(arguments, folder)


if __name__ == "__main__":
    main()
