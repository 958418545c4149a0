#include "solidyn/mesh/mesh.h"

#include <algorithm>
#include <array>

namespace solidyn::mesh {
namespace {

struct Shape {
  const char* name;
  int n_nodes;
  int dimension;
};
constexpr std::array<Shape, 14> kShapes = {{{"line2", 2, 1},
                                            {"line3", 3, 1},
                                            {"tri3", 3, 2},
                                            {"tri6", 6, 2},
                                            {"quad4", 4, 2},
                                            {"quad8", 8, 2},
                                            {"tet4", 4, 3},
                                            {"tet10", 10, 3},
                                            {"hex8", 8, 3},
                                            {"hex20", 20, 3},
                                            {"wedge6", 6, 3},
                                            {"wedge15", 15, 3},
                                            {"pyramid5", 5, 3},
                                            {"pyramid13", 13, 3}}};

const Shape& shape(ElementType type) { return kShapes[static_cast<std::size_t>(type)]; }

}  // namespace

int n_nodes(ElementType type) { return shape(type).n_nodes; }
int dimension(ElementType type) { return shape(type).dimension; }
const char* name(ElementType type) { return shape(type).name; }
int n_corners(ElementType type) { return n_nodes(linear_of(type)); }

ElementType linear_of(ElementType type) {
  // Each linear type stands right before its quadratic one.
  const int number = static_cast<int>(type);
  return static_cast<ElementType>(number - number % 2);
}

ElementType quadratic_of(ElementType type) {
  return static_cast<ElementType>(static_cast<int>(linear_of(type)) + 1);
}

const ElementBlock* Mesh::find_block(ElementType type) const {
  const auto found = std::find_if(blocks.begin(), blocks.end(),
                                  [type](const ElementBlock& block) { return block.type == type; });
  return found == blocks.end() ? nullptr : &*found;
}

}  // namespace solidyn::mesh
