#include "solidyn/elements/topology.h"

#include <algorithm>
#include <map>

#include "solidyn/base/error.h"

namespace solidyn::elements {
namespace {

using Edges = std::vector<std::array<int, 2>>;
using Corners = std::vector<std::vector<int>>;  // of each face, anticlockwise from outside

template <std::size_t n>
Edges as_vector(const EdgeTable<n>& table) {
  return {table.begin(), table.end()};
}

const std::map<ElementType, Edges>& all_edges() {
  static const std::map<ElementType, Edges> table = {
      {ElementType::tet4, as_vector(kTetEdges)},
      {ElementType::hex8, as_vector(kHexEdges)},
      {ElementType::wedge6, as_vector(kWedgeEdges)},
      {ElementType::pyramid5, as_vector(kPyramidEdges)}};
  return table;
}

const std::map<ElementType, Corners>& all_corners() {
  static const std::map<ElementType, Corners> table = {
      {ElementType::tet4, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}},
      {ElementType::hex8,
       {{0, 3, 2, 1}, {0, 1, 5, 4}, {0, 4, 7, 3}, {1, 2, 6, 5}, {2, 3, 7, 6}, {4, 5, 6, 7}}},
      {ElementType::wedge6, {{0, 2, 1}, {3, 4, 5}, {0, 1, 4, 3}, {0, 3, 5, 2}, {1, 2, 5, 4}}},
      {ElementType::pyramid5, {{0, 1, 4}, {3, 0, 4}, {1, 2, 4}, {2, 3, 4}, {0, 3, 2, 1}}}};
  return table;
}

int middle_of(ElementType linear, int a, int b) {
  const Edges& table = all_edges().at(linear);
  const auto found = std::find_if(table.begin(), table.end(), [a, b](const auto& edge) {
    return std::minmax(edge[0], edge[1]) == std::minmax(a, b);
  });
  SOLIDYN_ASSERT(found != table.end());
  return n_nodes(linear) + static_cast<int>(found - table.begin());
}

Face make_face(ElementType solid, const std::vector<int>& corners) {
  const ElementType linear = linear_of(solid);
  const bool is_linear = linear == solid, is_triangle = corners.size() == 3;
  Face face;
  face.type = is_triangle ? (is_linear ? ElementType::tri3 : ElementType::tri6)
                          : (is_linear ? ElementType::quad4 : ElementType::quad8);
  std::copy(corners.begin(), corners.end(), face.nodes.begin());
  if (is_linear) return face;
  for (std::size_t i = 0; i < corners.size(); ++i)
    face.nodes[corners.size() + i] =
        middle_of(linear, corners[i], corners[(i + 1) % corners.size()]);
  return face;
}

std::map<ElementType, std::vector<Face>> make_all_faces() {
  std::map<ElementType, std::vector<Face>> table;
  for (const auto& [linear, all] : all_corners())
    for (const ElementType solid : {linear, quadratic_of(linear)})
      for (const std::vector<int>& corners : all) table[solid].push_back(make_face(solid, corners));
  return table;
}

}  // namespace

const std::vector<std::array<int, 2>>& edges(ElementType solid) {
  SOLIDYN_ASSERT(dimension(solid) == 3);
  return all_edges().at(linear_of(solid));
}

const std::vector<Face>& faces(ElementType solid) {
  SOLIDYN_ASSERT(dimension(solid) == 3);
  static const std::map<ElementType, std::vector<Face>> table = make_all_faces();
  return table.at(solid);
}

}  // namespace solidyn::elements
