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
    "Quadrilateral": [],
    "Quadrilateral_8": [(0, 1), (1, 2), (2, 3), (3, 0)],
    "Hexahedron": [],
    "Hexahedron_20": [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4),
                      (0, 4), (1, 5), (2, 6), (3, 7)],
    "Wedge": [],
    "Wedge_15": [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)],
    "Pyramid": [],
    "Pyramid_13": [(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 4), (2, 4), (3, 4)],
    "Polyline": [],
}
PARTS = ["solids", "skin & bones", "axes"]


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
    return set(cells.flat), len(x)


def check_part(name, snapshot, folder):
    """A part is one grid, or one for each shape of its cells, called by the part and the shape."""
    grids = [g for g in snapshot.findall("Grid") if g.get("Name").startswith(name)]
    assert grids, f"no {name}"
    results = [check_grid(grid, folder) for grid in grids]
    used = set().union(*(nodes for nodes, _ in results))
    assert used == set(range(results[0][1])), "a node that no cell uses, or the reverse"
    return len(grids)


def main():
    path = sys.argv[1]
    snapshots = ElementTree.parse(path).findall("./Domain/Grid/Grid")
    assert len(snapshots) == 3, f"{len(snapshots)} snapshots"
    assert [float(s.find("Time").get("Value")) for s in snapshots] == [0.0, 0.5, 1.0]
    for snapshot in snapshots:
        n = sum(check_part(name, snapshot, os.path.dirname(path)) for name in PARTS)
        assert n == len(snapshot.findall("Grid")), "a grid of no part"


try:
    main()
except AssertionError as error:
    sys.exit(f"check_fields.py: {error}")
