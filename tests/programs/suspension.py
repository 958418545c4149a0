"""Suspensions: dampers in series with springs against their closed solution with every integrator in both formulations, as one
state of linear analyses, stiff, in statics, on ranks and after a restart, also into the other formulation; bump stops and anti-roll bars; momenta and energies of all.

    suspension.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import csv
import math
import pathlib
import subprocess
import sys
import tempfile

from support import EXAMPLES, History, Program, parsed_arguments, summary

MASS, SPRING, SERIES, DAMPER = 2.0, 200.0, 300.0, 15.0
MAXWELL = f"""solidyn: 1
gravity: [-9.81, 0, 0]
bodies:
  mass: {{type: rigid, mass: {MASS}, inertia: [1, 1, 1], pose: {{position: [0.5, 0, 0]}}, velocity: {{linear: [1, 0, 0]}}}}
joints:
  guide: {{type: prismatic, between: [ground, mass], at: [0.5, 0, 0], axis: [1, 0, 0]}}
forces:
  spring: {{type: spring_damper, between: [ground, mass], at_first: [0, 0, 0], stiffness: {SPRING}, preload: {-9.81 * MASS}}}
  strut: {{type: series_spring_damper, between: [ground, mass], at_first: [0, 0, 0], stiffness: {SERIES}, damping: {DAMPER}}}
sensors:
  x: {{type: position, of: mass, component: x}}
  f: {{type: force, force: strut, component: force}}
"""
DYNAMICS = "analyses: [{{dynamics: {{duration: {}, step: {}, integrator: {}}}}}]\n"
# What relative coordinates have.
RELATIVE = ("generalized_alpha", "hht", "bdf", "runge_kutta")
WAYS = ("absolute", "recursive")


def written(folder, name, text):
    path = folder / f"{name}.yaml"
    path.write_text(text)
    return path


def run(arguments, model, out, way, *words, ranks=1):
    Program(arguments, ranks).done("run", model, "-o", out, "--set", f"formulation={way}", *words)


def columns(folder):
    history = History(folder)
    return {name: history.column(i) for i, name in enumerate(history.names)}


def closed_solution(duration, n=4000):
    """x and the strut's force at the end, by the classical Runge-Kutta rule (error below 1e-12)."""
    def rates(s):
        x, v, y = s
        return v, (-SPRING * x - SERIES * (x - y)) / MASS, SERIES * (x - y) / DAMPER

    s, h = (0.0, 1.0, -DAMPER / SERIES), duration / n  # it has been moving at 1 m/s
    moved = lambda k, by: tuple(a + by * b for a, b in zip(s, k))
    for _ in range(n):
        k1 = rates(s)
        k2 = rates(moved(k1, h / 2))
        k3 = rates(moved(k2, h / 2))
        k4 = rates(moved(k3, h))
        s = tuple(a + h / 6 * (p + 2 * q + 2 * r + t) for a, p, q, r, t in zip(s, k1, k2, k3, k4))
    return 0.5 + s[0], SERIES * (s[0] - s[2])


def check_integrators(arguments, folder):
    """All meet the closed solution, and those of order two by a quarter with half of the step."""
    x, force = closed_solution(1.0)
    absolute = ("generalized_alpha", "bathe", "ed_alpha", "moreau_jean", "half_explicit", "bdf", "runge_kutta")
    for integrator, way in [(name, "absolute") for name in absolute] + [(name, "recursive") for name in RELATIVE]:
        errors = []
        for step in (4e-3, 2e-3):
            out = folder / integrator / way
            run(arguments, written(folder, integrator, MAXWELL + DYNAMICS.format(1, step, integrator)), out, way)
            assert way == "absolute" or summary(out)["formulation"] == way, summary(out)
            at_end = {name: values[-1] for name, values in columns(out).items()}
            errors.append(abs(at_end["x"] - x))
            assert errors[-1] < 1e-5, (integrator, step, errors)
            assert abs(at_end["f"] - force) < 3e-3, (integrator, step, at_end["f"], force)
            balance = summary(out)["energy"]["imbalance"]
            assert abs(balance) < 2e-3, (integrator, balance)
        if integrator in ("generalized_alpha", "hht", "bathe", "moreau_jean"):
            assert 3.7 < errors[0] / errors[1] < 4.3, (integrator, errors)


def check_modes(arguments, folder):
    """Three eigenvalues, the roots of (m s^2 + k)(c s + K) + K c s, and no more: the damper is one state."""
    for way in WAYS:
        run(arguments, written(folder, "modes", MAXWELL.replace("linear: [1", "linear: [0") + "analyses: [{modes: {count: 9}}]\n"), folder / "modes" / way, way)
        with open(folder / "modes" / way / "modes.csv") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        assert [row["kind"] for row in rows] == ["oscillation", "aperiodic"], rows
        for row in rows:
            s = complex(float(row["real"]), float(row["imaginary"]))
            value = (MASS * s * s + SPRING) * (DAMPER * s + SERIES) + SERIES * DAMPER * s
            assert abs(value) < 1e-9 * SPRING * SERIES, (way, row, value)


# Two rods on a frame with an end that is pushed: dampers beside a joint, between distant bodies, and on the ground.
ARM = """solidyn: 1
gravity: [0, -9.81, 0]
bodies:
  upper: {type: rigid, mass: 1, inertia: [0.02, 0.03, 0.04], pose: {position: [0.5, 0, 0]}}
  lower: {type: rigid, mass: 2, inertia: [0.05, 0.03, 0.04], pose: {position: [1.5, 0, 0.1]}}
  end: {type: rigid, mass: 1, inertia: [0.02, 0.03, 0.04], pose: {position: [2.5, 0.1, 0]}}
joints:
  shoulder: {type: revolute, between: [ground, upper], at: [0, 0, 0], axis: [0, 0, 1], spring: {stiffness: 300}}
  elbow: {type: spherical, between: [lower, upper], at: [1, 0, 0]}
  wrist: {type: universal, between: [lower, end], at: [2, 0, 0], axis: [0, 1, 0]}
forces:
  stay: {type: spring_damper, between: [ground, end], at_first: [3.5, 2, 1], stiffness: 200}
  strut: {type: spring_damper, between: [ground, lower], at_first: [1.5, 1, -1], stiffness: 300, damping: 3}
  far: {type: series_spring_damper, between: [upper, end], at_first: [0.5, 0.2, 0], at_second: [2.5, 0.3, 0.1], stiffness: 300, damping: 20}
  near: {type: series_spring_damper, between: [upper, lower], at_first: [0.5, -0.2, 0], at_second: [1.5, -0.3, 0], stiffness: 500, damping: 10}
  held: {type: series_spring_damper, between: [end, ground], at_second: [2.5, 2, 0.1], stiffness: 200, damping: 30}
loads:
  push: {type: force, at: end, force: [0, 0, 0]}
sensors:
  shoulder: {type: reaction, joint: shoulder}
  elbow: {type: reaction, joint: elbow}
  far: {type: force, force: far}
analyses: [{statics: {load_steps: 2}}, {frequency_response: {inputs: [push.force_x, push.force_y], from: 0.1, to: 20, points: 6}}]
"""


def check_responses(arguments, folder):
    """Responses of dampers and of what joints transmit are the same in both formulations, to differences for the equilibrium."""
    seen = {}
    for way in WAYS:
        run(arguments, written(folder, "arm", ARM), folder / "arm" / way, way)
        with open(folder / "arm" / way / "frequency_response.csv") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        seen[way] = {}
        for row in rows:
            seen[way].setdefault((row["input"], row["output"]), []).append(complex(float(row["real"]), float(row["imaginary"])))
    assert seen["absolute"].keys() == seen["recursive"].keys() and ("push.force_y", "elbow.force_x") in seen["absolute"], seen["absolute"].keys()
    for name, expected in seen["absolute"].items():
        worst = max(abs(a - b) for a, b in zip(expected, seen["recursive"][name]))
        assert worst <= 1e-5 * max(map(abs, expected)) + 1e-9, (name, worst, expected)


def check_stiff(arguments, folder):
    """A spring of 1e9 N/m in series, at steps 1e6 times its relaxation, is no spring: the damper alone."""
    for way in WAYS:
        runs = {}
        for name, strut in (("stiff", f"type: series_spring_damper, stiffness: 1e9, damping: {DAMPER}"), ("rigid", f"type: spring_damper, damping: {DAMPER}")):
            head, tail = MAXWELL.split("  strut: {type: series_spring_damper,")
            model = head + f"  strut: {{{strut}, between: [ground, mass], at_first: [0, 0, 0]}}\nsensors" + tail.split("sensors")[1]
            run(arguments, written(folder, name, model + DYNAMICS.format(1, 1e-2, "generalized_alpha")), folder / name / way, way)
            runs[name] = columns(folder / name / way)
        for name, size in (("x", 0.1), ("f", DAMPER)):
            worst = max(abs(a - b) for a, b in zip(runs["stiff"][name], runs["rigid"][name]))
            assert worst < 2e-4 * size, (way, name, worst)


# Friction of 4 kN that sticks through its mounts: a table that is steep at rest and flat beyond.
FRICTION = """solidyn: 1
bodies:
  mass: {type: rigid, mass: 1000, inertia: [1, 1, 1], pose: {position: [1, 0, 0]}, velocity: {linear: [0.5, 0, 0]}}
joints:
  guide: {type: prismatic, between: [ground, mass], at: [1, 0, 0], axis: [1, 0, 0]}
forces:
  spring: {type: spring_damper, between: [ground, mass], at_first: [0, 0, 0], stiffness: 1e5}
  friction: {type: series_spring_damper, between: [ground, mass], at_first: [0, 0, 0], stiffness: 6e6, damping: 2e3,
             force_by_rate: {table: [[-0.001, -4e3], [0.001, 4e3]]}}
sensors:
  x: {type: position, of: mass, component: x}
  f: {type: force, force: friction, component: force}
"""


def check_friction(arguments, folder):
    """The steep table, in steps three times the relaxation time of its flat parts, against a run in small steps of other code
    (semi-implicit, 5e-6 s: x(2 s) = 1.018450)."""
    absolute = ("generalized_alpha", "bathe", "ed_alpha", "moreau_jean", "half_explicit", "bdf")
    for integrator, way in [(name, "absolute") for name in absolute] + [(name, "recursive") for name in ("generalized_alpha", "bdf")]:
        out = folder / f"friction_{integrator}" / way
        run(arguments, written(folder, "friction", FRICTION + DYNAMICS.format(2, 1e-3, integrator)), out, way)
        seen = columns(out)
        assert abs(seen["x"][-1] - 1.018450) < 1e-5, (integrator, way, seen["x"][-1])
        assert max(map(abs, seen["f"])) < 5000.001, (integrator, way, max(map(abs, seen["f"])))


def check_statics(arguments, folder):
    """At rest it carries nothing, and a run from there stays."""
    model = MAXWELL.replace("linear: [1", "linear: [0").replace(f", preload: {-9.81 * MASS}", "")
    model += "analyses: [{statics: {}}, {dynamics: {duration: 0.05, step: 1e-3}}]\n"
    for way in WAYS:
        run(arguments, written(folder, "statics", model), folder / "statics" / way, way)
    assert len(list((folder / "statics").rglob("history.csv"))) >= 2
    for path in sorted((folder / "statics").rglob("history.csv")):
        seen = columns(path.parent)
        assert abs(seen["x"][-1] - (0.5 - 9.81 * MASS / SPRING)) < 1e-9, (path, seen["x"])
        assert abs(seen["f"][-1]) < 1e-6, (path, seen["f"])


# A frame and a body, both free and turning, with all of them between.
FREE = """solidyn: 1
gravity: [0, 0, 0]
bodies:
  frame: {type: rigid, mass: 3, inertia: [0.4, 0.6, 0.8], velocity: {linear: [0.1, 0.2, 0], angular: [1, 0.5, 0.3]}}
  body: {type: rigid, mass: 9, inertia: [2, 3, 4], pose: {position: [0, 0, 0.6]}, velocity: {linear: [0.6, -0.2, 0.1], angular: [1.5, 0.5, -0.3]}}
forces:
  spring: {type: bushing, between: [frame, body], at: [0, 0, 0.3], stiffness: [800, 800, 900, 60, 60, 60]}
  strut: {type: series_spring_damper, between: [frame, body], at_first: [0.3, 0.4, 0], at_second: [0.1, 0.5, 0.5], stiffness: 900, damping: 40,
          force_by_rate: {table: [[-1, -20], [0, 0], [1, 60]]}}
  bar: {type: anti_roll_bar, between: [frame, body], left: [[0, 0.4, 0.1], [0.02, 0.4, 0.5]], right: [[0, -0.4, 0.1], [0.02, -0.4, 0.5]], arm: 0.2, stiffness: 20, damping: 0.3}
  stop: {type: bump_stop, between: [frame, body], at: [0, 0, 0.3], axis: [0, 1, 0], force_by_travel: {table: [[0.005, 0], [0.01, 20], [0.02, 90]]}, damping: 0.5}
sensors:
  strut: {type: force, force: strut}
  bar: {type: force, force: bar, component: force}
  stop: {type: force, force: stop, component: force}
  y: {type: force, force: stop, component: length}
  p: {type: momentum}
  l: {type: momentum, kind: angular}
  e: {type: energy}
"""


def check_balances(arguments, folder):
    """Momenta are kept and energy is accounted for; on 2 and 4 ranks and after a restart as on one in one go. A run of one
    formulation is continued by the other, which begins a new first step, with what the dampers have of it."""
    at_end = {way: check_balances_in(arguments, folder / way, way) for way in WAYS}
    half, model = (written(folder, name, FREE + DYNAMICS.format(duration, 1e-3, "generalized_alpha")) for name, duration in (("half", 0.2), ("free", 0.4)))
    for first, second in (WAYS, WAYS[::-1]):
        out = folder / f"then_{second}"
        run(arguments, half, out, first)
        run(arguments, model, out, second, "--restart")
        assert summary(out)["formulation"] == second, summary(out)
        for name, values in columns(out).items():
            expected, size = at_end["absolute"][name], max(map(abs, values))
            assert abs(values[-1] - expected) <= 2e-4 * (1 + size), (second, name, values[-1], expected)


def check_balances_in(arguments, folder, way):
    folder.mkdir()
    model = written(folder, "free", FREE + DYNAMICS.format(0.4, 1e-3, "generalized_alpha"))
    runs = {}
    for ranks in (1, 2, 4):
        run(arguments, model, folder / f"free{ranks}", way, ranks=ranks)
        runs[ranks] = columns(folder / f"free{ranks}")
    seen = runs[1]
    for name, values in seen.items():
        size = max(map(abs, values))
        if name[:2] in ("p.", "l."):
            assert max(values) - min(values) < (1e-12 if name[0] == "p" else 1e-5), (name, max(values) - min(values))
        assert size > 0.0 or name[0] in "pl", name
        for ranks in (2, 4):
            assert max(abs(a - b) for a, b in zip(values, runs[ranks][name])) <= 1e-9 * size, (name, ranks)
    assert abs(summary(folder / "free1")["energy"]["imbalance"]) < 1e-4, summary(folder / "free1")["energy"]
    table = lambda y: 0.0 if y < 0.005 else (4e3 * (y - 0.005) if y < 0.01 else 20 + 7e3 * (y - 0.01))
    assert max(map(abs, seen["y"])) > 0.01 and all(force * y >= 0.0 for force, y in zip(seen["stop"], seen["y"]))
    assert all((force == 0.0) == (table(abs(y)) == 0.0) for force, y in zip(seen["stop"], seen["y"]))

    half = written(folder, "half", FREE + DYNAMICS.format(0.2, 1e-3, "generalized_alpha"))
    run(arguments, half, folder / "again", way)
    run(arguments, model, folder / "again", way, "--restart")
    for name, values in columns(folder / "again").items():
        size = max(map(abs, seen[name]))
        assert abs(values[-1] - seen[name][-1]) <= 1e-9 * (1 + size), (name, values[-1], seen[name][-1])
    return {name: values[-1] for name, values in seen.items()}


def check_roll(arguments, folder):
    """A bar of K with arms r and links 2 b apart is a roll spring of K (2 b / r)^2, and none in bounce."""
    inertia, stiffness, arm, b = 3.0, 50.0, 0.25, 0.7
    for joint, axis, expected in (("revolute", [1, 0, 0], math.sqrt(stiffness * (2 * b / arm) ** 2 / inertia) / (2 * math.pi)), ("prismatic", [0, 0, 1], 0.0)):
        model = f"""solidyn: 1
gravity: [0, 0, 0]
bodies: {{body: {{type: rigid, mass: 5, inertia: [{inertia}, 1, 1]}}}}
joints: {{guide: {{type: {joint}, between: [ground, body], at: [0, 0, 0], axis: {axis}}}}}
forces: {{bar: {{type: anti_roll_bar, between: [ground, body], left: [[0, {b}, -1], [0, {b}, 0]], right: [[0, -{b}, -1], [0, -{b}, 0]], arm: {arm}, stiffness: {stiffness}}}}}
analyses: [{{modes: {{count: 2}}}}]
"""
        Program(arguments).done("run", written(folder, joint, model), "-o", folder / joint)
        with open(folder / joint / "modes.csv") as file:
            row = next(csv.DictReader(line for line in file if not line.startswith("#")))
        assert abs(float(row["frequency"]) - expected) < 1e-9 * (1 + expected), (joint, row, expected)


# Undamped, without weight, to the digits that page G07 prints.
COACH = [0.59625, 0.70666, 0.85511, 1.07387, 1.27845, 1.30346, 7.47054, 7.47724, 9.63977, 9.65676, 11.54078, 11.54091, 12.80537, 12.80784]
# The same; linvehicle.py of that page with pivots of 1e13 N/m and the whole inertia of frames and motors. The page's own have 1e10 and
# the diagonal (1.98308 for 1.98337 Hz).
LOCOMOTIVE = [0.889553, 1.290863, 1.410019, 1.983368, 2.024665, 2.322132, 5.631382, 5.685810, 5.987832, 5.998126, 7.064434, 7.067239, 8.689010, 8.694629,
              9.375627, 9.380092, 9.624078, 9.652787, 9.707662, 9.868075]
WHEEL_LOADS = [69095.82, 70860.90, 72625.98] * 2


def check_vehicles(arguments, folder):
    """Frequencies of both within 1e-5; what carries the coach is its weight, and the locomotive's wheel loads within 1e-6."""
    for name, expected, dampers in (("coach", COACH, ("dx_1", "dy_1", "dz_1", "dy_2", "dz_2")), ("locomotive", LOCOMOTIVE, ("d_1", "dz_1", "d_2", "dz_2"))):
        off = [word for key in ("g", *dampers) for word in ("--set", f"parameters.{key}=0")]
        Program(arguments).done("run", EXAMPLES / "rail_vehicles" / f"{name}_held.yaml", *off, "-o", folder / name)
        with open(folder / name / "modes.csv") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        found = [float(row["frequency"]) for row in rows if row["kind"] == "oscillation"]
        for a, b in zip(found, expected):
            assert abs(a - b) < 1e-5 * b, (name, a, b, found)

    Program(arguments).done("run", EXAMPLES / "rail_vehicles" / "coach_held.yaml", "-o", folder / "coach_loaded")
    seen = {name: values[-1] for name, values in columns(folder / "coach_loaded").items()}
    for name, load in (("primary_1_left", 45653.2875), ("secondary_1_left", 78480.0)):
        assert abs(abs(seen[name]) - load) < 1e-6 * load, seen
    assert abs(seen["car_z"] - 1.8) < 1e-9, seen
    Program(arguments).done("run", EXAMPLES / "rail_vehicles" / "locomotive_held.yaml", "-o", folder / "locomotive_loaded")
    seen = {name: values[-1] for name, values in columns(folder / "locomotive_loaded").items()}
    for n, load in enumerate(WHEEL_LOADS, 1):
        assert abs(abs(seen[f"wheelset_{n}"]) / 2 - load) < 1e-3 * load, (n, seen)
    with open(folder / "locomotive_loaded" / "modes.csv") as file:  # asked for 24 of the 20 that there are
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    assert len(rows) == len(LOCOMOTIVE) and all(float(row["real"]) <= 0.0 for row in rows), rows


def oscillations(folder):
    with open(folder / "modes.csv") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return sorted(float(row["natural_frequency"]) for row in rows if row["kind"] == "oscillation" and float(row["frequency"]) < 1e3)


def check_flexible_frames(arguments, folder):
    """The models are what flexible_frames.py makes of the rigid ones. Frames that bend take at most 3 % from the frequencies below 20 Hz, add none there, and
    carry the same weight; as rigid bodies of the same mesh they give those of page G07 within what inertia and mass centre differ."""
    example = EXAMPLES / "locomotive"
    subprocess.run([sys.executable, example / "flexible_frames.py", EXAMPLES / "rail_vehicles" / "locomotive_held.yaml", folder / "written.yaml"], check=True)
    model = example / "locomotive_held.yaml"
    subprocess.run([sys.executable, example / "flexible_frames.py", EXAMPLES / "railway" / "locomotive_rigid.yaml", folder / "running.yaml"], check=True)
    relative = lambda path: [line for line in path.read_text().splitlines() if not line.strip().startswith("mesh:")]
    assert relative(folder / "written.yaml") == relative(model), "examples/locomotive/locomotive_held.yaml is not what flexible_frames.py writes"
    assert relative(folder / "running.yaml") == relative(EXAMPLES / "railway" / "locomotive.yaml"), "examples/railway/locomotive.yaml is not what flexible_frames.py writes"
    as_rigid = [word for frame in ("frame_1", "frame_2") for word in ("--set", f"bodies.{frame}.type=rigid")]
    without_weight = [word for key in ("g", "d_1", "dz_1", "d_2", "dz_2") for word in ("--set", f"parameters.{key}=0")]
    program = Program(arguments, cache=folder / "cache")
    program.done("run", model, *as_rigid, *without_weight, "-o", folder / "frames_rigid")
    program.done("run", model, *without_weight, "-o", folder / "frames_flexible")
    rigid, flexible = oscillations(folder / "frames_rigid"), oscillations(folder / "frames_flexible")
    assert len(rigid) == len(LOCOMOTIVE), rigid
    for a, b, c in zip(LOCOMOTIVE, rigid, flexible):
        assert abs(b - a) < 0.02 * a and 0.97 * b < c < b, (a, b, c)
    assert flexible[len(rigid)] > 20, flexible
    program.done("run", model, "-o", folder / "frames_loaded")
    seen = {name: values[-1] for name, values in columns(folder / "frames_loaded").items()}
    loads = [abs(seen[f"wheelset_{n}"]) / 2 for n in range(1, 7)]
    assert abs(sum(loads) - sum(WHEEL_LOADS)) < 1e-4 * sum(WHEEL_LOADS), loads
    assert all(abs(a - b) < 0.02 * b for a, b in zip(loads, WHEEL_LOADS)), loads


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for check in (check_integrators, check_modes, check_responses, check_stiff, check_friction, check_statics, check_balances, check_roll, check_vehicles, check_flexible_frames):
            check(arguments, folder)


if __name__ == "__main__":
    main()
