#!/usr/bin/env python3
"""A flat panel of hex20 along +x from the origin, y across and z through its middle (MSH 2.2, ASCII, SI units).

    panel.py > panel.msh
"""
LENGTH, WIDTH, THICKNESS = 0.8, 0.6, 0.01  # m
N = (8, 6, 1)
# Gmsh's order of corners, and of the nodes in the middle of edges.
CORNERS = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
EDGES = ((0, 1), (0, 3), (0, 4), (1, 2), (1, 5), (2, 3), (2, 6), (3, 7), (4, 5), (4, 7), (5, 6), (6, 7))
FACES = {"inboard": (0, 4, 7, 3), "outboard": (1, 2, 6, 5)}
HEX20, QUAD8 = 17, 16


def main():
    nodes, elements = {}, []

    def node(place):  # on a grid of half elements
        return nodes.setdefault(place, len(nodes) + 1)

    def middle(a, b):
        return node(tuple((p + q) // 2 for p, q in zip(a, b)))

    for i in range(N[0]):
        for j in range(N[1]):
            for k in range(N[2]):
                corners = [tuple(2 * (o + c) for o, c in zip((i, j, k), corner)) for corner in CORNERS]
                elements.append((HEX20, 3, [node(c) for c in corners] + [middle(corners[a], corners[b]) for a, b in EDGES]))
                for group, (name, face) in enumerate(FACES.items(), 1):
                    if (name == "inboard" and i == 0) or (name == "outboard" and i == N[0] - 1):
                        around = list(zip(face, face[1:] + face[:1]))
                        elements.append((QUAD8, group, [node(corners[c]) for c in face] + [middle(corners[a], corners[b]) for a, b in around]))
    sizes = [size / (2 * n) for size, n in zip((LENGTH, WIDTH, THICKNESS), N)]
    print("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3")
    print('2 1 "inboard"\n2 2 "outboard"\n3 3 "panel"\n$EndPhysicalNames\n$Nodes')
    print(len(nodes))
    for (i, j, k), number in nodes.items():
        print(number, repr(i * sizes[0]), repr((j - N[1]) * sizes[1]), repr((k - N[2]) * sizes[2]))
    print(f"$EndNodes\n$Elements\n{len(elements)}")
    for number, (kind, group, of) in enumerate(elements, 1):
        print(number, kind, 2, group, group, *of)
    print("$EndElements")


if __name__ == "__main__":
    main()
