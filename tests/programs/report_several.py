"""`solidyn report` of several runs and of sweeps tells them apart; what else stands in a run's folder is shown; long histories keep their extremes.

    report_several.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import math
import pathlib
import shutil
import sys
import tempfile

from report import Page, is_without_page
from support import Program, parsed_arguments

RIGID = """
solidyn: 1
title: rotor
bodies: {arm: {type: rigid, mass: 1, inertia: [1, 1, 1], velocity: {angular: [0, 0, 3]}}}
joints: {hinge: {type: revolute, between: [ground, arm], axis: [0, 0, 1], at: [0, 0, 0]}}
sensors: {angle: {type: joint_angle, joint: hinge}}
analyses: [{dynamics: {duration: 0.1, step: 1.0e-3}}]
"""


def check_several_runs(arguments, folder):
    """Runs of one name are told apart, rows of sweeps know their runs, and a report is the same after the run as at its end."""
    solidyn, model, page = Program(arguments), folder / "rigid.yaml", folder / "several.html"
    model.write_text(RIGID)
    for name in ("a", "b"):
        solidyn.done("run", model, "-o", folder / name / "out", "--report")
    first = (folder / "a" / "out" / "report.html").read_bytes()
    solidyn.done("report", folder / "a" / "out")
    assert (folder / "a" / "out" / "report.html").read_bytes() == first
    shutil.copy(folder / "a" / "out" / "history.csv", folder / "a" / "out" / "drives.csv")
    (folder / "a" / "out" / "statics.csv").write_text("# units: s,N\ntime,load\n0,12.5\n")
    for name, values in (("s1", "1,2"), ("s2", "3,4")):
        solidyn.done("run", model, "--sweep", f"bodies.arm.mass={values}", "-o", folder / name)
    table = folder / "s2" / "sweep.csv"
    table.write_text(table.read_text().replace(",done,", ",failed,", 1))
    solidyn.done("report", folder / "a" / "out", folder / "b" / "out", folder / "s1", folder / "s2", "-o", page)
    runs = Page(page).manifest["runs"]
    names = [run["name"] for run in runs]
    assert names[:3] == ["a/out", "b/out", "s1"] and len(set(names)) == len(names) == 8, names
    assert runs[2]["sweep"]["runs"] == [3, 4] and runs[5]["sweep"]["runs"] == [6, 7], runs
    assert runs[2]["status"] == "completed" and runs[5]["status"] == "failed" and "1 of 2 runs failed: run_001" in runs[5]["message"], runs[5]
    assert len(runs[0]["history"]["columns"]) == 2 * len(runs[1]["history"]["columns"])
    assert ["0", "12.5"] in next(table["rows"] for table in runs[0]["tables"] if "Equilibria" in table["title"])
    (folder / "real.html").write_bytes(page.read_bytes())
    (folder / "link.html").symlink_to("real.html")
    (folder / "real.html.tmp").write_text("mine")
    solidyn.done("report", folder / "b" / "out", "-o", folder / "link.html")
    assert (folder / "link.html").is_symlink() and Page(folder / "real.html").manifest["title"] == "rotor"
    assert (folder / "real.html.tmp").read_text() == "mine"


def check_long_history(arguments, folder):
    """Beyond 200,000 rows each bucket has its extremes, NaN and infinite values among them, and a sentence says so."""
    out, n = folder / "b" / "out", 210_000
    rows = [f"{i * 1e-3:.6g},{math.sin(i):.6g},{['nan', 'inf', '1'][i % 3]}" for i in range(n)]
    (out / "history.csv").write_text("# units: s,m,1\ntime,fast,odd\n" + "\n".join(rows) + "\n")
    Program(arguments).done("report", out)
    page = Page(out / "report.html")
    history = page.manifest["runs"][0]["history"]
    fast = page.array(history["columns"][0]["array"])
    assert history["reduced"] and fast.shape == (2, 20_000) and any("210000 rows" in note for note in page.manifest["notes"])
    assert fast[1].min() > 0.87 and fast[0].max() < -0.87


def main():
    arguments = parsed_arguments()
    if is_without_page(arguments):
        return
    with tempfile.TemporaryDirectory() as name:
        check_several_runs(arguments, pathlib.Path(name))
        check_long_history(arguments, pathlib.Path(name))


if __name__ == "__main__":
    sys.exit(main())
