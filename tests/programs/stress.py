"""Stress from a model file: the same on 1, 2 and 4 ranks and from a .sbody, and as ParaView wants it in the pictures.

    stress.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import pathlib
import re
import sys
import tempfile
import xml.etree.ElementTree

import h5py
import numpy

from support import EXAMPLES, SOURCE, History, Program, largest_difference, parsed_arguments, summary

ARM = EXAMPLES / "stress" / "arm.yaml"
COARSE = ["--set", f"bodies.arm.mesh={SOURCE}/meshes/rod_circular_coarse.msh"]
SHORT = ["--set", "analyses.dynamics.duration=4e-3"]
AGREES = 1e-7  # of each column's range; the modes of other ranks agree to their tolerance
# With all nodes Newton's tolerance, 1e-10 of a step's displacement, shows enlarged by the stiffness, most in the small
# components at a fibre.
TYPES = {"modal": AGREES, "floating_frame": 1e-3, "corotational": 1e-3, "inertial": 1e-3}


def attributes(folder):
    """Of the arm in the last picture: name -> (type, centre, numbers)."""
    grids = [grid for grid in xml.etree.ElementTree.parse(folder / "fields.xdmf").iter("Grid")
             if grid.get("Name") == "arm"]
    found = {}
    for attribute in grids[-1].iter("Attribute"):
        file, path = attribute.find("DataItem").text.split(":")
        with h5py.File(folder / file) as fields:
            numbers = fields[path][:]
        shape = tuple(int(n) for n in attribute.find("DataItem").get("Dimensions").split())
        assert numbers.shape == shape, (attribute.get("Name"), numbers.shape, shape)
        found[attribute.get("Name")] = (attribute.get("AttributeType"), attribute.get("Center"), numbers)
    return found


def von_mises(s):
    xx, xy, xz, yy, yz, zz = s.T
    return numpy.sqrt(0.5 * ((xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2) + 3 * (xy**2 + yz**2 + xz**2))


def check_pictures(folder):
    found = attributes(folder)
    kind, centre, tensor = found["stress"]
    assert (kind, centre, tensor.shape[1]) == ("Tensor6", "Node", 6), (kind, centre, tensor.shape)
    kind, centre, equivalent = found["von Mises stress"]
    assert (kind, centre) == ("Scalar", "Node"), (kind, centre)
    assert equivalent.max() > 1e6 and numpy.isfinite(tensor).all()
    difference = abs(von_mises(tensor) - equivalent).max()
    assert difference < 1e-9 * equivalent.max(), difference
    history = History(folder)
    root = history.column(history.names.index("root"))[-1]
    assert root <= equivalent.max() * (1 + 1e-9), (root, equivalent.max())


def check_ranks(arguments, folder):
    for kind, agrees in TYPES.items():
        words = ["run", ARM, *COARSE, *SHORT, "--set", f"bodies.arm.type={kind}"]
        for ranks in (1, 2, 4) if kind == "modal" else (1, 2):
            Program(arguments, ranks).done(*words, "-o", folder / f"{kind}_{ranks}")
            check_pictures(folder / f"{kind}_{ranks}")
            assert kind != "modal" or summary(folder / f"{kind}_{ranks}")["warnings"] == []
            worst, column = largest_difference(History(folder / f"{kind}_1"),
                                               History(folder / f"{kind}_{ranks}"))
            print(f"{kind} on {ranks}: {worst:.1e} of the range of {column}")
            assert worst <= agrees, (kind, ranks, worst, column)


def with_reduced_body(file):
    text = re.sub(r"    mesh: .*?\n(?=  payload:)", f"    reduced_body: {file}\n", ARM.read_text(), flags=re.S)
    return text


def check_reduced_body(arguments, folder):
    solidyn = Program(arguments)
    done = solidyn.done("reduce", ARM, "--body", "arm", "-o", folder / "arm.sbody", *COARSE, "--check")
    for part in ("agree with the mesh", "static deflection", "relative error of the mass", "interface hub: rbe3 of", "step: "):
        assert part in done.stdout, (part, done.stdout)
    model = folder / "model.yaml"
    model.write_text(with_reduced_body("arm.sbody"))
    solidyn.done("run", model, *SHORT, "-o", folder / "from_sbody")
    check_pictures(folder / "from_sbody")
    worst, column = largest_difference(History(folder / "modal_1"), History(folder / "from_sbody"))
    print(f"from .sbody: {worst:.1e} of the range of {column}")
    assert worst <= 1e-9, (worst, column)
    done = solidyn("run", model, *SHORT, "-o", folder / "unknown", "--set", "sensors.root.place=rot")
    assert done.returncode == 2 and "did you mean `root`?" in done.stderr, done.stderr
    solidyn.done("reduce", ARM, "--body", "arm", "-o", folder / "arm.sbody", *COARSE, "--set",
                 "bodies.arm.stress={pictures: none}", "--set", "sensors={}")
    done = solidyn("run", model, *SHORT, "-o", folder / "none")
    assert done.returncode == 2 and "reduce it again with `stress:" in done.stderr, done.stderr


def check_empty_places(arguments, folder):
    for kind in TYPES:
        done = Program(arguments)("run", ARM, *COARSE, *SHORT, "--set", f"bodies.arm.type={kind}", "--set",
                                  "bodies.arm.stress.places.root={near: [1, 1, 1], radius: 1e-3}", "-o",
                                  folder / "empty")
        assert done.returncode == 2 and "contains no node of the mesh" in done.stderr, (kind, done.stderr)
        assert "root" in done.stderr, (kind, done.stderr)


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_ranks(arguments, folder)
        check_reduced_body(arguments, folder)
        check_empty_places(arguments, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
