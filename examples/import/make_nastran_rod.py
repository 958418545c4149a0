#!/usr/bin/env python3
"""Writes rod.bdf and rod.op2: the mesh and the modes that Nastran would give of the rod in
tests/data/interop/generated/rod (tonne, mm, s), which CalculiX computed.

    examples/import/make_nastran_rod.py

Nothing of Nastran's was used: the files are written as its documentation describes them (OUTPUT2 with
PARAM,POST,-1: a label, LAMA, OUGV1; words of four bytes, little endian).
"""
import pathlib
import struct

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent / "tests/data/interop/generated/rod/rod_straight"


def read_inp(path):
    nodes, elements, target = {}, {}, None
    for line in path.read_text().splitlines():
        if line.startswith("*"):
            keyword = line.split(",")[0].upper()
            target = nodes if keyword == "*NODE" else elements if keyword == "*ELEMENT" else None
            continue
        if target is not None:
            items = [item for item in line.split(",") if item.strip()]
            target[int(items[0])] = [float(x) if target is nodes else int(x) for x in items[1:]]
    return nodes, elements


def read_modes(path):
    """Mode by mode: eigenvalue, {node: [x, y, z]}."""
    modes, values, active = [], None, False
    frequencies = read_eigenvalues(path.with_suffix(".dat"))
    for line in path.read_text().splitlines():
        if line.startswith(" -4  DISP"):
            values, active = {}, True
            modes.append((frequencies[len(modes)], values))
        elif line.startswith(" -3"):
            active = False
        elif active and line.startswith(" -1"):
            values[int(line[3:13])] = [float(line[13 + 12 * i:25 + 12 * i]) for i in range(3)]
    return modes


def read_eigenvalues(path):
    found = []
    for line in path.read_text().splitlines():
        items = line.split()
        if len(items) == 5 and items[0] == str(len(found) + 1):
            found.append(float(items[1]))
        elif found and "P A R T I C I P" in line:
            break
    return found


def write_bdf(path, nodes, elements):
    lines = ["SOL 103", "CEND", "METHOD = 1", "DISPLACEMENT(PLOT) = ALL", "BEGIN BULK", "PARAM,POST,-1",
             "EIGRL,1,,,30", "MAT1,1,200000.,,0.3,7.87-9", "PSOLID,1,1"]
    for tag, x in nodes.items():
        lines.append(f"{'GRID*':8}{tag:16d}{'':16}{x[0]:16.9E}{x[1]:16.9E}{'*':8}")
        lines.append(f"{'*':8}{x[2]:16.9E}")
    for tag, n in elements.items():  # both count mid-side nodes alike
        lines.append("".join(f"{item:8}" for item in ["CTETRA", tag, 1, *n[:6], "+"]))
        lines.append("".join(f"{item:8}" for item in ["+", *n[6:]]))
    path.write_text("\n".join(lines + ["ENDDATA", ""]))


class Op2:
    def __init__(self):
        self.bytes = b""

    def record(self, data):
        self.bytes += struct.pack("<i", len(data)) + data + struct.pack("<i", len(data))

    def key(self, value):
        self.record(struct.pack("<i", value))

    def label(self):
        self.key(3), self.record(struct.pack("<3i", 11, 21, 26))
        self.key(7), self.record(b"NASTRAN FORT TAPE ID CODE - ")
        self.key(2), self.record(b"XXXXXXXX")
        self.key(-1), self.key(0)

    def block(self, name, records):
        self.key(2), self.record(f"{name:8}".encode())
        self.key(-1), self.key(7)
        self.record(struct.pack("<7i", 101, 0, 0, 0, 0, 0, 0))
        for number, data in enumerate([f"{name:8}".encode(), *records]):
            self.key(-2 - number), self.key(1), self.key(0)
            self.key(len(data) // 4), self.record(data)
        self.key(-2 - len(records) - 1), self.key(1), self.key(0), self.key(0)


def ident(mode, eigenvalue, n_words):
    words = struct.pack("<5if", 21, 7, 0, 1, mode, eigenvalue) + struct.pack("<3ii", 0, 0, 1, n_words)
    return words + b"\0" * (4 * 50 - len(words)) + b"ROD " * 96


def write_op2(path, modes):
    op2 = Op2()
    op2.label()
    rows = b"".join(struct.pack("<2i5f", i + 1, i + 1, value, max(value, 0.0) ** 0.5,
                                max(value, 0.0) ** 0.5 / 6.283185307, 1.0, value)
                    for i, (value, _) in enumerate(modes))
    op2.block("LAMA", [ident(0, 0.0, 7), rows])
    records = []
    for i, (value, shape) in enumerate(modes):
        records.append(ident(i + 1, value, 8))
        records.append(b"".join(struct.pack("<2i6f", 10 * tag + 1, 1, *u, 0.0, 0.0, 0.0)
                                for tag, u in shape.items()))
    op2.block("OUGV1", records)
    op2.key(0)
    path.write_bytes(op2.bytes)


if __name__ == "__main__":
    nodes, elements = read_inp(SOURCE.with_suffix(".inp"))
    modes = read_modes(SOURCE.with_suffix(".frd"))
    assert len(modes) == 30 and all(len(shape) == len(nodes) for _, shape in modes)
    write_bdf(HERE / "rod.bdf", nodes, elements)
    write_op2(HERE / "rod.op2", modes)
