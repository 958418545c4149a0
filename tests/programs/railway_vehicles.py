"""Vehicles on the track: wheel loads at rest and running, in a curve, hunting by linearisation and in time, steady running that stays steady.

    railway_vehicles.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import csv
import math
import pathlib
import re
import tempfile

from support import EXAMPLES, History, Program, largest_difference, parsed_arguments

COACH = (EXAMPLES / "railway" / "coach.yaml").read_text()
LOCOMOTIVE = (EXAMPLES / "railway" / "locomotive_rigid.yaml").read_text()


def with_analyses(text, *analyses):
    return text[:text.index("analyses:")] + "analyses:\n" + "".join(f"  - {a}\n" for a in analyses)


def without_irregularities(text):
    return "\n".join(line for line in text.splitlines() if not line.startswith("  irregularities:")) + "\n"


def run(arguments, folder, name, text, *options, ranks=1):
    model = folder / f"{name}.yaml"
    model.write_text(text)
    Program(arguments, ranks).done("run", model, "-o", folder / name, *options)
    return folder / name


def loads(history, n):
    return [history.column(f"Q_{k}_{side}")[-1] for k in range(1, n + 1) for side in ("left", "right")]


def check_loads(arguments, folder):
    """Page G07's, at rest and running."""
    steady = without_irregularities(COACH)
    for speed in ("  running_speed: 44.44\n", ""):
        text = with_analyses(steady.replace("  running_speed: 44.44\n", speed), "statics: {load_steps: 1}")
        for Q in loads(History(run(arguments, folder, "coach", text)), 4):
            assert abs(Q / 54546.0525 - 1) < 1e-3, Q
    found = loads(History(run(arguments, folder, "locomotive", with_analyses(without_irregularities(LOCOMOTIVE), "statics: {}"))), 6)
    for Q, expected in zip(found, [Q for Q in (69095.82, 70860.90, 72625.98) * 2 for _ in "lr"]):
        assert abs(Q / expected - 1) < 5e-3, found
    print("wheel loads:", ", ".join(f"{Q:.1f}" for Q in found), "N")


def check_what_runs(arguments, folder):
    """A tower beside the track stands; an aerial, a beam whose nodes hang on the car, runs, and modes about that are found."""
    text = without_irregularities(COACH).replace("bodies:\n", """materials: {steel: {youngs_modulus: 2.1e11, poissons_ratio: 0.3, density: 7850}}
bodies:
  tower: {type: rigid, mass: 100, inertia: [10, 10, 10], pose: {position: [20, 5, 1]}}
  aerial: {type: beam, points: {foot: [AT, 0, 3], top: [AT, 0, 3.5]}, elements: 2, section: {type: circle, radius: 0.02}, material: steel}
""", 1).replace("forces:\n", """joints: {root: {type: fixed, between: [car, aerial.foot]}}
forces:
  footing: {type: bushing, between: [ground, tower], at: [20, 5, 1], stiffness: [1e6, 1e6, 1e6, 1e5, 1e5, 1e5], damping: [1e3, 1e3, 1e3, 10, 10, 10]}
""", 1).replace("sensors:\n", """sensors:
  tower_v: {type: velocity, of: tower, component: x}
  aerial_v: {type: velocity, of: aerial.top, component: x}
""", 1)
    car = float(re.search(r"^  car: .*?position: \[([0-9.]+)", text, re.MULTILINE | re.DOTALL)[1])
    out = run(arguments, folder, "beside", with_analyses(text.replace("AT", repr(car)), "statics: {}", "modes: {count: 14}", "dynamics: {duration: 0.01, step: 1e-3}"))
    history = History(out)
    assert max(map(abs, history.column("tower_v"))) < 1e-6, history.column("tower_v")
    assert all(abs(v - 44.44) < 0.01 for v in history.column("aerial_v")), history.column("aerial_v")


def refuse_unsteady(folder):
    """Modes about steady running are in axes in which it is steady."""
    log = (folder / "log.txt").read_text()
    assert "coefficients of the linearised equations vary" not in log, log
    assert "creep: polach  has no derivative" in log, log


def modes(folder):
    """Eigenvalues with their frequency in Hz, of oscillations."""
    with open(folder / "modes.csv") as file:
        rows = [row for row in csv.reader(file) if not row[0].startswith("#")]
    real, frequency = (rows[0].index(name) for name in ("real", "frequency"))
    return [(float(row[frequency]), float(row[real])) for row in rows[1:] if float(row[frequency]) > 0.1]


def check_modes(arguments, folder):
    """Of running: the coach's bounce, and the locomotive's hunting, as page G07 has them with linear creep."""
    steady = without_irregularities(COACH)
    found = modes(run(arguments, folder, "coach_modes", with_analyses(steady, "statics: {}", "modes: {count: 14}")))
    refuse_unsteady(folder / "coach_modes")
    bounce = min(abs(f - 1.070336) for f, _ in found)
    assert bounce < 1e-3, found
    steady = without_irregularities(LOCOMOTIVE)
    found = modes(run(arguments, folder, "locomotive_modes", with_analyses(steady, "statics: {}", "modes: {count: 14}")))
    refuse_unsteady(folder / "locomotive_modes")
    hunting = min(found, key=lambda mode: abs(mode[0] - 1.26929))
    assert abs(hunting[0] / 1.26929 - 1) < 0.01 and abs(-hunting[1] / (2 * math.pi * hunting[0]) - 0.0363) < 0.01, found
    print(f"hunting at 70 km/h: {hunting[0]:.5f} Hz, real part {hunting[1]:.4f} 1/s")
    return hunting


def check_ring_down(arguments, folder, hunting):
    """A car that a torque has turned comes back with the frequency and the damping of the linear analysis."""
    kicked = without_irregularities(LOCOMOTIVE).replace("length: 560", "length: 160").replace("sensors:\n", '''loads:
  kick: {type: force, at: car, torque: [0, 0, "2e4*exp(-((t - 0.25)/0.1)^2)"]}
sensors:
  turn: {type: angular_velocity, of: car, component: z}
''')
    history = History(run(arguments, folder, "kicked", with_analyses(kicked, "statics: {}", "dynamics: {duration: 4.5, step: 1.0e-3, rho_infinity: 0.9}")))
    w, t = history.column("turn"), history.times
    # Where it turns back, and how fast it turned in between.
    zeros = [t[i] - w[i] * (t[i + 1] - t[i]) / (w[i + 1] - w[i]) for i in range(len(w) - 1) if w[i] * w[i + 1] < 0 and t[i] > 1.0]
    peaks = [max(abs(value) for time, value in zip(t, w) if a < time < b) for a, b in zip(zeros, zeros[1:])]
    frequency = 0.5 * (len(zeros) - 1) / (zeros[-1] - zeros[0])
    decay = math.log(peaks[-1] / peaks[0]) / (0.5 * (len(peaks) - 1) / frequency)
    assert len(peaks) >= 6 and abs(frequency / hunting[0] - 1) < 0.003 and abs(decay / hunting[1] - 1) < 0.03, (frequency, decay, hunting)
    print(f"after a kick: {frequency:.4f} Hz, {decay:.4f} 1/s")


def check_start_of_dynamics(arguments, folder):
    """Steps of the ordinary length leave steady running as it is, and its energy to the traction that is not there."""
    text = without_irregularities(COACH).replace("sensors:\n", "sensors:\n  E: {type: energy}\n")
    analyses = "statics: {}", "dynamics: {duration: 0.004, step: 1e-3, rho_infinity: 0.8}"
    history = History(run(arguments, folder, "steady", with_analyses(text, *analyses)))
    E, Q, a = (history.column(name) for name in ("E", "Q_1_left", "floor_y"))
    assert max(abs(q - Q[0]) for q in Q) < 1e-2 and max(map(abs, a)) < 1e-5, (Q, a)
    per_step = [after - before for before, after in zip(E, E[1:])]
    assert all(abs(change - per_step[-1]) < 1e-3 for change in per_step), per_step
    print(f"a coach that runs steadily goes on so: {per_step[-1]:.5f} J per step")


CANTED = """solidyn: 1
gravity: [0, 0, -9.81]
track:
  plan: [{{length: 60, curvature: 0.002, cant: 0.1}}]
  cant_axis: centre
  running_speed: {V}
bodies:
  box: {{type: rigid, mass: 10000, inertia: [2000, 8000, 8000], pose: {{position: {q}, rotation: {{vector: {r}}}}}}}
  front: {{type: rigid, mass: 1500, inertia: [900, 100, 900], pose: {{position: {front}, rotation: {{vector: {turned_front}}}}}}}
  rear: {{type: rigid, mass: 1500, inertia: [900, 100, 900], pose: {{position: {rear}, rotation: {{vector: {turned_rear}}}}}}}
forces:
  springs_front: {{type: bushing, between: [box, front], at: {front}, stiffness: [1e8, 1e8, 1e8, 1e8, 0, 1e8]}}
  springs_rear: {{type: bushing, between: [box, rear], at: {rear}, stiffness: [1e8, 1e8, 1e8, 1e8, 0, 1e8]}}
  front: {{type: wheel_rail, at: front, wheel: s1002, spin: frame, friction: 0.3}}
  rear: {{type: wheel_rail, at: rear, wheel: s1002, spin: frame, friction: 0.3}}
sensors:
  front: {{type: force, force: front}}
  rear: {{type: force, force: rear}}
analyses:
  - statics: {{}}
"""


def check_curve(arguments, folder):
    """Two wheelsets under a mass, drawn radially on a canted curve: the wheels carry what weight and centrifugal force amount to across the track."""
    k, cant, V, h = 0.002, 0.1, 25.0, 1.0
    roll = -math.asin(cant / 1.5)

    def place(s, z):
        up = (math.sin(k * s) * math.sin(roll), -math.cos(k * s) * math.sin(roll), math.cos(roll))
        return [c + z * u for c, u in zip((math.sin(k * s) / k, (1 - math.cos(k * s)) / k, 0.0), up)]

    turned = lambda s: rotation_vector(k * s, roll)
    text = CANTED.format(V=V, q=place(30, h), r=turned(30), front=place(31.25, 0.4598), turned_front=turned(31.25), rear=place(28.75, 0.4598), turned_rear=turned(28.75))
    history = History(run(arguments, folder, "canted", text))
    total = lambda *names: sum(history.column(f"{wheelset}.{name}")[-1] for wheelset in ("front", "rear") for name in names)
    # In the track's plane: g and V^2/R, of each mass at its own radius, down and outwards.
    mass = 13000
    down = mass * (9.81 * math.cos(roll) - V * V * k * math.sin(roll))
    outwards = mass * (V * V * k * math.cos(roll) + 9.81 * math.sin(roll))
    Q, Y = total("left_Q", "right_Q"), total("right_Y") - total("left_Y")
    # About the track's middle, with the wheelsets' shift, and the points where wheels touch.
    value = lambda wheelset, name: history.column(f"{wheelset}.{name}")[-1]
    turning = sum(m * z for m, z in ((10000, h), (3000, 0.4598))) / mass * outwards - down * 0.5 * total("y")
    turning += 2 * 100 * (V / 0.46) * V * k  # of wheels that turn and are turned: gyroscopic
    middle = lambda w, side: sum(value(w, f"{side}_{i}_N") * value(w, f"{side}_{i}_y") for i in (1, 2)) / sum(value(w, f"{side}_{i}_N") for i in (1, 2))
    shift = -sum(value(w, f"{side}_Q") * middle(w, side) for w in ("front", "rear") for side in ("left", "right"))
    assert abs(Q / down - 1) < 1e-3 and abs(Y / outwards - 1) < 1e-2 and abs(shift / turning - 1) < 0.03, (Q, down, Y, outwards, shift, turning)
    print(f"canted curve: {Q:.0f} N on the rails ({down:.0f}), {Y:.0f} N outwards ({outwards:.0f}), moment {shift:.0f} N m ({turning:.0f})")


def check_tight_curve(arguments, folder):
    """R = 200 m with 150 mm of cant, at speeds from too slow to too fast: Newton's method alone found none of these from the vehicle as drawn."""
    k, cant = 0.005, 0.15
    roll = -math.asin(cant / 1.5)

    def place(s, y, z):
        middle = (math.sin(k * s) / k, (1 - math.cos(k * s)) / k, 0.0)
        left = (-math.sin(k * s) * math.cos(roll), math.cos(k * s) * math.cos(roll), math.sin(roll))
        up = (math.sin(k * s) * math.sin(roll), -math.cos(k * s) * math.sin(roll), math.cos(roll))
        return [c + y * l + z * u for c, l, u in zip(middle, left, up)]

    turned = lambda s: rotation_vector(k * s, roll)
    point_springs = "".join(f"  spring_{name}_{side}: {{type: bushing, between: [box, {name}], at: {place(s, y, 0.4598)}, stiffness: [1e7, 1e7, 1e7, 0, 0, 0]}}\n"
                            for name, s in (("front", 31.25), ("rear", 28.75)) for side, y in (("left", 1), ("right", -1)))
    for V in (5.0, 20.0, 40.0):
        text = CANTED.format(V=V, q=place(30, 0, 1), r=turned(30), front=place(31.25, 0, 0.4598), turned_front=turned(31.25), rear=place(28.75, 0, 0.4598), turned_rear=turned(28.75))
        text = text.replace("curvature: 0.002, cant: 0.1", f"curvature: {k}, cant: {cant}").replace("spin: frame", "spin: rolling, rolling_inertia: 100, creep: polach")
        text = re.sub(r"  springs_front:.*\n  springs_rear:.*\n", point_springs, text)
        history = History(run(arguments, folder, "tight", text))
        total = lambda name: sum(history.column(f"{wheelset}.{name}")[-1] for wheelset in ("front", "rear"))
        down = 13000 * (9.81 * math.cos(roll) - V * V * k * math.sin(roll))
        outwards = 13000 * (V * V * k * math.cos(roll) + 9.81 * math.sin(roll))
        Q, Y = total("left_Q") + total("right_Q"), total("right_Y") - total("left_Y")
        assert abs(Q / down - 1) < 1e-3 and abs(Y - outwards) < 5e-3 * down, (V, Q, down, Y, outwards)
    print("a vehicle in a curve of 200 m at 5, 20 and 40 m/s carries its weight and centrifugal force")


def rotation_vector(heading, roll):
    """Of R_z(heading) R_x(roll), by quaternions."""
    a, b, c, d = math.cos(heading / 2), math.sin(heading / 2), math.cos(roll / 2), math.sin(roll / 2)
    w, v = a * c, (a * d, b * d, b * c)
    size = math.sqrt(sum(x * x for x in v))
    return [x / size * 2 * math.atan2(size, w) for x in v]


def check_ranks_and_restart(arguments, folder):
    # Wheel loads are known to the round-off of places, 1e-14 m, times the stiffness of contacts, 1e9 N/m, of 2 kN.
    allowed = 3e-8
    end = ["--set", "analyses.1.dynamics.duration=0.06"]
    # All wheels on irregular rails from the start, so not from steady running.
    text = COACH.replace("length: 1250", "length: 100").replace("from: 55", "from: 0").replace("  running_speed: 44.44\n", "")
    text = text.replace("{type: rigid,", "{type: rigid, velocity: {linear: [44.44, 0, 0]},")
    one = History(run(arguments, folder, "one", text, *end))
    worst, column = largest_difference(one, History(run(arguments, folder, "two", text, *end, ranks=2)))
    assert worst < allowed, (worst, column)
    half = run(arguments, folder, "half", text, "--set", "analyses.1.dynamics.duration=0.03")
    Program(arguments).done("run", folder / "half.yaml", "-o", half, "--restart", *end)
    worst, column = largest_difference(one, History(half))
    assert worst < allowed, (worst, column)
    print("the coach on 1 and 2 ranks and through a restart: the same to 3e-8")


UNLOADED = '''loads:
  lift: {type: force, at: wheelset_2, force: [0, 0, 1.2e5]}
sensors:
'''


def check_irregular_track(arguments, folder):
    model = folder / "irregular.yaml"
    model.write_text(with_analyses(COACH.replace("from: 55", "from: 45"), "statics: {}"))
    done = Program(arguments)("run", model, "-o", folder / "irregular")
    assert done.returncode == 2 and "wheels_1: the track has irregularities under the wheelset at s = 50.78 m" in done.stderr, done.stderr
    print("irregular track under a vehicle that is to run steadily is refused")


def check_unloaded(arguments, folder):
    model = folder / "unloaded.yaml"
    model.write_text(with_analyses(without_irregularities(COACH).replace("sensors:\n", UNLOADED).replace("  running_speed: 44.44\n", ""), "statics: {load_steps: 1}"))
    done = Program(arguments)("run", model, "-o", folder / "unloaded")
    assert "the left and right wheel of `wheels_2`" in done.stderr + done.stdout, done.stderr
    print("an unloaded wheelset is named")


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_loads(arguments, folder)
        check_what_runs(arguments, folder)
        hunting = check_modes(arguments, folder)
        check_ring_down(arguments, folder, hunting)
        check_start_of_dynamics(arguments, folder)
        check_curve(arguments, folder)
        check_tight_curve(arguments, folder)
        check_irregular_track(arguments, folder)
        check_unloaded(arguments, folder)
        check_ranks_and_restart(arguments, folder)


if __name__ == "__main__":
    main()
