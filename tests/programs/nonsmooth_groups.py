"""Set-valued contacts between groups of bodies as a user runs them: spheres poured into a box, to the last bit on 1, 2 and 4 ranks and
after a restart in mid-contact; events that name the bodies; starts that overlap, fast bodies, and models that are refused.

    nonsmooth_groups.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import csv
import pathlib
import subprocess
import sys
import tempfile

from support import SOURCE, History, Program, parsed_arguments, summary

WRITER = SOURCE / "benchmarks" / "nonsmooth" / "spheres.py"
SCHEMES = ("generalized_alpha", "bathe", "ed_alpha", "moreau_jean")
PLANES = ("floor", "left", "right", "front", "back")
# Sums of powers of two, so that a run in two parts takes the same steps.
STEP, MIDDLE, END = 2**-10, 0.1875, 0.25


def setting(**values):
    return [word for key, value in values.items() for word in ("--set", f"analyses.dynamics.{key}={value}")]


def events_of(folder):
    with open(folder / "events.csv") as file:
        return list(csv.DictReader(file))


def write_spheres(path, *more, n=18, per_side=3):
    path.write_text(subprocess.run([sys.executable, WRITER, str(n), str(per_side), str(END), *more], check=True, capture_output=True, text=True).stdout)


def check_ranks_and_restart(programs, model, folder, schemes=SCHEMES):
    for scheme in schemes:
        common = [model, *setting(integrator=scheme, step=STEP), "--set", "output.checkpoint_every=64"]
        whole, parts, on_four = (folder / f"{scheme}-{name}" for name in ("whole", "parts", "four"))
        programs[1].done("run", *common, *setting(duration=END), "-o", whole)
        programs[1].done("run", *common, *setting(duration=MIDDLE), "-o", parts)
        programs[2].done("run", *common, *setting(duration=END), "-o", parts, "--restart")
        programs[4].done("run", *common, *setting(duration=END), "-o", on_four)
        for other in (parts, on_four):
            for name in ("history.csv", "events.csv"):
                assert (whole / name).read_bytes() == (other / name).read_bytes(), (scheme, other, name)
            assert summary(whole)["nonsmooth"] == summary(other)["nonsmooth"]
        events = events_of(whole)
        assert any(event["kind"] == "impact" and float(event["time"]) > MIDDLE for event in events)
        check_names(events)
        told = summary(whole)
        assert told["status"] == "done" and abs(told["energy"]["imbalance"]) < 1e-2 * told["energy"]["exchanged"], told["energy"]
        assert told["nonsmooth"]["energy_lost_in_impacts"] > 0.0 and told["nonsmooth"]["deepest_penetration"] < 1e-6, told["nonsmooth"]
        assert told["nonsmooth"]["largest_closed"] >= 9, told["nonsmooth"]  # those of the lowest layer at least


def check_names(events):
    for event in events:
        first, second = event["bodies"].split(" ")
        assert second.startswith("s") and first.startswith("s" if event["contact"] == "spheres" else "ground"), event
        assert event["point"] == "1"
    contacts = {event["contact"] for event in events}
    assert {"spheres", "floor"} < contacts <= {"spheres", *PLANES}, contacts  # which walls are reached by then is chance


def check_moments(programs, folder):
    """With rolling and drilling friction piles come to rest: the walls carry the weight between impacts."""
    model, out = folder / "rolling.yaml", folder / "rolling"
    write_spheres(model, "--rolling", "0.0005", "--drilling", "0.0002")
    check_ranks_and_restart(programs, model, folder / "moments", ("generalized_alpha", "moreau_jean"))
    write_spheres(model, "--rolling", "0.006", "--drilling", "0.002", "--restitution", "0")
    programs[1].done("run", model, *setting(integrator="bathe", duration=0.3), "-o", out)
    told, last = summary(out), dict(zip(History(out).names, History(out).rows[-1]))
    weight = 9.81 * 18 * float(model.read_text().split("m: ")[1].split(",")[0])
    assert abs(sum(last[plane] for plane in PLANES) - weight) < 1e-6 * weight, last
    assert last["energy"] < 1e-20, last
    assert told["status"] == "done" and abs(told["energy"]["imbalance"]) < 1e-12, told


def check_wrong_starts(programs, model, folder):
    for ranks in (1, 2):
        out = folder / f"overlap_{ranks}"
        done = programs[ranks]("run", model, "--set", "bodies.s00005.pose.position=[0.02, 0.06, 0.03]", "-o", out)
        assert done.returncode == 2 and "contacts.spheres (s00003 and s00005): the bodies overlap by 0.0" in done.stderr, done.stderr
        assert not (out / "history.csv").exists()


def check_fast_bodies(programs, model, folder):
    """Through the whole box in a step: shorter steps see the walls."""
    for scheme in SCHEMES:
        done = programs[1]("run", model, *setting(integrator=scheme, duration=0.005), "--set", "bodies.s00017.velocity.linear=[300, 5, 0]", "-o", folder)
        assert done.returncode in (0, 3), done.stderr
        history = History(folder)
        assert len(history.rows) > 1
        told = summary(folder)
        assert told["nonsmooth"]["deepest_penetration"] < 1e-6, (scheme, told["nonsmooth"])
        assert any(event["contact"] == "right" and event["bodies"] == "ground s00017" for event in events_of(folder)), scheme


def check_refusals(programs, model, folder):
    text = model.read_text()
    cases = [("contacts.spheres.surface_velocity=[1, 0, 0]", "contacts.spheres has a surface_velocity, which is that of `first` against `second`, and one set"),
             ("contacts.spheres.law.restitution=1.5", "restitution")]
    for word, expected in cases:
        done = programs[1]("run", model, "--set", word, "-o", folder)
        assert done.returncode == 2 and expected in done.stderr, (word, done.stderr)
    penalty = "  penalty:\n    between: [ground, s00004]\n    first: {shape: plane, at: [0, 0, 0], axis: [0, 0, 1]}\n    second: {shape: sphere, radius: 0.02}\n" \
              "    law: {type: hertz, stiffness: 1e6}\nsensors:\n"
    both = folder / "both.yaml"
    folder.mkdir(exist_ok=True)
    both.write_text(text.replace("sensors:\n", penalty))
    done = programs[1]("run", both, "-o", folder / "out")
    assert done.returncode == 2 and "contacts.floor and contacts.penalty are between the same two surfaces of `ground` and `s00004`" in done.stderr, done.stderr


def main():
    arguments = parsed_arguments()
    programs = {ranks: Program(arguments, ranks) for ranks in (1, 2, 4)}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        model = folder / "spheres.yaml"
        write_spheres(model)
        check_ranks_and_restart(programs, model, folder)
        check_moments(programs, folder)
        check_wrong_starts(programs, model, folder)
        check_fast_bodies(programs, model, folder / "fast")
        check_refusals(programs, model, folder / "refused")


if __name__ == "__main__":
    main()
