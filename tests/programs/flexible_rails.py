"""A wheelset on rails that bend on sleepers: Zimmermann's deflection, the passing of sleepers, energy, rails that are stiff, several ranks, restart.

    flexible_rails.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import pathlib
import tempfile

from support import History, Program, largest_difference, parsed_arguments, summary

EI, PAD, BALLAST, SPACING, LOAD, MASS = 6.38e6, 1.5e8, 9e7, 0.6, 100e3, 1500
MODEL = """solidyn: 1
gravity: [0, 0, -9.81]
parameters: {speed: 20, from: 4.8, to: 9.6, start: 3.5, rigid: 1}
track:
  plan: [{length: 20}]
  flexible_rails: {from: "=from", to: "=to", elements_per_bay: 2, bending_stiffness: ["=6.38e6*rigid", "=1.076e6*rigid"], pad_stiffness: ["=1.5e8*rigid", "=4e7*rigid"], pad_damping: [4e4, 2e4],
                   sleeper_mass: 290, ballast_stiffness: ["=9e7*rigid", "=3e7*rigid"], ballast_damping: [9e4, 5e4]}
bodies:
  wheelset: {type: rigid, mass: 1500, inertia: [900, 100, 900], pose: {position: ["=start", 0.001, 0.45977]}, velocity: {linear: ["=speed", 0, 0]}}
loads:
  axle_load: {type: force, at: wheelset, force: [0, 0, -100e3]}
forces:
  across: {type: bushing, between: [ground, wheelset], at: ["=start", 0, 0.45977], stiffness: [0, 1e6, 0, 0, 0, 1e6]}
  wheels: {type: wheel_rail, at: wheelset, wheel: s1002, spin: rolling, damping_ratio: 0.2, damping_speed: 0.01}
sensors:
  s: {type: force, force: wheels, component: s}
  y: {type: force, force: wheels, component: y}
  Q: {type: force, force: wheels, component: left_Q}
  rail: {type: force, force: wheels, component: left_rail_z}
  rail_y: {type: force, force: wheels, component: left_rail_y}
  creep: {type: force, force: wheels, component: power}
  total: {type: energy}
analyses:
  - ANALYSIS
"""
RUN = "dynamics: {duration: 0.33, step: 1.0e-3, rho_infinity: 0.9}"
STAND = "statics: {}"


def run(arguments, folder, name, analysis, *options, ranks=1):
    model = folder / f"{name}.yaml"
    model.write_text(MODEL.replace("ANALYSIS", analysis).replace("velocity: {linear: [\"=speed\", 0, 0]}", "velocity: {linear: [0, 0, 0]}" if analysis.startswith(STAND) else "velocity: {linear: [\"=speed\", 0, 0]}"))
    Program(arguments, ranks).done("run", model, "-o", folder / name, *[word for option in options for word in ("--set", option)])
    return folder / name


def zimmermann():
    """Under one wheel, with half of a sleeper's ballast: what a rail on a foundation sinks by."""
    k = 1 / (1 / PAD + 2 / BALLAST) / SPACING
    b = (k / (4 * EI)) ** 0.25
    return 0.5 * (LOAD + MASS * 9.81) * b / (2 * k)


def check_standing(arguments, folder):
    sink = {}
    for name, start in (("over", 7.2), ("between", 7.5)):
        # A sum of bays may be longer than the track by round-off.
        history = History(run(arguments, folder, f"stand_{name}", STAND, f"parameters.start={start}", "bodies.wheelset.pose.position.1=0", "parameters.to=10.800000000000002", "track.plan.0.length=10.8"))
        sink[name] = -history.column("rail")[-1]
    expected = zimmermann()
    assert sink["over"] < sink["between"], sink
    for name, value in sink.items():
        assert abs(value / expected - 1) < 0.04, (name, value, expected)
    print(f"standing: {1e3 * sink['over']:.4f} mm over a sleeper, {1e3 * sink['between']:.4f} mm between, Zimmermann's {1e3 * expected:.4f} mm")
    return sink


def check_running(arguments, folder, sink):
    """Slowly, the rail under the wheel is where it would be under one that stands."""
    history = History(run(arguments, folder, "slow", "dynamics: {duration: 3.2, step: 6.0e-3, rho_infinity: 0.6}", "parameters.speed=1", "parameters.start=4.7",
                          "bodies.wheelset.pose.position.1=0", "parameters.to=10.8"))
    rows = [(s, -rail) for s, rail in zip(history.column("s"), history.column("rail")) if 7.19 < s < 7.81]
    assert len(rows) > 80, len(rows)
    at = lambda place: min(rows, key=lambda row: abs(row[0] - place))[1]
    for place, name in ((7.2, "over"), (7.5, "between"), (7.8, "over")):
        assert abs(at(place) / sink[name] - 1) < 5e-3, (place, at(place), sink)
    sagging = at(7.5) - 0.5 * (at(7.2) + at(7.8))
    assert abs(sagging / (sink["between"] - sink["over"]) - 1) < 0.1, (sagging, sink)
    print(f"at 1 m/s the rail goes by {1e6 * sagging:.2f} um from over to between sleepers")


def check_energy(arguments, folder):
    """On to the rails that bend and off again: what axle load, creep and all dampers do is what the energy changes by."""
    out = run(arguments, folder, "energy", RUN)
    history = History(out)
    assert min(history.column("Q")) > 1e4 and min(history.column("rail")) < -3e-4 and history.column("rail")[0] == history.column("rail")[-1] == 0.0
    energy = summary(out)["energy"]
    # The rails store and lose some 30 J. The error is of second order in the step.
    finer = summary(run(arguments, folder, "energy_finer", RUN.replace("1.0e-3", "5.0e-4")))["energy"]
    assert abs(energy["imbalance"]) < 5.0 and abs(finer["imbalance"]) < abs(energy["imbalance"]) / 3, (energy, finer)
    print(f"energy: {energy['imbalance']:.2f} J are left over, {finer['imbalance']:.2f} J with half of the step")
    return history


def check_stiff(arguments, folder):
    """Without bending there is nothing left but rigid rails."""
    short = "dynamics: {duration: 0.2, step: 1.0e-3, rho_infinity: 0.9}"
    stiff = History(run(arguments, folder, "stiff", short, "parameters.rigid=1e6"))
    rigid = History(run(arguments, folder, "rigid", short, "parameters.from=15", "parameters.to=18"))
    for name, allowed in (("y", 1e-3), ("Q", 1e-3)):
        a, b = stiff.column(name), rigid.column(name)
        size = max(map(abs, b))
        worst = max(abs(x - z) for x, z in zip(a, b)) / size
        assert worst < allowed, (name, worst)
        print(f"stiff rails: {name} as on rigid ones within {worst:.1e}")
    assert max(map(abs, rigid.column("rail"))) == 0.0


def check_start_from_statics(arguments, folder):
    """Wheels that stood begin to creep: that turns round within less than what a step moves the rails by."""
    for integrator in ("rho_infinity: 0.8", "integrator: bathe", "integrator: ed_alpha"):
        model = folder / "from_statics.yaml"
        model.write_text(MODEL.replace("ANALYSIS", f"statics: {{}}\n  - dynamics: {{duration: 0.01, step: 1.0e-3, {integrator}}}"))
        Program(arguments).done("run", model, "-o", folder / "from_statics", "--set", "parameters.start=7.2")
        assert not summary(folder / "from_statics")["warnings"], summary(folder / "from_statics")["warnings"]
    print("from a stand on the rails: every step converges")


def check_not_reached(arguments, folder):
    """Rails that bend where no wheelset comes are named at the end, and the modes of rails by their places."""
    out = run(arguments, folder, "far", "dynamics: {duration: 0.01, step: 1.0e-3}", "parameters.from=15", "parameters.to=18")
    warnings = "".join(summary(out)["warnings"])
    assert "no wheelset came to the rails that bend, which are from s = 15 m to 18 m: wheelsets began at s = 3.5 m at the earliest and came to 3.7" in warnings, warnings
    out = run(arguments, folder, "near", "dynamics: {duration: 0.01, step: 1.0e-3}", "parameters.start=4.7")
    assert not summary(out)["warnings"], summary(out)["warnings"]
    out = run(arguments, folder, "stand_modes", STAND + "\n  - modes: {count: 12}", "parameters.start=7.2")
    assert "sleeper at s = " in (out / "modes.csv").read_text(), (out / "modes.csv").read_text()
    print("rails that nothing comes to are named")


def check_ranks_and_restart(arguments, folder, one):
    for ranks in (2, 4):
        worst, column = largest_difference(one, History(run(arguments, folder, f"ranks_{ranks}", RUN, ranks=ranks)))
        assert worst < 1e-9, (ranks, worst, column)
    half = run(arguments, folder, "half", RUN, "analyses.0.dynamics.duration=0.16")
    Program(arguments).done("run", folder / "half.yaml", "-o", half, "--restart")
    # A restarted run begins with a tangent of its own: Newton's iteration ends elsewhere within its tolerance.
    worst, column = largest_difference(one, History(half))
    assert worst < 1e-8, (worst, column)
    print("on 1, 2 and 4 ranks and through a restart: the same")


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sink = check_standing(arguments, folder)
        check_running(arguments, folder, sink)
        one = check_energy(arguments, folder)
        check_stiff(arguments, folder)
        check_start_from_statics(arguments, folder)
        check_not_reached(arguments, folder)
        check_ranks_and_restart(arguments, folder, one)


if __name__ == "__main__":
    main()
