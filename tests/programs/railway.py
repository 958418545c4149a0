"""Wheelsets on a track: Klingel's wavelength, page G04's eigenvalues and critical speed, a limit cycle above it, energy, several ranks, restart.

    railway.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import csv
import math
import pathlib
import tempfile

from support import EXAMPLES, History, Program, largest_difference, parsed_arguments, summary

# A frame that a drive moves along, and a wheelset on springs to it. Page G04.
SUSPENDED = """solidyn: 1
parameters: {V: 60, y0: 0}
bodies:
  frame: {type: rigid, mass: 1, inertia: [1, 1, 1], pose: {position: [1, 0, HEIGHT]}, velocity: {linear: ["=V", 0, 0]}}
  wheelset: {type: rigid, mass: 1500, inertia: [900, 100, 900], pose: {position: [1, "=y0", HEIGHT]ROLL}, velocity: {linear: ["=V", 0, 0]}}
joints:
  guide: {type: prismatic, between: [ground, frame], at: [1, 0, HEIGHT], axis: [1, 0, 0]}
  motor: {type: translation_drive, joint: guide, translation: "{=V}*t"}
MORE
sensors:
  y: {type: force, force: wheels, component: y}
"""
LINEAR = SUSPENDED.replace("HEIGHT", "0.46").replace("ROLL", "").replace("MORE", """  plane: {type: planar, between: [ground, wheelset], at: [1, 0, 0.46], axis: [0, 0, 1]}
forces:
  springs: {type: bushing, between: [frame, wheelset], at: [1, 0, 0.46], stiffness: [1e7, 1e6, 0, 0, 0, 2.5e6]}
  wheels: {type: linear_wheel_rail, at: wheelset, f11: 9e6, f22: 8e6, conicity: 0.1, half_distance: 0.75, radius: 0.46, spin: rolling}
analyses:
  - modes: {count: 5}
""")
PROFILES = SUSPENDED.replace("HEIGHT", "0.45979").replace("ROLL", ", rotation: {axis: [1, 0, 0], angle: \"=0.054*y0\"}").replace("MORE", """track: {plan: [{length: 400}]}
loads:
  axle_load: {type: force, at: wheelset, force: [0, 0, -100e3]}
forces:
  springs: {type: bushing, between: [frame, wheelset], at: [1, 0, 0.45979], stiffness: [1e7, 1e6, 0, 0, 0, 2.5e6], damping: [1e4, 0, 2e4, 0, 0, 0]}
  wheels: {type: wheel_rail, at: wheelset, wheel: s1002, creep: polach, spin: rolling, damping_ratio: 0.2, damping_speed: 0.01}
analyses:
  - dynamics: {duration: 1.5, step: 1.0e-3, rho_infinity: 0.8}
""") + """  total: {type: energy}
  creep: {type: force, force: wheels, component: power}
  dampers: {type: force, force: springs, component: power}
  motor: {type: drive, joint: motor}
"""
# Cooperrider's bogie, page G05: two wheelsets that cannot roll over, a frame that moves sideways, yaws and rolls, and a bolster that is held.
BOGIE = """solidyn: 1
parameters: {V: 50, b: 1.074, h1: 0.0762, h2: 0.6584, H: 2}
bodies:
  bolster: {type: rigid, mass: 1, inertia: [1, 1, 1], pose: {position: [10, 0, "=H"]}, velocity: {linear: ["=V", 0, 0]}}
  frame: {type: rigid, mass: 2918, inertia: [6780, 6780, 6780], pose: {position: [10, 0, "=H"]}, velocity: {linear: ["=V", 0, 0]}}
  front: {type: rigid, mass: 1022, inertia: [678, 100, 678], pose: {position: ["=10+b", 0, "=H-h1"]}, velocity: {linear: ["=V", 0, 0]}}
  rear: {type: rigid, mass: 1022, inertia: [678, 100, 678], pose: {position: ["=10-b", 0, "=H-h1"]}, velocity: {linear: ["=V", 0, 0]}}
joints:
  guide: {type: prismatic, between: [ground, bolster], at: [10, 0, "=H"], axis: [1, 0, 0]}
  motor: {type: translation_drive, joint: guide, translation: "{=V}*t"}
  front_plane: {type: planar, between: [ground, front], at: ["=10+b", 0, "=H-h1"], axis: [0, 0, 1]}
  rear_plane: {type: planar, between: [ground, rear], at: ["=10-b", 0, "=H-h1"], axis: [0, 0, 1]}
forces:
  secondary: {type: bushing, between: [bolster, frame], at: [10, 0, "=H+h2"], stiffness: [1e9, "=2*0.1823e6", 1e9, "=2*0.3333e6*0.68^2", 1e9, 2.710e6],
              damping: [0, "=2*29.2e3", 0, "=2*20e3*0.68^2", 0, 0]}
  front_box: {type: bushing, between: [frame, front], at: ["=10+b", 0, "=H-h1"], stiffness: [1e9, "=2*1.823e6", 0, "=2*3.646e6*0.62^2", 0, "=2*3.646e6*0.62^2"]}
  rear_box: {type: bushing, between: [frame, rear], at: ["=10-b", 0, "=H-h1"], stiffness: [1e9, "=2*1.823e6", 0, "=2*3.646e6*0.62^2", 0, "=2*3.646e6*0.62^2"]}
  front_wheels: {type: linear_wheel_rail, at: front, f11: "=6.563e6/0.60252", f22: "=6.563e6/0.54219", conicity: 0.05, half_distance: 0.716, radius: 0.4572, spin: rolling}
  rear_wheels: {type: linear_wheel_rail, at: rear, f11: "=6.563e6/0.60252", f22: "=6.563e6/0.54219", conicity: 0.05, half_distance: 0.716, radius: 0.4572, spin: rolling}
analyses:
  - modes: {count: 16}
"""
V_CRITICAL = 77.70469831


def eigenvalues(arguments, model, out, speed):
    Program(arguments).done("run", model, "-o", out, "--set", f"parameters.V={speed}")
    with open(out / "modes.csv") as file:
        rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
    return [complex(float(row[rows[0].index("real")]), float(row[rows[0].index("imaginary")])) for row in rows[1:]]


def check_page(arguments, folder):
    model = folder / "linear.yaml"
    model.write_text(LINEAR)
    for speed, expected in ((20, [-2.89902695 + 10.72117409j, -538.443874, -551.59140542]),
                            (60, [-3.36617410 + 33.01577451j, -179.27271479 + 33.52381747j])):
        found = eigenvalues(arguments, model, folder / f"linear_{speed}", speed)
        for value in expected:
            error = min(abs(value - f) for f in found) / abs(value)
            assert error < 1e-6, (speed, value, found)
    found = eigenvalues(arguments, model, folder / "linear_critical", V_CRITICAL)
    hunting = min(found, key=lambda f: abs(f - 2j * math.pi * 6.55078263))
    # Re grows with some 0.23 1/s for each m/s.
    assert abs(hunting.real) < 1e-6 * abs(hunting) and abs(hunting.imag / (2 * math.pi) / 6.55078263 - 1) < 1e-6, hunting
    print(f"page G04: eigenvalues at 20 and 60 m/s to 1e-6; {hunting:.2e} at the critical speed")


def check_bogie(arguments, folder):
    model = folder / "bogie.yaml"
    model.write_text(BOGIE)
    found = eigenvalues(arguments, model, folder / "bogie_50", 50)
    for value in (-1.602712 + 18.814301j, -3.305348 + 30.262142j, -4.613507 + 49.976701j):
        error = min(abs(value - f) for f in found)
        assert error < 2e-6, (value, found)
    found = eigenvalues(arguments, model, folder / "bogie_critical", 68.644031)
    hunting = min(found, key=lambda f: abs(f - 2j * math.pi * 3.998233))
    assert abs(hunting.real) < 2e-6 and abs(hunting.imag / (2 * math.pi) - 3.998233) < 1e-6, hunting
    print(f"page G05: Cooperrider's bogie, {hunting:.2e} at its critical speed")


def amplitude(history, from_time, to_time):
    return max(abs(y) for t, y in zip(history.times, history.column("y")) if from_time <= t <= to_time)


def check_limit_cycle(arguments, folder):
    model = folder / "profiles.yaml"
    model.write_text(PROFILES)
    run = lambda name, *options: Program(arguments).done("run", model, "-o", folder / name, *options) and History(folder / name)
    fast = run("fast", "--set", "parameters.V=90", "--set", "parameters.y0=0.002")
    early, late, last = (amplitude(fast, *span) for span in ((0.0, 0.1), (0.9, 1.2), (1.2, 1.5)))
    assert late > 1.5 * early and abs(last / late - 1) < 0.2 and last < 0.012, (early, late, last)
    slow = run("slow", "--set", "parameters.V=30", "--set", "parameters.y0=0.003")
    assert amplitude(slow, 1.2, 1.5) < 0.2 * amplitude(slow, 0.0, 0.3), amplitude(slow, 1.2, 1.5)
    print(f"limit cycle of {1e3 * last:.2f} mm at 90 m/s; decay at 30 m/s")
    # What drive and creep, dampers included, put in is what the energy changes by.
    power = [sum(values) for values in zip(fast.column("creep"), fast.column("dampers"), fast.column("motor.power"))]
    work = sum(0.5 * (a + b) * (t - s) for a, b, s, t in zip(power, power[1:], fast.times, fast.times[1:]))
    lost = -sum(0.5 * (a + b) * (t - s) for a, b, s, t in zip(fast.column("creep"), fast.column("creep")[1:], fast.times, fast.times[1:]))
    total = fast.column("total")
    # Wheels that lift off and land exchange far more than creep takes in the end; how they do depends on round-off.
    exchanged = sum(0.5 * (abs(a) + abs(b)) * (t - s) for a, b, s, t in zip(power, power[1:], fast.times, fast.times[1:]))
    difference = (total[-1] - total[0] - work) / exchanged
    assert lost > 100 and abs(difference) < 5e-3, (work, lost, exchanged, total[0], total[-1])
    print(f"creep takes {lost:.0f} J in 1.5 s, the balance of energy is met to {abs(difference):.1e} of the {exchanged:.0f} J that are exchanged")


def check_klingel(arguments, folder):
    Program(arguments).done("run", EXAMPLES / "railway" / "wheelset.yaml", "-o", folder / "klingel")
    history = History(folder / "klingel")
    s, y = history.column("s"), history.column("y")
    crossings = [s[i] - y[i] * (s[i + 1] - s[i]) / (y[i + 1] - y[i]) for i in range(len(y) - 1) if y[i] * y[i + 1] < 0]
    wavelength = 2 * (crossings[-1] - crossings[0]) / (len(crossings) - 1)
    assert len(crossings) >= 3 and abs(wavelength / 16.504578 - 1) < 0.01, wavelength
    print(f"Klingel: {wavelength:.4f} m, {100 * (wavelength / 16.504578 - 1):+.2f} %")


def check_beyond_kalkers_table(arguments, folder):
    """On a rail that is nearly flat across patches are narrow: each wheel says so once, and wheels within the table say nothing."""
    text = (EXAMPLES / "railway" / "wheelset.yaml").read_text().replace("duration: 9", "duration: 0.04").replace("step: 4.0e-3", "step: 5.0e-4").replace("y0: 0.003", "y0: 0").replace("cone:0.05", "cone:0")
    for rail, expected in (("circle:0.08", 0), ("circle:100", 2)):
        model = folder / "narrow.yaml"
        model.write_text(text.replace("circle:0.08", rail).replace("gauge_depth: 0.01", "gauge_depth: 0.000005" if expected else "gauge_depth: 0.01"))
        Program(arguments).done("run", model, "-o", folder / "narrow")
        told = [w for w in summary(folder / "narrow")["warnings"] if "Kalker's table of creep coefficients goes from 0.1 to 10" in w]
        assert len(told) == expected and all(sum(f"the {side} wheel touches" in w for w in told) == expected // 2 for side in ("left", "right")), (rail, told)
    print("patches beyond Kalker's table are named, of each wheel once")


def check_ranks_and_restart(arguments, folder):
    short = ["--set", "parameters.V=40", "--set", "parameters.y0=0.004"]
    end = ["--set", "analyses.0.dynamics.duration=0.1"]
    model = folder / "profiles.yaml"
    for ranks in (1, 2, 4):
        Program(arguments, ranks).done("run", model, "-o", folder / f"ranks_{ranks}", *short, *end)
    one = History(folder / "ranks_1")
    for ranks in (2, 4):
        worst, column = largest_difference(one, History(folder / f"ranks_{ranks}"))
        assert worst < 1e-9, (ranks, worst, column)
    half = folder / "half"
    Program(arguments).done("run", model, "-o", half, *short, "--set", "analyses.0.dynamics.duration=0.05")
    Program(arguments).done("run", model, "-o", half, "--restart", *short, *end)
    worst, column = largest_difference(one, History(half))
    assert worst < 1e-9, (worst, column)
    print("wheelset on 1, 2 and 4 ranks and through a restart: the same")
    zones = folder / "zones.yaml"
    zones.write_text(PROFILES.replace("wheel: s1002", "wheel: s1002, patch: piotrowski_kik"))
    short = short + ["--set", "analyses.0.dynamics.duration=0.03"]
    for ranks in (1, 2, 4):
        Program(arguments, ranks).done("run", zones, "-o", folder / f"zones_{ranks}", *short)
    one, hertz = History(folder / "zones_1"), History(folder / "ranks_1")
    for ranks in (2, 4):
        worst, column = largest_difference(one, History(folder / f"zones_{ranks}"))
        assert worst < 1e-9, (ranks, worst, column)
    assert any(abs(a - b) > 1e-6 for a, b in zip(one.column("y"), hertz.column("y"))), "patches are those of hertz"
    print("patches of Piotrowski and Kik on 1, 2 and 4 ranks: the same")


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_page(arguments, folder)
        check_bogie(arguments, folder)
        check_limit_cycle(arguments, folder)
        check_klingel(arguments, folder)
        check_beyond_kalkers_table(arguments, folder)
        check_ranks_and_restart(arguments, folder)


if __name__ == "__main__":
    main()
