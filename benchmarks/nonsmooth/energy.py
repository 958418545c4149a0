#!/usr/bin/python3
"""Whether impacts, friction and closed contacts ever give energy: random towers, bars and linkages without loads or drives.

    benchmarks/nonsmooth/energy.py --solidyn build/bin/solidyn [--steps 1000000] [--models 500]

Each model is the same for the same seed. Prints in Markdown, for each scheme and kind of model: steps, impacts, and by how much the
energy has grown at most from one step to the next, and above that of the start, relative to the largest energy of its run. The zero of the potential energy is
that of the lowest position of the run.
"""
import argparse
import csv
import json
import math
import pathlib
import random
import subprocess
import tempfile

SCHEMES = {
    "generalized_alpha": {"integrator": "generalized_alpha", "rho_infinity": 0.8},
    "bathe": {"integrator": "bathe"},
    "ed_alpha": {"integrator": "ed_alpha"},
    "moreau_jean": {"integrator": "moreau_jean", "theta": 1.0},
    "moreau_jean, 1/2": {"integrator": "moreau_jean", "theta": 0.5},
    "half_explicit": {"integrator": "half_explicit"},
}
STEP = 1e-3


def law(rng, poisson):
    """e <= 1; Newton's law with friction may create energy, so that restitution with friction is Poisson's."""
    words = {"type": "impact", "restitution": rng.choice([0, 0, 0.3, 0.7])}
    return {**words, "impact_law": "poisson"} if poisson else words


def friction(rng):
    return {"static": rng.choice([0.1, 0.3, 0.6])}


def tower(rng, poisson):
    """Two to five boxes above each other and a little apart, the first above a plane, which fall and topple."""
    bodies, height = {}, 0.0
    sizes = []
    for i in range(rng.randint(2, 5)):
        size = [rng.uniform(0.08, 0.2) for _ in range(3)]
        mass = 10 ** rng.uniform(-1, 1)
        height += rng.uniform(0.001, 0.02)
        tilt = rng.choice([0, rng.uniform(-0.05, 0.05)])
        reach = 0.5 * size[0] * abs(math.sin(tilt))
        bodies[f"box{i}"] = {"type": "rigid", "mass": mass, "inertia": [mass * (size[1] ** 2 + size[2] ** 2) / 12, mass * (size[0] ** 2 + size[2] ** 2) / 12, mass * (size[0] ** 2 + size[1] ** 2) / 12],
                             "pose": {"position": [rng.uniform(-0.04, 0.04), rng.uniform(-0.04, 0.04), height + reach + size[2] / 2], "rotation": {"axis": [0, 1, 0], "angle": tilt}}}
        height += size[2] + 2 * reach
        sizes.append(size)
    contacts = {}
    for i, size in enumerate(sizes):
        contacts[f"floor{i}"] = {"between": ["ground", f"box{i}"], "first": {"shape": "plane", "at": [0, 0, 0], "axis": [0, 0, 1]},
                                 "second": {"shape": "box", "size": size}}
        for j in range(i):
            contacts[f"boxes{j}_{i}"] = {"between": [f"box{j}", f"box{i}"], "first": {"shape": "box", "size": sizes[j]}, "second": {"shape": "box", "size": size}}
    for contact in contacts.values():
        contact.update(law=law(rng, poisson), friction=friction(rng))
    return {"bodies": bodies, "contacts": contacts}


def bar(rng, poisson):
    """A rigid bar with round ends that falls onto a plane, or onto a corner of ball and plane."""
    half, mass = rng.uniform(0.1, 0.5), 10 ** rng.uniform(-1, 1)
    angle = rng.uniform(0, math.pi)
    bodies = {"bar": {"type": "rigid", "mass": mass, "inertia": [1e-3 * mass, mass * half ** 2 / 3, mass * half ** 2 / 3],
                      "pose": {"position": [0, 0, 0.06 + half * abs(math.sin(angle)) + rng.uniform(0, 0.2)], "rotation": {"axis": [0, 1, 0], "angle": angle}},
                      "velocity": {"linear": [rng.uniform(-2, 2), rng.uniform(-1, 1), 0], "angular": [0, rng.uniform(-5, 5), rng.uniform(-1, 1)]}}}
    contacts = {"floor": {"between": ["ground", "bar"], "first": {"shape": "plane", "at": [0, 0, 0], "axis": [0, 0, 1]},
                          "second": {"shape": "capsule", "radius": 0.05, "length": 2 * half, "axis": [1, 0, 0]}, "law": law(rng, poisson), "friction": friction(rng)}}
    return {"bodies": bodies, "contacts": contacts}


def linkage(rng, poisson):
    """A chain of two to four links with stops in its hinges, over a plane that the end may hit."""
    n = rng.randint(2, 4)
    bodies, joints = {}, {}
    length, x = 0.3, 0.0
    for i in range(n):
        mass = 10 ** rng.uniform(-1, 0.5)
        bodies[f"link{i}"] = {"type": "rigid", "mass": mass, "inertia": [1e-4 * mass, mass * length ** 2 / 12, mass * length ** 2 / 12], "pose": {"position": [x + length / 2, 0, 0]}}
        joints[f"hinge{i}"] = {"type": "revolute", "between": ["ground" if i == 0 else f"link{i - 1}", f"link{i}"], "at": [x, 0, 0], "axis": [0, 1, 0]}
        if i:
            stop = {"type": "impact", "restitution": rng.choice([0, 0.5])}
            joints[f"hinge{i}"]["limits"] = {"lower": -rng.uniform(0.3, 1.5), "upper": rng.uniform(0.3, 1.5), "law": {**stop, "impact_law": "poisson"} if poisson else stop}
        x += length
    contacts = {"floor": {"between": ["ground", f"link{n - 1}"], "first": {"shape": "plane", "at": [0, 0, -rng.uniform(0.2, 0.3 * n)], "axis": [0, 0, 1]},
                          "second": {"shape": "sphere", "radius": 0.03, "at": [x, 0, 0]}, "law": law(rng, poisson), "friction": friction(rng)}}
    return {"bodies": bodies, "joints": joints, "contacts": contacts}


def run(solidyn, kind, seed, scheme, steps, folder):
    """-> impacts, status, largest growth in a step and above the start, relative to the largest energy above the lowest"""
    is_moreau = scheme.startswith("moreau_jean")  # it has Newton's law alone
    model = {"solidyn": 1, "gravity": [0, 0, -9.81], **kind(random.Random(seed), not is_moreau),
             "sensors": {"kinetic": {"type": "energy", "kind": "kinetic"}, "total": {"type": "energy", "kind": "total"}},
             "analyses": [{"dynamics": {"duration": steps * STEP, "step": STEP, **SCHEMES[scheme]}}]}
    file = folder / "model.yaml"
    file.write_text(json.dumps(model, indent=1))
    done = subprocess.run([solidyn, "run", file, "-o", folder / "out", "-q"], capture_output=True, text=True)
    summary = json.loads((folder / "out/summary.json").read_text()) if (folder / "out/summary.json").exists() else {}
    if done.returncode not in (0, 3):
        return 0, f"failed: {done.stderr.splitlines()[0] if done.stderr else ''}", 0.0, 0.0, 0
    with open(folder / "out/history.csv") as history:
        rows = list(csv.DictReader(line for line in history if not line.startswith("#")))
    totals = [float(row["total"]) for row in rows]
    potentials = [float(row["total"]) - float(row["kinetic"]) for row in rows]
    largest = max(totals[0] - min(potentials), 1e-12)
    growth = max(b - a for a, b in zip(totals, totals[1:]))
    return summary["nonsmooth"]["impacts"], summary["status"], growth / largest, (max(totals) - totals[0]) / largest, len(rows) - 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--solidyn", required=True)
    parser.add_argument("--steps", type=int, default=1000000, help="of each scheme, over all models")
    parser.add_argument("--models", type=int, default=500)
    parser.add_argument("--scheme", choices=SCHEMES, action="append")
    parser.add_argument("--each", action="store_true", help="print what grew by more than 1e-10, with its seed")
    args = parser.parse_args()
    steps = args.steps // args.models
    print("| scheme | models | steps | impacts | doubtful | failed | growth in a step | above the start | which grew by more than 1e-10 |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as name:
        for scheme in args.scheme or SCHEMES:
            for kind in (tower, bar, linkage):
                seeds = range(args.models // 3)
                results = [run(args.solidyn, kind, seed, scheme, steps, pathlib.Path(name)) for seed in seeds]
                grown = [seed for seed, r in zip(seeds, results) if r[2] > 1e-10]
                if args.each:
                    for seed in grown:
                        print("  ", kind.__name__, seed, scheme, results[seed])
                print(f"| `{scheme}` | {kind.__name__} | {sum(r[4] for r in results)} | {sum(r[0] for r in results)} | {sum(r[1] == 'doubtful' for r in results)} | {sum(r[1].startswith('failed') for r in results)} "
                      f"| {max(r[2] for r in results):.1e} | {max(r[3] for r in results):.1e} | {len(grown)} |", flush=True)


if __name__ == "__main__":
    main()
