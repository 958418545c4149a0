"""A run that is killed is continued to the end that it would have reached; a wrong restart is refused.

    restart.py --solidyn build/bin/solidyn --mpiexec mpirun

The run is killed with SIGKILL between two checkpoints, on one and on two ranks, and continued on the
same and on the other number of ranks. All of them take the rod's modes from one cache: without it, they
would be computed anew on another number of ranks, and differ by the eigensolver's tolerance.
"""
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import time
import xml.etree.ElementTree

import h5py

from support import (COARSE, FLEXIBLE, RIGID, History, Program, largest_difference, parsed_arguments,
                     summary)

AGREES = 1e-12  # of each column's range
LAST_STEP = 2000
RUN = [FLEXIBLE, "--set", "analyses.dynamics.step=1e-5", "--set",
       f"analyses.dynamics.duration={LAST_STEP}e-5", "--set", "output.fields_interval=1e-3",
       "--set", "output.checkpoint_every=50", "--set", "output.history_every=5", *COARSE]


def killed_run(solidyn, out):
    """Kills it once it has passed a fifth of its steps; returns the step of its last checkpoint."""
    process = solidyn.start("run", *RUN, "-o", out)
    deadline = time.time() + 300
    while time.time() < deadline:
        step = checkpoint_step(out)
        if step >= LAST_STEP // 5:
            break
        assert process.poll() is None, "ended before it could be killed: " + process.stderr.read()
        time.sleep(0.002)
    for rank in solidyn.ranks_of(process):
        os.kill(rank, signal.SIGKILL)
    process.communicate()
    return checkpoint_step(out)


def checkpoint_step(out):
    try:
        with h5py.File(out / "checkpoint.h5") as file:
            return int(file.attrs["step"])
    except OSError:
        return 0


def check_readable(out, step):
    assert summary(out)["status"] == "running"
    assert LAST_STEP // 5 <= step < LAST_STEP, f"killed at step {step}"
    lines = (out / "history.csv").read_text().splitlines()[2:-1]  # the last may be cut
    assert len(lines) >= step // 5 and all(len(line.split(",")) > 1 for line in lines)
    xml.etree.ElementTree.parse(out / "fields.xdmf")
    with h5py.File(out / "fields.h5") as file:
        assert (file["times"][:] >= 0).sum() >= 1  # NaN: not yet complete


def snapshot_times(out):
    with h5py.File(out / "fields.h5") as file:
        times = file["times"][:]
    return [t for t in times if t == t]


def check_continued(arguments, killed_on, folder, whole):
    base = folder / f"killed_{killed_on}"
    cache = folder / "cache"
    step = killed_run(Program(arguments, killed_on, cache), base)
    check_readable(base, step)
    for ranks in (1, 2):
        out = folder / f"killed_{killed_on}_continued_{ranks}"
        shutil.copytree(base, out)
        Program(arguments, ranks, cache).done("run", *RUN, "-o", out, "--restart")
        worst, column = largest_difference(History(whole), History(out))
        print(f"killed on {killed_on} at step {step}, continued on {ranks}: {worst:.1e} of {column}")
        found = summary(out)
        assert found["status"] == "done" and found["steps"] == LAST_STEP, found
        assert len(History(out).rows) == len(History(whole).rows)
        assert snapshot_times(out) == snapshot_times(whole), "other snapshots"
        assert worst <= AGREES, (worst, column)


def check_refusals(arguments, folder, whole):
    for ranks in (1, 2):
        solidyn = Program(arguments, ranks)
        before = {file.name: file.read_bytes() for file in whole.iterdir()}
        done = solidyn("run", RIGID, "-o", whole, "--restart")
        assert done.returncode == 2 and "checkpoint.h5" in done.stderr, done.stderr
        assert "model" in done.stderr and done.stderr.count("error:") == 1, done.stderr
        assert before == {file.name: file.read_bytes() for file in whole.iterdir()}, "touched"
        nothing = folder / "nothing"
        done = solidyn("run", RIGID, "-o", nothing, "--restart")
        assert done.returncode == 2 and "checkpoint.h5" in done.stderr, done.stderr
        assert done.stderr.count("error:") == 1 and not nothing.exists(), done.stderr


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        whole = folder / "whole"
        Program(arguments, cache=folder / "cache").done("run", *RUN, "-o", whole)
        for killed_on in (1, 2):
            check_continued(arguments, killed_on, folder, whole)
        check_refusals(arguments, folder, whole)


if __name__ == "__main__":
    sys.exit(main())
