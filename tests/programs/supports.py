"""Supports: nodes of modal bodies, of superelements and of whole meshes are held, in any directions, on 1, 2 and 4 ranks.

    supports.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import math
import pathlib
import re
import tempfile

from support import SOURCE, History, Program, largest_difference, parsed_arguments

ROD = f"{SOURCE}/meshes/rod_circular_coarse.msh"
STATICS = "  - statics: {load_steps: 2}"
HEAD = """solidyn: 1
gravity: GRAVITY
materials:
  aluminium: {youngs_modulus: 7e10, poissons_ratio: 0.3, density: 2700}
bodies:
  rod: {type: KIND, mesh: MESH, material: aluminium, BODY}
supports:
SUPPORTS
SECTIONS
analyses:
ANALYSES
"""
MODES = "mass_matrix: consistent, modes: {free_free: 10}, "
POINTS = "points: {tip: [0.3, 0, 0], middle: [0.15, 0, 0]}"
SENSORS = """sensors:
  tip: {type: position, of: rod.tip}
  middle: {type: position, of: rod.middle}
"""


def column(history, name):
    return history.column(history.names.index(name))


def write(folder, name, supports, kind="modal", body=MODES + POINTS, sections=SENSORS, analyses=STATICS,
          gravity="[0, 0, -9.81]", mesh=ROD):
    path = folder / f"{name}.yaml"
    text = HEAD
    for word, value in (("GRAVITY", gravity), ("KIND", kind), ("MESH", mesh), ("BODY", body),
                        ("SUPPORTS", supports), ("SECTIONS", sections), ("ANALYSES", analyses)):
        text = text.replace(word, value)
    path.write_text(text)
    return path


CLAMP = "  wall: {body: rod, nodes: {in_set: big_end_face}, fix: [x, y, z]}"
FORCES = SENSORS + "  wall: {type: support_force, support: wall}\n"


def frequencies(text):
    """Of the table in the log."""
    return [float(f) for f in re.findall(r"^\s+\d+\s+([0-9.e+]+)\s*$", text, re.M)]


def mechanism_frequencies(folder):
    rows = (folder / "modes.csv").read_text().splitlines()
    names = rows[1].split(",")
    return [float(row.split(",")[names.index("frequency")]) for row in rows[2:]]


def check_clamped(arguments, folder):
    """A cantilever sags, rings and weighs as with all nodes; its first tone is that of beam theory."""
    sags = {}
    for kind, body in (("modal", MODES + POINTS), ("corotational", "mass_matrix: consistent, " + POINTS)):
        path = write(folder, f"clamped_{kind}", CLAMP, kind, body, FORCES)
        Program(arguments).done("run", path, "-o", folder / kind)
        history = History(folder / kind)
        sags[kind] = column(history, "tip.z")[-1]
        sags[kind + " wall"] = column(history, "wall.z")[-1]
    mass_below = 2700 * math.pi * 0.003**2 * 0.3 * 9.81
    print(f"sag {sags['modal']:.6e}, all nodes {sags['corotational']:.6e}; wall {sags['modal wall']:.6f} N, "
          f"weight {mass_below:.6f} N")
    assert sags["modal"] < -1e-5
    assert abs(sags["modal"] - sags["corotational"]) < 2e-3 * abs(sags["corotational"]), sags
    assert abs(sags["modal wall"] - mass_below) < 0.02 * mass_below, sags  # the mesh's section is a polygon


def check_modes(arguments, folder):
    """The same frequencies of the mechanism with a modal body, and of the mesh by itself, of each type."""
    inertia, area, length = math.pi * 0.003**4 / 4, math.pi * 0.003**2, 0.3
    beam = 1.8751041**2 / (2 * math.pi * length**2) * math.sqrt(7e10 * inertia / (2700 * area))
    path = write(folder, "tones", CLAMP, analyses="  - modes: {count: 6}")
    for ranks in (1, 2, 4):
        Program(arguments, ranks).done("run", path, "-o", folder / f"tones_{ranks}")
        found = mechanism_frequencies(folder / f"tones_{ranks}")
        print(f"{ranks} ranks: {found[0]:.4f} Hz, beam theory {beam:.4f} Hz")
        assert abs(found[0] - beam) < 0.02 * beam, (found, beam)
    for kind, body in (("modal", MODES + POINTS), ("corotational", "mass_matrix: consistent"),
                       ("inertial", "mass_matrix: consistent"), ("floating_frame", "mass_matrix: consistent")):
        supports = CLAMP if kind != "floating_frame" else "  {}"
        path = write(folder, f"mesh_{kind}", supports, kind, body, "", "  - modes: {body: rod, count: 6}")
        result = Program(arguments).done("run", path, "-o", folder / f"mesh_{kind}")
        of_mesh = frequencies(result.stdout + result.stderr)
        print(kind, of_mesh)
        assert len(of_mesh) == 6, (kind, result.stdout, result.stderr)
        if kind != "floating_frame":
            assert all(abs(a - b) < 1e-5 * b for a, b in zip(found, of_mesh)), (kind, found, of_mesh)


def check_moving_support(arguments, folder):
    """A moving support carries the rod along as it carries all nodes."""
    moving = ('  wall: {body: rod, nodes: {in_set: big_end_face}, fix: [x, y, z], '
              'displacement: ["1e-3*(1-cos(250*t))", "4e-3*(1-cos(300*t))", "0.01*(1-cos(200*t))"]}')
    dynamics = "  - dynamics: {duration: 0.02, step: 1.0e-4}"
    histories = {}
    for kind, body in (("modal", MODES + POINTS), ("corotational", "mass_matrix: consistent, " + POINTS)):
        path = write(folder, f"moving_{kind}", moving, kind, body, FORCES, dynamics)
        for ranks in (1, 2, 4) if kind == "modal" else (1,):
            out = folder / f"moving_{kind}_{ranks}"
            Program(arguments, ranks).done("run", path, "-o", out)
            if ranks == 1:
                histories[kind] = History(out)
            else:
                worst, name = largest_difference(histories[kind], History(out))
                assert worst < 1e-6, (ranks, worst, name)
    for name, accepted in (("tip.z", 1e-2), ("middle.z", 1e-2), ("wall.z", 3e-2)):
        a, b = (column(histories[kind], name) for kind in ("modal", "corotational"))
        worst = max(abs(x - y) for x, y in zip(a, b)) / (max(b) - min(b))
        print(f"moving support, {name}: {worst:.1e} of the range of all nodes")
        assert worst < accepted, (name, worst)  # 3.5e-3 at the tip: modes know no axial tension


def check_rigid(arguments, folder):
    """A rigid body with a mesh on three guides that determine its place."""
    guides = """  a: {body: rod, nodes: {in_set: big_end_face}, fix: [x, y, z]}
  b: {body: rod, nodes: {near: [0.3, 0, 0]}, fix: [z], displacement: [0, 0, "0.001*sin(50*t)"]}"""
    path = write(folder, "rigid", guides.replace("in_set: big_end_face", "near: [0, 0, 0]"), "rigid", POINTS,
                 SENSORS + "  a: {type: support_force, support: a}\n  b: {type: support_force, support: b}\n",
                 "  - dynamics: {duration: 0.02, step: 1.0e-4}")
    Program(arguments).done("run", path, "-o", folder / "rigid")
    history = History(folder / "rigid")
    worst = max(abs(z - 0.001 * math.sin(50 * t)) for t, z in zip(history.times, column(history, "tip.z")))
    print(f"rigid: the guided end is {worst:.1e} m off")
    assert worst < 1e-9
    start = column(history, "a.z")[0] + column(history, "b.z")[0]
    weight = 2700 * math.pi * 0.003**2 * 0.3 * 9.81
    assert abs(start - weight) < 0.02 * weight, (start, weight)


SKEW = "{axis: [0.3, -0.5, 0.8], angle: 0.9}"


def rotated(vector):
    """By SKEW."""
    axis = [0.3, -0.5, 0.8]
    norm = math.sqrt(sum(a * a for a in axis))
    k = [a / norm for a in axis]
    c, s = math.cos(0.9), math.sin(0.9)
    dot = sum(a * b for a, b in zip(k, vector))
    cross = [k[1] * vector[2] - k[2] * vector[1], k[2] * vector[0] - k[0] * vector[2],
             k[0] * vector[1] - k[1] * vector[0]]
    return [vector[i] * c + cross[i] * s + k[i] * dot * (1 - c) for i in range(3)]


def check_skew(arguments, folder):
    """A rod on guides in a skew pose is the straight one, turned: directions by the body and by a rotation."""
    guides = """  foot: {body: rod, nodes: {in_set: big_end_face}, fix: [x, y], AXES}
  guide: {body: rod, nodes: {in_set: small_end_face}, fix: [y, z], displacement: [0, "0.002*MOVE", 0], AXES}
  corner: {body: rod, nodes: {near: [0, 0, 0]}, fix: [z], AXES}"""
    sections = SENSORS + "  guide: {type: support_force, support: guide}\n  foot: {type: support_force, support: foot}\n"
    gravity = [1.0, 3.0, -9.0]
    for kind, body, analysis, move in (
            ("corotational", "mass_matrix: consistent, " + POINTS, STATICS, "t"),
            ("corotational", POINTS, "  - dynamics: {duration: 2.0e-3, step: 1.0e-4}", "(1-cos(900*t))"),
            ("modal", MODES + POINTS, STATICS, "t")):
        ends = {}
        for name, axes, pose in (("straight", "axes: world", ""), ("body", "axes: body", f", pose: {{rotation: {SKEW}}}"),
                                 ("rotation", f"rotation: {SKEW}", f", pose: {{rotation: {SKEW}}}")):
            g = gravity if name == "straight" else rotated(gravity)
            path = write(folder, f"skew_{name}", guides.replace("AXES", axes).replace("MOVE", move), kind, body + pose,
                         sections, analysis, str(g))
            for ranks in (1, 2, 4) if name == "body" else (1,):
                out = folder / f"skew_{name}_{ranks}"
                Program(arguments, ranks).done("run", path, "-o", out)
                history = History(out)
                vectors = {place: [column(history, f"{place}.{c}")[-1] for c in "xyz"]
                           for place in ("tip", "middle", "guide", "foot")}
                ends[f"{name}_{ranks}"] = vectors
        for other in ("body_1", "body_2", "body_4", "rotation_1"):
            for place, v in ends["straight_1"].items():
                wanted, found = rotated(v), ends[other][place]
                size = math.sqrt(sum(a * a for a in wanted)) + (1e-3 if place in ("guide", "foot") else 0.0)
                error = max(abs(a - b) for a, b in zip(wanted, found)) / size
                print(f"{kind}, {other}, {place}: {error:.1e}")
                assert error < 1e-7, (kind, other, place, wanted, found)  # 2e-9 of forces: Newton's tolerance, times stiffness


def check_skew_clamp(arguments, folder):
    """All directions of a region are held, whatever these are: the same body under loads that bend it far."""
    analysis = "  - statics: {load_steps: 1}"
    skew = CLAMP.replace("z]", f"z], rotation: {SKEW}")
    ends = {}
    for kind, body in (("modal", MODES + POINTS), ("corotational", "mass_matrix: consistent, " + POINTS)):
        for name, supports in (("axes", CLAMP), ("skew", skew)) if kind == "modal" else (("full", CLAMP),):
            path = write(folder, f"far_{name}", supports, kind, body, FORCES, analysis, "[200, 500, -700]")
            for ranks in (1, 2, 4) if name == "skew" else (1,):
                out = folder / f"far_{name}_{ranks}"
                Program(arguments, ranks).done("run", path, "-o", out)
                history = History(out)
                ends[f"{name}_{ranks}"] = {place: [column(history, f"{place}.{c}")[-1] for c in "xyz"]
                                           for place in ("tip", "wall")}
    deflection = math.dist(ends["full_1"]["tip"], [0.3, 0, 0])
    for name in ("axes_1", "skew_1", "skew_2", "skew_4"):
        error = math.dist(ends[name]["tip"], ends["full_1"]["tip"]) / deflection
        turned = math.dist(ends[name]["tip"], ends["axes_1"]["tip"]) / deflection
        force = math.dist(ends[name]["wall"], ends["full_1"]["wall"]) / math.hypot(*ends["full_1"]["wall"])
        print(f"{name}: deflection {deflection:.4f} m, {error:.1e} off, {turned:.1e} by directions; force {force:.1e}")
        assert error < 1e-2, (name, ends)
        assert turned < 1e-8, (name, ends)
        assert force < 1e-6, (name, ends)


def check_superelement(arguments, folder):
    """A superelement that a support holds is one that a fixed joint on a rigid interface holds."""
    body = """modes: {free_free: 0}, interfaces: {tip: {nodes: {in_set: small_end_face}}, ROOT
    other: {nodes: {near: [0.15, 0, 0]}}}"""
    loads = 'loads:\n  push: {type: force, at: rod.tip, force: [0, 0, "-2*t"]}\n'
    sensors = "sensors:\n  tip: {type: position, of: rod.tip}\n"
    held = write(folder, "held", CLAMP, "superelement", body.replace("ROOT", ""), loads + sensors, gravity="[0, 0, 0]")
    joined = write(folder, "joined", "  {}", "superelement",
                   body.replace("ROOT", "root: {nodes: {in_set: big_end_face}, attach: rbe2},"),
                   "joints:\n  wall: {type: fixed, between: [ground, rod.root]}\n" + loads + sensors, gravity="[0, 0, 0]")
    ends = []
    for name, path in (("held", held), ("joined", joined)):
        Program(arguments).done("run", path, "-o", folder / name)
        ends.append(column(History(folder / name), "tip.z")[-1])
    print(f"superelement: tip {ends[0]:.9e} held, {ends[1]:.9e} joined")
    assert ends[0] < -1e-4 and abs(ends[0] - ends[1]) < 1e-9 * abs(ends[1]), ends


def check_files(arguments, folder):
    """A reduced-body file knows the supports of the model that it was made for, and no others."""
    path = write(folder, "source", CLAMP, sections=FORCES)
    sbody = folder / "rod.sbody"
    Program(arguments).done("reduce", path, "--body", "rod", "-o", sbody)
    text = path.read_text()
    from_file = text.replace(f"mesh: {ROD}, material: aluminium", f"reduced_body: {sbody}").replace(
        MODES + POINTS, "velocity: {}")
    again = folder / "again.yaml"
    again.write_text(from_file)
    Program(arguments).done("run", path, "-o", folder / "first")
    Program(arguments).done("run", again, "-o", folder / "second")
    worst, name = largest_difference(History(folder / "first"), History(folder / "second"))
    assert worst < 1e-9, (worst, name)
    other = folder / "other.yaml"
    other.write_text(from_file.replace("big_end_face", "small_end_face"))
    result = Program(arguments)("run", other, "-o", folder / "third")
    assert result.returncode == 2 and "contains a support of this name on other nodes" in result.stderr, result.stderr
    other.write_text(from_file.replace("wall:", "floor:", 1).replace("support: wall", "support: floor"))
    result = Program(arguments)("run", other, "-o", folder / "fourth")
    assert result.returncode == 2 and "was created without this support" in result.stderr, result.stderr


def check_messages(arguments, folder):
    """What can be known with the mesh only."""
    cases = [
        ("  wall: {body: rod, nodes: {in_set: nowhere}, fix: [x]}", "modal", MODES + POINTS, "nowhere"),
        (CLAMP, "modal", MODES + "interfaces: {root: {nodes: {in_set: big_end_face}, attach: rbe2}}",
         "constrains a node of the rbe2 interface `root`"),
        (CLAMP + '\n  again: {body: rod, nodes: {in_set: big_end_face}, fix: [z], displacement: [0, 0, "t"]}', "modal",
         MODES + POINTS, "constrain the same node in the same direction"),
        (CLAMP + '\n  again: {body: rod, nodes: {in_set: big_end_face}, fix: [z], displacement: [0, 0, "t"]}',
         "corotational", POINTS, "another support already constrains some of its nodes"),
        (CLAMP.replace("x, y, z]", f"y], rotation: {SKEW}"), "corotational",
         "interfaces: {root: {nodes: {in_set: big_end_face}}}", "a support constrains all nodes of the interface `root`"),
    ]
    for i, (supports, kind, body, message) in enumerate(cases):
        path = write(folder, f"wrong_{i}", supports, kind, body, "")
        result = Program(arguments)("run", path, "-o", folder / f"wrong_{i}")
        assert result.returncode == 2 and message in result.stderr, (message, result.returncode, result.stderr)
    joined = write(folder, "joined_twice", CLAMP, body=MODES + "interfaces: {root: {nodes: {in_set: big_end_face}}}",
                   sections="joints:\n  pin: {type: spherical, between: [ground, rod.root]}\n")
    result = Program(arguments)("run", joined, "-o", folder / "joined_twice")
    assert result.returncode == 2 and "the support `wall` already constrains all nodes of the interface `rod.root`" in result.stderr, (
        result.returncode, result.stderr)
    assert "remove one of them" in result.stderr, result.stderr
    warned = write(folder, "warned", CLAMP.replace("x, y, z]", 'x, y, z], displacement: [0, 0, 0]').replace(
        "fix: [x, y, z]", "fix: [x, y]").replace("[0, 0, 0]", "[0, 0, 1]"), analyses="  - modes: {body: rod, count: 2}",
        sections="")
    result = Program(arguments).done("run", warned, "-o", folder / "warned")
    assert "its z has no effect" in result.stderr + result.stdout, result.stderr


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        check_clamped(arguments, folder)
        check_modes(arguments, folder)
        check_moving_support(arguments, folder)
        check_rigid(arguments, folder)
        check_skew(arguments, folder)
        check_skew_clamp(arguments, folder)
        check_superelement(arguments, folder)
        check_files(arguments, folder)
        check_messages(arguments, folder)


if __name__ == "__main__":
    main()
