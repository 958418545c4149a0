"""`reflected_inertia`: closed forms of a planar arm and a slider-crank, the same in both formulations and on 1, 2 and 4 ranks, after
statics and at times of a motion, with redundant joints, drives and modes; what has no part in it is told. And sensors of the centre of
mass and of the momentum about it.

    reflected_inertia.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import math
import pathlib
import tempfile

import numpy

from support import EXAMPLES, History, Program, parsed_arguments, summary

ARM = EXAMPLES / "reflected_inertia" / "arm.yaml"
SLIDER_CRANK = EXAMPLES / "reflected_inertia" / "slider_crank.yaml"

# A mass on a guide and a spring.
GUIDED = """solidyn: 1
gravity: [0, 0, -10]
bodies:
  mass:  {type: rigid, mass: 2, inertia: [1, 1, 1], frames: {top: {position: [0, 0, 0.5]}}}
joints:
  guide: {type: prismatic, between: [ground, mass], at: [0, 0, 0], axis: [0, 0, 1]}
forces:
  spring: {type: spring_damper, between: [ground, mass], at_first: [0, 0, 1], stiffness: 100, free_length: 1}
analyses:
  - statics: {}
  - reflected_inertia: {at: [mass.top], axes: place}
"""
# A lever that turns on a pin.
LEVER = """solidyn: 1
bodies:
  lever: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.2], pose: {position: [3, 0, 0]}}
joints:
  pivot: {type: revolute, between: [ground, lever], at: [2, 0, 0], axis: [0, 0, 1]}
analyses:
  - reflected_inertia: {at: [lever]}
"""
# A rod of 4 mm in a wall.
ROD = """solidyn: 1
materials: {m: {youngs_modulus: 2.0e+9, poissons_ratio: 0.3, density: 2000}}
bodies:
  rod: {type: beam, points: {foot: [0, 0, 0], tip: [1, 0.1, 0.05]}, elements: 20, section: {type: circle, radius: 0.002}, material: m}
joints:
  clamp: {type: fixed, between: [ground, rod.foot]}
analyses:
  - reflected_inertia: {at: [rod.foot, rod.tip]}
"""
# Two bodies on a ball in flight.
FLIGHT = """solidyn: 1
gravity: [0, 0, -9.81]
bodies:
  first:  {type: rigid, mass: 2, inertia: [0.1, 0.2, 0.25], velocity: {linear: [3, 0, 5], angular: [1, 2, -3]}}
  second: {type: rigid, mass: 1, inertia: [0.05, 0.05, 0.02], pose: {position: [0.5, 0.2, 0]}, velocity: {linear: [1, 0, 5], angular: [0, 1, 4]}}
joints:
  ball: {type: spherical, between: [first, second], at: [0.3, 0, 0]}
sensors:
  p: {type: momentum}
  L: {type: momentum, kind: angular}
  H: {type: momentum, kind: centroidal}
  c: {type: centre_of_mass}
  v: {type: centre_of_mass, kind: velocity}
  own: {type: centre_of_mass, bodies: [second]}
  place: {type: position, of: second}
analyses:
  - dynamics: {duration: 0.5, step: 1.0e-2, integrator: runge_kutta, relative_tolerance: 1.0e-11, absolute_tolerance: 1.0e-12}
"""


def places(arguments, model, out, *words, ranks=1, warnings=()):
    done = Program(arguments, ranks).done("run", model, "-o", out, *words)
    found = summary(out)
    assert found["status"] == "done" and len(found["warnings"]) == len(warnings), found["warnings"]
    for warning, expected in zip(found["warnings"], warnings):
        assert expected in warning, found["warnings"]
    assert "inertia at places" in done.stderr + done.stdout
    return found["reflected_inertia"]


def near(found, expected, within=1e-10):
    return abs(found - expected) <= within * abs(expected)


def same(found, other, within):
    """Of all numbers of all places."""
    assert len(found) == len(other)
    for a, b in zip(found, other):
        assert a["place"] == b["place"] and a["motions"] == b["motions"], (a, b)
        m, n = numpy.array(a["mobility"]), numpy.array(b["mobility"])
        assert abs(m - n).max() <= within * max(abs(n).max(), 1e-12), (a["place"], abs(m - n).max())
        for key in ("masses", "moments_of_inertia", "principal_masses"):
            for x, y in zip(a[key], b[key]):
                assert (x is None) == (y is None) and (x is None or near(x, y, 1e3 * within)), (a["place"], key, x, y)


def check_arm(arguments, folder):
    a, b = 0.4, 1.1
    m = 1 / 3 + 0.5 * math.cos(b)
    M = numpy.array([[5 / 3 + math.cos(b), m], [m, 1 / 3]])
    J = numpy.array([[-math.sin(a) - math.sin(a + b), -math.sin(a + b)], [math.cos(a) + math.cos(a + b), math.cos(a + b)]])
    inertia = numpy.linalg.inv(J @ numpy.linalg.solve(M, J.T))
    hand, upper = places(arguments, ARM, folder / "arm")
    assert abs(numpy.linalg.inv(numpy.array(hand["mobility"])[:2, :2]) - inertia).max() < 1e-12 * abs(inertia).max()
    masses = sorted(numpy.linalg.eigvalsh(inertia))
    assert all(near(x, y) for x, y in zip(hand["principal_masses"], masses)) and hand["principal_masses"][2] is None, hand
    assert hand["motions"] == 2 and hand["inertia"] is None and hand["masses"][2] is None, hand
    assert near(hand["moments_of_inertia"][2], 1 / (numpy.ones(2) @ numpy.linalg.solve(M, numpy.ones(2)))), hand
    # Of the upper arm about the shoulder, with the forearm on its pin.
    assert upper["motions"] == 1 and near(upper["moments_of_inertia"][2], M[0, 0] - m * m / M[1, 1]), upper
    by = numpy.array(hand["mobility_by"]["upper_arm"])
    assert abs(by - numpy.array(upper["mobility_by"]["forearm.hand"]).T).max() < 1e-12 and abs(by).max() > 0.1
    in_place = places(arguments, ARM, folder / "arm_place", "--set", "analyses.0.reflected_inertia.axes=place")[0]
    turned = numpy.array([[math.cos(a + b), -math.sin(a + b)], [math.sin(a + b), math.cos(a + b)]])
    expected = turned.T @ numpy.array(hand["mobility"])[:2, :2] @ turned
    assert abs(numpy.array(in_place["mobility"])[:2, :2] - expected).max() < 1e-12 and in_place["axes"] == "place"
    print("arm: the operational-space inertia of textbooks")


def check_slider_crank(arguments, folder):
    r, l, phi = 0.15, 0.4, math.pi / 3
    b = math.asin(-r * math.sin(phi) / l)
    db = -r * math.cos(phi) / (l * math.cos(b))
    dx = -r * math.sin(phi) - l * math.sin(b) * db
    rod = (-r * math.sin(phi) - 0.15 * math.sin(b) * db) ** 2 + (r * math.cos(phi) + 0.15 * math.cos(b) * db) ** 2
    inertia = 0.5 * 0.05**2 + 1e-3 + 0.8 * rod + 0.01 * db**2 + 1.2 * dx**2
    first = places(arguments, SLIDER_CRANK, folder / "crank")
    crank, slider = first
    assert crank["motions"] == slider["motions"] == 1, (crank, slider)
    assert near(crank["moments_of_inertia"][2], inertia, 1e-9) and crank["masses"] == [None] * 3, crank
    assert near(slider["masses"][0], inertia / dx**2, 1e-9) and slider["moments_of_inertia"] == [None] * 3, slider
    for ranks in (2, 4):
        assert places(arguments, SLIDER_CRANK, folder / f"crank_{ranks}", ranks=ranks) == first
    same(places(arguments, SLIDER_CRANK, folder / "relative", "--set", "formulation=recursive", ranks=2), first, 1e-10)
    moving = ["--set", "bodies.crank.velocity.angular=[0, 0, 10]", "--set", "bodies.rod.velocity={linear: [-1.2990381, 0.75, 0], angular: [0, 0, -2]}",
              "--set", "bodies.slider.velocity.linear=[-1.5565667, 0, 0]", "--set",
              "analyses=[{reflected_inertia: {at: [crank], times: [0.005, 0.02]}}, {dynamics: {duration: 0.02, step: 0.001}}]"]
    times = {way: places(arguments, SLIDER_CRANK, folder / way, "--set", f"formulation={way}", *moving) for way in ("absolute", "recursive")}
    same(times["absolute"], times["recursive"], 1e-5)
    early, late = times["absolute"]
    assert near(early["time"], 0.005) and near(late["time"], 0.02), times
    assert not near(early["moments_of_inertia"][2], late["moments_of_inertia"][2], 1e-2), times
    print("slider-crank: the inertia at its crank, at rest and in motion, on 1, 2 and 4 ranks")


def check_formulations(arguments, folder):
    """Modes with drives that hold, and joints with rows too many."""
    for name, at, redundant in (("arm", "[payload, forearm.elbow, upper_arm.elbow]", []), ("scissor_mast", "[platform]", ["13 of 72"])):
        words = ["--set", "output={}", "--set", f"analyses=[{{reflected_inertia: {{at: {at}}}}}]"]
        both = [places(arguments, EXAMPLES / "recursive" / f"{name}.yaml", folder / f"{name}_{way}", "--set", f"formulation={way}",
                       *words, warnings=redundant) for way in ("absolute", "recursive")]
        same(*both, 1e-8)
        assert both[0][0]["motions"] > 0, both[0][0]
    print("modes, drives and redundant joints: the same in both formulations")


def check_what_holds(arguments, folder):
    guided, model = folder / "guided.yaml", folder / "lever.yaml"
    guided.write_text(GUIDED)
    model.write_text(LEVER)
    for way in ("absolute", "recursive"):
        chosen = ["--set", f"formulation={way}"]
        [top] = places(arguments, guided, folder / f"guided_{way}", *chosen)
        assert abs(top["position"][2] - 0.3) < 1e-6 and near(top["masses"][2], 2) and top["masses"][0] is None, top
        assert top["motions"] == 1 and top["axes"] == "place", top
        [lever] = places(arguments, model, folder / f"rubs_{way}", *chosen, "--set", "joints.pivot.friction={static: 0.1, radius: 0.01, moment_arm: 0.1}",
                         warnings=["`joint pivot friction`: friction"])
        assert near(lever["moments_of_inertia"][2], 1.2), lever
        [driven] = places(arguments, model, folder / f"driven_{way}", *chosen, "--set", "joints.motor={type: rotation_drive, joint: pivot, angle: 0}")
        assert driven["motions"] == 0 and driven["moments_of_inertia"] == driven["masses"] == [None] * 3, driven
        failed = Program(arguments)("run", model, "-o", folder / "point", *chosen, "--set", "bodies.lever.inertia=[0, 0, 0]", "--set", "joints.pivot.at=[3, 0, 0]")
        assert failed.returncode in (1, 2) and "inertia" in failed.stderr + failed.stdout, (way, failed.stderr)
    print("after statics; friction is left out and told, drives hold, what has no inertia is an error")


def check_beam(arguments, folder):
    """A thin rod clamped to the ground moves nowhere at its foot; its nodes alone are so light that round-off of them is no small mobility."""
    model = folder / "rod.yaml"
    model.write_text(ROD)
    both = [places(arguments, model, folder / f"rod_{way}", "--set", f"formulation={way}") for way in ("absolute", "recursive")]
    same(*both, 1e-9)
    for foot, tip in both:
        assert foot["motions"] == 0 and foot["masses"] == foot["moments_of_inertia"] == [None] * 3 and tip["motions"] == 6, (foot, tip)
    print("a beam: held where it is clamped, in both formulations")


def check_momentum(arguments, folder):
    model = folder / "flight.yaml"
    model.write_text(FLIGHT)
    for way in ("absolute", "recursive"):
        out = folder / f"flight_{way}"
        Program(arguments).done("run", model, "-o", out, "--set", f"formulation={way}")
        history = History(out)
        p, L, H, c, v = (numpy.array([history.column(f"{name}.{axis}") for axis in "xyz"]).T for name in "pLHcv")
        assert abs(H - H[0]).max() < 1e-8 * abs(H).max() and abs(L - L[0]).max() > 0.1, way
        assert abs(L - numpy.cross(c, p) - H).max() < 1e-12 * abs(L).max() and abs(p - 3 * v).max() < 1e-12 * abs(p).max()
        t = numpy.array(history.times)
        fall = c[0] + numpy.outer(t, v[0]) + numpy.outer(t * t, [0, 0, -9.81 / 2])
        assert abs(c - fall).max() < 1e-8
        assert all(history.column(f"own.{axis}") == history.column(f"place.{axis}") for axis in "xyz")
    print("momentum about the centre of mass is kept in flight, the centre falls")


def check_sweep(arguments, folder):
    """A lever's numbers are columns of the table of a sweep; where it is held they are none."""
    model, out = folder / "swept.yaml", folder / "swept"
    model.write_text(LEVER)
    Program(arguments).done("run", model, "-o", out, "--sweep", "bodies.lever.mass=1,3")
    lines = [line.split(",") for line in (out / "sweep.csv").read_text().splitlines()]
    units = dict(zip(lines[1], lines[0]))
    assert units["lever.mass_y"] == "kg" and units["lever.moment_of_inertia_z"] == "kg m^2", units
    for line, mass in zip(lines[2:], (1, 3)):
        row = dict(zip(lines[1], line))
        for column in ("lever.mass_y", "lever.moment_of_inertia_z", "lever.principal_mass_1", "lever.principal_moment_1"):
            assert near(float(row[column]), 0.2 + mass, 1e-12), (column, row)
        assert row["lever.mass_x"] == row["lever.moment_of_inertia_x"] == "nan" and row["lever.motions"] == "1", row
    print("sweep: what places feel are columns of its table")


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_arm(arguments, folder)
        check_slider_crank(arguments, folder)
        check_formulations(arguments, folder)
        check_what_holds(arguments, folder)
        check_beam(arguments, folder)
        check_sweep(arguments, folder)
        check_momentum(arguments, folder)


if __name__ == "__main__":
    main()
