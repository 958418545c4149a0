#!/usr/bin/env python3
"""Critical speed of a vehicle on the track, by bisection: the highest speed at which all motions about steady running decay.

    examples/railway/critical_speed.py build/bin/solidyn MODEL.yaml FROM TO [NAME=VALUE ...]     speeds in m/s; the last words as of --set

The model's analyses are replaced by statics and modes, whose warnings are printed: with  creep: polach  modes are not the motions of wheels that
hardly slip (doc/railway.md), and the critical speed is not theirs. Motions slower than 0.1 Hz do not count: wheels that turn on and a vehicle that rolls
on along the track come back to nothing. Nor do real parts that are nothing but round-off of motions without damping, such as the pitch of boxes.
"""
import csv
import pathlib
import re
import subprocess
import sys
import tempfile

SLOW = 0.1  # Hz
WITHIN = 0.02  # m/s
ROUND_OFF = 1e-4  # of critical damping
WARNED = set()


def least_damped(solidyn, text, folder, speed, settings):
    """Largest real part (1/s) and its frequency (Hz)."""
    model, out = folder / "model.yaml", folder / "out"
    model.write_text(text)
    words = [solidyn, "run", model, "-o", out, "--set", f"track.running_speed={speed}"]
    for setting in settings:
        words += ["--set", setting]
    done = subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True)
    for warning in re.findall(r"modes: .*no derivative.*\n.*", done.stderr + done.stdout):
        if warning not in WARNED:
            print(f"warning: {warning}")
            WARNED.add(warning)
    with open(out / "modes.csv") as file:
        rows = [row for row in csv.reader(file) if not row[0].startswith("#")]
    real, frequency, damping = (rows[0].index(name) for name in ("real", "frequency", "damping_ratio"))
    return max((float(row[real]), float(row[frequency])) for row in rows[1:]
               if float(row[frequency]) > SLOW and abs(float(row[damping])) > ROUND_OFF)


def main():
    solidyn, model, low, high = sys.argv[1], pathlib.Path(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4])
    lines = model.read_text().splitlines()
    lines = lines[:lines.index("analyses:")]  # the last part of the vehicles' files
    text = "\n".join(line for line in lines if not line.startswith("  irregularities:")) + "\nanalyses:\n  - statics: {}\n  - modes: {count: 40}\n"
    with tempfile.TemporaryDirectory() as name:
        look = lambda speed: least_damped(solidyn, text, pathlib.Path(name), speed, sys.argv[5:])
        for speed, sign in ((low, -1), (high, 1)):
            real, frequency = look(speed)
            print(f"{speed:8.3f} m/s: {real:+.4f} 1/s at {frequency:.3f} Hz")
            if sign * real < 0:
                sys.exit(f"the vehicle is {'unstable at the lower' if sign < 0 else 'stable at the higher'} speed: give others")
        while high - low > WITHIN:
            middle = 0.5 * (low + high)
            real, of_it = look(middle)
            low, high = (low, middle) if real > 0 else (middle, high)
            frequency = of_it if real > 0 else frequency  # of what grows
    print(f"critical speed: {0.5 * (low + high):.2f} m/s ({3.6 * 0.5 * (low + high):.1f} km/h), {frequency:.3f} Hz")


if __name__ == "__main__":
    main()
