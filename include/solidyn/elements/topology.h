#pragma once
#include <array>
#include <vector>

#include "solidyn/elements/element_type.h"

/// Who touches whom inside an element, in the node order of Gmsh. The corners come first:
///   tet      0 1 2 3, (1 - 0) x (2 - 0) . (3 - 0) > 0
///   hex      0 1 2 3 around the bottom, 4 5 6 7 above them
///   wedge    0 1 2 the bottom, 3 4 5 above them
///   pyramid  0 1 2 3 around the base, 4 the apex
/// Then one node in the middle of each edge, in the order of the tables below (Abaqus, Nastran and
/// VTK count them otherwise). tri6: 3 on 0-1, 4 on 1-2, 5 on 2-0; quad8: 4 on 0-1, 5 on 1-2, 6 on
/// 2-3, 7 on 3-0; line3: 2 in the middle.
namespace solidyn::elements {

/// Entry i holds the ends of the edge whose middle is node n_corners + i.
template <std::size_t n>
using EdgeTable = std::array<std::array<int, 2>, n>;
inline constexpr EdgeTable<6> kTetEdges = {{{0, 1}, {1, 2}, {0, 2}, {0, 3}, {2, 3}, {1, 3}}};
inline constexpr EdgeTable<12> kHexEdges = {{{0, 1},
                                             {0, 3},
                                             {0, 4},
                                             {1, 2},
                                             {1, 5},
                                             {2, 3},
                                             {2, 6},
                                             {3, 7},
                                             {4, 5},
                                             {4, 7},
                                             {5, 6},
                                             {6, 7}}};
inline constexpr EdgeTable<9> kWedgeEdges = {
    {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 4}, {2, 5}, {3, 4}, {3, 5}, {4, 5}}};
inline constexpr EdgeTable<8> kPyramidEdges = {
    {{0, 1}, {0, 3}, {0, 4}, {1, 2}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}};

/// The edges of a solid element's shape, straight or curved; rows of the tables above.
const std::vector<std::array<int, 2>>& edges(ElementType solid);

/// A face of a solid as an element of its own (tri3, tri6, quad4 or quad8) with the normal
/// outward: the first n_nodes(type) entries of `nodes` are positions in the solid's node list.
struct Face {
  ElementType type = ElementType::tri3;
  std::array<int, 8> nodes{};
};

/// Proved by Topology.FacesCloseAndPointOutwards.
const std::vector<Face>& faces(ElementType solid);

}  // namespace solidyn::elements
