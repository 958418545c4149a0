"""A bar whose length is driven: angles by the law of cosines, forces by lever arms, in dynamics, kinematics, statics and linear analyses; laws for
the length's rate and second rate; the same on 1, 2 and 4 ranks.

    boom.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import csv
import math
import pathlib
import sys
import tempfile

from support import EXAMPLES, History, Program, largest_difference, parsed_arguments, summary

BOOM = EXAMPLES / "boom" / "boom.yaml"
MASS, ARM, G = 120.0, 2.0, 9.81
POST, EYE = math.hypot(0.3, 0.8), 1.0  # from the hinge to the two pins
BELOW = math.atan2(0.8, 0.3)  # the post, under the boom as drawn
DRAWN = math.sqrt(1.13)


def angle_at(length):
    return math.acos((POST**2 + EYE**2 - length**2) / (2 * POST * EYE)) - BELOW


def lever_at(length):
    """Of the bar about the hinge, which is d(length)/d(angle)."""
    return POST * EYE * math.sin(angle_at(length) + BELOW) / length


def force_at(length):
    return MASS * G * ARM * math.cos(angle_at(length)) / lever_at(length)


def length_at(t):
    s = min(t / 2, 1.0)
    return DRAWN + 0.35 * s**3 * (10 - 15 * s + 6 * s**2)  # smooth_step


def with_analysis(folder, analysis, cylinder=None):
    text = BOOM.read_text().replace("dynamics: {duration: 2.5, step: 0.01}", analysis)
    if cylinder:
        text = text.replace('length: "sqrt(1.13) + 0.35*smooth_step(t, 0, 2)"', cylinder)
    assert analysis in text and (cylinder is None or cylinder in text)
    model = folder / "model.yaml"
    model.write_text(text)
    return model


def run(arguments, model, out, ranks=1, warning=None):
    Program(arguments, ranks).done("run", model, "-o", out)
    found = summary(out)
    assert found["status"] == "done" and len(found["warnings"]) == (1 if warning else 0), found
    assert warning is None or warning in found["warnings"][0], found
    return found


def check_motion(arguments, folder):
    for analysis in ("dynamics: {duration: 2.5, step: 0.01}", "kinematics: {duration: 2.5, step: 0.01}"):
        out = folder / analysis[:8]
        found = run(arguments, with_analysis(folder, analysis), out)
        history = History(out)
        angle, force = (history.names.index(name) for name in ("angle", "cylinder.force"))
        for row in history.rows:
            assert abs(row[angle] - angle_at(length_at(row[0]))) < 1e-7, row
        for row in (history.rows[0], history.rows[-1]):
            at_rest = abs(row[force] / force_at(length_at(row[0])) - 1)
            assert at_rest < 1e-4 or row[0] == 0.0, (row, at_rest)
        if analysis.startswith("dynamics"):
            gained = MASS * G * ARM * math.sin(angle_at(length_at(2.5)))
            assert found["energy"]["relative_drift"] < 1e-4, found["energy"]
            assert abs(found["energy"]["work"] / gained - 1) < 1e-3, (found["energy"], gained)
    print("boom: the law of cosines; the work of the cylinder")


def check_statics(arguments, folder):
    out = folder / "statics"
    run(arguments, with_analysis(folder, "statics: {load_steps: 4}", 'length: "sqrt(1.13) + 0.2*t"'), out)
    history = History(out)
    length = DRAWN + 0.2
    last = dict(zip(history.names, history.rows[-1]))
    assert abs(last["angle"] - angle_at(length)) < 1e-8 and abs(last["cylinder.force"] / force_at(length) - 1) < 1e-8, last
    pin = math.sqrt(sum(last[f"pin.force_{axis}"] ** 2 for axis in "xyz"))
    assert abs(pin / force_at(length) - 1) < 1e-8, last
    print(f"boom: {force_at(length):.1f} N hold it")


def check_rates(arguments, folder):
    laws = {"velocity: 0.1": (0.1, 1e-5), "acceleration: 0.1, start_rate: 0.05": (0.1, 1e-7),
            'acceleration: "0.1*t", start: 1.1, start_rate: 0': (0.1 / 6 + 1.1 - DRAWN, 1e-7)}
    for law, (longer, tolerance) in laws.items():
        out = folder / "rates"
        moved = "moved boom by" if "1.1" in law else None
        run(arguments, with_analysis(folder, "dynamics: {duration: 1, step: 0.005}", law), out, warning=moved)
        history = History(out)
        last = dict(zip(history.names, history.rows[-1]))
        assert abs(last["angle"] - angle_at(DRAWN + longer)) < tolerance, (law, last["angle"], angle_at(DRAWN + longer))
    print("boom: laws for rates of the length start as drawn")


def check_linear(arguments, folder):
    """How far the boom turns for a longer bar; and the bar's force, by its weight and inertia."""
    out = folder / "linear"
    run(arguments, with_analysis(folder, "frequency_response: {inputs: [cylinder], frequencies: [0, 3]}", "length: \"sqrt(1.13)\""), out)
    rows = list(csv.DictReader((out / "frequency_response.csv").read_text().splitlines()[1:]))
    answers = {(row["output"], float(row["frequency"])): float(row["real"]) for row in rows}
    for f in (0.0, 3.0):
        assert abs(answers["angle", f] * lever_at(DRAWN) - 1) < 1e-6, answers
    h = 1e-5
    by_length = (force_at(DRAWN + h) - force_at(DRAWN - h)) / (2 * h)
    inertia = (160 + MASS * ARM**2) / lever_at(DRAWN) ** 2
    for f in (0.0, 3.0):
        expected = by_length - (2 * math.pi * f) ** 2 * inertia
        assert abs(answers["cylinder.force", f] / expected - 1) < 1e-5, (f, answers, expected)
    print("boom: its answer to a longer bar")


def check_ranks(arguments, folder):
    histories = []
    for ranks in (1, 2, 4):
        run(arguments, BOOM, folder / f"ranks_{ranks}", ranks)
        histories.append(History(folder / f"ranks_{ranks}"))
    for history in histories[1:]:
        worst, column = largest_difference(histories[0], history)
        assert worst < 1e-9, (worst, column)
    print("boom: the same on 1, 2 and 4 ranks")


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        check_motion(arguments, folder)
        check_statics(arguments, folder)
        check_rates(arguments, folder)
        check_linear(arguments, folder)
        check_ranks(arguments, folder)


if __name__ == "__main__":
    sys.exit(main())
