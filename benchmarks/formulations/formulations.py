#!/usr/bin/env python3
"""CPU time of a step of both formulations over all examples with dynamics, what `automatic` chose, and how many times as long as with the
better one that takes: a table.

    benchmarks/formulations/formulations.py build/benchmarks/benchmark_formulations
    benchmarks/formulations/formulations.py build/benchmarks/benchmark_formulations --chains --set analyses.dynamics.integrator=runge_kutta

One thread, one rank. Both move the same model to the same time, in turns.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = SOURCE / "examples"
FRICTION = "friction: {static: 0.15, dynamic: 0.1, stribeck_speed: 1.0e-2, transition_speed: 1.0e-2, radius: 0.02, moment_arm: 0.5}"
WORDS = {"revolute": "axis: [0, 1, 0]", "spherical": "", "universal": "axis: [0, 1, 0], reference: [0, 0, 1]", "fixed": ""}


def chain(n, joint, extra="", modes=0, kind="modal", words="", beam=0):
    """Links in a row that fall, the first one on a pin: rigid ones of 1 m, or of 0.3 or 0.15 m, reduced from the mesh of a rod or of half of it. At the end of rigid ones, where wanted, a beam of 1 m with so many elements."""
    length = (0.3 if kind == "modal" else 0.15) if modes else 1.0
    mesh = "rod_circular_coarse.msh" if kind == "modal" else "rod_half.msh"
    basis = f"modes: {{fixed_interface: {modes}}}" if kind == "modal" else f"modes: {{free_free: {modes + 2}}}, internal_modes: {modes}"
    attach = ", attach: rbe3" if kind == "modal" else ""
    lines = ["solidyn: 1", "gravity: [0, 0, -9.81]", "materials: {steel: {youngs_modulus: 2.1e11, poissons_ratio: 0.3, density: 7850}}", "bodies:"]
    for i in range(n):
        pose = f"pose: {{position: [{i * length!r}, 0, 0]}}"
        if modes:
            lines.append(f"  link{i}: {{type: {kind}, mesh: {SOURCE}/meshes/{mesh}, material: steel, {pose}, {basis}, "
                         f"interfaces: {{big: {{nodes: {{in_set: big_end_face}}{attach}}}, small: {{nodes: {{in_set: small_end_face}}{attach}}}}}}}")
        else:
            lines.append(f"  link{i}: {{type: rigid, mass: 1, center_of_mass: [0.5, 0, 0], inertia: [0.01, 0.0833, 0.0833], {pose}, velocity: {{angular: [0, 0, 0]}}}}")
    if beam:
        lines.append(f"  rod: {{type: beam, points: {{root: [{n}, 0, 0], tip: [{n + 1}, 0, 0]}}, elements: {beam}, section: {{type: circle, radius: 0.02}}, material: steel}}")
    lines += ["joints:"] if joint else []
    for i in range(n if joint else 0):
        name = joint if i or joint != "fixed" else "revolute"
        first = f"link{i - 1}.small" if i and modes else f"link{i - 1}" if i else "ground"
        second = f"link{i}.big" if modes else f"link{i}"
        lines.append(f"  pin{i}: {{type: {name}, between: [{first}, {second}], at: [{i * length!r}, 0, 0], {WORDS[name]}{words}}}")
    if beam:
        lines.append(f"  clamp: {{type: fixed, between: [link{n - 1}, rod.root]}}")
    lines += [extra.format(last=f"link{n - 1}", middle=f"link{n // 2}"), "sensors: {end: {type: position, of: " + f"link{n - 1}{'.small' if modes else ''}" + "}}",
              "analyses:", "  - dynamics: {duration: 0.1, step: 1.0e-3}", "output: {history_interval: 0.02}"]
    return "\n".join(lines) + "\n"


SPRING = "forces: {{s: {{type: spring_damper, between: [ground, {last}], at_first: [1, 0, -3], stiffness: 100, damping: 0.1}}}}"
CHAINS = {f"{n} {joint}{name}": chain(n, joint, extra)
          for joint in WORDS if joint != "fixed" for name, extra in (("", ""), (", spring", SPRING)) for n in (1, 3, 10, 30, 100, 300)}
CHAINS.update({f"{n} revolute, {modes} modes": chain(n, "revolute", modes=modes) for n in (1, 3, 10, 30) for modes in (2, 6, 12)})
CHAINS.update({f"{n} {joint}, superelements": chain(n, joint, modes=2, kind="superelement") for n in (1, 3, 10) for joint in ("revolute", "fixed")})
CHAINS.update({f"{n} revolute, friction": chain(n, "revolute", words=", " + FRICTION) for n in (1, 3, 10)})
CHAINS.update({f"{n} {joint}, beam of 4 elements": chain(n, joint, beam=4) for joint in ("revolute", "universal") for n in (3, 10, 30, 100)})
CHAINS.update({f"{n} on no joint": chain(n, None) for n in (1, 3, 10)})


def text_of(name, row):
    if "error" in row:
        return f"| {name} | | | | | | {row['error'].splitlines()[0]} |"
    absolute = f"| {name} | {row['absolute']['us_per_step']:.3g} |"
    if not isinstance(row["recursive"], dict):
        return f"{absolute} – | | {row['automatic']} | | {row['reason']} |"
    return f"{absolute} {row['recursive']['us_per_step']:.3g} | {row['ratio']:.2f} | {row['automatic']} | {row['loss']:.2f} | {row['reason']} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="benchmark_formulations")
    parser.add_argument("--only", help="models with this in their name")
    parser.add_argument("--chains", action="store_true", help="chains of links in place of the examples: what the model of costs is fitted to")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--json", type=pathlib.Path, help="a line for each row")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        models = {str(path.relative_to(EXAMPLES))[:-5]: path for path in sorted(EXAMPLES.rglob("*.yaml"))}
        if arguments.chains:
            models = {}
            for i, (key, text) in enumerate(CHAINS.items()):
                models[key] = folder / f"chain{i}.yaml"
                models[key].write_text(text)
        settings = [word for setting in arguments.set for word in ("--set", setting)]
        print("| model | step, absolute, µs | recursive, µs | time of absolute over recursive | automatic | over the better one | why |\n| --- | --- | --- | --- | --- | --- | --- |")
        worst = (0.0, "")
        for key, path in models.items():
            if arguments.only and arguments.only not in key:
                continue
            out = subprocess.run([arguments.program, *settings, str(path)], capture_output=True, text=True,
                                 env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"})
            for line in out.stdout.splitlines():
                row = json.loads(line)
                print(text_of(key, row), flush=True)
                if arguments.json:
                    with arguments.json.open("a") as file:
                        file.write(json.dumps({**row, "model": key}) + "\n")
                worst = max(worst, (row.get("loss", 1.0), key))
        print(f"\nautomatic takes at most {worst[0]:.2f} times as long as the better one ({worst[1]})", file=sys.stderr)


if __name__ == "__main__":
    main()
