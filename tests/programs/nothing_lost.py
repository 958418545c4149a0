"""Runs that meet another run, a signal, a full disk or a crashing plug-in: nothing is mixed, lost or left unsaid.

    nothing_lost.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time

from support import COARSE, FLEXIBLE, RIGID, History, Program, parsed_arguments, summary

LONG = ["--set", "analyses.dynamics.duration=1e5"]


def wait_for(condition, process, what):
    deadline = time.time() + 120
    while not condition():
        assert process.poll() is None and time.time() < deadline, (what, process.communicate())
        time.sleep(0.02)


def wait_for_history(out, process):
    wait_for(lambda: (out / "history.csv").exists() and (out / "history.csv").read_text().count("\n") > 5, process,
             "no history")


def check_lock(arguments, folder):
    out = folder / "locked"
    solidyn = Program(arguments)
    process = solidyn.start("run", RIGID, "-o", out, *LONG)
    try:
        wait_for_history(out, process)
        for words in (["run", RIGID, "-o", out], ["run", RIGID, "-o", out, "--restart"],
                      ["run", RIGID, "-o", out, "--sweep", "bodies.crank.mass=1,2"]):
            second = solidyn(*words)
            assert second.returncode == 2, (words, second.returncode, second.stderr)
            assert f"process {process.pid} of machine" in second.stderr, second.stderr
            assert "is being written by another run" in second.stderr, second.stderr
        assert summary(out)["status"] == "running"
    finally:
        process.kill()
        process.wait()
    # Killed, it leaves its name behind; the next one takes the folder and says so.
    again = solidyn.done("run", RIGID, "-o", out, "--set", "analyses.dynamics.duration=0.001")
    assert f"left by a run that crashed, process {process.pid} of" in again.stderr, again.stderr
    assert not (out / ".solidyn_lock").exists()
    # Of another machine nobody can tell.
    (out / ".solidyn_lock").write_text("solidyn writes here: 17 elsewhere 1 other-start space\n")
    foreign = solidyn("run", RIGID, "-o", out)
    assert foreign.returncode == 2 and "process 17 of machine `elsewhere`" in foreign.stderr, foreign.stderr
    assert f"remove {out}/.solidyn_lock" in foreign.stderr, foreign.stderr
    (out / ".solidyn_lock").unlink()
    solidyn.done("run", RIGID, "-o", out, "--set", "analyses.dynamics.duration=0.001")


def check_signals(arguments, folder):
    for number in (signal.SIGHUP, signal.SIGQUIT):
        out = folder / number.name
        process = Program(arguments).start("run", RIGID, "-o", out, *LONG)
        try:
            wait_for_history(out, process)
            process.send_signal(number)
            text = process.communicate(timeout=60)[1]
        finally:
            process.kill()
        assert process.returncode == 1 and "--restart" in text, (number, process.returncode, text)
        found = summary(out)
        assert found["status"] == "failed" and (out / "checkpoint.h5").exists(), found
    # nohup: a hang-up that is ignored stays ignored
    out = folder / "nohup"
    process = subprocess.Popen([arguments.solidyn, "run", RIGID, "-o", str(out), *LONG], stderr=subprocess.DEVNULL,
                               preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    try:
        wait_for_history(out, process)
        process.send_signal(signal.SIGHUP)
        time.sleep(1.5)
        assert process.poll() is None and summary(out)["status"] == "running"
    finally:
        process.kill()
        process.wait()


SPRING = """
solidyn: 1
bodies:
  bob: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], pose: {position: [1, 0, 0]}}
forces:
  spring: {type: plugin, library: LIBRARY, between: [ground, bob], parameters: {way: WAY}}
sensors:
  x: {type: position, of: bob, component: x}
analyses:
  - dynamics: {duration: 0.2, step: 1e-3}
"""


def check_plug_ins(arguments, folder):
    library = pathlib.Path(arguments.solidyn).resolve().parents[1] / "tests" / "plugins" / "crash.so"
    assert library.exists(), f"{library} is not built"
    ways = ((1, "Segmentation fault"), (2, "Floating point exception"), (3, "Aborted"), (4, "the spring is gone"))
    for ranks in (1, 2):
        for way, reason in ways if ranks == 1 else ways[:1]:
            path, out = folder / f"crash_{way}.yaml", folder / f"crash_{way}_{ranks}"
            path.write_text(SPRING.replace("LIBRARY", str(library)).replace("WAY", str(way)))
            done = Program(arguments, ranks)("run", path, "-o", out)
            assert done.returncode == 1 and reason in done.stderr and "crash.so" in done.stderr, (way, done.stderr)
            assert "PETSC" not in done.stderr, done.stderr
            found = summary(out)
            assert found["status"] == "failed" and reason in found["failure"]["message"], found
            assert 0.04 < found["failure"]["time"] < 0.0501, found
            assert (out / "checkpoint.h5").exists() and "last good state" in done.stderr, done.stderr
            assert 0.04 < History(out).times[-1] < 0.0501
    # Shorter than its headers say: mapped into memory, it would end the program with SIGBUS.
    whole = library.read_bytes()
    path = folder / "cut.yaml"
    cut = folder / "cut.so"
    path.write_text(SPRING.replace("LIBRARY", str(cut)).replace("WAY", "1"))
    for share in (0.1, 0.3, 0.5):
        cut.write_bytes(whole[:int(share * len(whole))])
        done = Program(arguments)("run", path, "-o", folder / "cut")
        assert done.returncode == 2 and "truncated" in done.stderr, (share, done.returncode, done.stderr)


def on_small_disk(arguments, kibibytes, folder, *words, cache=""):
    """The program where `folder` is a file system of so many kibibytes; and what it leaves there."""
    script = (f'mount -t tmpfs -o size={kibibytes}k tmpfs "{folder}" || exit 77; "$@"; status=$?; '
              f'echo "left: $(ls -A "{folder}")"; cat "{folder}"/*/summary.json 2>/dev/null; exit $status')
    return subprocess.run(["unshare", "-rm", "sh", "-c", script, "sh", arguments.solidyn, *map(str, words)],
                          capture_output=True, text=True, timeout=300,
                          env={**os.environ, "SOLIDYN_CACHE": str(cache)})


def check_full_disk(arguments, folder):
    place = folder / "disk"
    place.mkdir()
    if on_small_disk(arguments, 100, place, "--version").returncode != 0:
        print("skipped: no small file system can be mounted here")
        return
    whole = folder / "whole.sbody"
    Program(arguments).done("reduce", FLEXIBLE, *COARSE, "--body", "rod", "-o", whole)
    size = whole.stat().st_size // 1024
    mesh = COARSE[1].split("=")[1]
    for kibibytes in (8, size // 10, size // 2, size - 8):
        done = on_small_disk(arguments, kibibytes, place, "reduce", FLEXIBLE, *COARSE, "--body", "rod", "-o", place / "rod.sbody")
        assert done.returncode == 1, (kibibytes, done.returncode, done.stderr)
        assert f"cannot write {place}/rod.sbody: No space left on device" in done.stderr, (kibibytes, done.stderr)
        assert "HDF5" not in done.stderr and "left: \n" in done.stdout, (done.stderr, done.stdout)
        # The cache is a help: without it the run goes on, and says that it could not keep the body.
        done = on_small_disk(arguments, kibibytes, place, "check", FLEXIBLE, *COARSE, cache=place)
        assert done.returncode == 0 and "could not be stored" in done.stderr, (kibibytes, done.returncode, done.stderr)
        assert "left: \n" in done.stdout, done.stdout
    done = on_small_disk(arguments, 8, place, "convert", mesh, place / "rod.smesh")
    assert done.returncode == 1 and "rod.smesh" in done.stderr and "left: \n" in done.stdout, (done.stderr, done.stdout)
    for kibibytes in (16, 40, 100):
        done = on_small_disk(arguments, kibibytes, place, "run", RIGID, "-o", place / "run")
        assert done.returncode == 1 and "No space left on device" in done.stderr, (kibibytes, done.stderr)
        assert '"status": "failed"' in done.stdout, (kibibytes, done.stdout)


def check_file_size_limit(arguments, folder):
    """A file that may not grow further (SIGXFSZ) is a full disk: a message, and a summary that says how it ended."""
    out = folder / "limited"
    process = Program(arguments).start("run", RIGID, "-o", out, *LONG)
    try:
        wait_for_history(out, process)
        # The summary, which is smaller, can still be written.
        size = max((out / "history.csv").stat().st_size, 1 << 16)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (size, size))
        text = process.communicate(timeout=120)[1]
    finally:
        process.kill()
    assert process.returncode == 1 and "history.csv" in text and "File too large" in text, (process.returncode, text)
    assert summary(out)["status"] == "failed" and "File too large" in summary(out)["failure"]["message"], summary(out)


def check_output_that_is_not_written(arguments, folder):
    for words in (["schema"], ["schema", "--keys"], ["--help"], ["run", "--help"], ["--version"], ["check", RIGID],
                  ["cache"]):
        with open("/dev/full", "w") as full:
            done = subprocess.run([arguments.solidyn, *words], stdout=full, stderr=subprocess.PIPE, text=True)
        assert done.returncode == 1, (words, done.returncode)
        assert "output could not be written completely: No space left on device" in done.stderr, (words, done.stderr)


def check_cache(arguments, folder):
    cache = folder / "own_cache"
    solidyn = Program(arguments, cache=cache)
    solidyn.done("check", FLEXIBLE, *COARSE)
    (cache / "notes.txt").write_text("mine")
    shown = solidyn.done("cache").stdout
    assert str(cache) in shown and "bodies     1" in shown, shown
    kept = solidyn.done("cache", "--clear", "--older-than", "1").stdout
    assert "removed 0 bodies" in kept, kept
    cleared = solidyn.done("cache", "--clear").stdout
    assert "removed 1 bodies" in cleared and [path.name for path in cache.iterdir()] == ["notes.txt"], cleared
    wrong = solidyn("cache", "--older-than", "1")
    assert wrong.returncode == 2 and "requires --clear" in wrong.stderr, wrong.stderr


def check_log_and_first_checkpoint(arguments, folder):
    out = folder / "log"
    solidyn = Program(arguments, cache=folder / "log_cache")
    started = time.time()
    process = solidyn.start("run", FLEXIBLE, *COARSE, "-o", out, "--set", "analyses.dynamics.duration=1000")
    try:
        wait_for_history(out, process)
        lines = (out / "log.txt").read_text().splitlines()
        assert "solidyn 0." in lines[0] and f"process {process.pid}" in lines[0] and FLEXIBLE in lines[0], lines[0]
        assert any("body rod: " in line for line in lines[1:]), lines  # told before there was a folder
        assert any("the first checkpoint is written after 5 s" in line for line in lines), lines
        assert not (out / "checkpoint.h5").exists() or time.time() - started > 5  # on a busy machine
        began = time.time()
        wait_for((out / "checkpoint.h5").exists, process, "no checkpoint")
        assert time.time() - began < 10, "the first checkpoint came late"
    finally:
        process.kill()
        process.wait()
    (out / "checkpoint.h5").unlink()
    none = solidyn("run", FLEXIBLE, *COARSE, "-o", out, "--restart")
    assert none.returncode == 2 and "ended before its first checkpoint" in none.stderr, none.stderr
    assert "is written after 5 s" in none.stderr, none.stderr


# A mass on a spring, with steps that the error chooses.
OSCILLATOR = """
solidyn: 1
bodies:
  mass: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1]}
joints:
  guide: {type: prismatic, between: [ground, mass], at: [0, 0, 0], axis: [1, 0, 0], spring: {stiffness: 100, preload: 1}}
sensors:
  x: {type: position, of: mass, component: x}
  a: {type: acceleration, of: mass, component: x}
analyses:
  - dynamics: DYNAMICS
output: {history_interval: 0.013}
"""


def check_times_of_the_history(arguments, folder):
    ways = {
        "alpha": "{duration: 1, step: 1e-3, adaptive: {tolerance: 1.0e-7, minimum_step: 1.0e-7, maximum_step: 0.1}}",
        "bdf": "{duration: 1, step: 1e-3, integrator: bdf}",
        "rk": "{duration: 1, step: 1e-3, integrator: runge_kutta}"}
    for name, dynamics in ways.items():
        path, out = folder / f"{name}.yaml", folder / name
        path.write_text(OSCILLATOR.replace("DYNAMICS", dynamics))
        Program(arguments).done("run", path, "-o", out)
        history = History(out)
        wanted = [0.013 * k for k in range(77)] + [1.0]
        assert len(history.times) == len(wanted), (name, history.times)
        assert all(abs(t - w) < 1e-12 for t, w in zip(history.times, wanted)), (name, history.times)


def main():
    arguments = parsed_arguments()
    checks = (check_lock, check_signals, check_plug_ins, check_full_disk, check_file_size_limit,
              check_output_that_is_not_written, check_cache, check_log_and_first_checkpoint, check_times_of_the_history)
    chosen = os.environ.get("SOLIDYN_CHECKS", "").split()
    with tempfile.TemporaryDirectory() as name:
        for check in checks:
            if chosen and check.__name__ not in chosen:
                continue
            check(arguments, pathlib.Path(name))
            print(check.__name__.replace("_", " ") + ": done", flush=True)


if __name__ == "__main__":
    sys.exit(main())
