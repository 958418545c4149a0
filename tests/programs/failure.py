"""A run that fails, or is asked to stop, says so, keeps its last good state, and leaves with status 1.

    failure.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import os
import pathlib
import signal
import sys
import tempfile
import time

import h5py

from support import COARSE, FLEXIBLE, RIGID, History, Program, parsed_arguments, summary

# The crank turns faster and faster, until a few iterations are not enough for any part of a step.
TOO_FAST = [RIGID, "--set", "joints.drive.angle=10*t+4e6*t^3", "--set", "analyses.dynamics.step=2e-3",
            "--set", "analyses.dynamics.duration=0.2", "--set", "analyses.dynamics.max_iterations=4"]
LONG = [FLEXIBLE, *COARSE, "--set", "analyses.dynamics.duration=100", "--set",
        "output.fields_interval=0"]


def check_saved_state(out, found):
    assert found["status"] == "failed", found
    failure = found["failure"]
    assert failure["time"] == found["time"] and failure["step"] == found["steps"], failure
    with h5py.File(out / "checkpoint.h5") as file:
        assert file.attrs["time"] == failure["time"] and file.attrs["step"] == failure["step"]
    assert History(out).times[-1] <= failure["time"]


def check_diverged(arguments, ranks, folder):
    out = folder / f"diverged_{ranks}"
    done = Program(arguments, ranks)("run", *TOO_FAST, "-o", out)
    assert done.returncode == 1, (done.returncode, done.stderr)
    assert done.stderr.count("error: t = ") == 1, "told more or less than once:\n" + done.stderr
    for part in ("body ", "joint ", "t = ", "last good state: ", "step"):
        assert part in done.stderr, (part, done.stderr)
    found = summary(out)
    check_saved_state(out, found)
    assert 0 < found["time"] < 0.2 and found["steps"] > 0, found
    message = found["failure"]["message"]
    assert "Newton" in message and "body " in message and "joint " in message, message
    assert "Newton" in (out / "log.txt").read_text()


def stop_when_under_way(solidyn, process, out, number):
    deadline = time.time() + 200
    while not (out / "history.csv").exists() or (out / "history.csv").read_text().count("\n") < 20:
        assert process.poll() is None and time.time() < deadline, "no history"
        time.sleep(0.05)
    os.kill(solidyn.ranks_of(process)[-1], number)  # one rank is enough: they agree
    return process.communicate(timeout=120)[1]


def check_stopped(arguments, ranks, number, folder):
    out = folder / f"stopped_{ranks}_{number.name}"
    # Kept modes: on two busy ranks round-off may turn those of a pair into others, and a restart refuses that.
    solidyn = Program(arguments, ranks, cache=folder / "cache")
    process = solidyn.start("run", *LONG, "-o", out)
    try:
        text = stop_when_under_way(solidyn, process, out, number)
    finally:
        process.kill()
    assert process.returncode == 1, (process.returncode, text)
    assert text.count("stopped by") == 1 and "--restart" in text, text
    found = summary(out)
    check_saved_state(out, found)
    assert found["steps"] > 0 and "stopped by" in found["failure"]["message"], found
    until = f"analyses.dynamics.duration={found['time'] + 1e-3}"
    solidyn.done("run", *LONG, "--set", until, "-o", out, "--restart")
    again = summary(out)
    assert again["status"] == "done" and again["steps"] >= found["steps"] + 49, again


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for ranks in (1, 2):
            check_diverged(arguments, ranks, folder)
            check_stopped(arguments, ranks, signal.SIGTERM, folder)
        check_stopped(arguments, 1, signal.SIGINT, folder)
    print("failed and stopped runs can be told and continued")


if __name__ == "__main__":
    sys.exit(main())
