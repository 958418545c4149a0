"""One model, two formulations: examples that qualify, in absolute and in relative coordinates, from their first row on.

    formulations.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import csv
import pathlib
import subprocess
import tempfile

from support import EXAMPLES, History, Program, parsed_arguments, summary

# A loop with redundant joints, drives, gears, springs, contacts and friction that do not follow joint forces, joints of all
# kinds, modal bodies from meshes, beams, foreign modes and tables; and how long a part of the motion, s.
MODELS = {"balance/pendulum": 0.1, "cardan_shaft/cardan_shaft": 0.02, "chair_ride/chair_ride": 0.1, "clearance/slider_crank": 5e-5,
          "beams/mast": 2e-3, "cpp/oscillator": 0.02, "engine_mounts/engine": 0.2, "four_bar/four_bar_rigid": 0.02, "gas_engine/engine": 0.002,
          "gear_train/gear_train": 0.02, "governor/governor": 2e-3, "import/nastran_rod": 2e-4, "import/table_rod": 1e-4, "mechanisms/andrews": 1e-4,
          "mechanisms/bricard": 0.05, "mechanisms/free_body": 0.1, "mechanisms/heavy_top": 2.5e-3, "mechanisms/spatial_slider_crank": 0.05}
TIGHT = {"integrator": "runge_kutta", "relative_tolerance": 1e-10, "absolute_tolerance": 1e-12}
AGREE = 1e-6  # of the largest value of the column; but at least of a thousandth of the largest in its unit


def run(arguments, model, duration, out, formulation):
    settings = {**{f"analyses.dynamics.{key}": value for key, value in {**TIGHT, "duration": duration, "step": duration / 10}.items()},
                "formulation": formulation}
    words = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    Program(arguments).done("run", model, "-o", out, *words)
    assert summary(out)["formulation"] == formulation
    return History(out)


def worst_difference(a, b):
    """At the first and the last row, whose times both have."""
    assert a.names == b.names and a.times[0] == b.times[0] and a.times[-1] == b.times[-1]
    largest = [max(map(abs, a.column(i))) for i in range(len(a.names))]
    in_unit = {unit: max(value for value, u in zip(largest, a.units) if u == unit) for unit in a.units}
    worst = (0.0, "")
    for row in (0, -1):
        for i in range(1, len(a.names)):
            scale = max(largest[i], 1e-3 * in_unit[a.units[i]], 1e-12)
            worst = max(worst, (abs(a.rows[row][i] - b.rows[row][i]) / scale, a.names[i]))
    return worst


# Linear analyses: blades and shafts that turn (a drive, a loop), a cantilever with inputs and reactions, another one of beam
# elements that statics has bent, and a loop of rods in equilibrium by springs, which has redundant rows.
LINEAR = ("campbell/blade", "campbell/shaft", "frequency_response/beam", "beams/cantilever")
LOOP = """solidyn: 1
formulation: recursive
bodies:
  crank: {type: rigid, mass: 1, inertia: [0.02, 0.02, 0.03], pose: {position: [0, 0.2, 0]}}
  rod: {type: rigid, mass: 2, inertia: [0.1, 0.3, 0.3], pose: {position: [0.5, 0.45, 0]}}
  lever: {type: rigid, mass: 1.5, inertia: [0.05, 0.02, 0.06], pose: {position: [1, 0.25, 0]}}
joints:
  left: {type: revolute, between: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1], damper: {damping: 0.5}}
  knee: {type: revolute, between: [crank, rod], at: [0, 0.4, 0], axis: [0, 0, 1]}
  elbow: {type: revolute, between: [rod, lever], at: [1, 0.5, 0], axis: [0, 0, 1], spring: {stiffness: 300}}
  right: {type: revolute, between: [ground, lever], at: [1, 0, 0], axis: [0, 0, 1], spring: {stiffness: 400}}
loads:
  push: {type: force, at: rod, force: [30, -20, 0]}
analyses:
  - statics: {}
  - modes: {count: 3}
  - frequency_response: {inputs: [push.force_x, push.force_y], from: 0.2, to: 8, points: 15}
sensors:
  place: {type: position, of: rod, component: x}
  speed: {type: velocity, of: lever, component: y}
  pull: {type: acceleration, of: crank, component: x}
  at_knee: {type: reaction, joint: knee, component: force_x}
  at_left: {type: reaction, joint: left, component: force_y}
"""
SAME = 1e-6  # of the largest frequency or answer


def linear_numbers(out):
    """Columns of numbers by name, of all that linear analyses write for any choice of unknowns."""
    columns = {}
    for path in (out / "modes.csv", out / "frequency_response.csv"):
        if not path.exists():
            continue
        for row in csv.DictReader(path.read_text().splitlines()[1:]):
            key = ("frequency",) if "mode" in row else (row["input"], row["output"])
            names = ("frequency", "damping_ratio") if "mode" in row else ("real", "imaginary")
            for name in names:
                columns.setdefault((*key, name), []).append(float(row[name]))
    return columns


def check_linear(arguments, folder):
    loop = folder / "loop.yaml"
    loop.write_text(LOOP)
    for model in (*(EXAMPLES / f"{name}.yaml" for name in LINEAR), loop):
        found, histories = {}, []
        for way in ("absolute", "recursive"):
            out = folder / model.stem / way
            Program(arguments).done("run", model, "-o", out, "--set", f"formulation={way}")
            found[way] = linear_numbers(out)
            assert summary(out)["formulation"] == way, summary(out)
            if model.stem in ("loop", "cantilever"):  # which begin with statics
                histories.append(History(out))
        assert found["absolute"].keys() == found["recursive"].keys() and found["absolute"], model
        worst = (0.0, ())
        for key, expected in found["absolute"].items():
            others = found["recursive"][key]
            assert len(others) == len(expected), (model, key)
            # Both parts of an output by the largest answer that it gives to any input.
            largest = max(abs(value) for name in found["absolute"] if name[-2] == key[-2] for value in found["absolute"][name])
            worst = max(worst, (max(abs(a - b) for a, b in zip(expected, others)) / max(largest, 1e-9), key))
        print(f"{model.stem}: linear analyses of both formulations agree to {worst[0]:.1e} {worst[1]}", flush=True)
        assert worst[0] < SAME, (model, worst)
        if histories:
            worst = worst_difference(*histories)
            assert worst[0] < SAME, (model, "equilibria", worst)


def check_memory_of_a_chain(arguments, folder):
    """Explicit steps of 2000 links keep no matrix of all coordinates by all, which would be 128 MB."""
    model = folder / "chain.yaml"
    subprocess.run([EXAMPLES / "recursive" / "chain", "2000", "-o", model], check=True)
    peaks = {}
    for integrator in ("runge_kutta", "semi_implicit_euler"):
        out = folder / f"chain_{integrator}"
        settings = {"duration": 1e-3, "integrator": integrator}
        words = [word for key, value in settings.items() for word in ("--set", f"analyses.0.dynamics.{key}={value}")]
        Program(arguments).done("run", model, "-o", out, *words, "--set", "output.history_interval=1e-3")
        peaks[integrator] = summary(out)["peak_rss_mb"]
    print(f"peak memory of 2000 links, MB: {peaks}")
    assert peaks["runge_kutta"] < peaks["semi_implicit_euler"] + 50, peaks


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_linear(arguments, folder)
        check_memory_of_a_chain(arguments, folder)
        for name, duration in MODELS.items():
            model = EXAMPLES / f"{name}.yaml"
            assert model.exists(), model
            histories = [run(arguments, model, duration, folder / name / way, way) for way in ("absolute", "recursive")]
            worst = worst_difference(*histories)
            print(f"{name}: both formulations agree to {worst[0]:.1e} ({worst[1]})", flush=True)
            assert worst[0] < AGREE, (name, worst)


if __name__ == "__main__":
    main()
