"""Set-valued contacts at the edges of what a user may ask for: starts that are assembled, and restarted, with rigid and flexible bodies on
1, 2 and 4 ranks; steps that do not resolve a slip; coefficients of rolling and drilling friction that are huge; sweeps.

    nonsmooth_starts.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import csv
import pathlib
import tempfile

from support import SOURCE, History, Program, largest_difference, parsed_arguments, summary

MODELS = SOURCE / "tests" / "verification" / "nonsmooth" / "models"
G = 9.81
SCHEMES = ("generalized_alpha", "hht", "bathe", "ed_alpha", "moreau_jean", "half_explicit")
MESH = f"mesh: {SOURCE}/meshes/rod_circular_coarse.msh, material: steel, interfaces: {{root: {{nodes: {{in_set: big_end_face}}, attach: rbe3}}, tip: {{nodes: {{in_set: small_end_face}}, attach: rbe3}}}}"
KINDS = {
    "modal": f"{{type: modal, {MESH}, modes: {{free_free: 10}}}}",
    "superelement": f"{{type: superelement, {MESH}, modes: {{free_free: 6}}, internal_modes: 4}}",
    "beam": "{type: beam, points: {root: [0, 0, 0], tip: [0.3, 0, 0]}, elements: 4, section: {type: rectangle, width: 0.02, height: 0.02}, material: steel}",
}
# A bar on a guide whose end is 1 mm in a wall.
BAR = """
solidyn: 1
materials:
  steel: {youngs_modulus: 2e11, poissons_ratio: 0.3, density: 7850}
bodies:
  bar: KIND
joints:
  guide: {type: prismatic, between: [ground, bar.root], at: [0, 0, 0], axis: [1, 0, 0]}
contacts:
  wall: {between: [ground, bar.tip], first: {shape: plane, at: [0.299, 0, 0], axis: [-1, 0, 0]}, second: {shape: point, at: [0.3, 0, 0]}, law: {type: impact}, friction: {static: 0.3}}
sensors:
  tip: {type: position, of: bar.tip, component: x}
  root: {type: position, of: bar.root, component: x}
  gap: {type: contact, contact: wall, component: gap}
analyses:
  - dynamics: {duration: 0.004, step: 1e-4, start: {assemble: true}}
output: {checkpoint_every: 10}
"""


def setting(**values):
    return [word for key, value in values.items() for word in ("--set", f"analyses.dynamics.{key}={value}")]


def compare(first, second, allowed, what):
    a, b = History(first), History(second)
    assert len(a.rows) == len(b.rows), (what, len(a.rows), len(b.rows))
    worst, column = largest_difference(a, b)
    assert worst <= allowed, (what, worst, column)


def run_whole_and_in_parts(programs, model, folder, half, words, allowed, statuses=(0,)):
    """In one go and in two, of which the second is on other ranks: restarts find what assembly has moved where it is."""
    for ranks in (1, 2, 4):
        whole, parts = folder / f"whole_{ranks}", folder / f"parts_{ranks}"
        done = programs[ranks]("run", model, *words, *setting(duration=2 * half), "-o", whole)
        assert done.returncode in statuses, done.stderr
        compare(folder / "whole_1", whole, allowed, (ranks, words))
        programs[1]("run", model, *words, *setting(duration=half), "-o", parts)
        done = programs[ranks]("run", model, *words, *setting(duration=2 * half), "-o", parts, "--restart")
        assert done.returncode in statuses and "assembly moved" not in done.stderr, done.stderr
        compare(folder / "whole_1", parts, allowed, (ranks, words, "restarted"))


def check_assembly(programs, folder):
    model = folder / "overlapping.yaml"
    model.write_text((MODELS / "overlapping.yaml").read_text() + "output: {checkpoint_every: 5}\n")
    for scheme in ("bathe", "ed_alpha", "moreau_jean"):
        for words in ((), setting(stabilisation="none")):
            run_whole_and_in_parts(programs, model, folder / f"{scheme}_{len(words)}", 0.01, [*setting(integrator=scheme), *words], 0.0)


def check_flexible_bodies(programs, folder):
    """Moved as a whole, by what they are in the wall, and that is said."""
    for program in programs.values():  # the same modes in all runs
        program.environment = {**program.environment, "SOLIDYN_CACHE": str(folder / "cache")}
    for kind, body in KINDS.items():
        model = folder / f"{kind}.yaml"
        model.write_text(BAR.replace("KIND", body))
        done = programs[1]("run", model, "-o", folder / kind)
        # 3: bars ring of the 1e-8 m by which they are shorter, which steps do not resolve.
        assert done.returncode in (0, 3) and "assembly moved" in done.stderr and "by 0.001 m" in done.stderr, (kind, done.stderr)
        first = dict(zip(History(folder / kind).names, History(folder / kind).rows[0]))
        assert abs(first["tip"] - 0.299) < 1e-12 and abs(first["root"] + 1e-3) < 1e-7 and abs(first["gap"]) < 1e-12, (kind, first)
        run_whole_and_in_parts(programs, model, folder / f"{kind}_parts", 0.002, setting(integrator="bathe"), 1e-7, (0, 3))


def check_overlaps_with_moments(programs, folder):
    """A point is named once, with or without moments."""
    done = programs[1]("run", MODELS / "rolling_ball.yaml", "--set", "bodies.ball.pose.position=[0, 0, 0.04]", "--set", "parameters.drilling=0.001", "-o", folder)
    assert done.returncode == 2 and done.stderr.count("overlap by 0.01 m") == 1 and "error: contacts.floor: the bodies overlap" in done.stderr, done.stderr


def check_huge_coefficients(programs, folder):
    """A ball that can neither roll nor spin is a block at once, however far the step is too long for its first deceleration."""
    for scheme in SCHEMES:
        for length in ("1e3", "1e4", "1e6", "1e8"):
            values = {"rolling": length, "drilling": length, "speed": 0.5, "spin": 10}
            words = [word for key, value in values.items() for word in ("--set", f"parameters.{key}={value}")]
            out = folder / f"{scheme}_{length}"
            done = programs[1]("run", MODELS / "rolling_ball.yaml", *words, *setting(integrator=scheme, duration=0.05), "-o", out)
            # 3: of moments on 1e8 m round-off alone may make the first step fail, which is subdivided and told.
            assert done.returncode in ((0, 3) if length == "1e8" else (0,)), (scheme, length, done.stderr)
            last = dict(zip(History(out).names, History(out).rows[-1]))
            assert abs(last["v.x"] - (0.5 - 0.05 * 0.5 * G)) < 1e-9, (scheme, length, last)
            assert abs(last["force"] - 2 * G) < 1e-8 and max(abs(last["w.y"]), abs(last["w.z"])) < 1e-9, (scheme, length, last)


def check_long_steps(programs, folder):
    """Steps of a third of the time in which a ball comes to rest: it does, and loses energy only."""
    stops = 0.1 / (5 / 7 * 0.002 * G / 0.05)
    for scheme in SCHEMES:
        out = folder / scheme
        programs[1].done("run", MODELS / "rolling_ball.yaml", "--set", "parameters.speed=0.1", "--set", "parameters.spin=6", "--set", "parameters.drilling=0.004",
                         *setting(integrator=scheme, duration=1, step=0.1), "-o", out)
        last = dict(zip(History(out).names, History(out).rows[-1]))
        assert abs(last["p.x"] - 0.05 * stops) < 4e-4, (scheme, last["p.x"])
        assert max(abs(last[name]) for name in ("v.x", "w.y", "w.z")) < 1e-12, (scheme, last)
        told = summary(out)
        assert told["nonsmooth"]["largest_energy_gain"] < 1e-12, told["nonsmooth"]


def check_sweep(programs, folder):
    tables = {}
    for ranks in (1, 2, 4):
        out = folder / f"sweep_{ranks}"
        programs[ranks].done("run", MODELS / "rolling_ball.yaml", "--set", "parameters.speed=0.5", "--sweep", "parameters.rolling=0,0.002,0.004", "-o", out)
        rows = list(csv.DictReader((out / "sweep.csv").read_text().splitlines()[1:]))
        tables[ranks] = [float(row["v.x.last"]) for row in rows]
    assert tables[1] == tables[2] == tables[4], tables
    for value, length in zip(tables[1], (0, 0.002, 0.004)):
        assert abs(value - (0.5 - 0.2 * 5 / 7 * length * G / 0.05)) < 1e-9, tables


TESTS = [check_assembly, check_flexible_bodies, check_overlaps_with_moments, check_huge_coefficients, check_long_steps, check_sweep]


def main():
    arguments = parsed_arguments()
    programs = {ranks: Program(arguments, ranks) for ranks in (1, 2, 4)}
    with tempfile.TemporaryDirectory() as name:
        for test in TESTS:
            folder = pathlib.Path(name) / test.__name__
            folder.mkdir()
            test(programs, folder)
            print(test.__name__, flush=True)


if __name__ == "__main__":
    main()
