"""A sweep: the same runs as one by one, side by side on 1, 2 and 4 ranks; what it says of values that are wrong and of
runs that fail or are stopped.

    sweep.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import csv
import math
import pathlib
import signal
import sys
import tempfile
import time

from support import RIGID, History, Program, parsed_arguments, summary

SHORT = ["--set", "analyses.dynamics.duration=0.002"]
MASSES = ["0.1", "0.2", "0.4"]


def table(folder):
    lines = (folder / "sweep.csv").read_text().splitlines()
    assert lines[0].startswith("# units: "), lines[0]
    rows = list(csv.DictReader(lines[1:]))
    assert len(lines[0].split(",")) == len(rows[0]), lines[:2]
    return rows


def check_that_runs_are_those_of_set(arguments, folder):
    alone = []
    for i, mass in enumerate(MASSES):
        out = folder / f"alone_{i}"
        Program(arguments).done("run", RIGID, "-o", out, *SHORT, "--set", f"bodies.crank.mass={mass}")
        alone.append(History(out))
    for ranks, per_run in ((1, 1), (2, 1), (4, 2)):
        out = folder / f"sweep_{ranks}"
        Program(arguments, ranks).done("run", RIGID, "-o", out, *SHORT, "--sweep",
                                       "bodies.crank.mass=" + ",".join(MASSES), "--ranks-per-run", per_run)
        rows = table(out)
        assert [row["bodies.crank.mass"] for row in rows] == MASSES, rows
        for i, row in enumerate(rows):
            assert row["run"] == f"run_00{i + 1}" and row["status"] == "done", row
            history = History(out / row["run"])
            assert history.rows == alone[i].rows, f"run {i} on {ranks} ranks differs"
            assert summary(out / row["run"])["ranks"] == per_run
            for c, name in list(enumerate(history.names))[1:]:
                column = history.column(c)
                for key, value in (("last", column[-1]), ("least", min(column)), ("largest", max(column))):
                    assert float(row[f"{name}.{key}"]) == value, (name, key, row)
    print("the runs of a sweep are those of --set, on 1, 2 and 4 ranks")


def check_combinations(arguments, folder):
    out = folder / "grid"
    Program(arguments, 2).done("run", RIGID, "-o", out, *SHORT, "--sweep", "bodies.crank.mass=0.1:0.3:3", "--sweep",
                               "analyses.dynamics.rho_infinity=log:0.01:1:3")
    found = [(row["bodies.crank.mass"], row["analyses.dynamics.rho_infinity"]) for row in table(out)]
    expected = [(m, r) for m in (0.1, 0.2, 0.3) for r in (0.01, 0.1, 1.0)]
    assert all(abs(float(a) - b) < 1e-12 for f, e in zip(found, expected) for a, b in zip(f, e)), found
    assert len(found) == 9
    print("two parameters make all combinations")


OSCILLATOR = """solidyn: 1
bodies:
  bob: {type: rigid, mass: 2, inertia: [1, 1, 1]}
  wheel: {type: rigid, mass: 2, inertia: [1, 1, 1]}
joints:
  axle: {type: revolute, between: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1]}
  motor: {type: rotation_drive, joint: axle, angle: "0"}
  guide: {type: prismatic, between: [ground, bob], at: [0, 0, 0], axis: [1, 0, 0], spring: {stiffness: 50}}
loads:
  push: {type: force, at: bob, force: ["0", 0, 0]}
sensors:
  x: {type: position, of: bob, component: x}
  v: {type: velocity, of: bob, component: x}
analyses:
  - ANALYSIS
"""


def check_columns(arguments, folder):
    """Runs with other columns keep theirs under their names, and modes are numbers of the table; old runs go."""
    model, out = folder / "oscillator.yaml", folder / "columns"
    model.write_text(OSCILLATOR.replace("ANALYSIS", "modes: {count: 3}"))
    for values in ("1,2,3", "50,200"):
        Program(arguments).done("run", model, "-o", out, "--sweep", "joints.guide.spring.stiffness=" + values)
    rows = table(out)
    assert len(rows) == 2 and not (out / "run_003").exists(), sorted(p.name for p in out.iterdir())
    for row, stiffness in zip(rows, (50.0, 200.0)):
        assert abs(float(row["mode_1.frequency"]) * 2 * 3.141592653589793 / (stiffness / 2) ** 0.5 - 1) < 1e-9, row
        assert float(row["mode_1.damping_ratio"]) == 0, row

    model.write_text(OSCILLATOR.replace("ANALYSIS", "dynamics: {duration: 0.01, step: 0.001}"))
    for ranks in (1, 2):
        components = ["x", "all", "y", "all"]
        Program(arguments, ranks).done("run", model, "-o", out, "--sweep", "sensors.v.component=" + ",".join(components))
        rows = table(out)
        for row, component in zip(rows, components):
            of_run = {f"{column}.last" for column in History(out / row["run"]).names[1:]}
            assert {column for column in row if column.endswith(".last") and row[column] != "nan"} == of_run, (component, row)
        assert any(value == "nan" for value in rows[0].values()) and any(value == "nan" for value in rows[1].values())
    for path, values in (("joints.motor.angle", ["sin(t)", "max(0, t)", "\"min(t, 2)\"", "'max(t, 2*t)'"]),
                         ("loads.push.force", ["[\"max(0, t)\",0,0]", "[0,\"min(t, 1)\",0]"])):
        Program(arguments).done("run", model, "-o", out, "--sweep", path + "=" + ",".join(values))
        assert [row[path] for row in table(out)] == values, table(out)
    foreign = folder / "foreign"
    foreign.mkdir()
    (foreign / "sweep.csv").write_text("a,b\n1,2\n")
    (folder / "file").write_text("")
    for place, fragment in ((foreign, "was not written by a sweep of Solidyn"), (folder / "file", "cannot create")):
        result = Program(arguments)("run", model, "-o", place, "--sweep", "gravity=[0,0,0],[0,0,1]")
        assert result.returncode == 2 and fragment in result.stderr, result.stderr
    assert (foreign / "sweep.csv").read_text() == "a,b\n1,2\n" and not (foreign / "run_001").exists()
    print("columns: by name where runs differ, modes, quotes and brackets, nothing of an earlier sweep")


def check_parameters(arguments, folder):
    """Formulas of a parameter follow it; a history is a table of the next run, by the name of a column."""
    model, out = folder / "parameters.yaml", folder / "parameters"
    text = OSCILLATOR.replace("solidyn: 1", "solidyn: 1\nparameters: {k: 50, idle: 1, push: \"=k/10\"}")
    text = text.replace("{stiffness: 50}", "{stiffness: =k}").replace('["0", 0, 0]', '["{=push}*cos(t)", 0, 0]')
    model.write_text(text.replace("ANALYSIS", "dynamics: {duration: 0.1, step: 0.001}"))
    Program(arguments, 2).done("run", model, "-o", out, "--sweep", "parameters.k=20:60:3")
    warnings = summary(out / "run_001")["warnings"]
    assert any("parameters.idle is not used" in text for text in warnings), warnings
    assert [row["parameters.k"] for row in table(out)] == ["20", "40", "60"]
    for i, k in enumerate((20, 40, 60)):
        alone = folder / f"parameters_{k}"
        Program(arguments).done("run", model, "-o", alone, "--set", f"joints.guide.spring.stiffness={k}", "--set",
                                f"loads.push.force=[\"{k / 10}*cos(t)\", 0, 0]")
        assert History(alone).rows == History(out / f"run_00{i + 1}").rows, k
    result = Program(arguments)("run", model, "-o", folder / "none", "--sweep", "parameters.kk=1,2")
    assert result.returncode == 2 and "the model has no `parameters.kk`" in result.stderr, result.stderr

    table_of = f"{{file: {out}/run_001/history.csv, column: x, ends: not_a_knot}}"
    again = folder / "again"
    driven = ["--set", f"joints.motor={{type: translation_drive, joint: guide, translation: {table_of}}}"]
    Program(arguments).done("run", model, "-o", again, *driven)
    moved, x = History(again).column(1), History(out / "run_001").column(1)
    assert max(abs(a - b) for a, b in zip(moved, x)) < 1e-9, (moved, x)
    result = Program(arguments)("run", model, "-o", again, "--set", f"joints.motor.angle={table_of}")
    assert result.returncode == 2 and "is in m, expected rad" in result.stderr, result.stderr
    print("parameters: swept with their formulas; a column of a history is a law")


def check_statistics(arguments, folder):
    """Mean, rms and amplitude are over time, rows at any distance; what lies before `from` does not count."""
    model, out = folder / "statistics.yaml", folder / "statistics"
    ways = ("{duration: 1, step: 0.001}",
            "{duration: 1, step: 0.001, adaptive: {tolerance: 1.0e-6, minimum_step: 1.0e-7, maximum_step: 0.05}}")
    for dynamics in ways:
        for start in (0.0, 0.4):
            model.write_text(OSCILLATOR.replace("ANALYSIS", "dynamics: " + dynamics).replace("push: {type: force, at: bob, "
                             'force: ["0", 0, 0]}', 'push: {type: force, at: bob, force: ["3", 0, 0]}') +
                             f"output: {{statistics: {{from: {start}}}}}\n")
            Program(arguments).done("run", model, "-o", out, "--sweep", "joints.guide.spring.stiffness=50,200")
            for row in table(out):
                history = History(out / row["run"])
                kept = [i for i, t in enumerate(history.times) if t >= start - 1e-12]
                t = [history.times[i] for i in kept]
                for name, column in ((n, history.column(c)) for c, n in list(enumerate(history.names))[1:]):
                    y = [column[i] for i in kept]
                    spans = [(t[i + 1] - t[i], y[i], y[i + 1]) for i in range(len(t) - 1)]
                    mean = sum(h * (a + b) / 2 for h, a, b in spans) / (t[-1] - t[0])
                    rms = (sum(h * (a * a + a * b + b * b) / 3 for h, a, b in spans) / (t[-1] - t[0])) ** 0.5
                    expected = {"mean": mean, "rms": rms, "amplitude": (max(y) - min(y)) / 2, "least": min(y),
                                "largest": max(y), "last": column[-1]}
                    for key, value in expected.items():
                        found = float(row[f"{name}.{key}"])
                        assert abs(found - value) <= 1e-12 * max(map(abs, y)), (name, key, found, value)
            # x = F/k (1 - cos(w t)): the mean over 1 s from rest
            k, m = 200.0, 2.0
            w = (k / m) ** 0.5
            exact = 3 / k * (1 - (math.sin(w) - math.sin(w * start)) / (w * (1 - start)))
            assert abs(float(row["x.mean"]) - exact) < 1e-4 * 3 / k + 2e-3 * (dynamics is ways[1]) * 3 / k, (row, exact)
    result = Program(arguments)("check", model, "--set", "output.statistics.from=1")
    assert result.returncode == 2 and "output.statistics.from is not before the end of the run" in result.stderr, result.stderr
    print("mean, rms and amplitude over time, from a start that can be chosen")


def check_wrong_values(arguments, folder):
    for words, expected in (
            (["bodies.crank.mass=0:1:3"], "(at bodies.crank.mass=0)"),
            (["bodies.crank.mas=1,2"], "did you mean `bodies.crank.mass`?"),
            (["bodies.crank.mass=1:2"], "a range consists of a first value, a last value and the number of values"),
            (["bodies.crank.mass=1:2:1"], "a range cannot have 1 values"),
            (["bodies.crank.mass=log:-1:1:3"], "a logarithmic range must not contain zero"),
            (["bodies.crank.mass=1,,2"], "a value is missing"),
            (["=1"], "the path and `=` are missing"),
            (["bodies.crank.mass=1,2", "--sweep", "bodies.crank.mass=3,4"], "duplicate path"),
            (["bodies.crank.mass=1:2:400", "--sweep", "bodies.rod.mass=1:2:400"], "more than 100000 runs"),
            (["bodies.crank.mass=1,2", "--ranks-per-run", "3"], "the 2 ranks of this job are not a multiple of it"),
            (["bodies.crank.mass=1,2", "--set", "bodies.crank.mass=3"], "--set bodies.crank.mass=3 and --sweep bodies.crank.mass give the same"),
            (["bodies.crank.mass=1,2", "--restart"], "--restart and --sweep cannot be combined")):
        out = folder / "wrong"
        result = Program(arguments, 2)("run", RIGID, "-o", out, "--sweep", *words)
        assert result.returncode == 2 and expected in result.stderr, (words, result.returncode, result.stderr)
        assert not out.exists(), words
    print("wrong values: one message, exit status 2, no folder")


def check_failing_run(arguments, folder):
    """The others go on; the row says so."""
    out = folder / "failing"
    result = Program(arguments, 2)("run", RIGID, "-o", out, *SHORT, "--sweep", "analyses.dynamics.max_iterations=20,1")
    assert result.returncode == 1, result.stderr
    assert "1 of 2 runs failed:\n  run_002 (analyses.dynamics.max_iterations=1): " in result.stderr, result.stderr
    assert [row["status"] for row in table(out)] == ["done", "failed"]
    assert summary(out / "run_002")["status"] == "failed"
    print("a run that fails does not stop the others")


def check_stop(arguments, folder):
    """SIGTERM ends the run under way after a checkpoint, and begins no other."""
    out = folder / "stopped"
    program = Program(arguments)
    process = program.start("run", RIGID, "-o", out, "--set", "analyses.dynamics.duration=1000", "--sweep",
                            "bodies.crank.mass=0.1,0.2")
    deadline = time.monotonic() + 60
    while not (out / "run_001" / "history.csv").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(1.0)
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 1 and "run_002" in errors and "not started" in errors, errors
    assert (out / "run_001" / "checkpoint.h5").exists() and not (out / "run_002").exists()
    print("SIGTERM ends a sweep")


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        check_that_runs_are_those_of_set(arguments, folder)
        check_combinations(arguments, folder)
        check_statistics(arguments, folder)
        check_columns(arguments, folder)
        check_parameters(arguments, folder)
        check_wrong_values(arguments, folder)
        check_failing_run(arguments, folder)
        check_stop(arguments, folder)


if __name__ == "__main__":
    sys.exit(main())
