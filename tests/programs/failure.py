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
    solidyn = Program(arguments, ranks)
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


# A mass on a spring, 1000 rad/s; no explicit method is stable with steps of 6 ms.
BLOWN_UP = """
solidyn: 1
bodies:
  mass: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1]}
joints:
  guide: {type: prismatic, between: [ground, mass], at: [0, 0, 0], axis: [1, 0, 0], spring: {stiffness: 1.0e6, preload: 1}}
sensors:
  x: {type: position, of: mass, component: x}
analyses:
  - dynamics: {duration: 0.06, step: STEP, integrator: runge_kutta}
"""


def check_energy_from_nowhere(arguments, folder):
    for name, step, n_warnings in (("stable", 1e-3, 0), ("blown_up", 6e-3, 1)):
        path = folder / f"{name}.yaml"
        path.write_text(BLOWN_UP.replace("STEP", str(step)))
        Program(arguments).done("run", path, "-o", folder / name, "--", "-ts_adapt_type", "none")
        warnings = summary(folder / name)["warnings"]
        assert len(warnings) == n_warnings, warnings
        assert all("came from nowhere" in warning for warning in warnings), warnings


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for ranks in (1, 2):
            check_diverged(arguments, ranks, folder)
            check_stopped(arguments, ranks, signal.SIGTERM, folder)
        check_stopped(arguments, 1, signal.SIGINT, folder)
        check_energy_from_nowhere(arguments, folder)
    print("failed and stopped runs can be told and continued")


if __name__ == "__main__":
    sys.exit(main())
