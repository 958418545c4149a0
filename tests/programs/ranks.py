"""A run gives the same history on 1, 2 and 4 ranks, and summary.json keeps its contract.

    ranks.py --solidyn build/bin/solidyn --mpiexec mpirun

With the rod's modes from a cache the histories agree to 1e-9 of each column's range. Where every number of
ranks reduces the rod anew, the eigensolver's tolerance and round-off differ, and accelerations at steps of
20 us show positions' round-off divided by the square of the step: 1e-8.
Of a full mesh that is too small for several ranks, some sleep: the history is that of one rank, bit for bit, and a signal
to a sleeper stops the run in order.
"""
import math
import os
import pathlib
import signal
import sys
import tempfile
import time

from support import (COARSE, FLEXIBLE, RIGID, SOURCE, History, Program, largest_difference,
                     parsed_arguments, summary)

AGREES, AGREES_REDUCED_ANEW = 1e-9, 1e-8  # of each column's range

NUMBER, COUNT = (int, float), int
CONTRACT = {
    "status": str, "ranks": COUNT, "dofs": COUNT, "constraints": COUNT, "steps": COUNT,
    "newton_iterations": COUNT, "linear_iterations": COUNT,
    "seconds": {"total": NUMBER, "setup": NUMBER, "assembly": NUMBER, "solve": NUMBER,
                "output": NUMBER},
    "peak_rss_mb": NUMBER, "peak_rss_mb_of_ranks": list,
    "max_constraint_violation": {"position": NUMBER, "velocity": NUMBER, "acceleration": NUMBER},
    "energy": {"kinetic": NUMBER, "strain": NUMBER, "potential": NUMBER, "work": NUMBER,
               "relative_drift": NUMBER},
    "warnings": list,
}
SHORT = [FLEXIBLE, *COARSE, "--set", "analyses.dynamics.duration=2e-3",
         "--set", "output.fields_interval=1e-3"]


def check_keys(found, contract, path=""):
    for key, kind in contract.items():
        assert key in found, f"summary.json lacks {path}{key}"
        if isinstance(kind, dict):
            check_keys(found[key], kind, f"{path}{key}.")
        else:
            assert isinstance(found[key], kind), (path + key, found[key])


def check_summary(found, ranks, history):
    check_keys(found, CONTRACT)
    assert found["status"] == "done" and found["ranks"] == ranks, found
    assert found["dofs"] > 0 and found["constraints"] > 0 and found["steps"] > 0, found
    assert found["newton_iterations"] >= found["steps"], found
    assert found["warnings"] == [], found["warnings"]
    seconds = found["seconds"]
    parts = sum(seconds[part] for part in ("setup", "assembly", "solve", "output"))
    assert all(value >= 0 for value in seconds.values()) and parts <= 1.01 * seconds["total"], seconds
    assert found["max_constraint_violation"]["position"] < 1e-9, found["max_constraint_violation"]
    of_ranks = found["peak_rss_mb_of_ranks"]
    assert len(of_ranks) == ranks and max(of_ranks) == found["peak_rss_mb"] > 1, of_ranks
    assert math.isclose(found["time"], history.times[-1]), (found["time"], history.times[-1])


def check_case(arguments, name, words, folder, cache, limit):
    histories = {}
    for ranks in (1, 2, 4):
        out = folder / f"{name}_{ranks}"
        Program(arguments, ranks, cache).done("run", *words, "-o", out)
        histories[ranks] = History(out)
        check_summary(summary(out), ranks, histories[ranks])
    for ranks in (2, 4):
        worst, column = largest_difference(histories[1], histories[ranks])
        print(f"{name}, {ranks} ranks against 1: {worst:.1e} of the range of {column}")
        assert len(histories[1].rows) == len(histories[ranks].rows)
        assert worst <= limit, (name, ranks, worst, column)


SOLID = [SOURCE / "tests/verification/floating_frame/pendulum.yaml", "--set", "bodies.rod.type=corotational",
         "--set", "bodies.rod.mesh=" + str(SOURCE / "meshes/rod_circular_coarse.msh")]


def rows_of(folder):
    return (folder / "history.csv").read_text()


def check_sleepers(arguments, folder):
    words = [*SOLID, "--set", "analyses.dynamics.duration=1e-3"]
    Program(arguments).done("run", *words, "-o", folder / "alone")
    for ranks in (2, 4):
        done = Program(arguments, ranks, may_sleep=True).done("run", *words, "-o", folder / f"few_{ranks}")
        assert f"1 of {ranks} ranks computes" in done.stderr + done.stdout, (done.stdout, done.stderr)
        assert summary(folder / f"few_{ranks}")["ranks"] == 1
        assert rows_of(folder / f"few_{ranks}") == rows_of(folder / "alone"), ranks
    done = Program(arguments, 2).done("run", *words, "-o", folder / "all")
    assert "ranks compute" not in done.stderr + done.stdout and summary(folder / "all")["ranks"] == 2
    # What the working rank refuses or fails at is said once, and ends all.
    wrong = Program(arguments, 2, may_sleep=True)("run", *words, "--set", "bodies.rod.interfaces.pin.nodes={at: [9, 9, 9]}",
                                                  "-o", folder / "wrong")
    assert wrong.returncode == 2 and wrong.stderr.count("error:") == 1, (wrong.returncode, wrong.stderr)
    print("full mesh: one of 2 and of 4 ranks computes, with the numbers of one alone")


def check_signals(arguments, folder):
    """One rank is enough, a sleeper too: it passes the signal on, and the working rank saves its state."""
    out = folder / "stopped"
    solidyn = Program(arguments, 2, may_sleep=True)
    process = solidyn.start("run", *SOLID, "--set", "analyses.dynamics.duration=100", "-o", out)
    try:
        while not (out / "history.csv").exists() or len(rows_of(out)) < 2000:
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.05)
        sleeper = solidyn.ranks_of(process)[1]
        os.kill(sleeper, signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 1 and (out / "checkpoint.h5").exists(), (process.returncode, errors)
    assert summary(out)["status"] == "failed" and "stopped by" in errors, errors
    print("signals: a sleeper passes them on")


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_case(arguments, "rigid", [RIGID], folder, "", AGREES)
        check_case(arguments, "flexible", SHORT, folder, folder / "cache", AGREES)
        check_sleepers(arguments, folder)
        check_signals(arguments, folder)
        check_case(arguments, "reduced_anew", SHORT, folder, "", AGREES_REDUCED_ANEW)


if __name__ == "__main__":
    sys.exit(main())
