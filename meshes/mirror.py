#!/usr/bin/env python3
"""Mirrors a quarter of a solid (y >= 0, z >= 0) in the planes y = 0 and z = 0.

    mirror.py quarter.msh whole.msh

Reads and writes MSH 4.1 ASCII with tri6 and tet10. Nodes on a plane are shared, the others' coordinates differ in sign only,
so that the mesh is symmetric to the last bit. Each physical group becomes one entity.
"""
import sys

# Gmsh's types, and the order in which a mirrored element lists its nodes so that it is not inside out.
TRI6, TET10 = 9, 11
MIRRORED = {TRI6: (1, 0, 2, 3, 5, 4), TET10: (1, 0, 2, 3, 4, 6, 5, 9, 8, 7)}
DIMENSION = {TRI6: 2, TET10: 3}
ON_PLANE = 1e-9  # m


def read_sections(path):
    sections, lines = {}, None
    with open(path, encoding="ascii") as file:
        for line in map(str.strip, file):
            if line.startswith("$End"):
                lines = None
            elif line.startswith("$"):
                lines = sections.setdefault(line[1:], [])
            else:
                lines.append(line)
    return sections


def read_groups(lines):
    """{(dimension, physical tag): name}"""
    groups = {}
    for line in lines[1:]:
        dimension, tag, name = line.split(maxsplit=2)
        groups[int(dimension), int(tag)] = name
    return groups


def read_physical_tags(lines):
    """{(dimension, entity): physical tag}"""
    counts = [int(n) for n in lines[0].split()]
    tags, line = {}, 1
    for dimension, count in enumerate(counts):
        first = 4 if dimension == 0 else 7
        for _ in range(count):
            words = lines[line].split()
            if int(words[first]):
                tags[dimension, int(words[0])] = int(words[first + 1])
            line += 1
    return tags


def read_nodes(lines):
    """{tag: (x, y, z)}, with the coordinates of nodes on a plane exactly zero"""
    nodes, at = {}, 1
    while at < len(lines):
        count = int(lines[at].split()[3])
        for i in range(at + 1, at + 1 + count):
            x = (float(word) for word in lines[i + count].split())
            nodes[int(lines[i])] = tuple(0.0 if abs(c) < ON_PLANE else c for c in x)
        at += 1 + 2 * count
    return nodes


def read_elements(lines, physical):
    """[(type, physical tag, nodes)] of the tri6 and tet10 in physical groups"""
    elements, at = [], 1
    while at < len(lines):
        dimension, entity, kind, count = (int(word) for word in lines[at].split())
        if kind in MIRRORED and (dimension, entity) in physical:
            for line in lines[at + 1:at + 1 + count]:
                tags = [int(word) for word in line.split()[1:]]
                elements.append((kind, physical[dimension, entity], tags))
        at += 1 + count
    return elements


def mirror(nodes, elements, axis):
    shift = max(nodes)
    image = {tag: tag if x[axis] == 0.0 else tag + shift for tag, x in nodes.items()}
    whole = dict(nodes)
    for tag, x in nodes.items():
        whole[image[tag]] = tuple(-c if i == axis and c else c for i, c in enumerate(x))
    copies = [(kind, group, [image[tags[i]] for i in MIRRORED[kind]])
              for kind, group, tags in elements]
    return whole, elements + copies


def write(path, groups, nodes, elements):
    number = {tag: i + 1 for i, tag in enumerate(sorted(nodes, key=lambda tag: nodes[tag]))}
    keys = sorted({(DIMENSION[kind], group) for kind, group, _ in elements})
    low = [min(x[i] for x in nodes.values()) for i in range(3)]
    high = [max(x[i] for x in nodes.values()) for i in range(3)]
    box = " ".join(f"{c!r}" for c in low + high)
    of_dimension = [sum(1 for key in keys if key[0] == dimension) for dimension in range(4)]
    with open(path, "w", encoding="ascii") as file:
        say = lambda *words: print(*words, file=file)
        say("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames")
        say(len(keys))
        for key in keys:
            say(*key, groups[key])
        say("$EndPhysicalNames\n$Entities")
        say(*of_dimension)
        for _, group in keys:
            say(group, box, 1, group, 0)
        say("$EndEntities\n$Nodes")
        say(1, len(nodes), 1, len(nodes))
        say(*keys[-1], 0, len(nodes))
        for i in range(len(nodes)):
            say(i + 1)
        for tag in sorted(nodes, key=number.get):
            say(*(f"{c!r}" for c in nodes[tag]))
        say("$EndNodes\n$Elements")
        say(len(keys), len(elements), 1, len(elements))
        tag = 0
        for key in keys:
            block = [e for e in elements if (DIMENSION[e[0]], e[1]) == key]
            say(*key, block[0][0], len(block))
            for _, _, tags in block:
                tag += 1
                say(tag, *(number[t] for t in tags))
        say("$EndElements")


def main(quarter, whole):
    sections = read_sections(quarter)
    nodes = read_nodes(sections["Nodes"])
    elements = read_elements(sections["Elements"], read_physical_tags(sections["Entities"]))
    used = {tag for _, _, tags in elements for tag in tags}
    nodes = {tag: x for tag, x in nodes.items() if tag in used}
    for axis in (1, 2):
        nodes, elements = mirror(nodes, elements, axis)
    write(whole, read_groups(sections["PhysicalNames"]), nodes, elements)


if __name__ == "__main__":
    main(*sys.argv[1:])
