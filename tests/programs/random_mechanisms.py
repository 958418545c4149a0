"""Random mechanisms: trees and loops of rigid bodies in flight or on the ground, with joints that are redundant, stiff springs
and dampers, and bodies with modes. Each is the same for the same seed. Every integrator runs it:

- energies balance: what the system has is what it had and the work of loads and dampers, but for what the integrator's own damping takes;
- a mechanism in flight keeps its linear and angular momentum;
- generalized_alpha in steps of 4 h, 2 h and h (shorter ones where these are too long to show it): positions differ four times less
  from step to step (order two);
- bdf and runge_kutta, whose steps their tolerances choose, end where the steps of generalized_alpha lead to, and hht no further
  from there than generalized_alpha in the same steps, but for a factor.

    random_mechanisms.py --solidyn build/bin/solidyn --mpiexec mpirun [--mechanisms 500] [--steps 1000] [--first 0]

Prints what failed with its seed and reason, each mechanism with its time if asked to (--each), and a table of outcomes.
"""
import argparse
import collections
import json
import math
import pathlib
import random
import resource
import signal
import sys
import tempfile
import time

from support import SOURCE, History, Program, summary

SECONDS_PER_STEP = 5e-4
SECONDS_ALLOWED = 900  # of the processor: a busy machine is no failure
OF_FIXED_STEPS = {"generalized_alpha": {"rho_infinity": 0.9}, "hht": {"alpha": -0.05}}
BY_TOLERANCE = {"relative_tolerance": 1e-8, "absolute_tolerance": 1e-9}
# Of the largest energy: what an integrator may make of nothing, and what its damping may take.
MADE, TAKEN = 1e-4, 0.02
MOMENTUM = 2e-5  # of its size
SAME = 2e-4  # m per m: of two integrators, beside the error of the steps
HHT = 3  # error of hht by that of generalized_alpha, in the same steps
# m: smaller differences between steps are those of Newton's tolerance, and of a light rod's vibrations, some of which are faster
# than the steps.
RESOLVED, RESOLVED_OF_MODES = 1e-7, 1e-5
ROD = {"type": "modal", "mesh": str(SOURCE / "meshes/rod_circular_coarse.msh"), "material": "soft",
       "mass_matrix": "consistent", "modes": {"free_free": 4},
       "interfaces": {"big_end": {"nodes": {"in_set": "big_end_face"}, "attach": "rbe3"},
                      "small_end": {"nodes": {"in_set": "small_end_face"}, "attach": "rbe3"}}}
ROD_LENGTH = 0.3  # m


def unit(rng):
    while True:
        v = [rng.uniform(-1, 1) for _ in range(3)]
        size = math.hypot(*v)
        if 0.1 < size < 1:
            return [x / size for x in v]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def along(p, scale, direction):
    return [x + scale * d for x, d in zip(p, direction)]


class Mechanism:
    """A model file's content, grown by one feature after the other."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.features = []
        self.in_flight = self.rng.random() < 0.3
        self.model = {"solidyn": 1, "title": f"random mechanism {seed}",
                      "gravity": [0, 0, 0] if self.in_flight else [0, 0, -9.81],
                      "materials": {"soft": {"youngs_modulus": 5.0e8, "poissons_ratio": 0.3, "density": 2000}},
                      "bodies": {}, "joints": {}, "forces": {}, "sensors": {}}
        self.places = {}
        (self.add_loop if self.rng.random() < 0.4 else self.add_tree)()
        if self.rng.random() < 0.4:
            self.add_second_hinge()
        for _ in range(self.rng.randint(0, 3)):
            self.add_spring()
        if self.rng.random() < 0.25:
            self.add_rod()
        self.rng = random.Random(f"damper of {seed}")
        # The motion that it would end at once, in a time that the steps do not resolve, is that of trees in flight.
        if self.rng.random() < 0.3 and not (self.in_flight and "tree" in self.features):
            self.add_stiff_damper()
        self.features.insert(0, "flight" if self.in_flight else "ground")
        for name, body in self.model["bodies"].items():
            place = name if body["type"] == "rigid" else f"{name}.small_end"
            self.model["sensors"][f"at_{name}"] = {"type": "position", "of": place}
        self.model["sensors"]["total"] = {"type": "energy", "kind": "total"}
        self.model["sensors"]["p"] = {"type": "momentum", "kind": "linear"}
        self.model["sensors"]["L"] = {"type": "momentum", "kind": "angular"}

    def add_body(self, p, velocity=None):
        name = f"b{len(self.places)}"
        squares = [self.rng.uniform(0.02, 0.1) for _ in range(3)]  # of a cloud of masses
        mass = self.rng.uniform(0.5, 2.0)
        body = {"type": "rigid", "mass": mass, "pose": {"position": p},
                "inertia": [mass * (sum(squares) - s) for s in squares]}
        if velocity:
            body["velocity"] = velocity
        self.model["bodies"][name] = body
        self.places[name] = p
        return name

    def add_joint(self, between, p, kind="revolute", axis=None):
        joint = {"type": kind, "between": list(between), "at": p}
        if kind != "spherical":
            joint["axis"] = axis or unit(self.rng)
        name = f"j{len(self.model['joints'])}"
        self.model["joints"][name] = joint
        return name

    def random_velocity(self):
        return {"linear": [self.rng.uniform(-1, 1) for _ in range(3)],
                "angular": [self.rng.uniform(-3, 3) for _ in range(3)]}

    def add_tree(self):
        self.features.append("tree")
        for k in range(self.rng.randint(2, 7)):
            before = self.rng.choice(list(self.places)) if self.places else None
            p = along(self.places[before] if before else [0, 0, 0], 0.5, unit(self.rng))
            name = self.add_body(p, self.random_velocity() if self.in_flight else None)
            if before or not self.in_flight:
                kind = self.rng.choice(["revolute", "revolute", "spherical", "universal", "cylindrical"])
                joint = self.add_joint((before or "ground", name),
                                       along(p, -0.25 if before else -0.5, unit(self.rng)), kind)
                if kind == "cylindrical":
                    self.hold_slide(joint)

    def hold_slide(self, joint):
        """A spring on the way along a cylindrical joint's axis, so that nothing flies off."""
        between = self.model["joints"][joint]["between"]
        self.model["forces"][f"f{len(self.model['forces'])}"] = {
            "type": "bushing", "between": between, "at": self.model["joints"][joint]["at"],
            "axis": self.model["joints"][joint]["axis"],
            "stiffness": [0, 0, self.rng.uniform(200, 2000), 0, 0, 0]}

    def add_loop(self):
        """A polygon of four to six bars on hinges that are all normal to it: three rows of each loop are redundant."""
        n = self.rng.randint(4, 6)
        self.features.append("loop")
        normal = unit(self.rng)
        x = cross(normal, unit(self.rng))
        x = [v / math.hypot(*x) for v in x]
        y = cross(normal, x)
        corners = []
        for k in range(n):
            turn = 2 * math.pi * (k + self.rng.uniform(-0.2, 0.2)) / n
            size = self.rng.uniform(0.4, 0.7)
            corners.append(along(along([0, 0, 0], size * math.cos(turn), x), size * math.sin(turn), y))
        bars = []
        spin = self.rng.uniform(-2, 2)
        for k in range(n):
            if k == 0 and not self.in_flight:
                bars.append("ground")
                continue
            middle = [(a + b) / 2 for a, b in zip(corners[k], corners[(k + 1) % n])]
            velocity = {"angular": [spin * v for v in normal],
                        "linear": cross([spin * v for v in normal], middle)} if self.in_flight else None
            bars.append(self.add_body(middle, velocity))
        for k in range(n):
            self.add_joint((bars[k - 1], bars[k]), corners[k], "revolute", normal)

    def add_second_hinge(self):
        """Five rows too many: the same hinge further along its axis."""
        hinges = [j for j in self.model["joints"].values() if j["type"] == "revolute"]
        if hinges:
            hinge = self.rng.choice(hinges)
            self.add_joint(hinge["between"], along(hinge["at"], 0.2, hinge["axis"]), "revolute", hinge["axis"])
            self.features.append("redundant")

    def random_ends(self):
        """Of a spring or damper, or None."""
        ends = self.rng.sample(list(self.places) + ([] if self.in_flight else ["ground"]),
                               min(2, len(self.places)))
        return ends if len(ends) == 2 else None

    def add_spring(self):
        ends = self.random_ends()
        if not ends:
            return
        is_stiff = self.rng.random() < 0.4
        stiffness = 10 ** self.rng.uniform(3.5, 4.5) if is_stiff else 10 ** self.rng.uniform(1, 3)
        damping = self.rng.choice([0.0, 0.002, 0.01]) * stiffness ** 0.5
        self.add_spring_damper(ends, stiffness, damping)
        self.features.append("stiff spring" if is_stiff else "spring")

    def add_stiff_damper(self):
        """Its time constant with a body of 1 kg is 0.01 to 3 ms."""
        ends = self.random_ends()
        if ends:
            self.add_spring_damper(ends, 0.0, 10 ** self.rng.uniform(2.5, 5))
            self.features.append("stiff damper")

    def add_spring_damper(self, ends, stiffness, damping):
        force = {"type": "spring_damper", "between": ends, "stiffness": stiffness, "damping": damping}
        for key, place in zip(("at_first", "at_second"), ends):
            p = self.places.get(place, [0.3, -0.2, 0.9])
            force[key] = along(p, 0.15, unit(self.rng))
        self.model["forces"][f"f{len(self.model['forces'])}"] = force

    def add_rod(self):
        """A bar with modes hangs on a ball."""
        name = self.rng.choice(list(self.places))
        p = along(self.places[name], 0.3, unit(self.rng))
        rod = json.loads(json.dumps(ROD))
        rod["pose"] = {"position": along(p, ROD_LENGTH / 2, [1, 0, 0])}
        rod["damping"] = {"rayleigh": {"stiffness": 1e-6}}
        self.model["bodies"]["rod"] = rod
        self.model["joints"]["ball"] = {"type": "spherical", "between": [name, "rod.big_end"], "at": p}
        self.features.append("modes")


class Failure(Exception):
    pass


class Runs:
    def __init__(self, program, folder, seed, steps):
        self.program, self.folder, self.steps = program, folder, steps
        self.mechanism = Mechanism(seed)
        self.duration = steps * SECONDS_PER_STEP

    def run(self, integrator, part=1):
        """To the same time in steps `part` times as long. -> history, summary"""
        dynamics = {"duration": self.duration, "step": part * SECONDS_PER_STEP, "integrator": integrator}
        dynamics.update(OF_FIXED_STEPS.get(integrator, BY_TOLERANCE))
        model = {**self.mechanism.model, "analyses": [{"dynamics": dynamics}],
                 "output": {"history_interval": self.duration / 10}}
        path, out = self.folder / "model.yaml", self.folder / "out"
        path.write_text(json.dumps(model))
        done = self.program("run", path, "-o", out, timeout=None)
        if done.returncode == -signal.SIGXCPU:
            raise Failure(f"{integrator} in steps of {part} h: not done after {SECONDS_ALLOWED} s of the processor")
        if done.returncode != 0:
            text = ([line for line in done.stderr.splitlines() if "error" in line]
                    or (summary(out).get("doubts") if done.returncode == 3 else None) or done.stderr.splitlines())
            raise Failure(f"{integrator} in steps of {part} h: {text[0] if text else 'no message'}")
        return History(out), summary(out)

    def gained(self, history, told):
        """What the energies at the end have beside those at the start and all work, as part of the largest."""
        total = history.column(history.names.index("total"))
        energy = told["energy"]
        scale = max(max(map(abs, total)), abs(energy["kinetic"]), abs(energy["work"]), 1e-6)
        return (energy["kinetic"] + energy["strain"] + energy["potential"] - energy["work"] - total[0]) / scale

    def check_balances(self, integrator, history, told):
        gained = self.gained(history, told)
        # The work of dampers is summed up by the trapezoidal rule, which takes too much for a motion that they stop within a
        # step: then there is no more energy than at the start, and the balance closes with shorter steps.
        if gained >= MADE and integrator in OF_FIXED_STEPS and told["energy"]["work"] < 0:
            total = history.column(history.names.index("total"))
            if max(total) <= total[0] * (1 + MADE) and self.gained(*self.run(integrator, 0.5)) < 0.5 * gained:
                gained = 0.0
        if not -TAKEN < gained < MADE:
            raise Failure(f"{integrator}: the energy changes by {gained:.1e} of itself")
        if not self.mechanism.in_flight:
            return
        for kind in ("p", "L"):
            columns = [history.column(history.names.index(f"{kind}.{axis}")) for axis in "xyz"]
            size = max(math.hypot(*row) for row in zip(*columns)) + 0.1
            change = max(abs(x - column[0]) for column in columns for x in column) / size
            if change > MOMENTUM:
                raise Failure(f"{integrator}: {kind} changes by {change:.1e} of itself")

    def positions(self, history):
        return [x for name, x in zip(history.names, history.rows[-1]) if name.startswith("at_")]

    def converge(self):
        """Steps of 4, 2, 1 h, and shorter ones where these are not yet short enough to show the order.
        -> where they lead to, what the last ones leave, what steps of h leave, the order (None: less than can be seen)"""
        resolved = RESOLVED_OF_MODES if "modes" in self.mechanism.features else RESOLVED
        ends, differences = [], []
        for part in (4, 2, 1, 0.5, 0.25):
            history, told = self.run("generalized_alpha", part)
            ends.append(self.positions(history))
            if part == 1:
                self.check_balances("generalized_alpha", history, told)
            if len(ends) > 1:
                differences.append(max(abs(a - b) for a, b in zip(*ends[-2:])))
            if part > 1:
                continue
            coarse, fine = differences[-2:]
            limit = [b + (b - a) / 3 for a, b in zip(*ends[-2:])]
            of_h = max(abs(a - b) for a, b in zip(ends[2], limit))
            if fine <= resolved:
                return limit, fine, of_h, None
            if coarse > 2.5 * fine:
                return limit, fine, of_h, math.log2(coarse / fine)
        raise Failure("generalized_alpha: steps of 4, 2, 1 h .. differ by " + ", ".join(f"{d:.1e}" for d in differences) + " m")

    def check(self):
        """-> the observed order."""
        limit, fine, of_h, order = self.converge()
        size = 1 + max(map(abs, limit))
        for integrator, allowed in (("hht", HHT * of_h), ("bdf", 0.3 * fine), ("runge_kutta", 0.3 * fine)):
            history, told = self.run(integrator)
            self.check_balances(integrator, history, told)
            off = max(abs(a - b) for a, b in zip(self.positions(history), limit))
            if off > SAME * size + allowed:
                raise Failure(f"{integrator}: ends {off:.1e} m from generalized_alpha, whose steps leave {fine:.1e} m")
        return order


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--solidyn", required=True)
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--mechanisms", type=int, default=10)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--each", action="store_true")
    arguments = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS_ALLOWED, resource.RLIM_INFINITY))  # of each run
    outcomes, failures, orders = collections.Counter(), [], []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = Program(arguments, cache=folder / "cache")
        for seed in range(arguments.first, arguments.first + arguments.mechanisms):
            runs = Runs(program, folder, seed, arguments.steps)
            kind = ", ".join(dict.fromkeys(runs.mechanism.features))
            began, order = time.monotonic(), None
            try:
                order = runs.check()
                if order:
                    orders.append(order)
                outcomes[kind, "as it should"] += 1
            except Failure as failure:
                outcomes[kind, "failed"] += 1
                failures.append(f"mechanism {seed} ({kind}): {failure}")
                print(failures[-1], flush=True)
            if arguments.each:
                print(f"mechanism {seed} ({kind}): {time.monotonic() - began:.1f} s, order {order and round(order, 2)}", flush=True)
    for kind, outcome in sorted(outcomes):
        print(f"{outcomes[kind, outcome]:4} {outcome:13} {kind}")
    if orders:
        orders.sort()
        print(f"observed orders: {orders[0]:.2f} to {orders[-1]:.2f}, median {orders[len(orders) // 2]:.2f}")
    print(f"{arguments.mechanisms - len(failures)} of {arguments.mechanisms} mechanisms are as they should")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
