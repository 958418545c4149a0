"""Loads on nodes and faces: every kind of flexible body answers them alike, on 1, 2 and 4 ranks and in any pose.

    loads.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import math
import pathlib
import sys
import tempfile

from support import EXAMPLES, SOURCE, History, Program, largest_difference, parsed_arguments, summary

# A rod of 0.3 m along x; `side` is a band of its upper half.
SIDE = "{in_box: {low: [0.1, -1, 1.0e-4], high: [0.2, 1, 1]}}"
END = "{in_set: small_end_face}"
PATTERNS = f"""
      static_loads:
        air: {{faces: {SIDE}, pressure: 1}}
        pull_y: {{faces: {END}, traction: [0, 1, 0]}}
        pull_z: {{faces: {END}, traction: [0, 0, 1]}}
        pull_x: {{faces: {END}, traction: [1, 0, 0]}}
        nodes: {{nodes: {END}, force: [0, 1, 0]}}"""
LOADS = f"""
loads:
  air: {{type: pressure, body: rod, faces: {SIDE}, pressure: "PRESSURE*RAMP"}}
  pull: {{type: traction, body: rod, faces: {END}, traction: [0, "4000*RAMP", "-9000*RAMP"]}}
  nodes: {{type: nodal_force, body: rod, nodes: {END}, force: [0, "4.0e-3*RAMP", 0]}}
"""
STATICS = "analyses:\n  - statics: {load_steps: 2}"
DYNAMICS = "analyses:\n  - dynamics: {duration: 0.02, step: 1.0e-4}"
HELD = "joints:\n  wall: {type: fixed, between: [ground, rod.root]}"
SENSORS = """
sensors:
  tip: {type: position, of: rod.tip}
  middle: {type: position, of: rod.middle}
"""


def model(folder, name, kind, analysis, loads, joints=HELD, body=""):
    if kind == "modal":
        body += f"\n    modes:\n      free_free: 12{PATTERNS}"
    path = folder / f"{name}.yaml"
    path.write_text(f"""
solidyn: 1
materials:
  aluminium: {{youngs_modulus: 7e10, poissons_ratio: 0.3, density: 2700}}
bodies:
  rod:
    type: {kind}
    mesh: {SOURCE}/meshes/rod_circular_coarse.msh
    material: aluminium
    mass_matrix: consistent
    interfaces:
      root: {{nodes: {{in_set: big_end_face}}, attach: rbe3}}
    points: {{tip: [0.3, 0, 0], middle: [0.15, 0, 0]}}{body}
{joints}
{loads}{SENSORS}{analysis}
""")
    return path


def loads(ramp, pressure):
    return LOADS.replace("RAMP", ramp).replace("PRESSURE", str(pressure))


def column(history, name):
    return history.column(history.names.index(name))


def check_statics(arguments, folder):
    """Modes with the static answers to a load bend as all nodes do: the deflection is a thousandth of the length."""
    histories = {}
    for kind in ("corotational", "modal"):
        path = model(folder, f"statics_{kind}", kind, STATICS, loads("t", 2000.0))
        Program(arguments).done("run", path, "-o", folder / f"statics_{kind}")
        histories[kind] = History(folder / f"statics_{kind}")
    for name in ("tip.y", "tip.z", "middle.z"):
        a, b = (column(h, name) for h in histories.values())
        print(f"statics, {name}: {a[-1]:.6e} with all nodes, {b[-1]:.6e} with modes")
        assert abs(a[-1] - a[0]) > 5e-5, (name, a)
        assert abs((b[-1] - b[0]) - (a[-1] - a[0])) < 1e-3 * abs(a[-1] - a[0]), (name, a, b)


def check_dynamics(arguments, folder):
    """The same motion of all formulations; loads' work is the energy that there is."""
    histories = {}
    for kind in ("floating_frame", "modal", "corotational"):
        path = model(folder, f"dynamics_{kind}", kind, DYNAMICS, loads("sin(200*t)", 2000.0))
        for ranks in (1,) if kind == "corotational" else (1, 2, 4):
            out = folder / f"dynamics_{kind}_{ranks}"
            Program(arguments, ranks).done("run", path, "-o", out)
            if ranks > 1:
                worst, name = largest_difference(histories[kind], History(out))
                print(f"{kind}, {ranks} ranks against 1: {worst:.1e} of the range of {name}")
                assert worst <= 1e-6, (kind, ranks, worst, name)  # ports of one face are nearly dependent
            else:
                histories[kind] = History(out)
            energy = summary(out)["energy"]
            assert energy["work"] > 1e-6 and energy["relative_drift"] < 2e-3, (kind, energy)
    for kind in ("modal", "corotational"):
        for name in ("tip.y", "tip.z", "middle.z"):
            a, b = (column(histories[k], name) for k in ("floating_frame", kind))
            worst = max(abs(x - y) for x, y in zip(a, b)) / (max(a) - min(a))
            print(f"{kind} against floating_frame, {name}: {worst:.1e} of its range")
            assert worst < 5e-3, (kind, name, worst)


FLYING = """
loads:
  air: {type: pressure, body: rod, faces: SIDE, pressure: "2.0e4*sin(300*t)"}
  thrust: {type: traction, body: rod, faces: END, traction: [-3.0e4, "1.0e4*t", 0], axes: body}
  nodes: {type: nodal_force, body: rod, nodes: END, force: [0, 0.01, 0.02], axes: body}
""".replace("SIDE", SIDE).replace("END", END)


def check_turned(arguments, folder):
    """What follows the body pushes it alike in any pose: positions turn with the start."""
    c, s = math.cos(0.7), math.sin(0.7)
    ends = {}
    pose = {"straight": "", "turned": "\n    pose: {rotation: {axis: [0, 0, 1], angle: 0.7}}"}
    for kind in ("modal", "floating_frame", "rigid"):
        histories = []
        for name, text in pose.items():
            path = model(folder, f"{name}_{kind}", kind, DYNAMICS, FLYING, "", text)
            out = folder / f"{name}_{kind}"
            Program(arguments).done("run", path, "-o", out)
            histories.append(History(out))
            energy = summary(out)["energy"]
            assert energy["work"] > 1e-4 and energy["relative_drift"] < 2e-3, (kind, energy)
        straight, turned = ([column(h, f"tip.{axis}") for axis in "xyz"] for h in histories)
        assert max(straight[2]) - min(straight[2]) > 1e-3, straight[2]
        for x, y, z, X, Y, Z in zip(*straight, *turned):
            wrong = math.dist((c * x - s * y, s * x + c * y, z), (X, Y, Z))
            assert wrong < 1e-8, (kind, wrong)
        ends[kind] = [axis[-1] for axis in straight]
    assert math.dist(ends["rigid"], ends["modal"]) < 1e-3, ends  # m: the rod bends


def check_buckling(arguments, folder):
    """A dead traction at half of Euler's load nearly doubles what a small lateral load bends, in modes of second order too."""
    EI = 7e10 * math.pi * 0.003 ** 4 / 4.0
    euler = math.pi ** 2 * EI / (4.0 * 0.3 ** 2)
    area = math.pi * 0.003 ** 2
    column_loads = f"""
loads:
  press: {{type: traction, body: rod, faces: {END}, traction: ["-FACTOR*{0.5 * euler / area}*t", "2.0e3*t", 0]}}
"""
    bent = {}
    for kind in ("corotational", "modal"):
        stiff = "\n    geometric_stiffening: second_order" if kind == "modal" else ""
        for factor in (0, 1):
            name = f"buckling_{kind}_{factor}"
            path = model(folder, name, kind, STATICS, column_loads.replace("FACTOR", str(factor)),
                         body=stiff)
            Program(arguments).done("run", path, "-o", folder / name)
            bent[kind, factor] = column(History(folder / name), "tip.y")[-1]
    u = math.pi / 2.0 * math.sqrt(0.5)  # of the beam-column, Timoshenko and Gere
    expected = 3.0 * (math.tan(u) - u) / u ** 3
    amplified = {kind: bent[kind, 1] / bent[kind, 0] for kind in ("corotational", "modal")}
    for kind, times in amplified.items():
        print(f"{kind}: half of Euler's load bends {times:.4f} times as much, {expected:.4f} by beam theory")
        assert math.isclose(times, expected, rel_tol=3e-2), (kind, times)  # the coarse mesh is stiffer
    assert math.isclose(amplified["modal"], amplified["corotational"], rel_tol=5e-3), amplified


def check_reduced_body(arguments, folder):
    """A reduced-body file knows the loads of the model that it was made from, and no others."""
    path = folder / "dynamics_modal.yaml"
    Program(arguments).done("reduce", path, "--body", "rod", "-o", folder / "rod.sbody")
    head, tail = path.read_text().split("    mesh:")
    joints = tail.index("joints:")
    text = head + f"    reduced_body: {folder}/rod.sbody\n" + tail[joints:]
    reduced = folder / "reduced.yaml"
    reduced.write_text(text)
    Program(arguments).done("run", reduced, "-o", folder / "reduced")
    worst, name = largest_difference(History(folder / "dynamics_modal_1"), History(folder / "reduced"))
    assert worst <= 1e-8, (worst, name)
    for old, new, message in (("  pull:", "  push:", "loads.push: the reduced body"),
                              ("low: [0.1,", "low: [0.12,", "loads.air: the reduced body")):
        reduced.write_text(text.replace(old, new))
        for ranks in (1, 2):
            done = Program(arguments, ranks)("run", reduced, "-o", folder / "refused")
            assert done.returncode == 2 and message in done.stderr, done.stderr
            assert "reduce `rod` again" in done.stderr, done.stderr


def check_body_without_faces(arguments, folder):
    """Modes of nodes alone have nothing that a pressure could act on."""
    path = EXAMPLES / "import" / "table_rod.yaml"
    load = "loads={air: {type: pressure, body: rod, faces: {in_box: {low: [0, -1, 0], high: [1, 1, 1]}}, pressure: 1}}"
    done = Program(arguments)("run", path, "-o", folder / "cloud", "--set", load)
    assert done.returncode == 2, done.stderr
    assert "load `air`: the body has only nodes, no elements with faces" in done.stderr, done.stderr
    Program(arguments).done("run", path, "-o", folder / "cloud", "--set",
                            load.replace("pressure, body", "nodal_force, body").replace("faces", "nodes")
                            .replace("pressure: 1", "force: [0, 0, 1.0e-3]"),
                            "--set", "analyses.dynamics.duration=1.0e-4")


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_statics(arguments, folder)
        check_dynamics(arguments, folder)
        check_turned(arguments, folder)
        check_buckling(arguments, folder)
        check_reduced_body(arguments, folder)
        check_body_without_faces(arguments, folder)


if __name__ == "__main__":
    sys.exit(main())
