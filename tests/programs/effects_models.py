"""The models of effects.py: for each type of a section a small model, and for each key values to try in it.

A value must matter where the key means anything. Where it rightly does not, `same` says why; the page repeats it.
"""
import copy
import dataclasses
import itertools
import json
import pathlib
import re
import shutil
import subprocess

import node_table

SAMPLES = pathlib.Path(__file__).resolve().parents[1] / "data" / "interop"
NOTHING = None  # in a patch: without this key

HEADER = """# What each key does

For each key of the model file and each type that it can meet: does it do something there? The answers are those of the program, not of its authors: `tests/programs/effects.py` runs a small
model with the key and without it and compares all results, and a test holds this page against what it finds. What the keys mean is in [model_file.md](model_file.md).

| mark | |
| --- | --- |
| x | it has an effect: results differ |
| - | it is refused with a message that names it, and nothing runs |
| w | it changes nothing, and a warning says so |
| o 1 | results are the same, and rightly so, for the reason 1 below the table |
| . | not asked |

Rows in plain words are features that take more than one key.

"""


@dataclasses.dataclass
class Swap:
    """A value that changes other keys of its table as well; those that are NOTHING go."""
    patch: dict


@dataclasses.dataclass
class Case:
    type: str
    key: str
    base: dict
    path: tuple
    values: list
    same: str = ""
    words: tuple = ()  # of which a message must have one; none: any
    may_fail: bool = False
    may_be_missing: bool = False
    round_off: float = 1e-12  # by which results may differ without an effect, relative to the largest of a unit
    is_plain: bool = True  # a key as it is, in the plain model of its type


@dataclasses.dataclass
class Table:
    name: str
    title: str
    text: str
    columns: dict
    of: str
    selector: str = ""
    default: str = ""
    cases: list = dataclasses.field(default_factory=list)
    without_probe: list = dataclasses.field(default_factory=list)
    results: dict = dataclasses.field(default_factory=dict)


def merged(a, b):
    """b laid over a; keys that are NOTHING in b are gone."""
    if not isinstance(a, dict) or not isinstance(b, dict):
        return copy.deepcopy(b)
    result = copy.deepcopy(a)
    for key, value in b.items():
        if value is NOTHING:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key, {}) if isinstance(value, dict) else None, value)
    return result


def nested(path, value):
    """{path[0]: {path[1]: ... value}}; a list of one at a step that is a number"""
    for name in reversed(path):
        value = {name: value}
    return value


def laid(model, path, patch):
    """The model with a patch at a path, which may go through lists."""
    model = copy.deepcopy(model)
    *parents, last = path
    at = model
    for name in parents:
        at = at[int(name)] if isinstance(at, list) else at.setdefault(name, {})
    if isinstance(at, list):
        at[int(last)] = merged(at[int(last)], patch)
    else:
        at[last] = merged(at.get(last, {}), patch)
    return model


# What a message may name in place of a key.
ALSO_CALLED = {"reference_conditions": ("enforced_by",), "z": ("no flange is found",)}


def choice(of, column, key, default=None):
    """What is said for (column, key), or else for the key."""
    return of.get((column, key), of.get(key, default))


def table(schema, name, title, columns, path, values, *, of=None, selector="", default="", given=None, same=None, fails=(), rows=None,
          text="", whole=None):
    """A case for each key of a table of the schema and each column (type).

    path      to the table in the models, or a function of the column
    values    key or (column, key) -> values to try; the first that shows something decides
    given     the same -> what is laid over the table before
    whole     the same -> what is laid over the model before
    same      the same -> why nothing changes
    fails     keys or (column, key) whose effect may be a failure of the run
    rows      more rows: label -> {key, values, given, whole, same, columns}
    """
    given, same, whole = given or {}, same or {}, whole or {}
    result = Table(name, title, text, columns, of or name, selector, default)
    definition = schema if of == "model" else schema["$defs"][of or name]
    keys = [key for key in definition["properties"] if key != selector]
    result.without_probe = [key for key in keys if key not in values and not any(
        isinstance(k, tuple) and k[1] == key for k in values)]
    for key in keys:
        for column, model in columns.items():
            tried = choice(values, column, key)
            if tried is None:
                continue
            at = path(column) if callable(path) else path
            base = merged(model, choice(whole, column, key, {}))
            patch = choice(given, column, key)
            if patch is not None:
                base = laid(base, at, patch) if at else merged(base, patch)
            words = (key, key.replace("_", " ")) + ALSO_CALLED.get(key, ()) + tuple(k for v in tried if isinstance(v, Swap) for k in v.patch)
            result.cases.append(Case(column, key, base, at + (key,), tried, choice(same, column, key, ""), words,
                                     key in fails or (column, key) in fails))
    for label, row in (rows or {}).items():
        for column in row.get("columns", columns):
            at = path(column) if callable(path) else path
            base = merged(columns[column], row.get("whole", {}))
            if "given" in row:
                base = laid(base, at, row["given"])
            key = row["key"]
            result.cases.append(Case(column, label, base, at + (key,), row["values"], row.get("same", ""), (key,),
                                     is_plain=False))
    return result


# --- files ----------------------------------------------------------------------------------------------------------

N, LENGTH, WIDTH, HEIGHT = 6, 0.3, 0.02, 0.024
EDGES = ((0, 1), (0, 3), (0, 4), (1, 2), (1, 5), (2, 3), (2, 6), (3, 7), (4, 5), (4, 7), (5, 6), (6, 7))  # Gmsh's
TETRAHEDRA = ((0, 1, 2, 6), (0, 2, 3, 6), (0, 3, 7, 6), (0, 7, 4, 6), (0, 4, 5, 6), (0, 5, 1, 6))


class Mesh:
    def __init__(self):
        self.nodes, self.elements = {}, []

    def node(self, x):
        return self.nodes.setdefault(tuple(round(c, 12) for c in x), len(self.nodes) + 1)

    def between(self, corners, a, b):
        return self.node([(p + q) / 2 for p, q in zip(corners[a], corners[b])])

    def add(self, kind, group, nodes):
        self.elements.append((kind, group, nodes))

    def write(self, path, groups):
        lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", str(len(groups))]
        lines += [f'{dimension} {number} "{name}"' for dimension, number, name in groups]
        lines += ["$EndPhysicalNames", "$Nodes", str(len(self.nodes))]
        lines += [f"{i} {x:.12g} {y:.12g} {z:.12g}" for (x, y, z), i in self.nodes.items()]
        lines += ["$EndNodes", "$Elements", str(len(self.elements))]
        lines += [f"{i + 1} {kind} 2 {group} {group} " + " ".join(map(str, nodes))
                  for i, (kind, group, nodes) in enumerate(self.elements)]
        path.write_text("\n".join(lines + ["$EndElements", ""]))


def write_bar(path, element, n=N, m=1, length=LENGTH):
    """A bar along x of n x m x m hexahedra with 8 or 20 nodes, or these cut into tetrahedra, with its two ends as sets."""
    mesh = Mesh()
    for i, j, k in itertools.product(range(n), range(m), range(m)):
        low = [length * i / n, WIDTH * (j / m - 0.5), HEIGHT * (k / m - 0.5)]
        high = [length * (i + 1) / n, WIDTH * ((j + 1) / m - 0.5), HEIGHT * ((k + 1) / m - 0.5)]
        corners = [((low, high)[a][0], (low, high)[b][1], (low, high)[c][2])
                   for c in (0, 1) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
        numbers = [mesh.node(corner) for corner in corners]
        if element == "tet4":
            for tetrahedron in TETRAHEDRA:
                mesh.add(4, 3, [numbers[a] for a in tetrahedron])
        elif element == "hex8":
            mesh.add(5, 3, numbers)
        else:
            mesh.add(17, 3, numbers + [mesh.between(corners, a, b) for a, b in EDGES])
        for group, face, at in ((1, (0, 4, 7, 3), 0), (2, (1, 2, 6, 5), n - 1)):
            if i != at:
                continue
            if element == "tet4":  # along the diagonals of TETRAHEDRA
                triangles = ((0, 4, 7), (0, 7, 3)) if group == 1 else ((1, 2, 6), (1, 6, 5))
                for triangle in triangles:
                    mesh.add(2, group, [numbers[a] for a in triangle])
            elif element == "hex8":
                mesh.add(3, group, [numbers[a] for a in face])
            else:
                middles = [mesh.between(corners, face[c], face[(c + 1) % 4]) for c in range(4)]
                mesh.add(16, group, [numbers[a] for a in face] + middles)
    mesh.write(path, [(2, 1, "root"), (2, 2, "tip"), (3, 3, "bar")])


def write_lines(path, n):
    mesh = Mesh()
    nodes = [mesh.node((LENGTH * i / n, 0, 0)) for i in range(n + 1)]
    mesh.add(15, 1, nodes[:1])
    mesh.add(15, 2, nodes[n:])
    for i in range(n):
        mesh.add(1, 3 if 2 * i < n else 4, nodes[i:i + 2])
    mesh.write(path, [(0, 1, "root"), (0, 2, "end"), (1, 3, "left"), (1, 4, "right")])


def write_files(folder, solidyn):
    """What the models name."""
    write_bar(folder / "hex8.msh", "hex8")
    write_bar(folder / "finer.msh", "hex8", 8)
    write_bar(folder / "short.msh", "hex8", length=0.29)
    write_bar(folder / "tet4.msh", "tet4")
    write_bar(folder / "hex20.msh", "hex20", 3, 2)
    write_lines(folder / "lines.msh", 4)
    write_lines(folder / "finer_lines.msh", 6)
    k, m = node_table.matrices()
    node_table.write(folder / "k.mtx", k)
    node_table.write(folder / "m.mtx", 1.1 * m)
    node_table.write(folder / "heavy.mtx", 2 * m)
    node_table.write(folder / "stiff.mtx", 2 * k)
    places = [f"{i + 1}, {node_table.LENGTH * i / node_table.ELEMENTS:.12g}, 0, 0" for i in range(node_table.ELEMENTS + 1)]
    (folder / "nodes.csv").write_text("node, x, y, z\n" + "\n".join(places) + "\n")
    (folder / "longer_nodes.csv").write_text((folder / "nodes.csv").read_text().replace(", 0, 0\n", ", 0.01, 0\n"))
    rod = SAMPLES.parents[2] / "examples" / "import"
    (folder / "heavier_nodes.csv").write_text(re.sub(r"(?m)^(\d.*, *)(\S+)$", lambda m: f"{m[1]}{2 * float(m[2])!r}", (rod / "rod_nodes.csv").read_text()))
    (folder / "other_modes.csv").write_text(re.sub(r"(?m)^(\d+), ([^,]+),", lambda m: f"{m[1]}, {1.1 * float(m[2])!r},", (rod / "rod_modes.csv").read_text()))
    (folder / "rows.txt").write_text("".join(f"{n + 1} {c}\n" for n in range(node_table.ELEMENTS + 1) for c in range(1, 7)))
    (folder / "track.csv").write_text("-0.3, 0, 0.3\n0.1, 0.2, 0.3\n0.5, 0.1, 0.2\n")
    for kind, sample in (("wheel", "MBench_S1002_v3.prw"), ("rail", "MBench_UIC60_v3.prr")):  # every fourth point, y to the field side
        points = re.findall(r"(?m)^\s*([-+\d.E]+)\s+([-+\d.E]+)\s*$", (SAMPLES.parents[2] / "tests" / "data" / "railway" / "profiles" / sample).read_text())[::4]
        numbers = [(float(y), float(z)) for y, z in points] if kind == "rail" else [(-float(y), float(z)) for y, z in reversed(points)]
        (folder / f"{kind}.csv").write_text("".join(f"{y}, {z}\n" for y, z in numbers))
    (folder / "irregular.csv").write_text("s, vertical, lateral\n" + "".join(f"{s}, {0.001 * (s % 3)}, {0.0005 * (s % 5)}\n" for s in range(31)))
    (folder / "stone.csv").write_text("0, 0, 0.1\n0.1, 0, -0.13\n-0.1, 0.1, -0.1\n-0.1, -0.1, -0.1\n")
    (folder / "two.csv").write_text("x, a\n" + "\n".join(f"{x}, {x}" for x in (-2, -1, 0, 1, 2)))
    (folder / "curve.csv").write_text("x, a, b\n" + "\n".join(f"{x}, {2 * x}, {3 * x * x + 5 * x}" for x in (-2, -1, 0, 1, 2)))
    plugin = pathlib.Path(solidyn).parents[1] / "tests" / "plugins" / "magnet.so"
    assert plugin.exists(), f"{plugin} is not built"
    shutil.copy(plugin, folder / "magnet.so")
    shutil.copy(plugin, folder / "other.so")
    for name, kind, mesh in (("body", "modal", "hex8.msh"), ("other", "modal", "finer.msh"), ("super", "superelement", "finer.msh")):
        model = merged(pendulum(kind), {"bodies": {"b": {"mesh": mesh}}})
        (folder / "reduce.yaml").write_text(json.dumps(model))
        subprocess.run([solidyn, "reduce", "reduce.yaml", "--body", "b", "-o", f"{name}.sbody"], cwd=folder, check=True,
                       capture_output=True)


# --- bodies ---------------------------------------------------------------------------------------------------------

STEEL = {"steel": {"youngs_modulus": 2e11, "poissons_ratio": 0.3, "density": 7850},
         "soft": {"youngs_modulus": 2e9, "poissons_ratio": 0.4, "density": 1200}}
ENDS = {"root": {"nodes": {"in_set": "root"}, "attach": "rbe3"}, "end": {"nodes": {"in_set": "tip"}, "attach": "rbe3"}}
SOLID = ("modal", "superelement", "floating_frame", "corotational", "inertial")
BODIES = ("rigid", "rigid with mesh") + SOLID + ("beam", "beam with mesh")
SHORT = [{"dynamics": {"duration": 1e-3, "step": 2e-4}}]
TURN = {"rotation": {"axis": [0, 0, 1], "angle": 0.5}}


def body_of(name):
    """A body of 0.3 m along x, with places `root` and `end`."""
    if name == "rigid":
        return {"type": "rigid", "mass": 1.0, "center_of_mass": [0.15, 0, 0], "inertia": [1e-3, 8e-3, 8e-3],
                "frames": {"root": {"position": [0, 0, 0]}, "end": {"position": [0.3, 0, 0]}}}
    if name == "beam":
        return {"type": "beam", "points": {"root": [0, 0, 0], "end": [0.3, 0, 0]}, "elements": 2, "material": "steel",
                "y_axis": [0, 1, 0], "section": {"type": "rectangle", "width": 0.01, "height": 0.02}}
    if name == "beam with mesh":
        return {"type": "beam", "mesh": "lines.msh", "material": "steel", "y_axis": [0, 1, 0],
                "section": {"type": "rectangle", "width": 0.01, "height": 0.02}}
    if name == "modal, reduced_body":
        return {"type": "modal", "reduced_body": "body.sbody"}
    if name == "modal, import":
        return {"type": "modal", "import": {"stiffness": "k.mtx", "mass": "m.mtx", "nodes": "nodes.csv"},
                "modes": {"free_free": 6}, "interfaces": {"root": {"nodes": {"near": [0, 0, 0]}, "attach": "node"},
                                                          "end": {"nodes": {"near": [0.3, 0, 0]}, "attach": "node"}}}
    body = {"type": name.split()[0], "mesh": "hex8.msh", "material": "steel", "interfaces": ENDS,
            "points": {"middle": [0.15, 0.01, 0.01]}}
    if name == "modal":
        body["modes"] = {"free_free": 6}
    if name == "superelement":
        body["modes"] = {"static_correction": "at_interfaces"}
    return body


def pendulum(name, analyses=None):
    """A body hung up at its root, with a load at its end."""
    return {"solidyn": 1, "gravity": [0, 0, -9.81], "materials": STEEL, "bodies": {"b": body_of(name)},
            "joints": {"hook": {"type": "spherical", "between": ["ground", "b.root"], "at": [0, 0, 0]}},
            "loads": {"push": {"type": "force", "at": "b.end", "force": [100, 200, 300]}},
            "sensors": {"end": {"type": "position", "of": "b.end"}, "turn": {"type": "orientation", "of": "b.end"},
                        "energy": {"type": "energy"}, "hook": {"type": "reaction", "joint": "hook"}},
            "analyses": analyses or SHORT}


# Sensors and pictures that see what these keys do.
SEES_POINT = {"sensors": {"middle": {"type": "position", "of": "b.middle"}}}
SEES_STRESS = {"output": {"fields_interval": 1e-3}}
LINES, FILE, IMPORT = "beam with mesh", "modal, reduced_body", "modal, import"
NO_MESH = dict.fromkeys(("mesh", "material", "modes", "interfaces", "points"), NOTHING)
MATRICES = {"stiffness": "k.mtx", "mass": "m.mtx", "nodes": "nodes.csv"}
AT_NODES = {name: {"nodes": {"near": [x, 0, 0], "in_set": NOTHING}, "attach": "node"} for name, x in (("root", 0), ("end", 0.3))}
BODY_VALUES = {
    "pose": [{"position": [0.1, 0.2, 0.3]}], "velocity": [{"angular": [0, 3, 1]}], "appearance": [{"colour": "#aa3377"}],
    "mass": [2.0], ("rigid with mesh", "mass"): [Swap({"mass": 2.0, "inertia": [1e-3, 8e-3, 8e-3], "frames": {"root": {}, "end": {"position": [0.3, 0, 0]}}})],
    "center_of_mass": [[0.1, 0, 0]], "inertia": [[2e-3, 9e-3, 9e-3]], "frames": [{"end": {"position": [0.25, 0, 0]}}],
    "mesh": ["finer.msh"], ("rigid with mesh", "mesh"): ["short.msh"], (LINES, "mesh"): ["finer_lines.msh"], (FILE, "mesh"): [Swap({"mesh": "hex8.msh", "material": "steel"})],
    "mesh_units": ["ft"],
    "reduced_body": ["body.sbody"], (FILE, "reduced_body"): ["other.sbody"],
    ("modal", "reduced_body"): [Swap({"reduced_body": "other.sbody", **NO_MESH})],
    ("superelement", "reduced_body"): [Swap({"reduced_body": "super.sbody", **NO_MESH})],
    "import": [MATRICES], (IMPORT, "import"): [{"stiffness": "stiff.mtx"}],
    ("modal", "import"): [Swap({"import": MATRICES, **NO_MESH, "modes": {"free_free": 6}, "interfaces": AT_NODES})],
    ("superelement", "import"): [Swap({"import": MATRICES, **NO_MESH, "modes": {"static_correction": "at_interfaces"}, "interfaces": AT_NODES})],
    "material": ["soft"], "mass_matrix": ["lumped", "consistent"], "hex8": ["standard", "b_bar"], "hex20": ["reduced"],
    "reference_conditions": ["principal_axis"],
    "enforced_by": ["multipliers"], "mean_axis_level": ["velocity"],
    "geometric_stiffening": ["second_order"], "material_law": ["neo_hookean"], "temperature_change": [50],
    "modes": [{"free_free": 3}, {"fixed_interface": 2}], "internal_modes": [2],
    "damping": [{"rayleigh": {"stiffness": 1e-5}}],
    "interfaces": [{"end": {"attach": "rbe2"}}, {"end": {"nodes": {"in_set": NOTHING, "near": [0.25, 0, 0]}, "attach": "three_nodes"}}],
    ("rigid", "interfaces"): [{"side": {"nodes": {"near": [0.3, 0, 0]}}}], (IMPORT, "interfaces"): [{"end": {"nodes": {"near": [0.2, 0, 0]}}}],
    "points": [{"middle": [0.1, 0.01, 0.012]}], (IMPORT, "points"): [{"middle": [1, 0, 0]}], ("beam", "points"): [{"end": [0.25, 0, 0]}], (LINES, "points"): [{"end": [0.3, 0, 0]}],
    "stress": [{"places": {"fibre": {"near": [0.15, 0.01, 0.012]}}}],
    "arc_through": [[0.15, 0.05, 0]], "elements": [6],
    "section": [{"height": 0.03}], "groups": [{"left": {"section": {"type": "circle", "radius": 0.02}}}],
    "places": [{"p": {"node": 2}}], "y_axis": [[0, 0, 1]],
    "shear": ["none"], "torsion": ["constant"], "rotary_inertia": ["torsion"], "curvature_rule": ["lobatto"],
    "prestress": [{"axial": 1000}], "prestrain": [{"stretch": 1e-3}], "fixed_strains": [["stretch"]],
    "driven_strains": [{"stretch": "0.1*t^2"}],
}


DRAWN = "how something is drawn changes no result"


def bodies_table(schema):
    columns = {name: pendulum(name) for name in BODIES + (FILE, IMPORT)}
    hexes = {"columns": SOLID}
    sees = {(name, "points"): SEES_POINT for name in SOLID + ("rigid with mesh",)}
    return table(
        schema, "body", "Bodies", columns, ("bodies", "b"), BODY_VALUES, selector="type",
        text="Keys of a body by its type: a loaded pendulum, in dynamics. Meshes are of 8-node hexahedra, but for the row `hex20`. "
             "`rigid with mesh` has no `mass`.",
        same={"appearance": DRAWN},
        whole={**sees, (IMPORT, "points"): SEES_POINT, "stress": SEES_STRESS,
               **{(name, "temperature_change"): {"materials": {"steel": {"thermal_expansion": 1e-4}}} for name in ("corotational", "inertial")},
               (LINES, "places"): {"sensors": {"p": {"type": "position", "of": "b.p"}}}},
        given={**{(name, "hex20"): {"mesh": "hex20.msh"} for name in SOLID}, ("modal", "mean_axis_level"): {"enforced_by": "multipliers"},
               (LINES, "places"): {"places": {"p": {"node": 3}}}, (IMPORT, "points"): {"points": {"middle": [0.15, 0, 0]}}},
        rows={"hex8, mesh without such": {"key": "hex8", "values": ["standard"], "given": {"mesh": "tet4.msh"}, **hexes},
              "hex20, mesh without such": {"key": "hex20", "values": ["reduced"], **hexes},
              "mean_axis_level, orthogonal modes": {"key": "mean_axis_level", "values": ["velocity"], "columns": ("modal",)}})


# --- joints ---------------------------------------------------------------------------------------------------------

def rigid(**more):
    return {"type": "rigid", "mass": 1.0, "inertia": [0.01, 0.02, 0.03], **more}


PUSH = {"push": {"type": "force", "at": "b", "force": [3, 5, -7], "torque": [0.2, -0.3, 0.4]}}
SEEN = {"x": {"type": "position", "of": "b"}, "turn": {"type": "orientation", "of": "b"}}
MOVING = [{"dynamics": {"duration": 0.01, "step": 1e-3}}]


def joined(joint, **more):
    """A body that one joint holds, pushed in all directions."""
    model = {"solidyn": 1, "gravity": [0, 0, -9.81], "bodies": {"b": rigid(pose={"position": [0.1, 0.2, 0.3]})},
             "joints": {"j": joint}, "loads": PUSH, "analyses": MOVING,
             "sensors": {**SEEN, "hold": {"type": "reaction", "joint": "j", "axes": "first"}}}
    return merged(model, more)


def joint_of(type, **more):
    return {"type": type, "between": ["ground", "b"], **more}


AT, Z = {"at": [0, 0.1, 0]}, {"axis": [0, 0, 1]}
JOINTS = {
    "fixed": joined(joint_of("fixed", **AT)), "spherical": joined(joint_of("spherical", **AT)),
    **{t: joined(joint_of(t, **AT, **Z)) for t in ("revolute", "cylindrical", "prismatic", "planar")},
    "universal": joined(joint_of("universal", **AT, axis=[1, 0, 0], second_axis=[0.9, 0.3, 0.1])),
    "constant_velocity": joined(joint_of("constant_velocity", **AT, axis=[1, 0, 0], second_axis=[0.9, 0.3, 0.1])),
    "screw": joined(joint_of("screw", **AT, **Z, pitch=0.1)),
    **{t: joined(joint_of(t, **AT, **Z)) for t in ("point_on_line", "in_line", "point_on_plane", "in_plane")},
    "point_on_curve": joined(joint_of("point_on_curve", points=[[-0.3, 0, 0.3], [0.1, 0.2, 0.3], [0.5, 0, 0.2], [0.1, -0.3, 0.1]])),
    **{t: joined(joint_of(t, **Z)) for t in ("parallel_axes", "parallel")},
    **{t: joined(joint_of(t, axis=[1, 0, 0], second_axis=[0, 0, 1])) for t in ("perpendicular_axes", "perpendicular")},
    "orientation": joined(joint_of("orientation")),
    "distance": joined(joint_of("distance", at=[0, 0, 0])),
    "rolling": joined(joint_of("rolling", axis=[0, 1, 0], radius=0.3), bodies={"b": {"pose": {"position": [0, 0, 0.3]}}}),
}
COUPLED = {"bodies": {"b": rigid(), "c": rigid(pose={"position": [0.3, 0, 0]})},
           "sensors": {"c": {"type": "position", "of": "c"}, "turn_c": {"type": "orientation", "of": "c"}},
           "joints": {"r": {"type": "revolute", "between": ["ground", "b"], "at": [0.1, 0.1, 0], **Z},
                      "s": {"type": "revolute", "between": ["ground", "c"], "at": [0.3, 0.1, 0], **Z},
                      "p": {"type": "prismatic", "between": ["ground", "c"], "at": [0.3, 0.1, 0], "axis": [1, 0, 0]}}}


def coupled(joint, second):
    other = {"s": "p", "p": "s"}[second]
    return merged(joined(joint, **COUPLED), {"joints": {other: NOTHING},
                                             "sensors": {"hold": {"type": "multiplier", "joint": "j", "axes": NOTHING}}})


JOINTS.update({
    "gear": coupled({"type": "gear", "joints": ["r", "s"], "ratio": -2}, "s"),
    "rack_and_pinion": coupled({"type": "rack_and_pinion", "joints": ["r", "p"], "radius": 0.1}, "p"),
    "coupler": coupled({"type": "coupler", "terms": [{"joint": "r", "factor": 1}, {"joint": "p", "factor": -3}]}, "p"),
    "rotation_drive": joined(joint_of("rotation_drive", **AT, **Z, angle="3*t")),
    "translation_drive": joined(joint_of("translation_drive", **AT, **Z, translation="0.3*t")),
    "distance_drive": joined(joint_of("distance_drive", at=[0, 0, 0], length="sqrt(0.14) + 0.3*t")),
    "point_path": joined(joint_of("point_path", position=["0.1 + t", "0.2", "0.3 - t"])),
})
TURNS, SLIDES = ("revolute",), ("prismatic", "point_on_line", "in_line")
HELD = {"h": {"type": "revolute", "between": ["ground", "b"], **AT, **Z}}
SLID = {"h": {"type": "prismatic", "between": ["ground", "b"], **AT, **Z}}
ON_JOINT = {"between": NOTHING, "at": NOTHING, "axis": NOTHING}
SPRING = {"spring": {"stiffness": 100, "preload": 1}}
JOINT_VALUES = {
    "between": [["b", "ground"]], ("distance", "between"): [["ground", "c"]], ("point_on_curve", "between"): [["ground", "c"]], ("distance_drive", "between"): [["ground", "c"]], "at": [[0.05, 0.1, 0.1]], "to": [[0.1, 0.25, 0.3]],
    "axis": [[0, 0.6, 0.8]], ("perpendicular_axes", "axis"): [[0, 1, 0]], ("perpendicular", "axis"): [[0, 1, 0]], ("rolling", "axis"): [[1, 0, 0]],
    ("universal", "axis"): [[0.9, 0, 0.2]], ("constant_velocity", "axis"): [[0.9, 0, 0.2]],
    "second_axis": [[0, 0.9, 0.4]], ("universal", "second_axis"): [[0.9, 0.1, 0]], ("constant_velocity", "second_axis"): [[0.9, 0.1, 0]],
    "reference": [[0.6, 0.8, 0.1]], ("universal", "reference"): [[0, 0.6, 0.8]], ("rolling", "reference"): [[0.6, 0.1, 0.8]],
    ("point_on_curve", "at"): [[0.5, 0, 0.2]], "points": [[[-0.3, 0.1, 0.3], [0.1, 0.2, 0.3], [0.5, 0.1, 0.2], [0.1, -0.3, 0.1]]],
    "file": [Swap({"points": NOTHING, "file": "track.csv"})], "closed": ["true"], "given_in": ["place"], ("point_on_curve", "friction"): [{"static": 0.3}],
    "share": ["false"], "cut": ["true"], "pitch": [0.2], "length": [0.4], ("distance_drive", "length"): ["sqrt(0.14) + 0.5*t"],
    "radius": [0.2], ("rolling", "radius"): [0.25], "normal": [[0.1, 0, 1]], "plane_at": [[0, 0, 0.01]],
    "joints": [["s", "r"]], ("rack_and_pinion", "joints"): [["p", "r"]], "ratio": [-3],
    "terms": [[{"joint": "r", "factor": 1}, {"joint": "p", "factor": -4}]], "constant": [0.01],
    "joint": [Swap({"joint": "h", **ON_JOINT})], ("rotation_drive", "joint"): ["k"],
    "angle": ["4*t"], "angular_velocity": [Swap({"angle": NOTHING, "angular_velocity": "4"})],
    "angular_acceleration": [Swap({"angle": NOTHING, "angular_acceleration": "4"})],
    "translation": [{"spring": {"stiffness": 100, "preload": 1}}], ("translation_drive", "translation"): ["0.5*t"],
    "velocity": ["0.5"], ("translation_drive", "velocity"): [Swap({"translation": NOTHING, "velocity": "0.5"})],
    ("distance_drive", "velocity"): [Swap({"length": NOTHING, "velocity": "0.5"})],
    ("point_path", "velocity"): [Swap({"position": NOTHING, "velocity": ["1", "2", "3"]})],
    "acceleration": ["0.5"], ("translation_drive", "acceleration"): [Swap({"translation": NOTHING, "acceleration": "0.5"})],
    ("distance_drive", "acceleration"): [Swap({"length": NOTHING, "acceleration": "0.5"})],
    ("point_path", "acceleration"): [Swap({"position": NOTHING, "acceleration": ["1", "2", "3"]})],
    "position": [["0.1 + 2*t", "0.2", "0.3 - t"]], "fix": [["x", "z"]],
    "start": [0.5], "start_rate": [0.5],
    "spring": [SPRING["spring"]], "damper": [{"damping": 10}], "actuator": ["2"], "limits": [{"upper": -0.01, "stiffness": 1e4}], "one_way": ["positive", "negative"],
    "rotation": [SPRING], "translation_x": [SPRING], "translation_y": [SPRING], "first_arm": [SPRING], "second_arm": [SPRING],
    "friction": [{"static": 0.3, "radius": 0.02}], ("prismatic", "friction"): [{"static": 0.3, "moment_arm": 0.1}],
    ("universal", "friction"): [{"static": 0.3, "radius": 0.02, "moment_arm": 0.1}],
}
BY_ACCELERATION = {"rotation_drive": {"angle": NOTHING, "angular_acceleration": "4"},
                   "translation_drive": {"translation": NOTHING, "acceleration": "4"},
                   "distance_drive": {"length": NOTHING, "acceleration": "4"}}


def weld(model):
    """Two superelements, whose shared node `share` turns into a joint."""
    second = merged(body_of("superelement"), {"pose": {"position": [0.3, 0, 0]}})
    return merged(pendulum("superelement"), {"bodies": {"b": NOTHING, "a": body_of("superelement"), "c": second},
                                             "joints": {"hook": {"between": ["ground", "a.root"]}, "j": {"type": "fixed", "between": ["a.end", "c.root"]}},
                                             "loads": {"push": {"at": "c.end"}},
                                             "sensors": {"end": {"of": "c.end"}, "turn": {"of": "c.end"}}})


def joints_table(schema):
    made = table(
        schema, "joint", "Joints and drives", JOINTS, ("joints", "j"), JOINT_VALUES, selector="type",
        text="Keys of a joint by its type: a rigid body that the joint alone holds, or two that it couples, pushed in all directions.",
        given={**{(t, key): patch for t, patch in BY_ACCELERATION.items() for key in ("start", "start_rate")}, ("rotation_drive", "joint"): {"joint": "h", **ON_JOINT}},
        same={("rotation_drive", "at"): "a torque is the same at every point of a body",
              ("translation_drive", "reference"): "force and translation are along the axis alone",
              ("point_on_curve", "given_in"): "the first place is the ground, whose axes are the world's"},
        whole={**{(t, "between"): {"bodies": {"c": rigid(pose={"position": [0.1, 0.2, 0.3]})}} for t in ("distance", "distance_drive", "point_on_curve")},
               **{(t, "reference"): {"sensors": {"slide": {"type": "joint_translation", "joint": "j", "along": "x"}}} for t in (
                   "point_on_plane", "in_plane")},
               ("rotation_drive", "joint"): {"joints": {**HELD, "k": {**HELD["h"], "between": ["ground", "d"]}}, "bodies": {"d": rigid(pose={
                   "position": [0.5, 0.2, 0.3]})}, "sensors": {"d": {"type": "position", "of": "d"}}}, ("translation_drive", "joint"): {"joints": SLID}})
    for case in made.cases:  # it acts on superelements alone
        if (case.type, case.key) == ("fixed", "share"):
            case.base = weld(case.base)
    return made


def joint_parts(schema):
    """What is within joints."""
    slide = joined(joint_of("prismatic", **AT, **Z, **SPRING, damper={"damping": 10}, limits={"lower": -1, "upper": -1e-5, "stiffness": 1e5}))
    turn = merged(joined(joint_of("revolute", **AT, **Z, **SPRING, damper={"damping": 1},
                                  limits={"lower": -0.5, "upper": 1e-5, "stiffness": 1e4}, friction={"static": 0.3, "radius": 0.02})),
                  {"loads": {"push": {"torque": [0, 0, 4]}}, "bodies": {"b": {"velocity": {"angular": [0, 0, 1]}}}})
    slide = merged(slide, {"bodies": {"b": {"velocity": {"linear": [0, 0, -1]}}}})
    curve = {"table": [[-1, -100], [0, 0], [1, 200]]}
    values = {"stiffness": [200], "free_position": [0.01], "free_angle": [0.01], "preload": [2], "damping": [20],
              "force_by_extension": [Swap({"stiffness": NOTHING, "preload": NOTHING, "force_by_extension": curve})],
              "torque_by_angle": [Swap({"stiffness": NOTHING, "preload": NOTHING, "torque_by_angle": curve})],
              "force": [Swap({"stiffness": NOTHING, "preload": NOTHING, "force": "100*x^3 + v"})],
              "torque": [Swap({"stiffness": NOTHING, "preload": NOTHING, "torque": "100*x^3 + v"})],
              "force_by_rate": [Swap({"damping": NOTHING, "force_by_rate": curve})],
              "torque_by_rate": [Swap({"damping": NOTHING, "torque_by_rate": curve})],
              "lower": [1e-3], "upper": [-1e-2], "law": [Swap({"stiffness": NOTHING, "damping": NOTHING, "law": {"type": "impact"}})]}
    for model, names in ((slide, ("slide_spring", "slide_damper", "slide_limits")), (turn, ("turn_spring", "turn_damper", "turn_limits"))):
        for name in names:
            part = name.split("_")[1]
            own = {key: value for key, value in values.items()
                   if key in schema["$defs"][name]["properties"]} | ({"lower": [-1e-6], "damping": [1e-2]} if part == "limits" else {})
            if name == "slide_limits":
                own["lower"] = [-1e-6]
            if name == "turn_limits":
                own.update({"lower": [0.01], "upper": [0.4]})
            if part == "limits":  # within which the joint is at the start, as set-valued stops ask for
                own["law"] = [Swap({"lower": -1, "upper": 1e-5, "stiffness": NOTHING, "damping": NOTHING, "law": {"type": "impact"}})]
            yield table(schema, name, f"`{part}` of a {name.split('_')[0]}", {"prismatic" if model is slide else "revolute": model},
                        ("joints", "j", part), own, given={"lower": {"upper": 1e-3 if model is slide else 0.4}})
    parts = {"spring": [SPRING["spring"]], "damper": [{"damping": 10}], "actuator": ["2"], "limits": [{"upper": -0.01, "stiffness": 1e4}],
             "one_way": ["positive", "negative"]}
    for model, name in ((slide, "slide_stop_law"), (turn, "turn_stop_law")):
        kind, side = name.split("_")[0], -1 if model is slide else 1
        stop = {"lower": -1e-5, "upper": 1, "stiffness": NOTHING, "damping": NOTHING, "law": {"type": "impact", "restitution": 0.5}}
        if side > 0:
            stop |= {"lower": -1, "upper": 1e-5}
        yield table(schema, name, f"`law` of the limits of a {kind}",
                    {"impact": merged(model, {"joints": {"j": {"limits": stop, **({"friction": NOTHING} if side > 0 else {})}}})},
                    ("joints", "j", "limits", "law"), {"restitution": [0.8], "slow_speed": [10.0], "impact_law": ["poisson"]}, selector="type",
                    same={("impact", "impact_law"): "both laws are the same of a stop that is hit alone, without friction"},
                    given={("impact", "impact_law"): {"restitution": 0}})  # else by round-off alone
    yield table(schema, "translation", "What acts along an axis of a joint", {
        "cylindrical, translation": JOINTS["cylindrical"], "screw, translation": JOINTS["screw"], "planar, translation_x": JOINTS["planar"],
        "point_on_plane, translation_y": JOINTS["point_on_plane"]}, lambda column: ("joints", "j", column.split(", ")[1]), parts)
    yield table(schema, "turning", "What acts about an axis of a joint", {
        "cylindrical, rotation": JOINTS["cylindrical"], "planar, rotation": JOINTS["planar"], "screw, rotation": JOINTS["screw"],
        "universal, first_arm": JOINTS["universal"], "universal, second_arm": JOINTS["universal"]},
        lambda column: ("joints", "j", column.split(", ")[1]),
        {**parts, ("universal, first_arm", "limits"): [{"upper": -0.2, "stiffness": 1e4}]})
    rubbing = {t: merged(JOINTS[t], {"joints": {"j": {"friction": {"static": 0.3, "radius": 0.02}}}, "bodies": {"b": {
        "velocity": {"linear": [1, 1, 1], "angular": [1, 2, 3]}}}}) for t in ("revolute", "prismatic", "cylindrical", "screw", "planar", "universal", "spherical")}
    for t in ("prismatic", "universal"):
        rubbing[t]["joints"]["j"]["friction"]["moment_arm"] = 0.1
    del rubbing["prismatic"]["joints"]["j"]["friction"]["radius"]
    yield table(schema, "friction", "`friction` of joints", rubbing, ("joints", "j", "friction"), {
        "static": [0.4], "dynamic": [Swap({"dynamic": 0.1, "stribeck_speed": 0.5})],
        "stribeck_speed": [0.8], "transition_speed": [0.1], "radius": [0.03], "moment_arm": [0.2], "thrust_radius": [0.02], "preload": [10],
        "pressed_by": [Swap({"moment_arm": NOTHING, "preload": 10, "pressed_by": "preload"})],
        "set_valued": [Swap({"moment_arm": NOTHING, "preload": 10, "pressed_by": "preload", "set_valued": "true"})]},
        given={"stribeck_speed": {"dynamic": 0.1, "stribeck_speed": 0.5}})
    yield table(schema, "coupling_term", "`terms` of a coupler", {"coupler": JOINTS["coupler"]}, ("joints", "j", "terms", "1"), {
        "joint": ["s"], "coordinate": ["translation", "angle"], "factor": [-4],
        "by": [Swap({"factor": NOTHING, "by": {"table": [[-1, 3], [0, 0], [1, -4], [2, 5]]}})]},
        whole={"joint": {"joints": {"s": {"type": "revolute", "between": ["ground", "d"], "at": [0.6, 0.1, 0], **Z}}, "bodies": {
            "d": rigid(pose={"position": [0.6, 0, 0]})}}, "coordinate": {"joints": {"p": {"type": "cylindrical"}}}},
        given={"coordinate": {"coordinate": "translation"}})


# --- forces, loads, supports ----------------------------------------------------------------------------------------

def swinging(**more):
    """A rigid body on a ball joint."""
    return merged({"solidyn": 1, "gravity": [0, 0, -9.81], "bodies": {"b": rigid(pose={"position": [0.3, 0, 0]}, velocity={"angular": [1, 2, 3]})},
                   "joints": {"j": {"type": "spherical", "between": ["ground", "b"], "at": [0, 0, 0]}}, "sensors": SEEN, "analyses": MOVING}, more)


PAIR = {"between": ["ground", "b"]}
FORCES = {name: swinging(forces={"f": {"type": name, **force}}) for name, force in {
    "spring_damper": {**PAIR, "at_first": [0.3, 0.1, 1], "stiffness": 100, "free_length": 0.5},
    "torsional_spring_damper": {**PAIR, "at": [0, 0, 0], **Z, "stiffness": 100},
    "series_spring_damper": {**PAIR, "at_first": [0.3, 0.1, 1], "stiffness": 100, "damping": 20},
    "bump_stop": {**PAIR, "at": [0.3, 0, 0], "axis": [0, 0, 1], "force_by_travel": {"table": [[0.001, 0], [0.1, 50], [0.2, 400]]}},
    "anti_roll_bar": {**PAIR, "left": [[0.2, 0.1, -1], [0.2, 0.1, 0]], "right": [[0.5, -0.1, -1], [0.5, -0.1, 0]], "arm": 0.2, "stiffness": 5},
    "bushing": {**PAIR, "at": [0.3, 0, 0], "stiffness": [1000, 2000, 3000, 10, 20, 30]},
    "drag": {"at": "b", "viscous": 10},
    "expression": {"at": "b", "force": ["10*t", 0, "x.z"]},
    "tabulated": {**PAIR, "direction": [0, 0.6, 0.8], "force": {"table": [[-1, -100], [0, 0], [1, 200]], "of": "x.x"}},
    "plugin": {"between": ["c", "b"], "library": "magnet.so", "parameters": {"strength": 2e-3, "core": 0.05}}}.items()}
SECOND = {"bodies": {"c": rigid(pose={"position": [0.3, 0.5, 0.1]})}, "sensors": {"c": {"type": "position", "of": "c"}}}
FORCES["plugin"] = merged(FORCES["plugin"], SECOND)
# On a curve, yawed, with its right wheel beside the flange.
RAILWAY = {"solidyn": 1, "gravity": [0, 0, -9.81], "track": {"plan": [{"length": 30, "curvature": 0.002, "cant": 0.003}], "cant_axis": "centre"},
           "bodies": {"b": {"type": "rigid", "mass": 1500, "inertia": [900, 100, 900], "frames": {"side": {"position": [0, 0.003, 0]}}, "pose": {
               "position": [10, 0.1009, 0.4598], "rotation": {"vector": [-0.002, 0, 0.024]}}, "velocity": {"linear": [10, 0.2, 0], "angular": [0, 21.6, 0.02]}}},
           "loads": {"weight": {"type": "force", "at": "b", "force": [0, 0, -1e5]}}, "forces": {"f": {"type": "wheel_rail", "at": "b", "wheel": "s1002"}},
           "sensors": {**SEEN, "wheels": {"type": "force", "force": "f"}}, "analyses": MOVING}
FORCES["wheel_rail"] = RAILWAY
SLEEPERS = {"from": 9.5, "to": 12.5, "pad_stiffness": [1.5e8, 4e7], "sleeper_mass": 290, "ballast_stiffness": [9e7, 3e7]}
# A wheelset that springs keep across the track, on which it alone would turn.
RUNNING = {"track": {"plan": [{"length": 30}], "cant_axis": NOTHING}, "bodies": {"b": {"velocity": NOTHING, "pose": {"position": [10, 0, 0.4598], "rotation": NOTHING}}},
           "forces": {"f": {"spin": "rolling"}, "across": {"type": "bushing", "between": ["ground", "b"], "at": [10, 0, 0.4598], "stiffness": [0, 1e6, 0, 0, 0, 1e6]}},
           "analyses": [{"statics": {}}]}
FORCES["linear_wheel_rail"] = merged(RAILWAY, {"track": NOTHING, "forces": {"f": {"type": "linear_wheel_rail", "wheel": NOTHING, "f11": 9e6, "f22": 8e6}}})
CURVE = {"table": [[-1, -100], [0, 0], [1, 200]]}
FORCE_VALUES = {
    ("drag", "at"): ["c"], ("expression", "at"): ["c"], "at": [[0.1, 0, 0]], "reference": [[0.6, 0.8, 0.1]],
    "between": [["c", "b"]], ("plugin", "between"): [["ground", "b"], ["b", "c"]], "at_first": [[0.3, 0.2, 1]], "at_second": [[0.3, 0.1, 0]],
    "force_by_travel": [{"table": [[0.002, 0], [0.2, 400]]}], "sides": ["positive", "negative"], ("bump_stop", "damping"): [2], ("bump_stop", "axis"): [[0, 0.6, 0.8]],
    "left": [[[0.2, 0.3, -1], [0.2, 0.1, 0]]], "right": [[[0.5, -0.3, -1], [0.5, -0.1, 0]]], "arm": [0.3], ("anti_roll_bar", "stiffness"): [8],
    ("anti_roll_bar", "damping"): [0.5], ("series_spring_damper", "damping"): [30],
    "stiffness": [200], ("bushing", "stiffness"): [[1000, 3000, 3000, 10, 20, 30]], "damping": [10],
    ("bushing", "damping"): [[10, 20, 30, 1, 2, 3]], "free_length": [0.6], "preload": [5], ("bushing", "preload"): [[1, 2, 3, 4, 5, 6]],
    "force_by_extension": [Swap({"stiffness": NOTHING, "force_by_extension": CURVE})],
    "force_by_rate": [CURVE], "force": [Swap({"stiffness": NOTHING, "force": "100*x^3 + v"})], ("expression", "force"): [["20*t", 0, "x.z"]],
    "actuator": ["3"], "joint": [Swap({"joint": "h", "between": NOTHING, "at": NOTHING, "axis": NOTHING})],
    "axis": [[0, 0.6, 0.8]], "free_angle": [0.1],
    "torque_by_angle": [Swap({"stiffness": NOTHING, "torque_by_angle": CURVE})], "torque_by_rate": [CURVE],
    "torque": [Swap({"stiffness": NOTHING, "torque": "100*x^3 + v"})], ("expression", "torque"): [["10*t", 0, 0]],
    "viscous": [20], "viscous_rotational": [1], "drag_coefficient": [Swap({"drag_coefficient": 1, "area": 1, "density": 100})],
    "area": [2], "density": [200], "medium_velocity": [[1, "2*t", 0]], "reaction_on": ["c"], "axes": ["body"],
    ("tabulated", "at_first"): [Swap({"direction": NOTHING, "at_first": [0.3, 0.1, 1]})], ("tabulated", "force"): [{"table": [[-1, -200], [1, 200]], "of": "x.x"}],
    ("tabulated", "torque"): [Swap({"force": NOTHING, "torque": {"table": [[-1, -10], [1, 20]], "of": "x.y"}})], "direction": [[0, 0, 1]], ("tabulated", "axes"): ["second"],
    "beyond": [Swap({"beyond": "hold", "force": {"table": [[0.4, 10], [0.5, 20]], "of": "x.x"}})],
    "library": ["other.so"], "parameters": [{"strength": 4e-3}],
    ("wheel_rail", "at"): ["b.side"], ("linear_wheel_rail", "at"): ["b.side"], "rails_on": ["sleeper"], "wheel": ["cone:0.05"], "wheel_file": [{"shift": [0.001, 0]}],
    "radius": [0.4595], "flange_back": [1.358], "back_to_tape_circle": [0.071], "friction": [0.2], "friction_right": [0.2], "friction_along": [{"table": [[0, 0.25], [20, 0.2]]}], "friction_along_right": [{"table": [[0, 0.25], [20, 0.2]]}], "friction_limit": [0.4],
    "friction_decrement": [0.6], "creep": ["polach", "linear"], "cells": [[7, 7]], "bound": ["ellipsoid"], "adhesion_reduction": [0.5], "slip_reduction": [0.5], "patch": ["piotrowski_kik"],
    "youngs_modulus": [2e11], "poissons_ratio": [0.25], "damping_ratio": [0.3], "damping_speed": [0.01], "spin": ["rolling"], "rolling_inertia": [100],
    "f11": [8e6], "f22": [7e6], "f23": [1e4], "f33": [100], "conicity": [0.1], "half_distance": [0.7],
}
SQUARE = {"drag_coefficient": 1, "area": 1, "density": 100}


def railway_tables(schema):
    """`track` under a wheelset."""
    bad = {"irregularities": {"spectrum": "erri_high", "wavelengths": [3, 70], "seed": 1, "waves": 50}}
    own = {"numerator": [1e-6], "denominator": [1e-3, 0.7, 1]}
    one = {"irregularities": {**bad["irregularities"], "vertical": own}}
    on = lambda track: {"a curve": merged(RAILWAY, {"track": track})}
    yield table(schema, "track", "`track`", on({}), ("track",), {
        "plan": [[{"length": 30, "curvature": 0.00202, "cant": 0.003}]], "gradients": [[{"length": 30, "gradient": 1e-5}]], "cant_base": [1.6], "cant_axis": ["low_rail"],
        "blend": [0.5], "rail": ["circle:0.3"], "rail_file": [{"rotation": 0.01}], "gauge": [1.437], "gauge_depth": [0.012], "inclination": [0.05],
        "irregularities": [bad["irregularities"]], "running_speed": [12], "flexible_rails": [SLEEPERS]}, fails=("running_speed",), whole={
            "running_speed": RUNNING,
            "rail_file": {"track": {"rail": "rail.csv", "rail_file": {"y": "outwards"}}}, "blend": {"track": {"plan": [
                {"length": 10, "curvature": 0.002, "cant": 0.003}, {"length": 20, "curvature_to": 0.01}]}}, "gauge_depth": {"track": {"rail": "60e1"}}})
    yield table(schema, "plan_segment", "Segments of `plan`", on({}), ("track", "plan", "0"), {
        "length": [40], "curvature": [0.00202], "curvature_to": [0.0021], "cant": [0.004], "cant_to": [0.004]}, same={"length": "how far the track goes beyond the run"})
    yield table(schema, "gradient_segment", "Segments of `gradients`", on({"gradients": [{"length": 20, "gradient": 1e-5}]}), ("track", "gradients", "0"), {
        "length": [40], "gradient": [2e-5], "gradient_to": [3e-5]}, given={"length": {"gradient_to": 3e-5}})
    yield table(schema, "irregularities", "`irregularities`", on(bad), ("track", "irregularities"), {
        "file": [Swap({"file": "irregular.csv", "spectrum": NOTHING, "wavelengths": NOTHING, "seed": NOTHING, "waves": NOTHING})], "spectrum": ["erri_low"], "vertical": [own], "lateral": [own],
        "cross_level": [own], "gauge": [own], "wavelengths": [[3, 50]], "seed": [2], "waves": [60], "fade_in": [0], "from": [5], "write": ["true"]})
    yield table(schema, "flexible_rails", "`flexible_rails`", on({"flexible_rails": SLEEPERS}), ("track", "flexible_rails"), {
        "from": [8.9], "to": [13.1], "sleeper_spacing": [0.5], "elements_per_bay": [2], "bending_stiffness": [[6e6, 1e6]], "mass_per_length": [50], "pad_stiffness": [[1e8, 3e7]],
        "pad_damping": [[1e4, 1e4]], "sleeper_mass": [250], "sleeper_length": [2.4], "ballast_stiffness": [[8e7, 2e7]], "ballast_damping": [[8e4, 4e4]]})
    yield table(schema, "spectrum", "Own spectra", on(one), ("track", "irregularities", "vertical"), {
        "numerator": [[2e-6]], "denominator": [[1e-3, 0.5, 1]], "convention": ["two_sided_wavenumber"]})
    filed = merged(RAILWAY, {"forces": {"f": {"wheel": "wheel.csv", "wheel_file": {}}}})
    yield table(schema, "profile_file", "`wheel_file` and `rail_file`", {"a wheel": filed}, ("forces", "f", "wheel_file"), {
        "unit": ["m"], "shift": [[0.001, 0]], "rotation": [0.01], "y": ["inwards"], "z": ["up"], "smoothing": [1e-5]}, fails=("unit", "y", "z"))


def forces_table(schema):
    """Forces between bodies and in them."""
    on_joint = {"bodies": {"b": {"velocity": {"angular": [0, 0, 3]}}}, "joints": {"j": NOTHING, "h": {**HELD["h"], "at": [0, 0, 0]}}}
    yield table(
        schema, "force", "Forces", FORCES, ("forces", "f"), FORCE_VALUES, selector="type",
        text="Keys of a force by its type, on a rigid body that swings on a ball joint.",
        whole={"at": {}, ("drag", "at"): SECOND, ("expression", "at"): SECOND, "between": SECOND, "reaction_on": SECOND,
               ("torsional_spring_damper", "joint"): on_joint, "wheel_file": {"forces": {"f": {"wheel": "wheel.csv"}}},
               "rails_on": {"bodies": {"sleeper": {"type": "rigid", "mass": 1e4, "inertia": [1e4, 1e4, 1e4], "velocity": {"linear": [0, 0.01, 0]}}}}},
        given={"friction_limit": {"friction_decrement": 0.6}, "friction_decrement": {"friction_limit": 0.4}, "damping_speed": {"damping_ratio": 0.3},
               "adhesion_reduction": {"creep": "polach"}, "slip_reduction": {"creep": "polach"}, "rolling_inertia": {"spin": "rolling"},
               ("drag", "area"): SQUARE, ("drag", "density"): SQUARE, ("bushing", "reference"): {"axis": [0, 0, 1]}},
        same={("torsional_spring_damper", "at"): "a torque about an axis is the same at any point of the body",
              ("torsional_spring_damper", "reference"): "the angle is counted from the drawn position: where its zero direction is makes no difference",
              ("plugin", "library"): "here the other file is a copy"})
    yield from railway_tables(schema)
    yield table(schema, "curve", "Forces by points", {"force_by_extension of a spring_damper": merged(
        FORCES["spring_damper"], {"forces": {"f": {"stiffness": NOTHING, "force_by_extension": {
            "table": [[-1, -100], [0, 0], [0.2, 200], [0.5, 100], [1, 800]]}}}})}, ("forces", "f", "force_by_extension"), CURVE_VALUES, given=CURVE_GIVEN)
    yield table(schema, "time_function", "Functions of time by points", {
        "a load": swinging(loads={"push": {"type": "force", "at": "b", "force": [{"table": TIME_POINTS}, 0, 0]}}),
        "a drive": joined(joint_of("translation_drive", **AT, **Z, translation={"table": TIME_POINTS})),
        "a force of type expression": swinging(forces={"f": {"type": "expression", "at": "b", "force": [{"table": TIME_POINTS}, 0, 0]}}),
        "an actuator": merged(JOINTS["prismatic"], {"joints": {"j": {"actuator": {"table": TIME_POINTS}}}, "sensors": {"b_x": {"type": "position", "of": "b", "component": "x"}}})},
        lambda column: {"a load": ("loads", "push", "force", "0"), "a drive": ("joints", "j", "translation"),
                        "a force of type expression": ("forces", "f", "force", "0"), "an actuator": ("joints", "j", "actuator")}[column],
        {**CURVE_VALUES, "table": [[[0, 0], [0.01, 3], [0.02, 4]]], "interpolation": ["akima"], "of": ["x.z"]},
        given={**CURVE_GIVEN, "ends": {}, "end_slopes": {"ends": "clamped"}})
    cam = {"factor": NOTHING, "by": {"table": [[-1, 3], [0, 0], [0.1, -0.4], [1, -4], [2, 5]]}}
    base = copy.deepcopy(JOINTS["coupler"])
    base["joints"]["j"]["terms"][1] = merged(base["joints"]["j"]["terms"][1], cam)
    yield table(schema, "cam", "A coupler's term by points", {"coupler": base}, ("joints", "j", "terms", "1", "by"),
                {**CURVE_VALUES, "interpolation": ["akima"]}, given={**CURVE_GIVEN, "ends": {}, "end_slopes": {"ends": "clamped"}})


TIME_POINTS = [[0, 0], [0.002, 0.01], [0.005, 0.01], [0.01, 0.2], [0.02, 0.3]]
CURVE_VALUES = {"table": [CURVE["table"]], "file": [Swap({"table": NOTHING, "file": "two.csv"})],
                "column": ["b"], "against": ["a"], "interpolation": ["cubic", "akima"], "ends": ["not_a_knot"], "end_slopes": [[5, 7]]}
THREE = {"table": NOTHING, "file": "curve.csv", "column": "a"}
CURVE_GIVEN = {"column": THREE, "against": {**THREE, "column": "b"}, "ends": {"interpolation": "cubic"},
               "end_slopes": {"interpolation": "cubic", "ends": "clamped"}}

SIDE = {"in_set": "tip"}
LOADS = {
    "force": {"type": "force", "at": "b.end", "force": [10, 0, 20]},
    "pressure": {"type": "pressure", "body": "b", "faces": SIDE, "pressure": 1e5},
    "traction": {"type": "traction", "body": "b", "faces": SIDE, "traction": [1e5, 0, 1e4]},
    "nodal_force": {"type": "nodal_force", "body": "b", "nodes": SIDE, "force": [1, 0, 2]},
    "distributed": {"type": "distributed", "body": "b", "force": [0, 0, 50]},
}


def loaded(body, load):
    """A body pushed by one load, as it turns."""
    return merged(pendulum(body), {"loads": {"push": NOTHING, "l": LOADS[load]}, "bodies": {"b": {"velocity": {"angular": [1, 20, 30]}}}})


def loads_tables(schema):
    values = {
        "at": ["b.middle"], "force": [[20, 0, 20]], ("distributed", "force"): [[0, 0, 70]],
        "torque": [[1, 2, 3]], "axes": ["body"], ("distributed", "axes"): ["section"],
        "body": ["c"], "faces": [{"in_set": "root"}], "nodes": [{"in_set": "root"}], "pressure": [2e5], "follows": ["deformed"],
        "traction": [[2e5, 0, 1e4]], "between": [["root", "middle"]], "factors": [[[0, 1], [1, 2]]]}
    second = {body: {"bodies": {"c": merged(body_of(body), {"pose": {"position": [0, 1, 0]}})}, "sensors": {"c": {
        "type": "position", "of": "c.end"}}} for body in BODIES}
    columns = {load: loaded("beam" if load == "distributed" else "modal", load) for load in LOADS}
    columns["distributed"]["bodies"]["b"].update({"points": {"root": [0, 0, 0], "middle": [0.15, 0, 0], "end": [0.3, 0, 0]}, "elements": 4})
    columns["pressure"] = loaded("corotational", "pressure")
    of_body = {"force": "modal", "pressure": "corotational", "traction": "modal", "nodal_force": "modal", "distributed": "beam"}
    yield table(schema, "load", "Loads", columns, ("loads", "l"), values, selector="type",
                text="Keys of a load by its type, on a `modal` body; `pressure` on a `corotational` one, `distributed` on a `beam`.",
                whole={**{(load, "body"): second[of_body[load]] for load in LOADS}})
    features = Table("loads by body", "Loads by type of body", "Whether a body takes a load of this type, and with these axes.",
                     {body: pendulum(body) for body in BODIES}, "load")
    rows = {load: LOADS[load] for load in LOADS}
    for load in ("force", "traction", "nodal_force"):
        rows[f"{load}, axes: body"] = {**LOADS[load], "axes": "body"}
    rows["pressure, follows: deformed"] = {**LOADS["pressure"], "follows": "deformed"}
    for row, load in rows.items():
        for body in BODIES:
            base = merged(pendulum(body), {"bodies": {"b": {"velocity": {"angular": [1, 20, 30]}}}})
            takes = BODIES if load["type"] == "force" else ("rigid with mesh", "modal", "floating_frame", "corotational", "inertial")
            if "," in row and body in takes:  # what is asked is whether the choice counts
                base = merged(base, {"loads": {"l": LOADS[load["type"]]}})
            features.cases.append(Case(body, row, base, ("loads", "l"), [load], is_plain=False))
    yield features


def free_of_root(body):
    """A body without the joint, whose interface `root` leaves its end to supports."""
    own = {"interfaces": {"root": {"nodes": {"in_set": NOTHING, "near": [0.15, 0, 0], "radius": 0.02}}}} if "interfaces" in body_of(body) else {}
    return merged(pendulum(body), {"joints": NOTHING, "sensors": {"hook": NOTHING}, "bodies": {"b": own}})


def supported(body, fix=("x", "y", "z")):
    return merged(free_of_root(body), {"supports": {"wall": {"body": "b", "nodes": {"in_set": "root"}, "fix": list(fix)}}})


SUPPORTED = ("rigid with mesh", "modal", "superelement", "corotational", "inertial")


def supports_tables(schema):
    columns = {body: supported(body, ("x", "y", "z")) for body in SUPPORTED}
    of_some = {body: supported(body, ("z",)) for body in SUPPORTED}
    yield table(schema, "support", "Supports", columns, ("supports", "wall"), {
        "body": ["c"], "nodes": [{"in_set": NOTHING, "near": [0.05, 0, 0], "radius": 0.02}], "fix": [["x", "y"]], "axes": ["body"], "rotation": [{"axis": [0, 1, 0], "angle": 0.5}],
        "displacement": [["0.1*t^2", 0, 0]]},
        text="Keys of a support by the type of its body. Other types take none.",
        whole={**{(body, "body"): {"bodies": {"c": merged(supported(body)["bodies"]["b"], {"pose": {"position": [0, 1, 0]}})}, "sensors": {
            "c": {"type": "position", "of": "c.end"}}} for body in SUPPORTED},
            "axes": {"bodies": {"b": {"pose": {"rotation": {"axis": [0, 1, 0], "angle": 0.4}}}}}},
        given={(body, key): {"fix": ["z"]} for body in SUPPORTED if body != "superelement" for key in ("axes", "rotation")},
        same={**{("superelement", key): "its nodes are held along all three directions, whichever they are" for key in ("axes", "rotation")},
              ("rigid with mesh", "nodes"): "a rigid body is held as well by any of its nodes"})
    features = Table("supports by body", "Supports by type of body", "Whether a body can be held by its nodes.",
                     {body: pendulum(body) for body in BODIES}, "support")
    for row, support in {"x, y, z": {"fix": ["x", "y", "z"]}, "z alone": {"fix": ["z"]},
                         "skew": {"fix": ["x"], "rotation": {"axis": [0, 1, 0], "angle": 0.5}},
                         "moving": {"fix": ["x", "y", "z"], "displacement": ["0.1*t^2", 0, 0]}}.items():
        for body in BODIES:
            features.cases.append(Case(body, row, free_of_root(body), ("supports",), [
                {"wall": {"body": "b", "nodes": {"in_set": "root"}, **support}}], is_plain=False))
    yield features


# --- sensors --------------------------------------------------------------------------------------------------------

def sensed(model, sensor):
    return merged(model, {"sensors": {"s": sensor}})


def two_bodies():
    """Two rigid bodies in motion; between them a spring, at each a joint."""
    return merged(swinging(forces={"f": FORCES["spring_damper"]["forces"]["f"]}), merged(SECOND, {
        "bodies": {"b": {"frames": {"p": {"position": [0.1, 0.2, 0.1], "rotation": {"axis": [0, 0, 1], "angle": 0.5}}}},
                   "c": {"velocity": {"linear": [1, 2, 3], "angular": [3, 2, 5]}}}}))


SENSOR_BASES = {
    **{t: sensed(two_bodies(), {"type": t, "of": "b"}) for t in (
        "position", "velocity", "acceleration", "orientation", "angular_velocity", "angular_acceleration")},
    "relative_displacement": sensed(pendulum("modal"), {"type": "relative_displacement", "body": "b", "point": "middle"}),
    "joint_angle": sensed(JOINTS["universal"], {"type": "joint_angle", "joint": "j", "arm": "first"}),
    "joint_translation": sensed(JOINTS["planar"], {"type": "joint_translation", "joint": "j", "along": "x"}),
    "reaction": sensed(joined(joint_of("revolute", axis=[0, 0.6, 0.8], **AT)), {"type": "reaction", "joint": "j"}),
    "support_force": sensed(supported("corotational"), {"type": "support_force", "support": "wall"}),
    "energy": sensed(two_bodies(), {"type": "energy"}), "momentum": sensed(two_bodies(), {"type": "momentum"}),
    "centre_of_mass": sensed(two_bodies(), {"type": "centre_of_mass"}),
    "multiplier": sensed(JOINTS["revolute"], {"type": "multiplier", "joint": "j"}),
    "stress": sensed(merged(pendulum("modal"), {"bodies": {"b": {
        "velocity": {"angular": [0, 30, 100]}, "pose": TURN, "stress": {"places": {"fibre": {"near": [0.15, 0.01, 0.012]}, "other": {"near": [0.1, 0.01, 0.012]}}}}}}),
                     {"type": "stress", "body": "b", "place": "fibre"}),
    "force": sensed(two_bodies(), {"type": "force", "force": "f"}),
    "joint_force": sensed(joined(joint_of("planar", **AT, **Z, rotation=SPRING, translation_x=SPRING, translation_y={"spring": {"stiffness": 50}})),
                          {"type": "joint_force", "joint": "j", "along": "x", "component": "force"}),
    "drive": sensed(JOINTS["rotation_drive"], {"type": "drive", "joint": "j"}),
    "section_force": sensed(pendulum("beam"), {"type": "section_force", "body": "b", "fraction": 0.3}),
    "section_strain": sensed(pendulum("beam"), {"type": "section_strain", "body": "b", "fraction": 0.3}),
    "expression": sensed(two_bodies(), {"type": "expression", "value": "x.z + t"}),
}
ROLL = {"type": "shapes", "between": ["ground", "b"], "first": {"shape": "plane", "at": [0, 0, 0], "axis": [0, 0, 1]},
        "second": {"shape": "sphere", "radius": 0.1}, "law": {"type": "hertz", "stiffness": 1e7}}


def touching(contact, **more):
    """A body that falls on, or into, what it touches."""
    return merged({"solidyn": 1, "gravity": [0, 0, -9.81], "bodies": {"b": rigid(
        pose={"position": [0, 0, 0.0999]}, velocity={"linear": [0.5, 0.2, -0.3], "angular": [0.1, 0.2, 3]})}, "contacts": {"c": contact},
        "sensors": {**SEEN, "touch": {"type": "contact", "contact": "c"}}, "materials": STEEL,
        "analyses": [{"dynamics": {"duration": 2e-3, "step": 1e-4}}]}, more)


SENSOR_BASES["contact"] = sensed(touching({**ROLL, "friction": {"static": 0.3}}), {"type": "contact", "contact": "c"})
BY_POINT = {"fraction": NOTHING, "point": "middle"}
SENSOR_VALUES = {
    "of": ["c"], "relative_to": ["c"], "axes_of": ["c"], "component": ["x"], ("orientation", "as"): ["quaternion"], "as": ["xyz"],
    ("stress", "component"): ["xx"], ("reaction", "component"): ["force_x"], ("contact", "component"): ["gap"], ("force", "component"): ["length"],
    ("joint_force", "component"): [Swap({"component": "torque", "along": NOTHING})], ("drive", "component"): ["power"], ("section_force", "component"): ["axial"],
    ("section_strain", "component"): ["stretch"], "axes": ["first"], ("force", "axes"): ["second"], ("stress", "axes"): ["world"], "place": ["other"], "support": ["second"],
    "side": ["first"], ("section_force", "side"): ["before"], ("section_strain", "side"): ["before"], "body": ["c"], ("energy", "body"): ["b"],
    "point": ["other"], ("section_force", "point"): [Swap(BY_POINT)], ("section_strain", "point"): [Swap(BY_POINT)],
    "chord": [["end", "root"]], "about": [[0, 1, 0]], "normalised_by": [0.3], "joint": ["j"], ("joint_angle", "joint"): ["k"], ("reaction", "joint"): ["k"],
    ("multiplier", "joint"): ["k"], ("joint_translation", "joint"): ["k"], ("joint_force", "joint"): ["k"], ("drive", "joint"): ["k"],
    "quantity": ["velocity"], "turns": ["wrapped"], "arm": ["second"], "along": ["y"], "index": [1], "kind": ["kinetic"], ("momentum", "kind"): ["angular", "centroidal"],
    ("centre_of_mass", "kind"): ["velocity"], "bodies": [["b"], ["c", "b"]],
    "contact": ["d"], "force": ["g"], "part": ["limits"], "fraction": [0.6], "line": [2], "group": ["right"], "value": ["2*x.z"], "measures": ["length"],
}


def another(section, name, other):
    """The model of a sensor with a second one of what it looks at."""
    return {section: {other: name}}


def sensors_tables(schema):
    second_beam = {"bodies": {"c": merged(body_of("beam"), {"pose": {"position": [0, 1, 0]}})}}
    line_places = {"bodies": {"b": {**dict.fromkeys(("points", "elements"), NOTHING), **body_of(LINES),
                                    "groups": {"left": {"section": {"type": "circle", "radius": 0.01}}, "right": {"section": {"type": "circle", "radius": 0.02}}}}}}
    joint_models = {t: SENSOR_BASES[t]["joints"]["j"] for t in ("joint_angle", "joint_translation", "reaction", "multiplier", "joint_force", "drive")}
    whole = {
        "relative_displacement|point": {"bodies": {"b": {"points": {"other": [0.1, 0.01, 0.012]}}}},
        "relative_displacement|body": {"bodies": {"c": merged(body_of("modal"), {"pose": {"position": [0, 1, 0]}, "velocity": {"angular": [0, 0, 9]}})}},
        "stress|body": {"bodies": {"c": merged(SENSOR_BASES["stress"]["bodies"]["b"], {"pose": {"position": [0, 1, 0]}, "velocity": {"angular": [9, 0, 9]}})}},
        "support_force|support": {"supports": {"second": {"body": "b", "nodes": {"near": [0.2, 0.01, 0.012]}, "fix": ["x"]}}},
        "contact|contact": {"contacts": {"d": {**ROLL, "between": ["ground", "c"]}}, "bodies": {"c": rigid(pose={"position": [0, 1, 0.0999]}, velocity={"linear": [0, 0, -0.3]})}},
        "force|force": {"forces": {"g": {**FORCES["spring_damper"]["forces"]["f"], "stiffness": 10}}},
        **{f"{t}|joint": {"joints": {"k": merged(joint, {"between": NOTHING} | {"between": ["ground", "d"]})},
                          "bodies": {"d": rigid(pose={"position": [0.4, 0.2, 0.5]})}} for t, joint in joint_models.items()},
    }
    whole["reaction|joint"]["joints"]["k"]["at"] = [0.1, 0.1, 0]
    for t in ("section_force", "section_strain"):
        whole[f"{t}|body"] = second_beam
        whole[f"{t}|line"] = whole[f"{t}|group"] = line_places
    given = {("section_force", "line"): {"line": 4}, ("section_strain", "line"): {"line": 4}, ("stress", "axes"): {"component": "xx"},
             ("force", "axes"): {"component": "force_x"}, ("force", "side"): {"component": "force_x"}}
    columns = {t: SENSOR_BASES[t] for t in schema["$defs"]["sensor"]["properties"]["type"]["enum"]}
    made = table(schema, "sensor", "Sensors", columns, ("sensors", "s"), SENSOR_VALUES, selector="type",
                 whole={tuple(k.split("|")): v for k, v in whole.items()}, given=given,
                 text="Keys of a sensor by its type.")
    for case in made.cases:
        if case.type.startswith("section_") and case.key in ("point", "side", "group"):
            beam = case.base["bodies"]["b"]
            if case.key == "group":
                case.base = merged(case.base, {"bodies": {"b": {"places": {"joint": {"node": 3}}}}, "sensors": {"s": {"fraction": NOTHING, "point": "joint", "group": "left"}}})
            else:
                beam.update({"points": {"root": [0, 0, 0], "middle": [0.15, 0, 0], "end": [0.3, 0, 0]}, "elements": 4})
                case.base = merged(case.base, {"loads": {"mid": {"type": "force", "at": "b.middle", "force": [10, 20, 30]}}})
            if case.key == "side":
                case.base = merged(case.base, {"sensors": {"s": BY_POINT}})
        if (case.type, case.key) == ("joint_angle", "turns"):
            case.base = merged(case.base, {"joints": {"j": {"type": "revolute", "at": [0.1, 0.2, 0.3], "second_axis": NOTHING, "axis": [0, 0, 1]}}, "sensors": {"s": {"arm": NOTHING}}, "bodies": {
                "b": {"velocity": {"angular": [0, 0, 400]}}}})
        if (case.type, case.key) == ("expression", "measures"):
            case.base = merged(case.base, {"units": {"length": "mm", "mass": "t"}})
        if (case.type, case.key) == ("joint_force", "part"):
            case.base = merged(case.base, {"joints": {"j": {"translation_x": {"limits": {"upper": -0.01, "stiffness": 1e4}}}}})
        if (case.type, case.key) == ("joint_force", "joint"):
            case.base = merged(case.base, {"joints": {"k": {"translation_x": {"spring": {"stiffness": 300}}}}})
    yield made
    features = Table("sensors by body", "Sensors by type of body", "Whether a sensor of a place or body of this type can be had.",
                     {body: pendulum(body) for body in BODIES}, "sensor")
    places = {"an interface or frame": "b.end", "a point": "b.middle", "the body": "b"}
    rows = {f"{t} of {name}": {"type": t, "of": of} for t in ("position", "orientation") for name, of in places.items()}
    rows.update({f"acceleration relative to {name}": {"type": "acceleration", "of": "b.end", "relative_to": of} for name, of in places.items()})
    rows.update({"relative_displacement of a point": {"type": "relative_displacement", "body": "b", "point": "middle"},
                 "relative_displacement of places": {"type": "relative_displacement", "point": "b.root", "chord": ["ground", "b.end"]},
                 "energy": {"type": "energy", "body": "b", "kind": "strain"}, "stress": {"type": "stress", "body": "b", "place": "fibre"},
                 "section_force": {"type": "section_force", "body": "b", "point": "root"}})
    for row, sensor in rows.items():
        for body in BODIES:
            base = pendulum(body)
            if body in SOLID:
                base = merged(base, {"bodies": {"b": {"stress": {"places": {"fibre": {"near": [0.15, 0.01, 0.012]}}}}}})
            features.cases.append(Case(body, row, base, ("sensors", "s"), [sensor], is_plain=False, may_be_missing=True))
    yield features


SOFT = {**ROLL, "law": {"type": "hertz", "stiffness": 1e3}, "resolution": 10}  # whatever the overlap

# --- contacts -------------------------------------------------------------------------------------------------------

PLANE, BALL = {"shape": "plane", "at": [0, 0, 0], "axis": [0, 0, 1]}, {"shape": "sphere", "radius": 0.1}
CLEARANCE = {"between": ["ground", "b"], "at": [0, 0, 0.1], "radius": 0.05, "clearance": 1e-4, "law": {"type": "hertz", "stiffness": 1e7}}
STONE = [[0, 0, 0.1], [0.1, 0, -0.1], [-0.1, 0.1, -0.1], [-0.1, -0.1, -0.1]]
SHAPES = {  # the shape on the body, and what it falls on
    "sphere": (BALL, PLANE), "hollow_sphere": ({"shape": "hollow_sphere", "radius": 0.2}, {**BALL, "at": [0, 0, 0.2]}),
    "point": ({"shape": "point", "at": [0, 0.01, -1e-4]}, PLANE),
    "plane": ({"shape": "plane", "at": [0, 0, 0], "axis": [0.1, 0, -1]}, {**BALL, "at": [0, 0, -0.0999]}),
    "cylinder": ({"shape": "cylinder", "radius": 0.1, "length": 0.3, "axis": [0, 1, 0.1]}, PLANE),
    "hollow_cylinder": ({"shape": "hollow_cylinder", "radius": 0.2, "length": 0.3, "axis": [0, 1, 0.1]}, {**BALL, "at": [0, 0.14, 0.1999]}),
    "capsule": ({"shape": "capsule", "radius": 0.1, "length": 0.3, "axis": [0, 1, 0.1]}, PLANE),
    "box": ({"shape": "box", "size": [0.2, 0.2, 0.2], "axis": [0, 0.1, 1]}, PLANE),
    "polyhedron": ({"shape": "polyhedron", "points": STONE, "axis": [0, 0.1, 1]}, PLANE),
}
LAWS = {"hertz": {}, "lankarani_nikravesh": {"restitution": 0.5}, "hunt_crossley": {"restitution": 0.5}, "flores": {"restitution": 0.5},
        "exact_restitution": {"restitution": 0.5}, "kelvin_voigt": {"damping": 100, "damping_depth": 1e-4}, "impact": {"restitution": 0.5}}
# Bodies that touch: an overlap, as penalty has it, is refused.
SET_VALUED = {"law": {"type": "impact", "stiffness": NOTHING}, "friction": {"static": 0.3}}
TOUCHES = {"first": {"at": [0, 0, -1e-4]}}


def contacts_tables(schema):
    columns = {"shapes": touching(merged(ROLL, TOUCHES))}
    for t in ("revolute", "cylindrical", "spherical"):
        columns[t] = touching({"type": t, **CLEARANCE, **({} if t == "spherical" else {"axis": [0, 1, 0.001], "length": 0.1})},
                              bodies={"b": {"velocity": {"linear": [1, 2, -1]}}})
    yield table(schema, "contact", "Contacts", columns, ("contacts", "c"), {
        "between": [["ground", "c"]], "first": [{"at": [0, 0, 1e-4]}], "second": [{"radius": 0.11}], "at": [[0, 1e-3, 0.11]], "axis": [[0, 1, 0.1]],
        "radius": [0.06], "clearance": [2e-4], "length": [0.2], "axial_clearance": [3e-4], "law": [{"stiffness": 2e7}],
        "friction": [{"static": 0.3}], "resolution": [1e-3], "surface_velocity": [[0.1, 0.2, 0]], "ignore": [[["ground", "b"]]]}, selector="type", default="shapes",
        given={"surface_velocity": SET_VALUED},
        text="Keys of a contact by its type: shapes, or joints with clearance.",
        whole={"between": {"bodies": {"c": rigid(pose={"position": [0, 0.5, 0.0999]})}},
               ("shapes", "ignore"): {"contacts": {"c": {"between": NOTHING, "first": {"bodies": ["ground"]}, "second": {"bodies": ["b"]}}}},
               "resolution": {"analyses": [{"dynamics": {"duration": 2e-3, "step": 1e-4}}]}})
    columns = {shape: touching({**SOFT, "first": other, "second": own}) for shape, (own, other) in SHAPES.items()}
    for shape in ("points", "nodes"):
        own = {"shape": shape, **({"nodes": {"in_set": "tip"}} if shape == "nodes" else {})}
        columns[shape] = merged(pendulum("modal"), {"joints": NOTHING, "sensors": {"hook": NOTHING, "touch": {"type": "contact", "contact": "c"}}, "contacts": {
            "c": {**SOFT, "between": ["ground", "b"], "first": {**PLANE, "at": [0, 0, 0.013]}, "second": own}}})
    yield table(schema, "contact_shape", "Shapes", columns, ("contacts", "c", "second"), {
        "nodes": [{"in_set": "root"}], "radius": [0.11], ("hollow_sphere", "radius"): [0.21], ("hollow_cylinder", "radius"): [0.21], "length": [0.4], ("hollow_cylinder", "length"): [0.2],
        "size": [[0.3, 0.2, 0.2]], "at": [[0, 0, 0.09]], ("plane", "at"): [[0, 0, 0.001]], ("point", "at"): [[0, 0.02, -2e-4]], "axis": [[0, 1, 0.2]], ("plane", "axis"): [[0.2, 0, -1]],
        ("box", "axis"): [[0, 0.2, 1]], ("polyhedron", "axis"): [[0, 0.2, 1]], "reference": [[1, 0.5, 0]],
        "points": [[[0, 0, 0.1], [0.1, 0, -0.12], [-0.1, 0.1, -0.1], [-0.1, -0.1, -0.1]]], "file": [Swap({"points": NOTHING, "file": "stone.csv"})], "bodies": [["b", "c"]]},
        given={(shape, "bodies"): {"bodies": ["b"]} for shape in SHAPES},
        whole={(shape, "bodies"): {"bodies": {"c": rigid(pose={"position": [0, 0.01, 0.0989]})},
                                   "contacts": {"c": {"between": NOTHING, "first": {"bodies": ["ground"]}}}} for shape in SHAPES}, selector="shape",
        text="Keys of a shape: on a rigid body, `points` and `nodes` on a `modal` one.")
    columns = {law: touching({**ROLL, "law": {"type": law, "stiffness": 1e7, **more}}) for law, more in LAWS.items()}
    columns["impact"] = merged(columns["impact"], {"contacts": {"c": {**SET_VALUED, **TOUCHES}}})
    yield table(schema, "contact_law", "Laws of contact", columns, ("contacts", "c", "law"), {
        "stiffness": [2e7], "materials": [Swap({"stiffness": NOTHING, "materials": ["steel", "soft"]})], "exponent": [1.3], "restitution": [0.7], "tangential_restitution": [0.5],
        "slow_speed": [1.0], "damping": [200], "damping_depth": [2e-4], "impact_law": ["poisson"]}, selector="type",
        # Hit beside its centre of mass, where friction turns the slip round.
        whole={("impact", "impact_law"): {"bodies": {"b": {"velocity": {"linear": [0.2, 0, -1], "angular": NOTHING}}}, "contacts": {"c": {
            "first": {"at": [0, 0, 1e-4]}, "second": {"shape": "point", "at": [0.05, 0, 1e-4], "radius": NOTHING}}}}},
        same={("hertz", "slow_speed"): "this law damps nothing; the speed counts for `resolution` alone, in the smallest steps",
              ("kelvin_voigt", "slow_speed"): "its damping does not depend on the speed of impact; the speed counts for `resolution` alone"})
    yield table(schema, "contact_friction", "Friction of contacts", {
        "shapes": touching({**ROLL, "friction": {"static": 0.3}}), "spherical": merged(contacts_spherical(), {})}, ("contacts", "c", "friction"), {
        "static": [0.4], "dynamic": [Swap({"dynamic": 0.1, "stribeck_speed": 0.5})], "stribeck_speed": [0.8], "transition_speed": [0.1], "rolling": [0.01], "drilling": [0.01]},
        given={"stribeck_speed": {"dynamic": 0.1, "stribeck_speed": 0.5}},
        whole={key: {"contacts": {"c": {"law": SET_VALUED["law"]}}, "bodies": {"b": {"pose": {"position": [0, 0, 0.1]}}}} for key in ("rolling", "drilling")})
    contact_bodies = Table("contacts by body", "Contacts by type of body", "Whether a shape can stand on a body of this type.",
                           {body: pendulum(body) for body in BODIES}, "contact")
    for row, (place, own) in {"sphere on an interface or frame": ("b.end", BALL), "sphere on the body": ("b", BALL),
                              "sphere on a point": ("b.middle", BALL), "points": ("b", {"shape": "points"}),
                              "nodes": ("b", {"shape": "nodes", "nodes": {"in_set": "tip"}})}.items():
        # The node that is nearest to the middle lies 12 mm above the ends.
        height = {"sphere on a point": -0.0879}.get(row, -0.0999 if own is BALL else 0.013)
        for body in BODIES:
            contact = {**SOFT, "law": {**SOFT["law"], "slow_speed": 1.0}, "between": ["ground", place], "first": {**PLANE, "at": [0, 0, height]}, "second": own}
            contact_bodies.cases.append(Case(body, row, pendulum(body), ("contacts", ), [{"c": contact}], is_plain=False))
    yield contact_bodies


def contacts_spherical():
    return touching({"type": "spherical", **CLEARANCE, "friction": {"static": 0.3}}, bodies={"b": {"velocity": {"linear": [1, 2, -1]}}})


# --- parts of bodies ------------------------------------------------------------------------------------------------

def body_parts(schema):
    """Tables within bodies, and what stands beside them."""
    every = {body: pendulum(body) for body in BODIES}
    solid = {body: pendulum(body) for body in SOLID}
    orthotropic = {"youngs_modulus": NOTHING, "poissons_ratio": NOTHING, "youngs_moduli": [2e11, 1e11, 5e10],
                   "poissons_ratios": [0.3, 0.3, 0.2], "shear_moduli": [5e10, 4e10, 3e10]}
    directions = {"youngs_moduli": [Swap(orthotropic)], "poissons_ratios": [[0.1, 0.3, 0.2]], "shear_moduli": [[3e10, 4e10, 3e10]],
                  "axes": [{"axis": [0, 0, 1], "angle": 0.5}]}
    warm = {"thermal_expansion": [1e-4], "thermal_expansions": [[1e-4, 2e-4, 3e-4]]}
    yield table(schema, "material", "`materials`", every, ("materials", "steel"),
                {"youngs_modulus": [1e11], "poissons_ratio": [0.1], "density": [5000],
                 **{(body, key): values for body in SOLID for key, values in directions.items()},
                 **{(body, key): values for body in ("corotational", "inertial") for key, values in warm.items()}},
                given={(body, key): orthotropic for body in SOLID for key in ("poissons_ratios", "shear_moduli", "axes")} | {
                    (body, "thermal_expansions"): {"thermal_expansion": NOTHING} for body in ("corotational", "inertial")},
                whole={(body, key): {"materials": {"steel": {"thermal_expansion": 1e-5}}, "bodies": {"b": {"temperature_change": 50}}}
                       for body in ("corotational", "inertial") for key in ("thermal_expansion", )} | {
                    (body, "thermal_expansions"): {"materials": {"steel": {"thermal_expansions": [1e-5, 1e-5, 1e-5]}}, "bodies": {"b": {"temperature_change": 50}}}
                    for body in ("corotational", "inertial")},
                text="Orthotropic constants are for bodies of solids; a beam refuses them. Thermal expansion is for bodies with a `temperature_change`.",
                same={("rigid", key): "the body has no material: `mass` and `inertia` say what it is" for key in (
                    "youngs_modulus", "poissons_ratio", "density")} | {("rigid with mesh", key): "a rigid body takes the density alone" for key in (
                        "youngs_modulus", "poissons_ratio")})
    turned = {body: merged(pendulum(body), {"bodies": {"b": {"pose": TURN}}}) for body in BODIES}
    yield table(schema, "pose", "`pose` of a body", every, ("bodies", "b", "pose"), {"position": [[0.1, 0.2, 0.3]], "rotation": [TURN["rotation"]]})
    yield table(schema, "rotation", "Rotations", {
        "pose of a body": turned["rigid"], "frame of a body": merged(pendulum("rigid"), {"bodies": {"b": {"frames": {"end": TURN}}}}),
        "support": supported_skew()}, {"pose of a body": ("bodies", "b", "pose", "rotation"), "frame of a body": ("bodies", "b", "frames", "end", "rotation"),
                                       "support": ("supports", "wall", "rotation")}.get, {
        "vector": [Swap({"axis": NOTHING, "angle": NOTHING, "vector": [0.1, 0.2, 0.3]})], "axis": [[0, 1, 1]], "angle": [0.7],
        "quaternion": [Swap({"axis": NOTHING, "angle": NOTHING, "quaternion": [0.8, 0, 0.6, 0]})],
        "euler_xyz": [Swap({"axis": NOTHING, "angle": NOTHING, "euler_xyz": [0.1, 0.2, 0.3]})]})
    yield table(schema, "velocity", "`velocity` of a body", every, ("bodies", "b", "velocity"), {"linear": [[0, 3, 1]], "angular": [[0, 3, 1]]},
                whole={"linear": {"joints": NOTHING, "sensors": {"hook": NOTHING}}})
    yield table(schema, "frame", "`frames` of a rigid body", {"rigid": pendulum("rigid")}, ("bodies", "b", "frames", "end"),
                {"position": [[0.2, 0, 0]], "rotation": [TURN["rotation"]]})
    attached = ("rigid with mesh",) + SOLID
    yield table(schema, "interface", "`interfaces` of a body", {body: pendulum(body) for body in attached}, ("bodies", "b", "interfaces", "end"), {
        "nodes": [{"in_set": NOTHING, "in_box": {"low": [0.2, -1, -1], "high": [0.26, 1, 1]}}], "attach": ["rbe2", "three_nodes"]})
    kinds = Table("attach by body", "Interfaces by type of body", "Whether a body can have an interface of this kind (`attach`).", {
        body: pendulum(body) for body in attached}, "interface")
    for kind in ("rbe3", "rbe2", "three_nodes", "virtual_body", "node"):
        for body in attached:
            nodes = {"near": [0.3, -0.01, -0.012]} if kind in ("three_nodes", "node", "virtual_body") else {"in_set": "tip"}
            base = merged(pendulum(body), {"bodies": {"b": {"interfaces": {"end": {"attach": NOTHING, "nodes": {"in_set": NOTHING, "near": [0.25, 0.01, 0.012], "radius": 0.03}}}}}})
            kinds.cases.append(Case(body, kind, base, ("bodies", "b", "interfaces", "end", "attach"), [Swap({
                "attach": kind, "nodes": {"near": NOTHING, "radius": NOTHING, **nodes}})], is_plain=False))
    yield kinds
    near = merged(pendulum("modal"), {"bodies": {"b": {"interfaces": {"end": {"nodes": {"in_set": NOTHING, "near": [0.3, 0, 0], "radius": 0.02}}}}}})
    held = supported("corotational")
    places = {"an interface": near, "a support": merged(held, {"supports": {"wall": {"nodes": {"in_set": NOTHING, "near": [0.05, 0, 0], "radius": 0.02}}}}),
              "a load": merged(loaded("modal", "nodal_force"), {"loads": {"l": {"nodes": {"in_set": NOTHING, "near": [0.3, 0, 0], "radius": 0.02}}}}),
              "a place of stress": merged(SENSOR_BASES["stress"], {"bodies": {"b": {"stress": {"places": {"fibre": {"radius": 0.02}}}}}})}
    where = {"an interface": ("bodies", "b", "interfaces", "end", "nodes"), "a support": ("supports", "wall", "nodes"),
             "a load": ("loads", "l", "nodes"), "a place of stress": ("bodies", "b", "stress", "places", "fibre")}
    instead = {"near": NOTHING, "radius": NOTHING}
    yield table(schema, "nodes", "Selections of nodes", places, where.get, {
        "near": [[0.2, 0, 0]], "radius": [0.07], "in_set": [Swap({**instead, "in_set": "bar"})], ("a support", "in_set"): [Swap({**instead, "in_set": "root"})],
        ("a support", "in_box"): [Swap({**instead, "in_box": {"low": [0.08, -1, -1], "high": [0.12, 1, 1]}})],
        ("a support", "in_cylinder"): [Swap({**instead, "in_cylinder": {"point": [0.08, 0, 0], "axis": [1, 0, 0], "radius": 1, "length": 0.04}})],
        "in_box": [Swap({**instead, "in_box": {"low": [0.12, -1, -1], "high": [0.27, 1, 1]}})],
        "in_cylinder": [Swap({**instead, "in_cylinder": {"point": [0.12, 0, 0], "axis": [1, 0, 0], "radius": 1, "length": 0.15}})]})
    for name, values, change in (("box", {"low": [0.2, -1, -1], "high": [0.31, 1, 1]}, {"low": [[0.1, -1, -1]], "high": [[0.26, 1, 1]]}),
                                 ("cylinder", {"point": [0.2, 0.01, 0], "axis": [1, 0, 0], "radius": 1, "length": 0.2},
                                  {"point": [[0.1, 0, 0]], "axis": [[-1, 0.1, 0]], "radius": [0.013], "length": [0.06]})):
        base = merged(near, {"bodies": {"b": {"interfaces": {"end": {"nodes": {**instead, f"in_{name}": values}}}}}})
        yield table(schema, name, f"`in_{name}`", {"an interface": base}, ("bodies", "b", "interfaces", "end", "nodes", f"in_{name}"), change)
    modal = {body: pendulum(body) for body in ("modal", "superelement")}
    modal["superelement"]["bodies"]["b"]["internal_modes"] = 2
    modal["modal, import"] = pendulum(IMPORT)
    modal["modal, geometric_stiffening"] = merged(pendulum("modal"), {"bodies": {"b": {"geometric_stiffening": "second_order"}}})
    modal["modal with support"] = supported("modal")
    yield table(schema, "body_modes", "`modes` of a body", modal, ("bodies", "b", "modes"), {
        "free_free": [9], "free_free_up_to": [Swap({"free_free": NOTHING, "free_free_up_to": 3000})], "fixed_interface": [2],
        "fixed_interface_up_to": [9000], "constraint_modes": ["at_interfaces"], "static_correction": ["at_interfaces", "residual_flexibility", "none"], ("superelement", "static_correction"): ["none"],
        "static_loads": [{"p": {"nodes": {"near": [0.1, 0.01, 0.012]}, "force": [1, 2, 3]}}], "cut_off": [1500.0], ("superelement", "cut_off"): [2e4, 1.2e4]},
        given={("superelement", "static_correction"): {"free_free": 9}},
        same={("superelement", "constraint_modes"): "a superelement keeps the static answers at its interfaces in any case"})
    patterns = merged(pendulum("modal"), {"bodies": {"b": {"modes": {"static_correction": "none", "static_loads": {"p": {"faces": {"in_set": "tip"}, "traction": [1, 2, 3]}}}}}})
    yield table(schema, "static_load", "`static_loads` of `modes`", {"modal": patterns}, ("bodies", "b", "modes", "static_loads", "p"), {
        "pressure": [Swap({"traction": NOTHING, "pressure": 1e3})], "traction": [[3, -2, 0]],
        "force": [Swap({"traction": NOTHING, "faces": NOTHING, "nodes": {"in_set": "tip"}, "force": [0, 0, 1]})],
        "faces": [{"in_set": "root"}], "nodes": [Swap({"traction": NOTHING, "faces": NOTHING, "nodes": {"in_set": "tip"}, "force": [0, 0, 1]})]})
    yield table(schema, "stress", "`stress` of a body", {body: merged(pendulum(body), {
        "bodies": {"b": {"stress": {"places": {"fibre": {"near": [0.15, 0.01, 0.012]}}}}}, "output": {"fields_interval": 1e-3},
        "sensors": {"s": {"type": "stress", "body": "b", "place": "fibre"}}}) for body in SOLID},
        ("bodies", "b", "stress"), {"places": [{"fibre": {"near": [0.1, 0.01, 0.012]}}], "pictures": ["none"]})
    damped = {body: merged(pendulum(body), {"bodies": {"b": {"damping": {}}}}) for body in SOLID + ("beam", LINES, IMPORT)}
    yield table(schema, "damping", "`damping` of a body", damped, ("bodies", "b", "damping"), {
        "rayleigh": [{"stiffness": 1e-5}], "modal_ratio": [0.1], "modal_ratio_from": [3000.0]},
                given={(body, "modal_ratio_from"): {"modal_ratio": 0.1} for body in ("modal", "superelement", IMPORT)},
                rows={"modal_ratio_from alone": {"key": "modal_ratio_from", "values": [3000.0]}})
    yield table(schema, "rayleigh", "`rayleigh`", damped, ("bodies", "b", "damping", "rayleigh"), {"mass": [10], "stiffness": [1e-5]})
    yield from beam_parts(schema)


def supported_skew():
    return merged(supported("corotational", ("x",)), {"supports": {"wall": TURN}})


SECTIONS = {
    "rectangle": {"width": 0.01, "height": 0.02}, "circle": {"radius": 0.01}, "tube": {"radius": 0.01, "wall": 0.002},
    "i_section": {"width": 0.02, "height": 0.03, "flange": 0.004, "web": 0.003},
    "general": {"area": 2e-4, "I_y": 4e-9, "I_z": 6e-9, "torsion_constant": 5e-9},
    "stiffness": {"EA": 4e7, "GA_y": 1e7, "GA_z": 1.2e7, "GJ": 400, "EI_y": 800, "EI_z": 1200, "mass_per_length": 1.5, "mass_moments": [1e-4, 4e-5, 6e-5]}}


def beam_parts(schema):
    columns = {}
    for t, more in SECTIONS.items():
        columns[t] = merged(pendulum("beam"), {"bodies": {"b": {"section": NOTHING}}, "loads": {"push": {"torque": [1, 2, 3]}}})
        columns[t]["bodies"]["b"]["section"] = {"type": t, **more}
        if t == "stiffness":
            del columns[t]["bodies"]["b"]["material"]
    grown = {key: [1.2 * value] for more in SECTIONS.values() for key, value in more.items() if key != "mass_moments"}
    own = {(t, key): [1.2 * value] for t, more in SECTIONS.items() for key, value in more.items() if key != "mass_moments"}
    yield table(schema, "section", "`section` of a beam", columns, ("bodies", "b", "section"), {
        **grown, **own, "offset": [[0.01, 0.02]], "shear_y": [0.5], "shear_z": [0.5], "mass_per_length": [3.0], "mass_moments": [[3e-4, 1e-4, 2e-4]]},
        selector="type")
    lines = merged(pendulum(LINES), {"bodies": {"b": {"groups": {"left": {"section": {"type": "circle", "radius": 0.02}}}, "places": {"p": {"node": 2}}}},
                                     "sensors": {"p": {"type": "position", "of": "b.p"}}, "loads": {"push": {"torque": [1, 2, 3]}}})
    yield table(schema, "group", "`groups` of a beam with a mesh", {LINES: merged(lines, {"bodies": {"b": {"groups": {"left": {"section": {
        "type": "rectangle", "radius": NOTHING, "width": 0.01, "height": 0.03}}}}}})}, ("bodies", "b", "groups", "left"), {
        "section": [{"height": 0.04}], "material": ["soft"], "y_axis": [[0, 0, 1]], "prestress": [{"axial": 1000}], "prestrain": [{"stretch": 1e-3}],
        "fixed_strains": [["stretch"]], "driven_strains": [{"stretch": "0.1*t^2"}]})
    yield table(schema, "place", "`places` of a beam with a mesh", {LINES: lines}, ("bodies", "b", "places", "p"), {
        "node": [3], "in_set": [Swap({"node": NOTHING, "in_set": "end"})], "at": [Swap({"node": NOTHING, "at": [0.15, 0, 0]})]})
    for name, values in (("prestress", {"axial": [1000], "torsion": [10], "bending_y": [10], "bending_z": [10]}),
                         ("prestrain", {"stretch": [1e-3], "twist": ["0.1*t"], "curvature_y": [0.1], "curvature_z": [0.1]}),
                         ("driven_strains", {"stretch": ["0.1*t^2"], "twist": ["t^2"], "curvature_y": ["t^2"], "curvature_z": ["t^2"]})):
        given = {"twist": {}} if name == "driven_strains" else {}
        columns = {body: merged(pendulum(body), {"bodies": {"b": {"torsion": "constant", name: {}}}}) for body in ("beam", LINES)}
        yield table(schema, name, f"`{name}` of a beam", columns, ("bodies", "b", name), values)


def imports_table(schema):
    """Files of other programs."""
    rod = SAMPLES.parents[2] / "examples" / "import"
    modes = merged(pendulum(IMPORT), {"bodies": {"b": {"import": {"stiffness": NOTHING, "mass": NOTHING, "modes": str(rod / "rod_modes.csv"), "nodes": str(rod / "rod_nodes.csv")},
                                                       "interfaces": {name: {"attach": "three_nodes"} for name in ("root", "end")}}}})
    substructure = str(SAMPLES / "generated" / "abaqus_like" / "superelement_constructed.mtx")
    yield table(schema, "import", "`import` of a body", {"modes": modes, "stiffness and mass": pendulum(IMPORT)}, ("bodies", "b", "import"), {
        ("modes", "modes"): ["other_modes.csv"], ("stiffness and mass", "modes"): [str(rod / "rod_modes.csv")], "modes": [],
        "subcase": [1], ("modes", "stiffness"): ["k.mtx"], "stiffness": ["stiff.mtx"], ("modes", "mass"): ["m.mtx"], "mass": ["heavy.mtx"],
        "dofs": ["rows.txt"], "superelement": [substructure], "nodes": ["longer_nodes.csv"], ("modes", "nodes"): ["heavier_nodes.csv"],
        "masses": ["curve.csv"], "mesh": ["hex8.msh"], ("modes", "mesh"): [str(rod / "rod.bdf")], "units": ["tonne-mm-s"]},
        same={("stiffness and mass", "dofs"): "here it says what `nodes` says: six rows for each node"})


# --- analyses -------------------------------------------------------------------------------------------------------

INTEGRATORS = ("generalized_alpha", "hht", "bathe", "ed_alpha", "moreau_jean", "half_explicit", "semi_implicit_euler", "bdf", "runge_kutta")
EXPLICIT = ("semi_implicit_euler", "runge_kutta")


def flexing(analyses, body="modal"):
    return pendulum(body, analyses)


# Steps so long that constraints drift, and a motion of many steps.
ROUGH = {"duration": 0.2, "step": 0.02, "relative_tolerance": 0.1, "absolute_tolerance": 0.1}
FAST = {"duration": 0.05}
LOCATING = (*INTEGRATORS[:4], "half_explicit")
# What the pendulum's end hits after about a millisecond.
STOP_BELOW = {"between": ["ground", "b"], "first": {"shape": "plane", "at": [0, 0, -0.01], "axis": [0, 0, 1]}, "second": {"shape": "point", "at": [0.3, 0, 0]},
              "law": {"type": "impact", "restitution": 0.5}}


def two_feet():
    """What lets the body of pendulum() come down on two points at once."""
    foot = {"between": ["ground", "b"], "first": {"shape": "plane", "at": [0, 0, 0], "axis": [0, 0, 1]}, "law": {"type": "impact", "restitution": 1}}
    return {"joints": NOTHING, "sensors": {"hook": NOTHING}, "bodies": {"b": {"velocity": {"linear": [0, 0, -1], "angular": NOTHING}}},
            "contacts": {name: {**foot, "second": {"shape": "point", "at": [x, 0, 0]}} for name, x in (("left", -0.1), ("right", 0.3))}}


# Boxes that fall on the ground, one after the other, and slide and spin on it.
FALLING = {
    "bodies": {name: rigid(pose={"position": [x, 0, height]}, velocity={"linear": [0.5, 0.2, -1], "angular": [0, 0, 3]})
               for name, x, height in (("c", 5, 0.1003), ("d", 8, 0.1008))},
    "contacts": {name: {"between": ["ground", name], "first": PLANE, "second": {"shape": "box", "size": [0.2, 0.2, 0.2]}, "law": {"type": "impact"},
                        "friction": {"static": 0.3}} for name in ("c", "d")},
    "sensors": {name: {"type": "position", "of": name} for name in ("c", "d")}}


def dynamics_tables(schema):
    def base(name, body="rigid", **more):
        model = pendulum(body, [{"dynamics": {"duration": 2e-3, "step": 2e-4, "integrator": name, **more}}])
        return merged(model, {"bodies": {"b": {"velocity": {"angular": [0, 30, 10]}}}})

    columns = {name: base(name) for name in INTEGRATORS}
    at = ("analyses", "0", "dynamics")
    adaptive = {"tolerance": 1e-6, "minimum_step": 1e-7, "maximum_step": 1e-3}
    yield table(schema, "dynamics", "`dynamics`", columns, at, {
        "duration": [3e-3], "step": [1e-4], ("bdf", "step"): [1e-5], ("runge_kutta", "step"): [1e-5], "rho_infinity": [0.5], "alpha": [-0.3], "alpha_AR": [0.4],
        "theta": [0.9], "multiple_impacts": ["sequential"], "stabilisation": ["none"], "adaptive": [adaptive], "locate_impacts": ["true"], "tolerance": [1e-2], "max_iterations": [1], "tangent": ["consistent"],
        "baumgarte": [{"alpha": 50, "beta": 50}], "relative_tolerance": [1e-2], "absolute_tolerance": [1e-2],
        "contact_solver": ["newton", "interior_point"], "contact_tolerance": [1e-3],
        ("runge_kutta", "relative_tolerance"): [1e-13], ("runge_kutta", "absolute_tolerance"): [1e-15], "start": [{"elastic": "quasi_static"}],
        "stop_when": [[{"sensor": "energy", "below": -1e-9}], [{"sensor": "turn.y", "above": 0.02}]]},
        selector="integrator", default="generalized_alpha", fails=("max_iterations",),
        text="Keys of `dynamics` by integrator: a rigid pendulum; `start` of a `modal` one, `tangent` of a `corotational` one.",
        given={"contact_solver": {"contact_tolerance": 1e-2}, ("runge_kutta", "baumgarte"): ROUGH, ("runge_kutta", "relative_tolerance"): FAST, ("runge_kutta", "absolute_tolerance"): {**FAST, "relative_tolerance": 1e-13}},
        whole={(name, key): FALLING for name in (*LOCATING, "moreau_jean") for key in ("contact_solver", "contact_tolerance", "stabilisation")} |
              {(name, "tangent"): {"bodies": {"b": merged(dict.fromkeys(body_of("rigid"), NOTHING), body_of("corotational"))}} for name in INTEGRATORS if name not in ("bathe", "ed_alpha", "moreau_jean", "half_explicit", "semi_implicit_euler")} |
              {(name, "multiple_impacts"): two_feet() for name in LOCATING} | {(name, "locate_impacts"): {"contacts": {"stop": STOP_BELOW}} for name in LOCATING} |
              {(name, "start"): {"bodies": {"b": merged(dict.fromkeys(body_of("rigid"), NOTHING), body_of("modal"))}} for name in INTEGRATORS if name not in EXPLICIT} | {(name, "start"): {"bodies": {"b": merged(dict.fromkeys(body_of("rigid"), NOTHING), {
                  **body_of("modal"), "material": "soft", "modes": {"free_free": 2}})}} for name in EXPLICIT},
        rows={"contact_solver, nothing set-valued": {"key": "contact_solver", "values": ["newton"]},
              "contact_tolerance, nothing set-valued": {"key": "contact_tolerance", "values": [1e-3]},
              "stabilisation, where nothing is hit": {"key": "stabilisation", "values": ["none"], "columns": [name for name in INTEGRATORS if name != "moreau_jean"]},
              "multiple_impacts, where nothing is hit": {"key": "multiple_impacts", "values": ["sequential"]},
              "locate_impacts, nothing to hit": {"key": "locate_impacts", "values": ["true"]},
              "tangent, rigid bodies alone": {"key": "tangent", "values": ["consistent"]},
              "start, rigid bodies alone": {"key": "start", "values": [{"elastic": "quasi_static"}]}})
    yield table(schema, "adaptive", "`adaptive`", {name: base(name, adaptive=adaptive) for name in LOCATING}, at + ("adaptive",), {
        "tolerance": [1e-9], "minimum_step": [2e-4], "maximum_step": [2.1e-4]}, fails=("minimum_step",), given={"minimum_step": {"tolerance": 1e-9}})
    yield table(schema, "baumgarte", "`baumgarte`", {name: base(name, baumgarte={"alpha": 50, "beta": 50}, **ROUGH) for name in ("bdf", "runge_kutta")},
                at + ("baumgarte",), {"alpha": [100], "beta": [100, 1000]})
    yield table(schema, "start", "`start`", {body: {
        **clamped(body), "analyses": [{"dynamics": {"duration": 1e-3, "step": 2e-4, "start": {"elastic": "undeformed"}}}]} for body in BODIES},
                at + ("start",), {"elastic": ["quasi_static"], "assemble": ["true"]})
    stop = {"sensor": "turn.y", "above": 0.02}
    yield table(schema, "stop_condition", "`stop_when`", {
        "dynamics": base("generalized_alpha", stop_when=[stop]), "kinematics": driven({"stop_when": [{"sensor": "turn.z", "above": 0.01}]})},
        {"dynamics": at + ("stop_when", "0"), "kinematics": ("analyses", "0", "kinematics", "stop_when", "0")}.get, {
            "sensor": ["energy"], "above": [0.03], "below": [Swap({"above": NOTHING, "below": -1e9})],
            "event": [Swap({"sensor": NOTHING, "above": NOTHING, "event": "impact"})], "contact": ["d"], "count": [5]},
                given={("dynamics", key): {"sensor": NOTHING, "above": NOTHING, "event": "impact"} for key in ("contact", "count")},
                whole={("dynamics", key): FALLING for key in ("event", "contact", "count")})
    features = Table("integrators by body", "Integrators by type of body", "Whether a body of this type moves under an integrator.", {
        body: pendulum(body) for body in BODIES}, "dynamics")
    for name in INTEGRATORS[1:]:
        for body in BODIES:
            features.cases.append(Case(body, name, pendulum(body), at + ("integrator",), [name], is_plain=False))
    yield features


def driven(more):
    return merged(joined(joint_of("rotation_drive", **AT, **Z, angle="3*t")), {"joints": {"k": {"type": "revolute", "between": ["ground", "b"], **AT, **Z}, "j": {
        "joint": "k", "between": NOTHING, "at": NOTHING, "axis": NOTHING}}, "analyses": [{"kinematics": {"duration": 0.01, "step": 1e-3, **more}}],
        "sensors": {"hold": {"joint": "k"}}})


def inverse(**more):
    """A modal body on a hinge that is driven."""
    model = merged(pendulum("modal"), {"joints": {"hook": {"type": "revolute", "axis": [0, 0, 1]},
                                                  "motor": {"type": "rotation_drive", "joint": "hook", "angle": "3*t"}}})
    model["analyses"] = [{"inverse_dynamics": {"duration": 2e-3, "step": 2e-4, **more}}]
    return model


LINEAR = {"modes": {"count": 2}, "linearise": {"inputs": ["push.force_z"]},
          "frequency_response": {"inputs": ["push.force_z"], "frequencies": [1, 10, 100]}}


def analyses_tables(schema):
    yield table(schema, "kinematics", "`kinematics`", {"driven": driven({})}, ("analyses", "0", "kinematics"), {
        "duration": [0.02], "step": [2e-3], "stop_when": [[{"sensor": "turn.z", "above": 0.01}]]})
    vibrating = {name: inverse(deformation="dynamic", integrator=name) for name in ("generalized_alpha", "bathe", "bdf", "runge_kutta")}
    yield table(schema, "inverse_dynamics", "`inverse_dynamics`", {"quasi_static": inverse(), **vibrating}, ("analyses", "0", "inverse_dynamics"), {
        "duration": [3e-3], "step": [1e-4], ("bdf", "step"): [1e-5], ("runge_kutta", "step"): [1e-5], ("quasi_static", "deformation"): ["dynamic"],
        "deformation": ["quasi_static"], "integrator": ["bdf"], ("bdf", "integrator"): ["bathe"], "rho_infinity": [0.5], "relative_tolerance": [1e-2],
        "absolute_tolerance": [1e-2], "start": [{"elastic": "quasi_static"}], "stop_when": [[{"sensor": "turn.z", "above": 0.003}]]},
        text="Keys by `deformation`, of `dynamic` by integrator: a `modal` body on a driven hinge.")
    bent = merged(clamped("beam"), {"loads": {"push": {"force": [0, 0, "20000*t"]}}, "gravity": NOTHING})  # by about a radian
    statics = {"load": bent, "arc_length": merged(bent, {})}
    statics["arc_length"]["analyses"] = [{"statics": {"control": "arc_length"}}]
    yield table(schema, "statics", "`statics`", statics, ("analyses", "0", "statics"), {
        "load_steps": [3], "tolerance": [0.1], "max_iterations": [2], "smallest_step": [1.0], "time": ["start"],
        "method": ["newton", "relaxation"], "max_relaxation_steps": [2], "max_steps": [2]}, selector="control", default="load",
        same={("arc_length", "smallest_step"): "no step along this path has to be cut"},
        given={("load", "max_relaxation_steps"): {"method": "relaxation"}, ("load", "smallest_step"): {"method": "newton", "load_steps": 1, "max_iterations": 5},
               ("arc_length", "smallest_step"): {"max_iterations": 3}, ("load", "max_iterations"): {"method": "newton", "smallest_step": 0.09},
               ("load", "method"): {"max_iterations": 2, "smallest_step": 0.09}}, fails=("method", "max_iterations", "smallest_step", "max_relaxation_steps", "max_steps"))
    turning = merged(joined(joint_of("revolute", **AT, **Z), joints={"j": SPRING}), {"analyses": [{"modes": LINEAR["modes"]}], "loads": NOTHING})
    flexible = clamped("modal")
    flexible["analyses"] = [{"modes": {"count": 4}}]
    moving = [{"dynamics": {"duration": 2e-3, "step": 2e-4}}]
    spun = merged(clamped("modal"), {"joints": {"hook": {"type": "spherical"}}, "gravity": NOTHING, "loads": NOTHING})
    spun["analyses"] = [{"modes": {"count": 2, "about": "hook", "axis": [0, 0, 1], "speeds": [0, 10]}}]
    free = {key: spun.get(key, NOTHING) for key in ("joints", "gravity", "loads")}
    yield table(schema, "modes", "`modes`", {"a mechanism": flexible}, ("analyses", "0", "modes"), {
        "body": ["b"], "count": [2], "times": [[1e-3]], "axes": ["world"], "pictures": [4], "about": [Swap({"about": "hook", "axis": [0, 0, 1], "speeds": [0, 10]})], "axis": [[0, 1, 1]], "speeds": [[0, 20]]},
        whole={"times": {"analyses": [{"modes": {"count": 4}}, *moving]}, "about": free, "axis": {**free, "analyses": spun["analyses"]}, "speeds": {**free, "analyses": spun["analyses"]},
               "axes": {"analyses": [*moving, {"modes": {"count": 4}}][::-1]}})
    for name, values in (("linearise", {"inputs": [["push.force_x"]], "outputs": [["energy", "end"], ["end"]], "times": [[1e-3]], "axes": ["world"]}),
                         ("frequency_response", {"inputs": [["push.force_x"]], "outputs": [["end"]], "frequencies": [[2, 20]],
                                                 "from": [2], "to": [50], "points": [4],
                                                 "spacing": ["linear"], "times": [[1e-3]], "axes": ["world"]})):
        model = merged(spinning(), {"analyses": [{name: {**LINEAR[name], "times": [5e-4]}}, *moving]})
        yield table(schema, name, f"`{name}`", {"a spinning mechanism": model}, ("analyses", "0", name), values,
                    given={key: {"frequencies": NOTHING, "from": 1, "to": 100, "points": 3} for key in ("spacing", "from", "to", "points")})
    pushed = merged(spinning(), {"analyses": [{"reflected_inertia": {"at": ["b.end"], "times": [5e-4]}}, *moving]})
    yield table(schema, "reflected_inertia", "`reflected_inertia`", {"a spinning mechanism": pushed}, ("analyses", "0", "reflected_inertia"), {
        "at": [["b.root", "b.end"]], "axes": ["place"], "times": [[1e-3]]})
    by_body = Table("analyses by body", "Analyses by type of body", "Whether a mechanism with a body of this type can be analysed so. `statics, dynamics`: one after the other.", {
        body: clamped(body) for body in BODIES}, "analysis")
    runs = {"dynamics": SHORT, "kinematics": [{"kinematics": {"duration": 1e-3, "step": 2e-4}}],
            "inverse_dynamics": [{"inverse_dynamics": {"duration": 1e-3, "step": 2e-4}}],
            "inverse_dynamics, dynamic": [{"inverse_dynamics": {"duration": 1e-3, "step": 2e-4, "deformation": "dynamic"}}], "statics": [{"statics": {"load_steps": 2}}],
            "statics, arc_length": [{"statics": {"control": "arc_length"}}], "statics, relaxation": [{"statics": {"method": "relaxation", "load_steps": 2}}],
            "statics, dynamics": [{"statics": {}}, *SHORT], "quasi-static start": [{"dynamics": {**SHORT[0]["dynamics"], "start": {"elastic": "quasi_static"}}}],
            "modes": [{"modes": {"count": 4}}], "modes of the body": [{"modes": {"count": 4, "body": "b"}}], "linearise": [{"linearise": LINEAR["linearise"]}],
            "frequency_response": [{"frequency_response": LINEAR["frequency_response"]}],
            "reflected_inertia": [{"reflected_inertia": {"at": ["b.end"]}}],
            "modes at an instant": [{"modes": {"count": 4, "times": [4e-4]}}, *SHORT]}
    for run, analyses in runs.items():
        for body in BODIES:
            base = clamped(body)
            base["analyses"] = [{"dynamics": {"duration": 4e-4, "step": 1e-4}}]
            by_body.cases.append(Case(body, run, base, ("analyses",), [analyses], is_plain=False))
    yield by_body
    by_feature = Table("analyses by feature", "What acts in which analysis", "A clamped `modal` body: whether a feature of the model counts in the analysis.", {
        run: None for run in ("dynamics", "statics", "modes", "linearise", "frequency_response")}, "analysis")
    feature = {
        "gravity": (("gravity",), [3, 0, -5]), "loads": (("loads", "push", "force"), [50, 0, 100]),
        "forces": (("forces",), {"s": {"type": "spring_damper", "between": ["ground", "b.end"], "at_first": [0.3, 0.1, 1], "stiffness": 1e4, "free_length": 0.5}}),
        "dampers": (("forces",), {"s": {"type": "spring_damper", "between": ["ground", "b.end"], "at_first": [0.3, 0.1, 1], "damping": 100}}),
        "damping of a body": (("bodies", "b", "damping"), {"modal_ratio": 0.1}),
        "joints": (("joints", "second"), {"type": "spherical", "between": ["ground", "b.end"]}),
        "drives": (("joints", "drive"), {"type": "translation_drive", "between": ["ground", "b.end"], "axis": [0, 0, 1], "translation": "0.001*t^2"}),
        "moving supports": (("supports",), {"s": {"body": "b", "nodes": {"in_set": "tip"}, "fix": ["z"], "displacement": [0, 0, "1e-3*t^2"]}}),
        "supports": (("supports",), {"s": {"body": "b", "nodes": {"in_set": "tip"}, "fix": ["z"]}}),
        "contacts": (("contacts",), {"c": {**SOFT, "between": ["ground", "b.end"], "first": {**PLANE, "at": [0.3, 0, -0.0999]}}}),
        "velocities at the start": (("bodies", "b", "velocity"), {"angular": [0, 3, 1]}),
        "geometric_stiffening": (("bodies", "b", "geometric_stiffening"), "second_order")}
    runs = {"dynamics": SHORT, "statics": [{"statics": {"load_steps": 2}}], "modes": runs["modes"], "linearise": runs["linearise"],
            "frequency_response": runs["frequency_response"]}
    for row, (path, value) in feature.items():
        for run, analyses in runs.items():
            base = clamped("modal")
            base["joints"]["hook"]["type"] = "spherical" if row == "velocities at the start" else "fixed"
            base["analyses"] = analyses
            by_feature.cases.append(Case(run, row, base, path, [value], same=NOTHING_HERE.get((row, run), ""), round_off=1e-7, is_plain=False))
    yield by_feature


REST = "nothing moves in `statics`"
NOTHING_HERE = {("damping of a body", "statics"): REST, ("velocities at the start", "statics"): REST, ("dampers", "statics"): REST,
                ("gravity", "linearise"): "what gravity adds to this body's stiffness is less than is compared, 1e-7 of the largest"}


def clamped(body):
    """A body that is held at its root, with a small load at its end."""
    own = {"share": "false"} if body == "superelement" else {}
    return merged(pendulum(body, [{"statics": {}}]), {"joints": {"hook": {"type": "fixed", **own}}, "loads": {"push": {"force": [5, 0, 10]}}})


def spinning():
    return merged(clamped("modal"), {"joints": {"hook": {"type": "revolute", "axis": [0, 0, 1]}}, "bodies": {"b": {"velocity": {"angular": [0, 0, 50]}}}})


# --- the file as a whole --------------------------------------------------------------------------------------------

def file_tables(schema):
    plain = pendulum("rigid")
    tested = merged(plain, {"units": {"length": "m"}})
    yield table(schema, "units", "`units`", {"rigid": merged(tested, {"bodies": {"b": {"pose": TURN}}}), "modal": merged(pendulum("modal"), {"units": {"length": "m"}, "bodies": {"b": {"pose": TURN}}})},
                ("units",), {"length": ["ft"], "mass": ["lb"], "time": ["ms"], "angle": ["deg"], "force": ["lbf"]}, fails=("time", "length"))
    yield table(schema, "solver", "`solver`", {"modal": pendulum("modal"), "corotational": pendulum("corotational")}, ("solver",), {
        "preset": ["direct", "small"], "nonlinear": ["snes"], "petsc_options": ["-no_such_option 1"]}, same={
            "preset": "another way to the same numbers", "nonlinear": "another way to the same numbers", "petsc_options": "options of PETSc are its own"})
    drawn = merged(pendulum("modal"), {"output": {"history_every": 1}})
    yield table(schema, "output", "`output`", {"dynamics": drawn, "statics": clamped("modal")}, ("output",), {
        "history_every": [2], "history_interval": [Swap({"history_every": NOTHING, "history_interval": 5e-4})], "fields_interval": [5e-4],
        "motion_interval": [5e-4], "report": ["true"], ("statics", "history_interval"): [Swap({"history_every": NOTHING, "history_interval": 0.5})], ("statics", "fields_interval"): [0.5],
        "checkpoint_interval": [1e-3], "checkpoint_every": [1], "statistics": [{"from": 4e-4}]}, same={
            "checkpoint_interval": "when checkpoints are written changes no result", "checkpoint_every": "when checkpoints are written changes no result",
            "motion_interval": DRAWN, "report": DRAWN, "statistics": "of sweeps, in `sweep.csv`"})
    drawn = {"rigid": merged(pendulum("rigid"), {"bodies": {"b": {"appearance": {}}}})}
    ball, bar = {"shape": "sphere", "radius": 0.1}, {"shape": "capsule", "radius": 0.1, "length": 0.2}
    yield table(schema, "appearance", "`appearance` of a body", drawn, ("bodies", "b", "appearance"), {
        "shape": [Swap(ball)], "size": [Swap({"shape": "box", "size": [1, 2, 3]})], "radius": [Swap(ball)], "length": [Swap(bar)],
        "position": [Swap({**ball, "position": [0, 0, 0.1]})], "rotation": [Swap({**bar, "rotation": {"axis": [0, 1, 0], "angle": 1}})],
        "surface": [Swap({"surface": "hex8.msh"})], "surface_units": [Swap({"surface": "hex8.msh", "surface_units": "mm"})], "colour": ["#aa3377"]},
                same=dict.fromkeys(("shape", "size", "radius", "length", "position", "rotation", "surface", "surface_units", "colour"), DRAWN))
    yield table(schema, "statistics", "`statistics`", {"dynamics": merged(plain, {"output": {"statistics": {}}})}, ("output", "statistics"), {"from": [4e-4]},
                same={"from": "of sweeps, in `sweep.csv`"})
    second = {"extra": {"type": "translation_drive", "between": ["ground", "b.end"], "axis": [0, 0, 1], "translation": "t^2"}}
    whole = pendulum("modal")
    yield table(schema, "model", "The top level", {"modal": whole}, (), {
        "solidyn": [1], "title": ["another"], "units": [{"length": "ft"}], "parameters": [{"p": 1}], "gravity": [[1, 2, 3]], "formulation": ["recursive", "absolute"],
        "materials": [{"steel": {"density": 5000}}], "bodies": [{"b": {"velocity": {"angular": [0, 3, 1]}}}], "joints": [second],
        "loads": [{"push": {"force": [1, 2, 3]}}], "contacts": [{"c": {**SOFT, "between": ["ground", "b.end"], "first": {**PLANE, "at": [0.3, 0, -0.0999]}}}],
        "track": [{"plan": [{"length": 10}]}], "forces": [{"s": {"type": "drag", "at": "b.end", "viscous": 10}}], "supports": [{"s": {"body": "b", "nodes": {"in_set": "tip"}, "fix": ["z"]}}],
        "sensors": [{"end": {"component": "x"}}], "analyses": [[{"modes": {"count": 2}}]], "solver": [{"preset": "direct"}], "output": [{"history_every": 2}]},
        of="model", same={"solidyn": "there is one version of the format", "title": "it is for the reader: `summary.json` and plots",
                          "solver": "another way to the same numbers"},
        whole={("modal", "formulation"): {"analyses": [{"dynamics": {"duration": 2e-3, "step": 1e-5, "integrator": "runge_kutta", "relative_tolerance": 1e-10}}]}})


def tables(schema):
    made = [bodies_table(schema), joints_table(schema), *joint_parts(schema), *forces_table(schema), *loads_tables(schema), *supports_tables(schema),
            *sensors_tables(schema), *contacts_tables(schema), *body_parts(schema), *imports_table(schema), *dynamics_tables(schema),
            *analyses_tables(schema), *file_tables(schema)]
    return [t for t in made if t.cases]


def tables_without(schema, made):
    """Tables of the schema that none of ours tries. A formula is the value of a key, not keys; the analyses have tables of their own."""
    return sorted(set(schema["$defs"]) - {t.of for t in made} - {"formula", "analysis"})
