"""Linear analyses from model files: closed forms of rotating blades and shafts, a cantilever's answers, files that others read,
the same on 1, 2 and 4 ranks, and what is said of states that are no equilibrium.

    linear.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import csv
import math
import pathlib
import sys
import tempfile

import h5py
import numpy

from support import EXAMPLES, Program, parsed_arguments, summary

BLADE = EXAMPLES / "campbell" / "blade.yaml"
SHAFT = EXAMPLES / "campbell" / "shaft.yaml"
BEAM = EXAMPLES / "frequency_response" / "beam.yaml"
FIRST_FLAP = [3.5160, 3.6816, 4.1373, 4.7973, 5.5850, 6.4495, 7.3604]
SECOND_FLAP = [22.0345, 22.1810, 22.6149, 23.3203, 24.2733, 25.4461, 26.8091]


def table(path):
    lines = path.read_text().splitlines()
    assert lines[0].startswith("# units: ") and len(lines[0].split(",")) == len(lines[1].split(",")), lines[:2]
    return list(csv.DictReader(lines[1:]))


def frequencies(rows, speed):
    """Of the oscillations at a speed, rad/s, sorted."""
    return sorted(2 * math.pi * float(row["frequency"]) for row in rows
                  if row["kind"] == "oscillation" and abs(float(row["speed"]) - speed) < 1e-9)


def run(arguments, model, out, *words, ranks=1):
    Program(arguments, ranks).done("run", model, "-o", out, *words)
    found = summary(out)
    assert found["status"] == "done" and found["warnings"] == [], found
    return table(out / "modes.csv")


def check_blade(arguments, folder):
    """Southwell: across the plane by the table, within it sqrt(w^2 - speed^2)."""
    rows = run(arguments, BLADE, folder / "blade")
    speeds = sorted({float(row["speed"]) for row in rows})
    time = math.sqrt(1.2 * 1e4 / 1.4e4)
    for i, speed in enumerate(speeds):
        across = [FIRST_FLAP[i], SECOND_FLAP[i]]
        expected = sorted(across + [math.sqrt(w**2 - i**2) for w in across])
        found = [w * time for w in frequencies(rows, speed)]
        worst = max(abs(a / b - 1) for a, b in zip(found, expected))
        assert len(found) == 4 and worst < 4e-3, (speed, found, expected)
    branches = {row["branch"] for row in rows if row["kind"] == "oscillation"}
    assert len(branches) == 4, branches
    print("blade: Southwell's frequencies in four branches")


def check_shaft(arguments, folder):
    """Case C05: the frequency at rest, the split at 500 and 1000 rad/s, seen from the shaft."""
    rows = run(arguments, SHAFT, folder / "shaft")
    at_rest = frequencies(rows, 0.0)
    assert abs(at_rest[0] / 354.375177 - 1) < 2e-3 and abs(at_rest[1] / at_rest[0] - 1) < 1e-4, at_rest
    for speed, split in ((500.0, 0.684920), (1000.0, 1.369839)):
        found = frequencies(rows, speed)
        forward = min(found, key=lambda w: abs(w - abs(speed - 354.4)))
        backward = min(found, key=lambda w: abs(w - speed - 354.4))
        assert abs((2 * speed - forward - backward) / split - 1) < 0.02, (speed, found, split)
    print("shaft: whirl at rest and its split with the speed")


def check_response(arguments, folder):
    out = folder / "beam"
    rows = run(arguments, BEAM, out)
    modes = frequencies(rows, 0.0)
    assert abs(modes[0] / (3.5160 * math.sqrt(1.4e4 / 1.2) / 100) - 1) < 2e-3, modes
    answers = {}
    for row in table(out / "frequency_response.csv"):
        answers.setdefault((row["input"], row["output"]), []).append(
            (float(row["frequency"]), complex(float(row["real"]), float(row["imaginary"]))))
    assert set(answers) == {(i, o) for i in ("push.force_y", "motor") for o in ("tip", "torque")}, set(answers)
    first = answers["push.force_y", "tip"][0]
    slow = 1000 / (3 * 1.4e4) / (1 - (2 * math.pi * first[0] / modes[0]) ** 2)
    assert abs(first[1].real / slow - 1) < 5e-3, (first, slow)

    space = {}
    with h5py.File(out / "state_space.h5") as file:
        space = {name: file[f"1/{name}"][:] for name in "ABCD"}
        names = [text.decode() if isinstance(text, bytes) else text for text in file["1/inputs"][:]]
    assert names == ["push.force_y", "motor.acceleration"], names
    for name, values in space.items():
        lines = (out / "state_space" / f"{name}.mtx").read_text().splitlines()
        shape = tuple(int(n) for n in lines[1].split())
        read = numpy.array([float(line) for line in lines[2:]]).reshape(shape, order="F")
        assert read.shape == values.shape and (read == values).all(), name
    eigenvalues = numpy.linalg.eigvals(space["A"])
    for w in modes:
        assert min(abs(abs(eigenvalues) - w)) < 1e-3 * w, (w, eigenvalues)
    for f, expected in answers["push.force_y", "tip"]:
        s = 2j * math.pi * f
        found = (space["C"] @ numpy.linalg.solve(s * numpy.eye(len(space["A"])) - space["A"], space["B"]) + space["D"])[0, 0]
        assert abs(found - expected) < 1e-6 * abs(expected), (f, found, expected)
    with h5py.File(out / "modes.h5") as file:
        pictures = sum(len(group) for group in file.values() if hasattr(group, "keys"))
    assert pictures > 0 and (out / "modes.xdmf").read_text().count("<Time ") == 32
    print("cantilever: modes, static answer, state space against frequency response, .mtx against .h5")


def check_ranks(arguments, folder):
    """Rigid systems are replicated; modes of bodies agree to their tolerance."""
    one = run(arguments, BLADE, folder / "ranks_1")
    for ranks in (2, 4):
        other = run(arguments, BLADE, folder / f"ranks_{ranks}", ranks=ranks)
        assert len(one) == len(other)
        for a, b in zip(one, other):
            difference = abs(float(a["frequency"]) - float(b["frequency"]))
            assert difference < 1e-6 * (1 + float(a["frequency"])), (ranks, a, b)
    print("modes on 1, 2 and 4 ranks agree")


PENDULUM = """solidyn: 1
gravity: [0, -9.81, 0]
bodies:
  bob: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], pose: {position: POSITION}}
joints:
  pin: {type: revolute, between: [ground, bob], at: [0, 0, 0], axis: [0, 0, 1]}
analyses:
  - dynamics: {duration: 0.3, step: 0.001}
  - modes: {count: 1, times: [0.1, 0.2]}
"""


def check_states_of_a_motion(arguments, folder):
    """At the times, one after the other; a pendulum on its way is told of, one that hangs is not."""
    omega = math.sqrt(2 * 9.81 / (0.1 + 2))
    for position, warnings in (("[0, -1, 0]", 0), ("[1, 0, 0]", 1)):
        model, out = folder / "pendulum.yaml", folder / f"pendulum_{warnings}"
        model.write_text(PENDULUM.replace("POSITION", position))
        Program(arguments).done("run", model, "-o", out)
        rows = table(out / "modes.csv")
        assert [round(float(row["time"]), 9) for row in rows[:2]] == [0.1, 0.2][:len(rows[:2])], rows
        told = [text for text in summary(out)["warnings"] if "neither an equilibrium nor a steady motion" in text]
        assert (len(told) > 0) == (warnings > 0), summary(out)["warnings"]
        if not warnings:
            assert len(rows) == 2 and all(abs(2 * math.pi * float(r["frequency"]) / omega - 1) < 1e-6 for r in rows), rows
    # Let go of at rest, coefficients do not change yet, and only begin to.
    for formulation in ("absolute", "recursive"):
        model, out = folder / "dropped.yaml", folder / f"dropped_{formulation}"
        model.write_text(PENDULUM.replace("POSITION", "[1, 0, 0]").replace(", times: [0.1, 0.2]", "").replace("  - dynamics: {duration: 0.3, step: 0.001}\n", ""))
        Program(arguments).done("run", model, "-o", out, "--set", f"formulation={formulation}")
        assert any("neither an equilibrium nor a steady motion" in text for text in summary(out)["warnings"]), summary(out)["warnings"]
    print("states of a motion: at their times, with a warning where they are not steady")


WHIP = """solidyn: 1
materials: {steel: {youngs_modulus: 2.1e11, poissons_ratio: 0.3, density: 7850}}
bodies:
  whip:
    type: beam
    points: {root: [0.1, 0, 0], tip: [2.1, 0, 0]}
    elements: ELEMENTS
    section: {type: circle, radius: RADIUS}
    material: steel
  hub: {type: rigid, mass: 1, inertia: [1, 1, 1]}
joints:
  shaft: {type: revolute, between: [ground, hub], at: [0, 0, 0], axis: [0, 0, 1]}
  root: {type: fixed, between: [hub, whip.root]}
  motor: {type: rotation_drive, joint: shaft, angular_velocity: 0}
analyses:
  - modes: {count: 6, about: motor, speeds: [5, 20, 50]}
"""


def check_slender_rotor(arguments, folder):
    """A beam of 500 and of 1000 diameters turns steadily, and is not said to do otherwise."""
    for radius, elements in (("0.002", "8"), ("0.001", "16")):
        model, out = folder / "whip.yaml", folder / "whip"
        model.write_text(WHIP.replace("RADIUS", radius).replace("ELEMENTS", elements))
        Program(arguments).done("run", model, "-o", out)
        assert summary(out)["warnings"] == [], summary(out)["warnings"]
    print("slender rotor: no word of an unsteady state")


CART = """solidyn: 1
bodies:
  cart: {type: rigid, mass: 2, inertia: [1, 1, 1]}
  sled: {type: rigid, mass: 1, inertia: [1, 1, 1]}
joints:
  rail: {type: prismatic, between: [ground, cart], at: [0, 0, 0], axis: [1, 0, 0], spring: {stiffness: 50}}
  brake: {type: prismatic, between: [ground, sled], at: [0, 0, 0], axis: [1, 0, 0], damper: {damping: 3}}
loads:
  push: {type: force, at: cart, force: [0, 0, 0]}
sensors:
  x: {type: position, of: cart, component: x}
analyses:
"""
RESPONSE = "  - frequency_response: {inputs: [push.force_x], frequencies: [0.1, RESONANCE, 2]}\n"


def check_what_stays(arguments, folder):
    """A frequency without bound is inf and a warning; what came before a failure is written; old folders go."""
    model, out = folder / "cart.yaml", folder / "cart"
    resonance = RESPONSE.replace("RESONANCE", repr(5 / (2 * math.pi)))
    model.write_text(CART + "  - dynamics: {duration: 0.002, step: 0.001}\n  - linearise: {inputs: [push.force_x], times: [0.001, 0.002]}\n")
    Program(arguments).done("run", model, "-o", out)
    assert (out / "state_space_2").exists() and not (out / "state_space").exists()
    model.write_text(CART + "  - modes: {count: 3}\n" + resonance + "  - linearise: {inputs: [push.force_x]}\n")
    Program(arguments).done("run", model, "-o", out)
    assert (out / "state_space").exists() and not (out / "state_space_1").exists() and not (out / "state_space_2").exists()
    told = summary(out)["warnings"]
    assert len(told) == 1 and "the response at 0.795775 Hz" in told[0], told
    amplitudes = [float(row["amplitude"]) for row in table(out / "frequency_response.csv")]
    assert abs(amplitudes[0] * abs(50 - 2 * (0.2 * math.pi) ** 2) - 1) < 1e-6 and math.isinf(amplitudes[1]), amplitudes
    assert abs(amplitudes[2] * abs(50 - 2 * (4 * math.pi) ** 2) - 1) < 1e-6, amplitudes
    kinds = [(row["kind"], round(float(row["real"]), 9)) for row in table(out / "modes.csv")]
    assert kinds == [("neutral", 0), ("aperiodic", -3), ("oscillation", 0)], kinds

    model.write_text(CART + "  - modes: {count: 3}\n  - linearise: {inputs: [motor]}\n")
    model.write_text(model.read_text().replace("loads:", """  guide: {type: prismatic, between: [ground, cart], at: [0, 0, 0], axis: [1, 0, 0]}
  motor: {type: translation_drive, joint: guide, translation: "0"}
  other: {type: translation_drive, joint: rail, translation: "0"}
loads:"""))
    result = Program(arguments)("run", model, "-o", out)
    assert result.returncode == 1 and "drive `motor` cannot be an input" in result.stderr, (result.returncode, result.stderr)
    assert summary(out)["status"] == "failed" and "cannot be an input" in summary(out)["failure"]["message"], summary(out)
    assert len(table(out / "modes.csv")) == 2 and not (out / "state_space").exists()
    print("what stays: frequencies without bound, analyses before one that fails; nothing of earlier runs")


DRIVEN = """solidyn: 1
bodies:
  cart: {type: rigid, mass: 2, inertia: [1, 1, 1]}
  sled: {type: rigid, mass: 1, inertia: [1, 1, 1]}
joints:
  path: {type: point_path, between: [ground, cart], position: [0, 0, 0], fix: [y, z]}
  rail: {type: prismatic, between: [ground, sled], at: [0, 0, 0], axis: [1, 0, 0]}
  motor: {type: translation_drive, joint: rail, velocity: "0"}
sensors:
  cart: {type: position, of: cart}
  sled: {type: velocity, of: sled, component: x}
analyses:
  - linearise: {inputs: [path.z, motor]}
  - frequency_response: {inputs: [path.z, motor], frequencies: [1]}
"""


def check_driven_inputs(arguments, folder):
    """What a component of a path or the speed of a drive moves follows it, and nothing else does."""
    model, out = folder / "driven.yaml", folder / "driven"
    model.write_text(DRIVEN)
    Program(arguments).done("run", model, "-o", out)
    follows = {("path.z", "cart.z"), ("motor", "sled")}
    for row in table(out / "frequency_response.csv"):
        expected = 1 if (row["input"], row["output"]) in follows else 0
        assert abs(float(row["real"]) - expected) < 1e-9 and abs(float(row["imaginary"])) < 1e-9, row
    states, inputs = ((out / "state_space" / f"{name}.txt").read_text().split() for name in ("states", "inputs"))
    assert inputs == ["path.z.acceleration", "motor.acceleration"], inputs
    assert states[-3:] == ["path.z", "path.z.rate", "motor.rate"], states
    print("driven inputs: a component of a path, the speed of a drive")


# Two links of a four-bar close it twice over in bending, which the drive is no part of.
LOOP = """solidyn: 1
formulation: FORMULATION
gravity: [0, 0, -9.81]
bodies:
  crank: {type: rigid, mass: 2, inertia: [0.1, 0.2, 0.2], pose: {position: [0.3, 0, 0.0]}}
  coupler: {type: rigid, mass: 3, inertia: [0.1, 0.6, 0.5], pose: {position: [1.0, 0, 0.4]}}
  rocker: {type: rigid, mass: 1.5, inertia: [0.1, 0.2, 0.3], pose: {position: [1.5, 0, 0.2]}}
  load: {type: rigid, mass: 5, inertia: [0.3, 0.2, 0.3], pose: {position: [1.0, 0.2, 1.0]}}
joints:
  a: {type: revolute, between: [ground, crank], at: [0, 0, 0], axis: [0, 1, 0]}
  b: {type: revolute, between: [crank, coupler], at: [0.6, 0, 0.4], axis: [0, 1, 0]}
  c: {type: spherical, between: [coupler, rocker], at: [1.5, 0, 0.4]}
  d: {type: revolute, between: [ground, rocker], at: [1.5, 0, 0], axis: [0, 1, 0]}
  m: {type: rotation_drive, joint: a, angle: "0"}
forces:
  bush: {type: bushing, between: [coupler, load], at: [1, 0.1, 0.7], stiffness: [4e3, 4e3, 6e3, 300, 300, 100], damping: [10, 10, 20, 1, 1, 1]}
sensors:
  p: {type: position, of: load, component: z}
analyses:
  - frequency_response: {inputs: [m], frequencies: [1, 5]}
"""


def check_driven_loop(arguments, folder):
    """The drive of a loop with a redundant row is an input, with the same answer in both formulations."""
    answers = {}
    for formulation in ("absolute", "recursive"):
        model, out = folder / "loop.yaml", folder / formulation
        model.write_text(LOOP.replace("FORMULATION", formulation))
        Program(arguments).done("run", model, "-o", out)
        answers[formulation] = [complex(float(row["real"]), float(row["imaginary"])) for row in table(out / "frequency_response.csv")]
    a, b = (numpy.array(answers[name]) for name in answers)
    assert len(a) == 2 and abs(a).min() > 1e-3 and abs(a - b).max() < 1e-9 * abs(a).max(), answers
    print("a drive of a loop with a redundant row as an input")


# A disc on a universal joint at the end of a turning shaft.
DISC = """solidyn: 1
formulation: FORMULATION
bodies:
  shaft: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], pose: {position: [0, 0, 0.1]}}
  disc: {type: rigid, mass: 10, inertia: [0.2, 0.2, 0.35], pose: {position: [0, 0, 0.5]}}
joints:
  spin: {type: revolute, between: [ground, shaft], at: [0, 0, 0], axis: [0, 0, 1]}
  knee: {type: universal, between: [shaft, disc], at: [0, 0, 0.2], axis: [0, 0, 1]}
forces:
  bush: {type: bushing, between: [ground, disc], at: [0, 0, 0.5], stiffness: [1e5, 1e5, 0, 0, 0, 0]}
analyses:
  - modes: {about: spin, count: 4, speeds: [50], axes: AXES}
"""


def check_axes_of_a_turning_hinge(arguments, folder):
    """Seen from the disc both formulations have the same frequencies; those of the world are those by the speed, and refused in
    relative coordinates, whose hinge turns."""
    found = {}
    for formulation, axes in (("absolute", "body"), ("absolute", "world"), ("recursive", "body"), ("recursive", "world")):
        model, out = folder / "disc.yaml", folder / f"{formulation}_{axes}"
        model.write_text(DISC.replace("FORMULATION", formulation).replace("AXES", axes))
        done = Program(arguments)("run", model, "-o", out)
        if (formulation, axes) == ("recursive", "world"):
            assert done.returncode == 2 and done.stderr.count("where a hinge turns: that of disc turns with shaft") == 1, done.stderr
            continue
        assert done.returncode == 0, done.stderr
        found[formulation, axes] = frequencies(table(out / "modes.csv"), 50)
    body, world, again = found.values()
    assert len(body) == 2 and max(abs(a - b) for a, b in zip(body, again)) < 1e-7, found
    assert abs(abs(body[1] - world[1]) - 50) < 0.2 or abs(abs(body[0] - world[1]) - 50) < 0.2, found
    print("a hinge that turns: the same frequencies from the body, the world's refused")


def check_beside_a_slow_mode(arguments, folder):
    """A disc that creeps back in 1e9 s beside vibrations: each has its own digits."""
    model = folder / "slow.yaml"
    model.write_text("""solidyn: 1
bodies:
  disc: {type: rigid, mass: 1, inertia: [1, 1, 1]}
  fast: {type: rigid, mass: 2, inertia: [1, 1, 1], pose: {position: [1, 0, 0]}}
joints:
  axle: {type: revolute, between: [ground, disc], at: [0, 0, 0], axis: [0, 0, 1], spring: {stiffness: 1e-6}, damper: {damping: 1000}}
  guide: {type: prismatic, between: [ground, fast], at: [1, 0, 0], axis: [1, 0, 0], spring: {stiffness: 5e4}, damper: {damping: 20}}
analyses:
  - modes: {count: 6}
""")
    Program(arguments).done("run", model, "-o", folder / "slow")
    found = [complex(float(row["real"]), float(row["imaginary"])) for row in table(folder / "slow" / "modes.csv")]
    expected = [complex(-1e-9), complex(-5, math.sqrt(5e4 / 2 - 25)), complex(-1000 + 1e-9)]
    assert len(found) == 3 and all(abs(a - b) < 1e-7 * abs(b) for a, b in zip(found, expected)), found
    print("an eigenvalue of 1e-9 1/s beside others")


def state_matrix(folder):
    """A.mtx of `linearise`, dense."""
    lines = [line for line in (folder / "state_space" / "A.mtx").read_text().splitlines() if not line.startswith("%")]
    rows, columns = map(int, lines[0].split())
    return numpy.array(lines[1:], dtype=float).reshape(columns, rows).T


def eigenvalues_of_modes(folder):
    """That are not zero, and how many are."""
    rows = table(folder / "modes.csv")
    found = [complex(float(row["real"]), float(row["imaginary"])) for row in rows if row["kind"] in ("oscillation", "aperiodic")]
    return found, len(rows) - len(found)


def farthest(expected, found):
    """The largest relative distance of an expected number from the nearest of those found."""
    return max(min(abs(s - other) for other in found) / abs(s) for s in expected)


def check_eleven_decades(arguments, folder):
    """Three bodies in a row, on a damper of 0.1 N s/m, a spring of 0.1 N/m and a damper of 1e10 N s/m: motions along and about the line, of two bodies with
    the third as one with the second, are roots of cubic equations. The slow ones were missing."""
    bushing = lambda name, pair, x, k, d: f"  {name}: {{type: bushing, between: [{pair}], at: [{x}, 0, 0], stiffness: {[k] * 6}, damping: {[d] * 6}}}\n"
    model = folder / "decades.yaml"
    model.write_text("""solidyn: 1
bodies:
  a: {type: rigid, mass: 1, inertia: [1, 1, 1]}
  b: {type: rigid, mass: 2, inertia: [1, 2, 1], pose: {position: [1, 0, 0]}}
  c: {type: rigid, mass: 3, inertia: [1, 1, 2], pose: {position: [2, 0, 0]}}
forces:
""" + bushing("damper", "ground, a", 0, 0.0, 0.1) + bushing("spring", "a, b", 0.5, 0.1, 0.0) + bushing("stiff", "b, c", 1.5, 1e-1, 1e10) + "analyses:\n  - modes: {count: 40}\n")
    done = Program(arguments).done("run", model, "-o", folder / "decades")
    found, zeros = eigenvalues_of_modes(folder / "decades")
    assert "missing" not in "".join(summary(folder / "decades")["warnings"]) and zeros == 6, (done.stderr, found)
    assert sum(1 if s.imag == 0 else 2 for s in found) == 30, found
    # (s^2 + 0.1 s + 0.1)(m s^2 + 0.1) - 0.01, m = 5 kg or 2 kg m^2, over s
    expected = [s for m in (5, 2) for s in numpy.roots([m, 0.1 * m, 0.1 * m + 0.1, 0.01]) if s.imag >= 0]
    assert len(expected) == 4 and farthest(expected, found) < 1e-4, (expected, found)
    print(f"eleven decades of stiffness and damping: eigenvalues to {farthest(expected, found):.1e}")


def check_slow_motion_beside_fast_ones(arguments, folder):
    """Six bodies in a row with a motion of 4.699e-4 1/s beside ones of 3e5 1/s: where it is taken for a zero, a warning says so."""
    springs = [(0, 4, 73.26, 155900), (0, 5, 16.63, 11.75), (1, 2, 4587, 4369), (1, 3, 4012, 0), (1, 5, 0, 2.523e-5), (2, 3, 2.322e-4, 0), (3, 5, 0.6382, 3.301e-4)]
    model = folder / "slow.yaml"
    model.write_text("solidyn: 1\nbodies:\n" +
                     "".join(f"  b{i}: {{type: rigid, mass: {m}, inertia: [1, 1, 1], pose: {{position: [{i}, 0, 0]}}}}\n" for i, m in enumerate((376.4, 0.7591, 0.01239, 1.008e-4, 20.07, 0.5781))) +
                     "joints:\n" + "".join(f"  j{i}: {{type: prismatic, between: [ground, b{i}], at: [{i}, 0, 0], axis: [1, 0, 0]}}\n" for i in range(6)) +
                     "forces:\n" + "".join(f"  f{a}{b}: {{type: bushing, between: [b{a}, b{b}], at: [{b}, 0, 0], stiffness: [{k}, 0, 0, 0, 0, 0], damping: [{d}, 0, 0, 0, 0, 0]}}\n" for a, b, k, d in springs) +
                     "analyses:\n  - modes: {count: 40}\n")
    Program(arguments).done("run", model, "-o", folder / "slow")
    found, _ = eigenvalues_of_modes(folder / "slow")
    is_found = any(abs(s + 4.699e-4) < 1e-6 for s in found)
    assert is_found or "taken for zero" in "".join(summary(folder / "slow")["warnings"]), found
    print(f"slow motion beside fast ones: {'found' if is_found else 'said to be taken for a zero'}")


ROLLING = """solidyn: 1
gravity: [0, 0, -9.81]
bodies:
  disc: {type: rigid, mass: 10, inertia: [0.25, 0.45, 0.25], pose: {position: [0, 0, 0.3]}, velocity: {linear: [3, 0, 0], angular: [0, 10, 0]}}
joints:
  roll: {type: rolling, between: [ground, disc], at: [0, 0, 0.3], radius: 0.3, axis: [0, 1, 0], normal: [0, 0, 1]}
SENSORS
analyses:
  - modes: {count: 6}
"""


def check_rolling_disc_with_sensor(arguments, folder):
    """That a sensor sees a disc changes nothing of how steadily it rolls, nor of its modes."""
    found = []
    for name, sensors in (("alone", ""), ("seen", "sensors:\n  p: {type: position, of: disc}")):
        model = folder / f"{name}.yaml"
        model.write_text(ROLLING.replace("SENSORS", sensors))
        done = Program(arguments).done("run", model, "-o", folder / name)
        assert "steady in axes of the world" in done.stdout + done.stderr and not summary(folder / name)["warnings"], done.stderr
        found.append(eigenvalues_of_modes(folder / name))
    (alone, zeros), (seen, also_zeros) = found
    assert zeros == also_zeros == 3 and len(alone) == len(seen) == 1 and abs(alone[0] - seen[0]) < 1e-9 * abs(alone[0]), found
    print(f"a disc rolls as steadily where a sensor sees it: {seen[0]:.6g} 1/s")


def check_strong_dampers(arguments, folder):
    """A chain of 26 bodies whose springs and dampers are up to six decades apart, by sparse matrices or, where these do not converge, by dense ones: each mode is an eigenvalue of the state matrix, and each of these that is lower than the last one is a mode once."""
    for seed in (1, 2, 3):
        r = numpy.random.default_rng(seed)
        n = 26
        part = lambda: (10 ** r.uniform(2, 5), 10 ** r.uniform(2, 7) if r.uniform() < 0.4 else 0.0)
        parts = [part() for _ in range(n)]
        model, out = folder / "strong.yaml", folder / f"strong_{seed}"
        model.write_text("solidyn: 1\nbodies:\n" + "".join(f"  b{i}: {{type: rigid, mass: {r.uniform(1, 3)}, inertia: [0.1, 0.12, 0.14], pose: {{position: [{i + 1}, 0, 0]}}}}\n" for i in range(n)) +
                         "forces:\n" + "".join(f"  k{i}: {{type: bushing, between: [{f'b{i - 1}' if i else 'ground'}, b{i}], at: [{i + 0.5}, 0, 0], stiffness: {[k] * 6}, damping: {[d] * 6}}}\n" for i, (k, d) in enumerate(parts)) +
                         "loads:\n  push: {type: force, at: b3, force: [0, 0, 0]}\nsensors:\n  p: {type: position, of: b3}\nanalyses:\n  - modes: {count: 20}\n  - linearise: {inputs: [push.force_x]}\n")
        Program(arguments).done("run", model, "-o", out)
        found, zeros = eigenvalues_of_modes(out)
        expected = sorted((s for s in numpy.linalg.eigvals(state_matrix(out)) if s.imag >= -1e-4 * abs(s)), key=abs)
        round_off = 1e-15 * abs(expected[-1])  # of the state matrix
        assert zeros == 0 and len(found) == 20, (seed, zeros, found)
        left = list(expected)
        for s in found:
            nearest = min(left, key=lambda other: abs(s - other))
            assert abs(s - nearest) < 1e-4 * abs(s) + round_off, (seed, s, nearest)
            left.remove(nearest)
        assert abs(found[-1]) <= abs(left[0]) * (1 + 1e-4), (seed, found[-1], left[0])
    print("strong dampers: each eigenvalue once")


def check_first_order_law(arguments, folder):
    """A chain of bodies, large enough for sparse matrices, with a damper behind a spring: the modes are the eigenvalues of the state matrix."""
    n = 26
    spring = "stiffness: [4000, 3000, 3500, 50, 60, 70], damping: [4, 3, 3.5, 0.05, 0.06, 0.07]"
    model = folder / "law.yaml"
    model.write_text("solidyn: 1\nbodies:\n" + "".join(f"  b{i}: {{type: rigid, mass: 1, inertia: [0.1, 0.2, 0.15], pose: {{position: [{i}, 0, 0]}}}}\n" for i in range(n)) +
                     "forces:\n" + "".join(f"  s{i}: {{type: bushing, between: [{f'b{i - 1}' if i else 'ground'}, b{i}], at: [{i - 0.5}, 0, 0], {spring}}}\n" for i in range(n)) +
                     """  maxwell: {type: series_spring_damper, between: [ground, b10], at_first: [10, 2, 0], at_second: [10, 0, 0], stiffness: 500, damping: 40}
loads:
  push: {type: force, at: b3, force: [0, 0, 0]}
sensors:
  y: {type: position, of: b3, component: y}
analyses:
  - modes: {count: 8}
  - linearise: {inputs: [push.force_y]}
""")
    Program(arguments).done("run", model, "-o", folder / "law")
    found, _ = eigenvalues_of_modes(folder / "law")
    expected = numpy.linalg.eigvals(state_matrix(folder / "law"))
    assert len(found) == 8 and summary(folder / "law")["warnings"] == [], (found, summary(folder / "law"))
    assert farthest(found, expected) < 1e-6, (found, expected)
    lowest = sorted((s for s in expected if s.imag >= 0), key=abs)[:8]
    assert farthest(lowest, found) < 1e-6, (lowest, found)
    assert max(-s.real / abs(s) for s in found) > 0.01, found
    print("a damper behind a spring in a large system: modes are those of the state matrix")


def check_axes_of_what_rolls(arguments, folder):
    """A disc that rolls straight on is steady in world axes, which are taken without being asked for (Neimark & Fufaev's frequency)."""
    model = folder / "disc.yaml"
    model.write_text("""solidyn: 1
gravity: [0, 0, -9.81]
bodies:
  disc: {type: rigid, mass: 2, inertia: [0.045, 0.09, 0.045], pose: {position: [0, 0, 0.3]}, velocity: {linear: [3, 0, 0], angular: [0, 10, 0]}}
joints:
  roll: {type: rolling, between: [ground, disc], at: [0, 0, 0.3], axis: [0, 1, 0], normal: [0, 0, 1], radius: 0.3}
analyses:
  - modes: {count: 8}
""")
    done = Program(arguments).done("run", model, "-o", folder / "disc")
    found, zeros = eigenvalues_of_modes(folder / "disc")
    inertia = 2 * 0.3**2
    expected = math.sqrt((0.09 * (0.09 + inertia) * 100 - 0.045 * 2 * 9.81 * 0.3) / (0.045 * (0.045 + inertia)))
    assert summary(folder / "disc")["warnings"] == [] and "written in the former (axes: world)" in done.stderr + done.stdout, done.stderr
    assert len(found) == 1 and zeros == 3 and abs(found[0] - 1j * expected) < 1e-6 * expected, (found, expected)
    model.write_text(model.read_text().replace("count: 8", "count: 8, axes: body"))
    assert "coefficients of the linearised equations vary" in Program(arguments).done("run", model, "-o", folder / "disc").stderr
    print("a rolling disc is steady in world axes, which are the default then")


def check_power_of_a_drive(arguments, folder):
    """The power of a damped drive of 5 rad/s, 2 N m s, answers to its speed as the square does, by 20 W s."""
    model, out = folder / "power.yaml", folder / "power"
    model.write_text("""solidyn: 1
bodies: {a: {type: rigid, mass: 1, inertia: [1, 1, 1]}}
joints:
  j: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], damper: {damping: 2}}
  d: {type: rotation_drive, joint: j, angular_velocity: 5}
sensors: {power: {type: drive, joint: d, component: power}}
analyses:
  - dynamics: {duration: 0.1, step: 0.01}
  - frequency_response: {inputs: [d], frequencies: [1.0e-3]}
""")
    Program(arguments).done("run", model, "-o", out)
    row = table(out / "frequency_response.csv")[0]
    assert abs(float(row["real"]) - 20) < 1e-6, row
    print("power of a drive: torque and rate both answer")


LOADED = """solidyn: 1
gravity: [0, 0, 0]
materials:
  steel: {{youngs_modulus: 2.0e11, poissons_ratio: 0.25, density: 8000}}
bodies:
  beam:
    type: beam
    points: {{root: [0, 0, 0], tip: [1, 0, 0]}}
    elements: {elements}
    section: {{type: circle, radius: 0.01}}
    material: steel
    shear: none
    rotary_inertia: torsion
joints:
  wall: {{type: fixed, between: [ground, beam.root]}}
loads:
  gust: {{type: distributed, body: beam, force: [0, "{force}*t", 0], torque: [0, 0, "{torque}*t"]{keys}}}
sensors:
  tip: {{type: position, of: beam.tip}}
  angle: {{type: orientation, of: beam.tip}}
  foot: {{type: section_force, body: beam, point: root}}
  half: {{type: section_force, body: beam, fraction: 0.5}}
analyses:
"""


def check_loads_along_a_line(arguments, folder):
    """A uniform load on a cantilever, by the closed solution of its vibration; torque along a shaft likewise."""
    model, out = folder / "line.yaml", folder / "line"
    frequency = 7.0  # half the first
    model.write_text(LOADED.format(elements=8, force=0, torque=0, keys="") +
                     f"  - frequency_response: {{inputs: [gust.force_y, gust.torque_x], frequencies: [0, {frequency}]}}\n"
                     "  - linearise: {inputs: [gust.force_y, gust.torque_x]}\n")
    Program(arguments).done("run", model, "-o", out)
    answers = {(row["input"], row["output"], float(row["frequency"])): float(row["real"])
               for row in table(out / "frequency_response.csv")}
    area, moment = math.pi * 1e-4, math.pi / 4 * 1e-8
    EI, GJ, mass, omega = 2e11 * moment, 0.8e11 * 2 * moment, 8000 * area, 2 * math.pi * frequency
    k, m = (mass * omega**2 / EI) ** 0.25, mass * omega**2
    # w = (cos, sin, cosh, sinh)(k x) c - 1/m with w = w' = 0 at the wall and no moment and shear at the tip
    A = numpy.array([[1, 0, 1, 0], [0, 1, 0, 1], [-math.cos(k), -math.sin(k), math.cosh(k), math.sinh(k)],
                     [math.sin(k), -math.cos(k), math.sinh(k), math.cosh(k)]])
    c = numpy.linalg.solve(A, [1 / m, 0, 0, 0])
    tip = c @ [math.cos(k), math.sin(k), math.cosh(k), math.sinh(k)] - 1 / m
    polar = 8000 * 2 * moment * omega**2
    expected = {("gust.force_y", "tip.y", 0.0): 1 / (8 * EI), ("gust.torque_x", "angle.x", 0.0): 1 / (2 * GJ),
                ("gust.force_y", "tip.y", frequency): tip,
                ("gust.force_y", "foot.shear_y", 0.0): 1, ("gust.force_y", "foot.bending_z", 0.0): 1 / 2,
                ("gust.force_y", "half.shear_y", 0.0): 1 / 2, ("gust.force_y", "half.bending_z", 0.0): 1 / 8,
                ("gust.torque_x", "half.torsion", 0.0): 1 / 2,
                ("gust.torque_x", "angle.x", frequency): (1 / math.cos(math.sqrt(polar / GJ)) - 1) / polar}
    for key, value in expected.items():
        assert abs(answers[key] / value - 1) < 2e-5, (key, answers[key], value)
    with h5py.File(out / "state_space.h5") as file:
        A, B, C, D = (file[f"1/{name}"][:] for name in "ABCD")
        outputs = [text.decode() if isinstance(text, bytes) else text for text in file["1/outputs"][:]]
    gain = D - C @ numpy.linalg.solve(A, B)
    for (source, output, at), value in expected.items():
        found = gain[outputs.index(output), ["gust.force_y", "gust.torque_x"].index(source)]
        assert at != 0.0 or abs(found / value - 1) < 2e-5, (source, output, found, value)
    print("loads along a line: closed solutions")


def tip_of(folder):
    lines = (folder / "history.csv").read_text().splitlines()
    return dict(zip(lines[1].split(","), (float(cell) for cell in lines[-1].split(","))))


def check_loads_along_a_line_in_large_deflection(arguments, folder):
    """At 0 Hz answers are how equilibria change with the load."""
    model, out = folder / "line.yaml", folder / "line"
    for keys in ("", ", axes: section", ", factors: [[0, 1], [1, 0.3]], between: [root, tip]"):
        def equilibrium(force, torque, more=""):
            model.write_text(LOADED.format(elements=6, force=force, torque=torque, keys=keys) +
                             "  - statics: {load_steps: 4, tolerance: 1.0e-13}\n" + more)
            Program(arguments).done("run", model, "-o", out)
            return tip_of(out)
        force, torque, h = 9000.0, 2000.0, 1e-3
        at = equilibrium(force, torque, "  - frequency_response: {inputs: [gust.force_y, gust.torque_z], frequencies: [0]}\n")
        assert at["tip.y"] > 0.4, at
        answers = {(row["input"], row["output"]): float(row["real"]) for row in table(out / "frequency_response.csv")}
        for name, change in (("gust.force_y", (force * h, 0)), ("gust.torque_z", (0, torque * h))):
            up, down = (equilibrium(force + s * change[0], torque + s * change[1]) for s in (1, -1))
            for output in ("tip.x", "tip.y", "angle.z", "foot.shear_y", "half.bending_z"):
                slope = (up[output] - down[output]) / (2 * sum(change))
                least = 0 if output in ("tip.x", "tip.y", "angle.z") else 1e-5  # sections: N per N, some of them none
                assert abs(answers[name, output] - slope) < 1e-4 * abs(slope) + least, (keys, name, output, answers[name, output], slope)
    print("loads along a line: slopes of equilibria in large deflection")


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        check_power_of_a_drive(arguments, folder)
        check_blade(arguments, folder)
        check_shaft(arguments, folder)
        check_response(arguments, folder)
        check_ranks(arguments, folder)
        check_slender_rotor(arguments, folder)
        check_states_of_a_motion(arguments, folder)
        check_what_stays(arguments, folder)
        check_driven_inputs(arguments, folder)
        check_driven_loop(arguments, folder)
        check_axes_of_a_turning_hinge(arguments, folder)
        check_beside_a_slow_mode(arguments, folder)
        check_eleven_decades(arguments, folder)
        check_slow_motion_beside_fast_ones(arguments, folder)
        check_rolling_disc_with_sensor(arguments, folder)
        check_strong_dampers(arguments, folder)
        check_first_order_law(arguments, folder)
        check_axes_of_what_rolls(arguments, folder)
        check_loads_along_a_line(arguments, folder)
        check_loads_along_a_line_in_large_deflection(arguments, folder)


if __name__ == "__main__":
    sys.exit(main())
