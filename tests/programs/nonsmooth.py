"""Impacts and dry friction as a user runs them: the same to the last bit on 1, 2 and 4 ranks and after a restart in mid-contact;
full meshes, whose factors are others on two ranks, with the same decisions and to nine digits;
events.csv and the block `nonsmooth` of summary.json; steps ten times too long and too short; redundant contacts.

    nonsmooth.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import csv
import json
import math
import pathlib
import random
import sys
import tempfile

from support import EXAMPLES, SOURCE, History, Program, parsed_arguments, summary

sys.path.append(str(SOURCE / "benchmarks" / "nonsmooth"))
import energy  # noqa: E402: the models of the study

BALL, CRADLE, SLIDER, RATCHET, BAR = (str(EXAMPLES / "nonsmooth" / f"{name}.yaml") for name in ("bouncing_ball", "newtons_cradle", "slider_crank_clearance", "ratchet", "dropped_bar"))
WALL = str(SOURCE / "tests" / "verification" / "nonsmooth" / "models" / "wall.yaml")
SCHEMES = ("generalized_alpha", "hht", "bathe", "ed_alpha", "moreau_jean", "half_explicit")
ADAPTIVE = tuple(scheme for scheme in SCHEMES if scheme != "moreau_jean")
OF_ORDER_ONE = ("moreau_jean",)
COLUMNS = ["time", "contact", "kind", "speed_before", "speed_after", "impulse", "point", "bodies"]
KINDS = {"impact", "impact without collision", "opens", "sticks", "slips"}
# Steps and rows that are sums of powers of two, so that a run in two parts takes the same ones.
DYADIC = {"step": "7.62939453125e-6", "end": "0.046875", "middle": "0.0234375"}


def setting(**values):
    return [word for key, value in values.items() for word in ("--set", f"analyses.dynamics.{key}={value}")]


def events_of(folder):
    with open(folder / "events.csv") as file:
        rows = list(csv.DictReader(file))
    return rows


def check_events(solidyn, folder):
    solidyn.done("run", BALL, "-o", folder)
    events = events_of(folder)
    assert list(events[0]) == COLUMNS, events[0]
    assert {event["kind"] for event in events} <= KINDS and {event["contact"] for event in events} == {"floor"}
    impacts = [event for event in events if event["kind"] == "impact"]
    # g t1, and half of it before each that follows; each is at the end of the step in which the surfaces met.
    for k, (time, speed) in enumerate([(0.451523641, 4.429446918), (0.903047282, 2.214723459), (1.128809102, 1.107361730)]):
        assert time <= float(impacts[k]["time"]) <= time + 2.5e-3, (k, impacts[k])
        assert abs(float(impacts[k]["speed_after"]) - 0.5 * speed) < 1e-8, (k, impacts[k])
        assert abs(float(impacts[k]["impulse"]) - 0.5 * (float(impacts[k]["speed_after"]) - float(impacts[k]["speed_before"]))) < 1e-12
    told = summary(folder)
    assert told["status"] == "done" and told["nonsmooth"]["impacts"] == len(impacts)
    assert told["nonsmooth"]["deepest_penetration"] < 1e-14
    assert abs(told["nonsmooth"]["energy_lost_in_impacts"] - 0.5 * 9.81) < 0.02, told["nonsmooth"]
    assert abs(told["energy"]["imbalance"]) < 1e-6 * told["energy"]["exchanged"], told["energy"]


def check_ranks_and_restart(programs, folder):
    for scheme in SCHEMES:
        common = [SLIDER, *setting(integrator=scheme, step=DYADIC["step"]), "--set", "output.history_interval=1.220703125e-4",
                  "--set", "output.checkpoint_every=1024"]
        whole, parts = folder / f"{scheme}-whole", folder / f"{scheme}-parts"
        programs[1].done("run", *common, *setting(duration=DYADIC["end"]), "-o", whole)
        programs[1].done("run", *common, *setting(duration=DYADIC["middle"]), "-o", parts)
        programs[2].done("run", *common, *setting(duration=DYADIC["end"]), "-o", parts, "--restart")
        on_four = folder / f"{scheme}-four"
        programs[4].done("run", *common, *setting(duration=DYADIC["end"]), "-o", on_four)
        for other in (parts, on_four):
            for name in ("history.csv", "events.csv"):
                assert (whole / name).read_bytes() == (other / name).read_bytes(), (scheme, other, name)
            assert summary(whole)["nonsmooth"] == summary(other)["nonsmooth"]
        # In the middle the slider touches: a restart there goes on with forces and phases.
        assert any(event["kind"] == "impact" and float(event["time"]) > float(DYADIC["middle"]) for event in events_of(whole))


def check_joint_laws(programs, folder):
    """Clutches and friction in joints: the same in two parts and on two ranks, with events that name the joints."""
    for scheme in SCHEMES:
        common = [RATCHET, *setting(integrator=scheme, step="1.953125e-3"), "--set", "output.checkpoint_every=256"]
        whole, parts = folder / f"{scheme}-whole", folder / f"{scheme}-parts"
        programs[1].done("run", *common, *setting(duration="4"), "-o", whole)
        programs[1].done("run", *common, *setting(duration="2"), "-o", parts)
        programs[2].done("run", *common, *setting(duration="4"), "-o", parts, "--restart")
        for name in ("history.csv", "events.csv"):
            assert (whole / name).read_bytes() == (parts / name).read_bytes(), (scheme, name)
        events = events_of(whole)
        assert {event["contact"] for event in events} <= {"axle.one_way", "axle.friction", "clutch.one_way"}, events
        held = [float(event["time"]) for event in events if (event["contact"], event["kind"]) == ("clutch.one_way", "slips")]
        assert held and abs(held[0] - 1.5708) < 5e-3, held  # where the lever turns back
        history = History(whole)
        columns = dict(zip(history.names, zip(*history.rows)))
        assert abs(columns["wheel"][-1] - (0.6 + 0.3 * (1 - math.cos(2 * 4)))) < 2e-3, columns["wheel"][-1]
        told = summary(whole)
        assert told["status"] == "done" and abs(told["energy"]["imbalance"]) < 1e-3 * told["energy"]["exchanged"], told["energy"]


def check_steps(solidyn, folder):
    """Steps of a tenth to ten times the usual one: the slider never leaves its guide, and no energy comes from nowhere."""
    for scheme in SCHEMES:
        for step in ("1e-6", "1e-5", "1e-4", "1e-3"):
            duration = 0.01 if step == "1e-6" else 0.05
            done = solidyn("run", SLIDER, *setting(integrator=scheme, step=step, duration=duration), "--set", "output.history_interval=1e-3", "-o", folder)
            # A turn in 42 steps, a hundred times too long, may be doubtful, and then says so.
            # So may one of order one whose joints turn by 0.015 in each step: they take 6 % of the energy.
            may_doubt = step == "1e-3" or (step == "1e-4" and scheme in OF_ORDER_ONE)
            assert done.returncode == 0 or (may_doubt and done.returncode == 3), (scheme, step, done.stderr)
            history = History(folder)
            columns = dict(zip(history.names, zip(*history.rows)))
            told = summary(folder)
            if step == "1e-3":
                continue
            assert max(abs(y) for y in columns["y"]) <= 1e-3 + 1e-12, (scheme, step)
            assert told["nonsmooth"]["deepest_penetration"] < 1e-12, (scheme, step, told["nonsmooth"])
            assert told["nonsmooth"]["energy_lost_in_impacts"] > -1e-9, (scheme, step, told["nonsmooth"])
            if step == "1e-5":
                factor = 40.0 if scheme in OF_ORDER_ONE else 1.0
                assert abs(columns["th1"][-1] - 4.79352) < 5e-4 * factor and abs(columns["th2"][-1] - 0.52547) < 5e-4 * factor, (scheme, columns["th1"][-1])
                assert abs(columns["x"][-1] - 0.277117) < 5e-5 * factor


def check_full_meshes(programs, folder):
    """A dropped bar through its first contact: the same on two ranks, and after a restart while it touches."""
    for scheme in ("generalized_alpha",):
        common = [BAR, *setting(integrator=scheme, step="1.5625e-2"), "--set", "output.checkpoint_every=80"]
        one, parts = folder / f"{scheme}-one", folder / f"{scheme}-parts"
        programs[1].done("run", *common, *setting(duration="1.8125"), "-o", one)
        programs[1].done("run", *common, *setting(duration="1.25"), "-o", parts)
        programs[2].done("run", *common, *setting(duration="1.8125"), "-o", parts, "--restart")
        events = [[(e["time"], e["contact"], e["kind"], e["point"]) for e in events_of(run)] for run in (one, parts)]
        assert events[0] == events[1] and any(kind == "opens" for _, _, kind, _ in events[0]), (scheme, events)
        first, second = History(one), History(parts)
        for i in range(1, len(first.names)):
            scale = max(abs(row[i]) for row in first.rows)
            off = max(abs(a[i] - b[i]) for a, b in zip(first.rows, second.rows))
            assert off <= 1e-9 * max(1.0, scale), (scheme, first.names[i], off, scale)


def check_rest(solidyn, folder):
    """Of redundant contacts at rest some carry nothing: none of them lets go, slips or is hit by round-off, where schemes would begin anew."""
    for scheme in ADAPTIVE:
        solidyn.done("run", WALL, *setting(integrator=scheme, duration=0.2), "-o", folder)
        assert events_of(folder) == [], (scheme, events_of(folder)[:3])
        assert summary(folder)["steps"] == 200, scheme


def check_adaptive(solidyn, folder):
    """Controlled steps let a step with an impact through; the ball still comes to rest."""
    for scheme in ADAPTIVE:
        solidyn.done("run", BALL, *setting(integrator=scheme), "--set", "analyses.dynamics.adaptive={tolerance: 1e-6, minimum_step: 1e-9, maximum_step: 2e-3}", "-o", folder)
        history = History(folder)
        columns = dict(zip(history.names, zip(*history.rows)))
        assert abs(columns["height"][-1]) < 1e-12 and abs(columns["force"][-1] - 0.5 * 9.81) < 1e-8, (scheme, history.rows[-1])


def check_impact_laws(programs, folder):
    """Kane's pendulum: the warning of Newton's law names Poisson's, which has none to give. A sequence of impacts by Poisson's law is the same in two parts
    and on any number of ranks; what has no effect says so."""
    model = str(EXAMPLES.parent / "tests/verification/nonsmooth/models/double_pendulum_on_floor.yaml")
    doubtful = programs[1]("run", model, "-o", folder / "newton")
    assert doubtful.returncode in (0, 3) and "contact floor: Newton's impact law creates 0.014 J" in doubtful.stderr, doubtful.stderr
    assert "choose  impact_law: poisson" in doubtful.stderr, doubtful.stderr
    refused = programs[1]("run", model, "--set", "parameters.restitution=0.7", "--set", "parameters.mu=0.5", "-o", folder / "refused")
    assert "more than double the kinetic energy" in refused.stderr and "choose  impact_law: poisson" in refused.stderr, refused.stderr
    for restitution, mu in ((0.5, 0.7), (0.7, 0.5)):
        done = programs[1].done("run", model, "--set", "contacts.floor.law.impact_law=poisson", "--set", f"parameters.restitution={restitution}",
                                "--set", f"parameters.mu={mu}", "-o", folder / "poisson")
        assert "warning" not in done.stderr, done.stderr
    assert summary(folder / "poisson")["nonsmooth"]["energy_lost_in_impacts"] > 0.005
    common = [str(EXAMPLES.parent / "tests/verification/nonsmooth/models/box.yaml"), "--set", "contacts.plane.law={type: impact, restitution: 0.8, impact_law: poisson}",
              "--set", "bodies.box.pose.position=[0, 0, 0.3]", "--set", "bodies.box.velocity.angular=[1, 3, -2]", *setting(step="9.765625e-4", multiple_impacts="sequential"),
              "--set", "output.checkpoint_every=64"]
    whole, parts, on_four = (folder / name for name in ("whole", "parts", "four"))
    programs[1].done("run", *common, *setting(duration="1"), "-o", whole)
    programs[1].done("run", *common, *setting(duration="0.5"), "-o", parts)
    programs[2].done("run", *common, *setting(duration="1"), "-o", parts, "--restart")
    programs[4].done("run", *common, *setting(duration="1"), "-o", on_four)
    for other in (parts, on_four):
        for name in ("history.csv", "events.csv"):
            assert (whole / name).read_bytes() == (other / name).read_bytes(), (other, name)
    assert any(event["kind"] == "impact" and float(event["time"]) > 0.5 for event in events_of(whole))
    done = programs[1].done("run", BALL, *setting(integrator="moreau_jean", multiple_impacts="sequential", duration=0.01), "-o", folder / "ignored")
    assert "multiple_impacts" in done.stderr and "warning: " in done.stderr, done.stderr
    done = programs[1].done("run", str(EXAMPLES / "four_bar/four_bar_rigid.yaml"), *setting(multiple_impacts="sequential", duration=0.01), "-o", folder / "nothing_hit")
    assert "`multiple_impacts: sequential` has no effect" in done.stderr, done.stderr


def check_energy(solidyn, folder):
    """Towers that roll on their edges gain nothing by `moreau_jean`, in no step, and one that rattles hardly any by `bathe`: before, 2e-7, 4e-6 and 4e-3.
    Nor do linkages that are jammed between their stops and a floor: 1e4 and 0.3, where joints' impulses were left out of what is done on them. Another tower
    went no further than 0.45 s, where no impulses give what restitution asks for; with a theta of 1/2 a linkage that a slipping contact jams had 2600 times its
    energy, and for a tower on its edges no impulses were found with the directions at the end of a step."""
    folder.mkdir()
    for kind, scheme, seed, steps, most in (
            (energy.tower, "moreau_jean", 22, 160, 1e-10), (energy.tower, "moreau_jean", 49, 180, 1e-10), (energy.tower, "bathe", 121, 100, 1e-7),
            (energy.tower, "moreau_jean", 88, 500, 1e-10), (energy.linkage, "moreau_jean", 76, 500, 1e-10), (energy.linkage, "moreau_jean", 131, 550, 1e-10),
            (energy.linkage, "moreau_jean, 1/2", 21, 400, 1e-10), (energy.tower, "moreau_jean", 4, 250, 1e-10)):
        _, status, growth, above_the_start, taken = energy.run(solidyn, kind, seed, scheme, steps, folder)
        assert not status.startswith("failed") and taken == steps, (scheme, seed, status)
        assert growth <= most and above_the_start <= 1e-12, (scheme, seed, growth, above_the_start)


def elastic_ball(x, height, speed, planes):
    """A body with a radius of 0.05 m and restitution 1 that touches nothing but these horizontal planes (height, direction)."""
    contacts = {f"plane{x}_{i}": {"between": ["ground", f"ball{x}"], "first": {"shape": "plane", "at": [x, 0, z], "axis": [0, 0, up]}, "second": {"shape": "sphere", "radius": 0.05},
                                  "law": {"type": "impact", "restitution": 1}} for i, (z, up) in enumerate(planes)}
    return {f"ball{x}": {"type": "rigid", "mass": 1, "inertia": [1e-3] * 3, "pose": {"position": [x, 0, height]}, "velocity": {"linear": [0, 0, speed]}}}, contacts


def check_who_rebounds(programs, folder):
    """`moreau_jean`: a step in which a ball goes to and fro twice between two planes is taken in parts, and the ball keeps its energy (before: none of it was left).
    A ball that has nothing to do with a linkage that is jammed rebounds while that may not (before: 2 % of its energy was left)."""
    folder.mkdir()
    fixed = {"solidyn": 1, "sensors": {"total": {"type": "energy"}}}
    scheme = {"integrator": "moreau_jean", "theta": 0.5, "step": 1e-3}
    bodies, contacts = elastic_ball(0, 0.075, -100, ((0, 1), (0.15, -1)))
    between = {**fixed, "gravity": [0, 0, 0], "bodies": bodies, "contacts": contacts, "analyses": [{"dynamics": {**scheme, "duration": 3e-3}}]}
    linkage = energy.linkage(random.Random(76), False)
    bodies, contacts = elastic_ball(50, 0.3, 0, ((0, 1),))
    beside = {**fixed, "gravity": [0, 0, -9.81], **linkage, "bodies": {**linkage["bodies"], **bodies}, "contacts": {**linkage["contacts"], **contacts},
              "analyses": [{"dynamics": {**scheme, "duration": 0.5}}]}
    beside["sensors"] = {c: {"type": kind, "of": "ball50", "component": "z"} for c, kind in (("z", "position"), ("v", "velocity"))}
    for name, model in (("between", between), ("beside", beside)):
        (folder / f"{name}.yaml").write_text(json.dumps(model))
        done = programs[1]("run", folder / f"{name}.yaml", "-o", folder / name, "-q")
        assert done.returncode in (0, 3), done.stderr
        history = History(folder / name)
        if name == "between":
            assert "is subdivided" in str(summary(folder / name)["warnings"]), summary(folder / name)["warnings"]
            assert all(abs(total - 5000) < 1e-6 for total in history.column("total")), history.column("total")
        else:
            kept = [0.5 * v * v + 9.81 * z for z, v in zip(history.column("z"), history.column("v"))]
            assert max(abs(now - kept[0]) for now in kept) < 0.02 * kept[0], (min(kept), max(kept))


def check_wrong_starts(programs, folder):
    """Bodies that overlap at the start, on one rank or two; keys that say something of friction where there is none."""
    for ranks in (1, 2):
        out = folder / f"overlap_{ranks}"
        done = programs[ranks]("run", BALL, "--set", "bodies.ball.pose.position=[0, 0, 0.03]", "-o", out)
        assert done.returncode == 2 and "contacts.floor: the bodies overlap by 0.02 m at the start" in done.stderr, done.stderr
        assert done.stderr.count("error: ") == 1 and not (out / "history.csv").exists(), done.stderr
    for key, value in (("law.tangential_restitution", "0.5"), ("surface_velocity", "[1, 0, 0]")):
        done = programs[1]("run", BALL, "--set", f"contacts.floor.{key}={value}", *setting(duration=0.01), "-o", folder / "frictionless")
        assert done.returncode == 0 and "warning: " in done.stderr and f"contacts.floor.{key} has no effect without friction" in done.stderr, done.stderr


def main():
    arguments = parsed_arguments()
    programs = {ranks: Program(arguments, ranks) for ranks in (1, 2, 4)}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_events(programs[1], folder / "events")
        check_ranks_and_restart(programs, folder)
        check_joint_laws(programs, folder / "joints")
        check_full_meshes(programs, folder)
        check_steps(programs[1], folder / "steps")
        check_rest(programs[1], folder / "rest")
        check_adaptive(programs[1], folder / "adaptive")
        check_impact_laws(programs, folder / "impact_laws")
        check_energy(arguments.solidyn, folder / "energy")
        check_who_rebounds(programs, folder / "who_rebounds")
        check_wrong_starts(programs, folder)


if __name__ == "__main__":
    main()
