"""Reads fields.xdmf and fields.h5 with other people's readers (xml, h5py) and checks what they show.

    check_fields.py fields.xdmf

Exit status 0: as expected; 1: not, with the reason; 77: h5py or numpy is not installed.
"""
import os
import sys
import xml.etree.ElementTree as ElementTree

try:
    import h5py
    import numpy as np
except ImportError:
    sys.exit(77)

# Corner nodes of the edges on which VTK puts the middle nodes of a cell, which XDMF follows.
MIDDLE_NODES = {
    "Tetrahedron": [],
    "Tetrahedron_10": [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)],
    "Triangle": [],
    "Triangle_6": [(0, 1), (1, 2), (2, 0)],
    "Polyline": [],
}


def load(item, folder):
    """The array that a DataItem stands for; its extents and number type must be those announced."""
    name, path = item.text.strip().split(":", 1)
    with h5py.File(os.path.join(folder, name), "r") as file:
        array = file[path][()]
    extents = tuple(int(n) for n in item.get("Dimensions").split())
    assert array.shape == extents, f"{path}: {array.shape} in the file, {extents} announced"
    kind = {"Int": "i", "Float": "f"}[item.get("NumberType")]
    assert array.dtype.kind == kind and array.dtype.itemsize == int(item.get("Precision")), path
    return array


def check_grid(grid, folder):
    topology = grid.find("Topology")
    cells = load(topology.find("DataItem"), folder)
    x = load(grid.find("Geometry").find("DataItem"), folder)
    assert len(cells) == int(topology.get("NumberOfElements")) and len(x) > 0
    assert set(cells.flat) == set(range(len(x))), "a node that no cell uses, or the reverse"
    kind = topology.get("TopologyType")
    for i, (a, b) in enumerate(MIDDLE_NODES[kind]):
        corners = cells.shape[1] - len(MIDDLE_NODES[kind])
        middle = (x[cells[:, a]] + x[cells[:, b]]) / 2
        assert np.allclose(x[cells[:, corners + i]], middle, atol=1e-14), f"{kind}: node {corners + i}"
    if kind.startswith("Tetrahedron"):
        edges = x[cells[:, 1:4]] - x[cells[:, 0:1]]
        volume = np.linalg.det(edges).sum() / 6
        assert abs(volume - 1) < 1e-12, f"the unit box has volume {volume}"
    for attribute in grid.findall("Attribute"):
        values = load(attribute.find("DataItem"), folder)
        assert len(values) == len(x)
        assert np.isfinite(values).all(), attribute.get("Name")


def main():
    path = sys.argv[1]
    snapshots = ElementTree.parse(path).findall("./Domain/Grid/Grid")
    assert len(snapshots) == 3, f"{len(snapshots)} snapshots"
    assert [float(s.find("Time").get("Value")) for s in snapshots] == [0.0, 0.5, 1.0]
    for snapshot in snapshots:
        grids = snapshot.findall("Grid")
        assert [g.get("Name") for g in grids] == ["solids", "skin & bones", "axes"]
        for grid in grids:
            check_grid(grid, os.path.dirname(path))


try:
    main()
except AssertionError as error:
    sys.exit(f"check_fields.py: {error}")
