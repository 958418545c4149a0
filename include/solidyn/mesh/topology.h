#pragma once
#include <array>

/// Who touches whom inside a tetrahedron, in the node order of Gmsh:
///   corners 0 1 2 3, (1 - 0) x (2 - 0) . (3 - 0) > 0; then tet10's mid-side nodes
///   4 on 0-1, 5 on 1-2, 6 on 0-2, 7 on 0-3, 8 on 2-3, 9 on 1-3
/// (Abaqus, Nastran and VTK have the last two exchanged). tri6: 3 on 0-1, 4 on 1-2, 5 on 2-0;
/// line3: 2 in the middle.
namespace solidyn::mesh {

/// kTetEdges[i] are the ends of the edge whose middle is node 4 + i.
inline constexpr std::array<std::array<int, 2>, 6> kTetEdges = {
    {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {2, 3}, {1, 3}}};

/// The faces as tri6 with outward normals; the first three entries are the tri3.
inline constexpr std::array<std::array<int, 6>, 4> kTetFaces = {
    {{0, 2, 1, 6, 5, 4}, {0, 1, 3, 4, 9, 7}, {0, 3, 2, 7, 8, 6}, {1, 2, 3, 5, 8, 9}}};

}  // namespace solidyn::mesh
