"""One model, two formulations: examples that qualify, in absolute and in relative coordinates, from their first row on.

    formulations.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import pathlib
import tempfile

from support import EXAMPLES, History, Program, parsed_arguments, summary

# A loop with redundant joints, drives, gears, springs, contacts and friction that do not follow joint forces, joints of all
# kinds, modal bodies from meshes, foreign modes and tables; and how long a part of the motion, s.
MODELS = {"balance/pendulum": 0.1, "cardan_shaft/cardan_shaft": 0.02, "chair_ride/chair_ride": 0.1, "clearance/slider_crank": 5e-5,
          "cpp/oscillator": 0.02, "engine_mounts/engine": 0.2, "four_bar/four_bar_rigid": 0.02, "gas_engine/engine": 0.002,
          "gear_train/gear_train": 0.02, "import/nastran_rod": 2e-4, "import/table_rod": 1e-4, "mechanisms/andrews": 1e-4,
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


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for name, duration in MODELS.items():
            model = EXAMPLES / f"{name}.yaml"
            assert model.exists(), model
            histories = [run(arguments, model, duration, folder / name / way, way) for way in ("absolute", "recursive")]
            worst = worst_difference(*histories)
            print(f"{name}: both formulations agree to {worst[0]:.1e} ({worst[1]})", flush=True)
            assert worst[0] < AGREE, (name, worst)


if __name__ == "__main__":
    main()
