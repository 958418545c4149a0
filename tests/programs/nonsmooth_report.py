"""What a run says of set-valued contacts, and what it can be asked: the block `nonsmooth` of summary.json, analyses that end with an
event, the choice of a friction solver, and the problem that a failed step leaves behind. The same on 1, 2 and 4 ranks and after a restart.

    nonsmooth_report.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import pathlib
import tempfile

from nonsmooth import BALL, RATCHET, SLIDER, events_of, setting
from support import History, Program, parsed_arguments, summary

# A block that slides on a plane, its point of contact at its mass centre: m v^2 / 2 = 4 J are lost in v / (mu g) = 0.679592 s.
BLOCK = """
solidyn: 1
title: a block that slides to rest
gravity: [0, 0, -9.81]
bodies:
  block: {type: rigid, mass: 2, inertia: [0.01, 0.01, 0.01], velocity: {linear: [2, 0, 0]}}
contacts:
  floor:
    between: [ground, block]
    first: {shape: plane, at: [0, 0, 0], axis: [0, 0, 1]}
    second: {shape: point, at: [0, 0, 0]}
    law: {type: impact}
    friction: {static: 0.3, dynamic: 0.3}
sensors:
  way: {type: position, of: block, component: x}
analyses:
  - dynamics: {duration: 0.8, step: 1e-3, integrator: SCHEME}
"""

# Two plates squeeze a ball, the upper one as its drive says.
SQUEEZED = """
solidyn: 1
title: a ball that cannot get away
bodies:
  ball: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], pose: {position: [0, 0, 0.1]}}
  plate: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], pose: {position: [0, 0, 0.201]}}
joints:
  press: {type: translation_drive, between: [ground, plate], at: [0, 0, 0.201], axis: [0, 0, 1], translation: "-0.1*t"}
  guide: {type: prismatic, between: [ground, plate], at: [0, 0, 0.201], axis: [0, 0, 1]}
contacts:
  below: {between: [ground, ball], first: {shape: plane, at: [0, 0, 0], axis: [0, 0, 1]}, second: {shape: sphere, radius: 0.1}, law: {type: impact}}
  above: {between: [plate, ball], first: {shape: plane, at: [0, 0, 0.201], axis: [0, 0, -1]}, second: {shape: sphere, radius: 0.1}, law: {type: impact}}
sensors:
  height: {type: position, of: ball, component: z}
analyses:
  - dynamics: {duration: 0.1, step: 1e-3, integrator: bathe}
"""
SCHEMES = ("generalized_alpha", "bathe", "ed_alpha", "moreau_jean")

# Apart from each other: a block that a load pulls, and friction brakes; one that a belt takes along; a ball; and two links that swing against a stop and a
# floor with friction, and with friction of a given size in a hinge.
BALANCE = """
solidyn: 1
title: where energy goes
gravity: [0, 0, -10]
bodies:
  pulled: {type: rigid, mass: 2, inertia: [0.01, 0.01, 0.01], pose: {position: [0, 5, 0]}, velocity: {linear: [1, 0, 0]}}
  taken: {type: rigid, mass: 3, inertia: [0.01, 0.01, 0.01], pose: {position: [0, 10, 0]}}
  ball: {type: rigid, mass: 0.5, inertia: [0.01, 0.01, 0.01], pose: {position: [0, 15, 0.25]}}
  upper: {type: rigid, mass: 1, inertia: [0.001, 0.02, 0.02], pose: {position: [0.2, 0, 0]}}
  lower: {type: rigid, mass: 0.5, inertia: [0.001, 0.02, 0.02], pose: {position: [0.6, 0, 0]}}
joints:
  shoulder: {type: revolute, between: [ground, upper], at: [0, 0, 0], axis: [0, 1, 0], friction: {static: 0.5, radius: 0.1, preload: 6, pressed_by: preload, set_valued: true}}
  elbow: {type: revolute, between: [upper, lower], at: [0.4, 0, 0], axis: [0, 1, 0], limits: {lower: -0.6, upper: 0.6, law: {type: impact, restitution: 0.5}}}
contacts:
  ground: {between: [ground, pulled], first: {shape: plane, at: [0, 5, 0], axis: [0, 0, 1]}, second: {shape: point}, law: {type: impact}, friction: {static: 0.3}}
  belt: {between: [ground, taken], first: {shape: plane, at: [0, 10, 0], axis: [0, 0, 1]}, second: {shape: point}, law: {type: impact}, friction: {static: 0.2}, surface_velocity: [0.7, 0, 0]}
  pad: {between: [ground, ball], first: {shape: plane, at: [0, 15, 0], axis: [0, 0, 1]}, second: {shape: sphere, radius: 0.05}, law: {type: impact, restitution: 0.5}}
  floor: {between: [ground, lower], first: {shape: plane, at: [0, 0, -0.6], axis: [0, 0, 1]}, second: {shape: sphere, radius: 0.03, at: [0.8, 0, 0]}, law: {type: impact}, friction: {static: 0.2}}
loads:
  rope: {type: force, at: pulled, force: [4, 0, 0]}
sensors:
  total: {type: energy, kind: total}
  kinetic: {type: energy, kind: kinetic}
  way: {type: position, of: pulled, component: x}
  belt_slip: {type: contact, contact: belt, component: slip_speed}
  belt_force: {type: contact, contact: belt, component: friction_force}
  floor_slip: {type: contact, contact: floor, component: slip_speed}
  floor_force: {type: contact, contact: floor, component: friction_force}
  torque: {type: joint_force, joint: shoulder, part: friction, component: torque}
  rate: {type: joint_angle, joint: shoulder, quantity: velocity}
analyses:
  - dynamics: {duration: 0.9, step: 1e-3, integrator: bathe}
"""
MASS, BELT = 3.0, 0.7


def written(folder, name, text):
    path = folder / f"{name}.yaml"
    path.write_text(text)
    return path


def stop(condition):
    return ["--set", f"analyses.dynamics.stop_when=[{{{condition}}}]"]


def check_friction(solidyn, folder):
    for scheme in SCHEMES:
        solidyn.done("run", written(folder, scheme, BLOCK.replace("SCHEME", scheme)), "-o", folder / scheme)
        told = summary(folder / scheme)["nonsmooth"]
        # Power falls linearly, so that the rule that sums it up is exact but for the step in which the block stops: 6 W at most over a step.
        assert abs(told["energy_lost_in_friction"] - 4.0) < 1e-2, (scheme, told)
        assert abs(told["energy_lost_in_impacts"]) < 1e-12 and told["largest_energy_gain"] < 1e-12, (scheme, told)
        assert abs(told["energy_lost_by_integrator"] + told["energy_lost_in_friction"] - 4.0) < 1e-10, (scheme, told)
        solver = told["solver"]
        assert solver["method"] == "automatic" and sum(solver["found_by"].values()) == solver["problems"] > 700, (scheme, solver)
        assert 0.0 <= solver["worst_relative_residual"] < 1e-13 and solver["worst_residual"] < 1e-12, (scheme, solver)
        assert solver["iterations_mean"] <= solver["iterations_largest"], (scheme, solver)


def mean_products(times, first, second):
    products = [a * b for a, b in zip(first, second)]
    return sum(0.5 * (t - s) * (p + q) for s, t, p, q in zip(times, times[1:], products, products[1:]))


def check_balance(solidyn, folder):
    """What was there at the start and what loads and belts gave is there at the end, or lost in impacts, in friction or by the integrator; each of these is
    what formulas, events or sensors say without it."""
    for scheme in (*SCHEMES, "half_explicit"):
        out = folder / f"balance_{scheme}"
        solidyn.done("run", written(folder, "balance", BALANCE), *setting(integrator=scheme), "-o", out)
        told, history = summary(out)["nonsmooth"], History(out)
        column = {name: history.column(name) for name in history.names}
        total = column["total"]
        lost = told["energy_lost_in_impacts"] + told["energy_lost_in_friction"] + told["energy_lost_by_integrator"]
        largest = max(column["kinetic"])
        assert abs(total[0] + told["work_of_loads"] - total[-1] - lost) < 1e-10 * largest, (scheme, told, total[0], total[-1])
        # The rope by its way; the belt gives its speed to the block, and slips as far as that moves meanwhile.
        way = column["way"][-1] - column["way"][0]
        assert abs(told["work_of_loads"] - (4 * way + MASS * BELT ** 2)) < 1e-5, (scheme, told, way)
        chain = mean_products(column["time"], column["floor_slip"], column["floor_force"]) - mean_products(column["time"], column["torque"], column["rate"])
        in_friction = 6 * way + 0.5 * MASS * BELT ** 2 + chain
        # Rows are behind impacts, powers before them count; forces of moreau_jean are impulses where anything is hit, and means of a step elsewhere.
        order_one = scheme == "moreau_jean"
        assert chain > 0.4 and abs(told["energy_lost_in_friction"] - in_friction) < (2e-2 if order_one else 2e-3), (scheme, told, in_friction)
        # The ball has half its speed after each impact but the last; its first is from 0.2 m.
        impacts = [event for event in events_of(out) if event["kind"] == "impact" and event["contact"] == "pad"]
        of_ball = sum(0.25 * (float(event["speed_before"]) ** 2 - float(event["speed_after"]) ** 2) for event in impacts)
        assert abs(of_ball - 0.5 * 10 * 0.2) < 2e-2 and told["energy_lost_in_impacts"] > of_ball + 3, (scheme, told, of_ball)
        # What is left are steps of the chain: of order two but for moreau_jean.
        assert abs(told["energy_lost_by_integrator"]) < (2e-2 if order_one else 5e-4), (scheme, told)


def check_angles(solidyn, folder):
    """Stops of joints that turn are told in rad, and apart from lengths."""
    model = """
solidyn: 1
gravity: [0, 0, -9.81]
bodies:
  flap: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], pose: {position: [1, 0, 0]}}
joints:
  hinge: {type: revolute, between: [ground, flap], at: [0, 0, 0], axis: [0, 1, 0], limits: {lower: -0.5, upper: 0.5, law: {type: impact, restitution: 0.3}}}
sensors:
  way: {type: position, of: flap, component: z}
analyses:
  - dynamics: {duration: 1, step: 1e-3}
"""
    solidyn.done("run", written(folder, "flap", model), "-o", folder / "flap")
    told = summary(folder / "flap")["nonsmooth"]
    assert told["deepest_penetration"] == 0.0 and 0.0 <= told["deepest_overrun"] < 1e-12, told
    assert told["impacts"] > 1 and told["energy_lost_in_friction"] == 0.0, told


def check_stop(programs, folder):
    """A run ends with the step of the event, as often as it is asked for, counted over restarts too."""
    whole = folder / "whole"
    programs[1].done("run", BALL, "-o", whole)
    times = [float(event["time"]) for event in events_of(whole) if event["kind"] == "impact"]
    for ranks in (1, 2, 4):
        out = folder / f"on_{ranks}"
        programs[ranks].done("run", BALL, *stop("event: impact, contact: floor, count: 3"), "-o", out)
        told = summary(out)
        assert told["status"] == "done" and abs(told["time"] - times[2]) < 1e-12, (ranks, told["time"], times)
        assert told["stopped_by"] == f"floor: impact in the step to t = {times[2]:.6g} s, 3 so far", told["stopped_by"]
        assert [event["kind"] for event in events_of(out)].count("impact") == 3
    # Two impacts before the restart, the third after it; then each one that follows.
    parts = folder / "parts"
    programs[1].done("run", BALL, *setting(duration=1.0), "-o", parts)
    assert [event["kind"] for event in events_of(parts)].count("impact") == 2
    for k in (2, 3):
        programs[2].done("run", BALL, *stop("event: impact, count: 3"), "-o", parts, "--restart")
        told = summary(parts)
        assert abs(told["time"] - times[k]) < 1e-12, (k, told["time"], times)
        assert told["stopped_by"].startswith("set-valued contacts: impact in the step to"), told["stopped_by"]
    # Of joints, and of several conditions the first.
    out = folder / "ratchet"
    programs[1].done("run", RATCHET, *stop("event: impact}, {event: slips, contact: clutch.one_way"), "-o", out)
    told = summary(out)
    assert told["stopped_by"].startswith("clutch.one_way: slips in the step to t = 1.57"), told["stopped_by"]
    # In a sweep each run for itself.
    out = folder / "sweep"
    programs[2].done("run", BALL, *stop("event: impact"), "--sweep", "bodies.ball.pose.position=[0,0,1.05],[0,0,0.55]", "-o", out)
    first, second = (summary(path.parent) for path in sorted(out.glob("*/summary.json")))
    assert abs(first["time"] - times[0]) < 1e-12 and second["time"] < first["time"], (first["time"], second["time"])


def check_wrong_stops(solidyn, folder):
    for condition, message, remedy in (
            ("event: impact, contact: flor", "nothing that is set-valued is called `flor`", "did you mean `floor`?"),
            ("event: sticks, contact: floor", "`sticks` cannot happen to `floor`", "without friction nothing sticks"),
            ("event: bounces", "bounces", "impact"),
            ("event: impact, sensor: height", "are given", "keep one of them"),
            ("sensor: height, below: 0, contact: floor", "is given without `event`", "impact"),
            ("event: impact, below: 0", "has both", "give only one of"),
            ("event: impact, count: 0", "count", "1")):
        done = solidyn("run", BALL, *stop(condition), "-o", folder / "wrong")
        assert done.returncode == 2 and message in done.stderr and remedy in done.stderr, (condition, done.stderr)
    penalty = ["--set", "contacts.floor.law={type: hertz, stiffness: 1e6, exponent: 1.5}"]
    done = solidyn("run", BALL, *penalty, *stop("event: impact"), "-o", folder / "wrong")
    assert done.returncode == 2 and "no contact and no joint is" in done.stderr, done.stderr


def check_solvers(solidyn, folder):
    """The same motion by each method; which of them found it is told."""
    ends = {}
    for method in ("automatic", "newton", "gauss_seidel", "interior_point", "projected_gradient"):
        out = folder / method
        solidyn.done("run", SLIDER, *setting(contact_solver=method, contact_tolerance=1e-11, duration=0.02, step=2e-5), "-o", out)
        told = summary(out)
        solver = told["nonsmooth"]["solver"]
        assert solver["method"] == method and solver["worst_relative_residual"] <= 1e-8, (method, solver)
        if method != "automatic":
            assert set(solver["found_by"]) <= {method, "forces_before"} and solver["fallbacks"] == 0, (method, solver)
        ends[method] = told["energy"]["kinetic"]
    for method, kinetic in ends.items():
        assert abs(kinetic - ends["automatic"]) < 1e-6 * ends["automatic"], ends
    loose = folder / "loose"
    solidyn.done("run", SLIDER, *setting(contact_tolerance=1e-5, duration=0.02, step=2e-5), "-o", loose)
    strict = summary(folder / "automatic")["nonsmooth"]["solver"]
    told = summary(loose)["nonsmooth"]["solver"]
    assert told["iterations_mean"] < strict["iterations_mean"], (told, strict)
    assert strict["worst_relative_residual"] < told["worst_relative_residual"] <= 1e-5, (told, strict)
    done = solidyn("run", RATCHET, *setting(contact_solver="interior_point"), "-o", folder / "wrong")
    assert done.returncode == 2 and "`interior_point` cannot solve axle.one_way, which has no gap" in done.stderr, done.stderr
    penalty = ["--set", "contacts.floor.law={type: hertz, stiffness: 1e6, exponent: 1.5}", "--set", "sensors.impulse={type: velocity, of: ball, component: x}"]
    done = solidyn("run", BALL, *penalty, *setting(contact_solver="newton", duration=0.1), "-o", folder / "penalty")
    assert "`contact_solver` and `contact_tolerance` have no effect" in done.stderr, done.stderr
    assert "nonsmooth" not in summary(folder / "penalty")


def check_failed_step(programs, folder):
    """A step without contact forces leaves its problem as a file that the bench reads."""
    for ranks in (1, 2):
        out = folder / f"squeezed_{ranks}"
        done = programs[ranks]("run", written(folder, "squeezed", SQUEEZED), "-o", out)
        problem = out / "unsolved_contacts.hdf5"
        assert done.returncode == 1 and str(problem) in done.stderr, done.stderr
        assert str(problem) in summary(out)["failure"]["message"] and problem.exists()
        bench = programs[1]("bench", "friction", problem, "--repeat", "1")
        assert "2 contacts" in bench.stdout and "newton" in bench.stdout, (bench.stdout, bench.stderr)
        # It goes with the next run in the folder.
        programs[ranks].done("run", written(folder, "squeezed", SQUEEZED), *setting(duration=5e-3), "-o", out)
        assert not problem.exists()


def main():
    arguments = parsed_arguments()
    programs = {ranks: Program(arguments, ranks) for ranks in (1, 2, 4)}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_friction(programs[1], folder)
        check_balance(programs[1], folder)
        check_angles(programs[1], folder)
        check_stop(programs, folder)
        check_wrong_stops(programs[1], folder)
        check_solvers(programs[1], folder / "solvers")
        check_failed_step(programs, folder)


if __name__ == "__main__":
    main()
