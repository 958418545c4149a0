"""What a report shows beside positions is what the run computed: velocities and stress of every kind of body against fields.h5,
deformations from the undeformed body, arrows of forces against history.csv, modes against modes.h5, statics by arc length in
the order of its steps.

    report_motion.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import math
import pathlib
import sys
import tempfile

import h5py
import numpy as np

from report import Page, body_of, is_without_page, rotation, von_mises, written
from support import COARSE, EXAMPLES, FLEXIBLE, History, Program, parsed_arguments, summary

FORCES = """
solidyn: 1
gravity: [0, 0, -9.81]
bodies:
  ball: {type: rigid, mass: 0.2, inertia: [5e-5, 5e-5, 5e-5], pose: {position: [0.5, 0, 0.0202]},
         velocity: {linear: [0.3, 0, -0.1]}}
  arm: {appearance: {surface: MESH, surface_units: dm}, type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], pose: {position: [0, 0, 1]}, frames: {tip: {position: [0.3, 0, 0]}}}
  rotor: {appearance: {shape: sphere, radius: 0.1}, type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], pose: {position: [2, 0, 0]}, velocity: {angular: [0, 0, 900]}}
joints:
  hinge: {type: revolute, between: [ground, arm], at: [-0.3, 0, 1], axis: [0, 1, 0]}
forces:
  spring: {type: spring_damper, between: [ground, arm.tip], at_first: [0.3, 0, 2], stiffness: 100, free_length: 0.5}
loads:
  push: {type: force, at: arm.tip, axes: body, force: [0, 0, "40*t"], torque: [0, "2*t", 0]}
contacts:
  floor:
    between: [ground, ball]
    first: {shape: plane, at: [0, 0, 0], axis: [0, 0, 1]}
    second: {shape: sphere, radius: 0.02}
    law: {type: kelvin_voigt, stiffness: 1e4, damping: 1, damping_depth: 1e-6}
    friction: {static: 0.3, transition_speed: 1e-2}
sensors:
  hinge: {type: reaction, joint: hinge}
  spring: {type: force, force: spring}
  floor: {type: contact, contact: floor}
analyses: [{dynamics: {duration: 0.1, step: 5.0e-4}}]
output: {motion_interval: 2.0e-3, report: true}
"""
# Von Mises' truss, half of it: it snaps through, and the load falls in between.
TRUSS = """
solidyn: 1
bodies:
  mass: {type: rigid, mass: 1, inertia: [1, 1, 1], pose: {position: [0, 0, 0.2]}}
joints:
  guide: {type: prismatic, between: [ground, mass], at: [0, 0, 0.2], axis: [0, 0, 1]}
forces:
  bar: {type: spring_damper, between: [ground, mass], at_first: [1, 0, 0], at_second: [0, 0, 0.2], stiffness: 1000}
loads:
  load: {type: force, at: mass, force: [0, 0, "-60*t"]}
sensors:
  z: {type: position, of: mass, component: z}
analyses: [{statics: {control: arc_length, load_steps: 20}}]
output: {report: true}
"""
# A soft bar that is bent by its weight and then swings, and a beam in the air, bent from the start.
FLEXIBLES = """
solidyn: 1
gravity: [0, 0, -9.81]
materials: {rubber: {youngs_modulus: 2.0e7, poissons_ratio: 0.3, density: 1000}}
bodies:
  bar: {type: corotational, mesh: MESH, material: rubber, stress: {},
        pose: {position: [0.1, 0.2, 0.3], rotation: {axis: [0, 1, 0], angle: 0.3}}, velocity: {angular: [0, 3, 20]}}
  float: {type: floating_frame, mesh: MESH, material: rubber, stress: {},
          pose: {position: [0, 0.5, 0]}, velocity: {linear: [1, 0, 0], angular: [0, 200, 0]}}
  mast: {type: beam, points: {foot: [0, 1, 0], top: [0, 1, 0.4]}, elements: 4, section: {type: circle, radius: 0.005},
         material: rubber}
joints: {clamp: {type: fixed, between: [ground, mast.foot]}}
loads: {push: {type: force, at: mast.top, force: [0.001, 0, 0]}}
analyses: [{dynamics: {duration: 0.02, step: 1.0e-3}}]
output: {fields_interval: 2.0e-3, report: true}
"""


RODS = """
solidyn: 1
gravity: [0, -9.81, 0]
materials: {steel: {youngs_modulus: 2.0e11, poissons_ratio: 0.3, density: 7800}}
bodies: {bar: {type: corotational, mesh: MESH, material: steel}}
supports: {hold: {body: bar, nodes: SUPPORT}}
analyses: [{dynamics: {duration: 0.04, step: 2.0e-3}}]
output: {fields_interval: 1.0e-2, motion_interval: 1.0e-2, report: true}
"""


def run(arguments, folder, name, text, *more):
    model, out = folder / f"{name}.yaml", folder / name
    model.write_text(text.replace("MESH", COARSE[1].split("=")[1]))
    Program(arguments).done("run", model, "-o", out, *more)
    return out, Page(out / "report.html")


def quantity(fields, part, start, k):
    """Of the name that begins so, in snapshot k."""
    name = next(name for name in fields[f"parts/{part}"] if name.startswith(start))
    return fields[f"parts/{part}/{name}/{k:06d}"][:]


def times_of(page):
    about = page.manifest["arrays"][page.manifest["runs"][0]["scene"]["times"]]
    return page.array(page.manifest["runs"][0]["scene"]["times"]) + about.get("offset", 0.0)


def shape_sum(page, shapes, factors, components=3):
    n = page.manifest["arrays"][shapes[0]["array"]]["shape"][1] if shapes else 1
    total = np.zeros((components, n))
    for shape in shapes:
        total += factors[shape["coordinate"]] * page.array(shape["array"])
    return total


def velocities(page, body, t):
    """By node tags, as the page makes them."""
    mesh = body["meshes"][0]
    q = page.array(body["coordinates"])[:, t] if "coordinates" in body else np.zeros(0)
    R = rotation(page.array(body["pose"])[3:, t])
    b = page.array(mesh["positions"]) + shape_sum(page, mesh["shapes"], q)
    v, w = (page.array(body[key])[:, t] for key in ("velocity", "angular_velocity"))
    if "velocity" in mesh:
        du = shape_sum(page, mesh["velocity"]["shapes"], q)
    else:
        du = shape_sum(page, mesh["shapes"], page.array(body["rates"])[:, t] if "rates" in body else q)
    all_ = v[:, None] + np.cross(w, (R @ b).T).T + R @ du
    return dict(zip(page.array(mesh["nodes"]).astype(int), all_.T))


def check_velocities(page, fields, name):
    scene = page.manifest["runs"][0]["scene"]
    times, body = times_of(page), body_of(page, name)
    tags, worst, fastest, n = fields[f"parts/{name}/nodes"][:], 0.0, 0.0, 0
    for k, time in enumerate(written(fields)):
        t = int(np.argmin(abs(times - time)))
        v = fields[f"parts/{name}/velocity/{k:06d}"][:]
        shown = velocities(page, body, t)
        worst = max(worst, max(np.linalg.norm(shown[tag] - v[i]) for i, tag in enumerate(tags)))
        fastest = max(fastest, np.linalg.norm(v, axis=1).max())
        n += 1
    assert n > 5 and fastest > 0.1, (name, n, fastest)
    assert worst <= scene["velocity_tolerance"] <= 0.02 * max(fastest, 20.0), (name, worst, scene["velocity_tolerance"], fastest)
    assert worst <= 0.01 * fastest, (name, worst, fastest)


def check_stress(page, fields, name):
    times, body = times_of(page), body_of(page, name)
    mesh, tags = body["meshes"][0], fields[f"parts/{name}/nodes"][:]
    order = page.array(mesh["nodes"]).astype(int)
    worst = largest = 0.0
    for k, time in enumerate(written(fields)):
        q = page.array(body["coordinates"])[:, int(np.argmin(abs(times - time)))]
        shown = dict(zip(order, von_mises(shape_sum(page, mesh["stress"]["shapes"], q, 6))))
        sigma = quantity(fields, name, "von", k).ravel()
        worst = max(worst, max(abs(shown[tag] - sigma[i]) for i, tag in enumerate(tags)))
        largest = max(largest, sigma.max())
    assert largest > 100 and worst <= 0.01 * largest, (name, worst, largest)


def deformation(page, body, t):
    mesh = body["meshes"][0]
    return shape_sum(page, mesh["shapes"], page.array(body["coordinates"])[:, t])


def check_flexibles(arguments, folder):
    out, page = run(arguments, folder, "flexibles", FLEXIBLES)
    with h5py.File(out / "fields.h5") as fields:
        for name in ("bar", "float"):
            check_velocities(page, fields, name)
            check_stress(page, fields, name)
        # A body with axes deforms in these.
        body, tags = body_of(page, "float"), fields["parts/float/nodes"][:]
        t = len(times_of(page)) - 1
        u = dict(zip(page.array(body["meshes"][0]["nodes"]).astype(int), deformation(page, body, t).T))
        stored = quantity(fields, "float", "displacement", len(written(fields)) - 1)
        largest = np.linalg.norm(stored, axis=1).max()
        worst = max(np.linalg.norm(u[tag] - stored[i]) for i, tag in enumerate(tags))
        assert largest > 1e-5 and worst < 0.02 * largest, (worst, largest)
    # A held beam counts from where it was modelled, at each of its rings.
    mast = body_of(page, "mast")
    assert abs(deformation(page, mast, 0)).max() < 1e-9
    v = velocities(page, mast, len(times_of(page)) - 1)
    with h5py.File(out / "fields.h5") as fields:
        top = fields[f"parts/mast/velocity/{len(written(fields)) - 1:06d}"][-1]
        assert np.linalg.norm(v[5] - top) < 0.05 * np.linalg.norm(top) and np.linalg.norm(top) > 1e-4, (v[5], top)


def check_statics(arguments, folder):
    """The bent strip is bent, and its ghost is straight."""
    out = folder / "bimetal"
    Program(arguments).done("run", EXAMPLES / "materials" / "bimetal.yaml", "-o", out, "--report", "--set", "output.fields_interval=0.5")
    page = Page(out / "report.html")
    strip = body_of(page, "strip")
    x = page.array(strip["meshes"][0]["positions"])
    assert np.ptp(x[2]) < 2.1e-3 and np.ptp(x[0]) < 0.1001, "the undeformed strip is straight"
    with h5py.File(out / "fields.h5") as fields:
        last = len(written(fields)) - 1
        stored = np.linalg.norm(quantity(fields, "strip", "displacement", last), axis=1).max()
    shown = np.linalg.norm(deformation(page, strip, len(times_of(page)) - 1), axis=0).max()
    assert stored > 5e-3 and abs(shown - stored) < 0.01 * stored, (shown, stored)


def symbol(page, kind, unit="N"):
    found = [s for s in page.manifest["runs"][0]["scene"]["symbols"] if s["kind"] == kind and s.get("unit", "N") == unit]
    assert len(found) == 1, (kind, found)
    return page.array(found[0]["vector"]), page.array(found[0]["points"])


def check_arrows(arguments, folder):
    out, page = run(arguments, folder, "forces", FORCES)
    history, times = History(out), times_of(page)
    rows = [min(range(len(history.times)), key=lambda i: abs(history.times[i] - t)) for t in times]

    def columns(name):
        return np.array([[history.column(f"{name}.{axis}")[row] for row in rows] for axis in ("force_x", "force_y", "force_z")])

    def check(shown, wanted):
        largest = abs(wanted).max()
        assert largest > 1.0 and abs(shown - wanted).max() <= 1e-3 * largest, (abs(shown - wanted).max(), largest)

    hinge, _ = symbol(page, "reaction")
    check(hinge, columns("hinge"))
    spring, ends = symbol(page, "spring")
    along = (ends[:3] - ends[3:]) / np.linalg.norm(ends[:3] - ends[3:], axis=0)
    check(spring, along * np.array([history.column("spring.force")[row] for row in rows]))
    contact, at = symbol(page, "contact")
    check(contact[2], np.array([history.column("floor.normal_force")[row] for row in rows]))
    assert np.allclose(at[2], 0, atol=1e-3), "it acts where the surfaces touch, not at the middle of the ball"
    check(np.abs(contact[0]), np.array([history.column("floor.friction_force")[row] for row in rows]))
    load, tip = symbol(page, "load")
    arm = page.array(body_of(page, "arm")["pose"])
    for t, time in enumerate(times):
        R = rotation(arm[3:, t])
        assert np.allclose(load[:, t], R @ [0, 0, 40 * time], atol=5e-3)
        assert np.allclose(tip[:, t], arm[:3, t] + R @ [0.3, 0, 0], atol=1e-5)
    assert np.allclose(symbol(page, "load", "N m")[0][1], 2 * times, atol=1e-3)
    # A surface of another file, in decimetres, and without a box.
    arm = body_of(page, "arm")
    x = page.array(arm["meshes"][0]["positions"])
    assert not arm["primitives"] and len(arm["meshes"][0]["shapes"]) == 0 and np.ptp(x, axis=1).max() < 0.1, np.ptp(x, axis=1)
    # A rotor that turns by 1.8 rad between two pictures: its velocity is right, and the page says so.
    rotor = body_of(page, "rotor")
    assert np.allclose(page.array(rotor["angular_velocity"])[2], 900, rtol=2e-3)
    assert any(note.startswith("forces: rotor turns by up to 1.8 rad") for note in page.manifest["notes"]), page.manifest["notes"]
    joints = next(table for table in page.manifest["runs"][0]["tables"] if table["title"] == "Joints")
    largest = np.linalg.norm(columns("hinge"), axis=0).max()
    assert joints["rows"][0][:4] == ["hinge", "revolute", "ground - arm", "rotation about z"], joints["rows"]
    assert math.isclose(float(joints["rows"][0][4]), largest, rel_tol=1e-3), (joints["rows"], largest)


def check_arc_length(arguments, folder):
    out, page = run(arguments, folder, "truss", TRUSS)
    about = page.manifest["runs"][0]
    assert about["independent"] == {"name": "load step", "unit": ""}, about["independent"]
    times = times_of(page)
    assert (np.diff(times) > 0).all() and len(times) > 15
    z = page.array(body_of(page, "mass")["pose"])[2]
    assert z[0] > 0.19 and z[-1] < -0.19 and (np.abs(np.diff(z)) < 0.1).all(), z
    columns = {column["name"]: page.array(column["array"]) for column in about["history"]["columns"]}
    x, load = page.array(about["history"]["x"]), columns["load parameter"]
    assert (np.diff(x) > 0).all() and (np.diff(load) < 0).any() and math.isclose(load[-1], 1.0, rel_tol=1e-6)
    assert np.allclose(columns["z"][-1], z[-1], atol=1e-5)


def check_modes(arguments, folder):
    """Four pictures of each mode, which are those for ParaView; a picture of the machine itself."""
    out = folder / "modes"
    Program(arguments).done("run", FLEXIBLE, *COARSE, "-o", out, "--report", "--set",
                            "analyses=[{modes: {count: 3, pictures: 4}}]")
    page = Page(out / "report.html")
    about = page.manifest["runs"][0]
    assert {body["name"] for body in about["scene"]["bodies"]} >= {"crank", "rod", "slider"} and "solidyn: 1" in about["model"]
    linear = about["linear"]
    assert [p["row"] for p in linear["periods"]] == list(range(len(linear["modes"])))
    scene, moved = linear["scene"], 0.0
    with h5py.File(out / "modes.h5") as file:
        times, tags = file["times"][:], file["parts/rod/nodes"][:]
        rod = next(body for body in scene["bodies"] if body["name"] == "rod")
        for period in linear["periods"]:
            assert period["count"] == 4
            for k in range(4):
                snapshot = int(np.argmin(abs(times - (period["row"] + 1 + k / 4))))
                x = file[f"parts/rod/positions/{snapshot:06d}"][:]
                shown = page.positions(rod, period["first"] + k)
                assert max(np.linalg.norm(shown[tag] - x[i]) for i, tag in enumerate(tags)) <= page.manifest["tolerance"]
                moved = max(moved, abs(x - file["parts/rod/positions/000000"][:]).max())
    assert moved > 50 * page.manifest["tolerance"], moved


def check_whirl(arguments, folder):
    """Complex modes at operating points: a point of the shaft goes round, at every speed of the Campbell diagram."""
    out = folder / "shaft"
    Program(arguments).done("run", EXAMPLES / "campbell" / "shaft.yaml", "-o", out, "--report", "--set",
                            "analyses=[{modes: {count: 4, about: left_bearing, axis: [1, 0, 0], speeds: [100, 500]}}]")
    page = Page(out / "report.html")
    linear = page.manifest["runs"][0]["linear"]
    assert len(linear["periods"]) == len(linear["modes"])
    shaft = linear["scene"]["bodies"][0]
    whirls = 0
    for period in linear["periods"]:
        x = [page.positions(shaft, period["first"] + k) for k in range(4)]
        middle = min(x[0], key=lambda tag: abs(x[0][tag][0]) + np.linalg.norm(x[0][tag][1:]))
        cosine, sine = x[0][middle] - x[2][middle], x[1][middle] - x[3][middle]
        area = np.linalg.norm(np.cross(cosine, sine))
        whirls += area > 0.5 * (np.linalg.norm(cosine)**2 + np.linalg.norm(sine)**2) / 2 > 1e-8
    assert whirls >= 2, whirls


def check_energy_beside_modes(arguments, folder):
    """Modes are drawn and statics goes on from where it was."""
    text = TRUSS.replace("-60*t", "-10*t").replace("{control: arc_length, load_steps: 20}", "{}")
    energies = []
    for name, analyses in (("alone", "[{statics: {}}"), ("with_modes", "[{statics: {}}, {modes: {count: 1}}")):
        out, _ = run(arguments, folder, name, text.replace("[{statics: {}}", analyses))
        energies.append(summary(out)["energy"])
    assert energies[0]["strain"] > 1e-3 and energies[0] == energies[1], energies


def check_held(arguments, folder):
    """What a pin or a moving support holds is seen from the rigid motion that is nearest to its own."""
    for name, support in (("pin", "{near: [0, -0.003, 0], radius: 1.0e-4}, fix: [x, y, z]"),
                          ("shaken", "{in_set: big_end_face}, fix: [x, y, z], displacement: ['100*t^2', 0, 0]")):
        text = RODS.replace("SUPPORT", support)
        _, page = run(arguments, folder, name, text)
        bar, last = body_of(page, "bar"), len(times_of(page)) - 1
        first, x = page.positions(bar, 0), page.positions(bar, last)
        moved = max(np.linalg.norm(x[tag] - first[tag]) for tag in x)
        bent = np.linalg.norm(deformation(page, bar, last), axis=0).max()
        assert moved > 1e-3 and bent < 0.02 * moved, (name, moved, bent)


def check_restart(arguments, folder):
    """A run that is continued with another title shows that."""
    model = folder / "spin.yaml"
    text = FORCES.replace("solidyn: 1", "solidyn: 1\ntitle: first").replace("report: true", "report: true, checkpoint_every: 50")
    out, page = run(arguments, folder, "spin", text, "--set", "analyses.dynamics.duration=0.05")
    assert page.manifest["runs"][0]["set"] == ["analyses.dynamics.duration=0.05"]
    model.write_text(model.read_text().replace("title: first", "title: second"))
    Program(arguments).done("run", model, "-o", out, "--restart")
    page = Page(out / "report.html")
    assert "title: second" in page.manifest["runs"][0]["model"] and page.manifest["runs"][0]["set"] == []
    assert len(times_of(page)) == 51, times_of(page)
    whole = (out / "motion.h5").read_bytes()
    (out / "motion.h5").write_bytes(whole[:len(whole) // 2])
    done = Program(arguments)("run", model, "-o", out, "--restart")
    assert done.returncode == 2 and "remove it to continue without the earlier pictures" in done.stderr, done.stderr


def check_many(arguments, folder):
    """One sentence for many bodies; the same bodies falling in few long steps: how far they are beside their way in between."""
    rotors = "".join(f"  r{i}: {{type: rigid, mass: 1, inertia: [1, 1, 1], pose: {{position: [{i}, 0, 0]}}, velocity: {{angular: [0, 0, 900]}}}}\n"
                     for i in range(6))
    text = "solidyn: 1\nbodies:\n" + rotors + "analyses: [{dynamics: {duration: 0.02, step: 1.0e-3}}]\noutput: {motion_interval: 2.0e-3, report: true}\n"
    _, page = run(arguments, folder, "many", text)
    assert len(page.manifest["notes"]) == 1 and page.manifest["notes"][0].startswith("many: r0, r1, r2 and 3 others turn by"), page.manifest["notes"]
    text = text.replace("900", "0").replace("solidyn: 1", "solidyn: 1\ngravity: [0, 0, -9.81]").replace("duration: 0.02, step: 1.0e-3", "duration: 1, step: 0.2")
    _, page = run(arguments, folder, "few", text)
    notes = page.manifest["notes"]
    assert len(times_of(page)) == 6 and "few: Between two pictures r0, r1, r2 and 3 others are up to 0.049 m beside" in notes[0] and len(notes) == 1, notes


def check_fields_without_pictures(arguments, folder):
    out, _ = run(arguments, folder, "unborn", RODS.replace("SUPPORT", "{in_set: big_end_face}, fix: [x, y, z]"))
    with h5py.File(out / "fields.h5", "r+") as fields:
        fields["times"][...] = math.nan
    Program(arguments).done("report", out, "-o", out / "report.html")
    page = Page(out / "report.html")
    assert len(times_of(page)) > 3 and any("fields.h5 has no pictures" in note for note in page.manifest["notes"]), page.manifest["notes"]


def main():
    arguments = parsed_arguments()
    if is_without_page(arguments):
        return
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for check in (check_flexibles, check_statics, check_arrows, check_modes, check_whirl, check_restart, check_arc_length,
                      check_energy_beside_modes, check_held, check_many, check_fields_without_pictures):
            check(arguments, folder)


if __name__ == "__main__":
    sys.exit(main())
