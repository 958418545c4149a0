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
constexpr std::array<Shape, 6> kShapes = {{{"line2", 2, 1},
                                           {"line3", 3, 1},
                                           {"tri3", 3, 2},
                                           {"tri6", 6, 2},
                                           {"tet4", 4, 3},
                                           {"tet10", 10, 3}}};

const Shape& shape(ElementType type) { return kShapes[static_cast<std::size_t>(type)]; }

}  // namespace

int n_nodes(ElementType type) { return shape(type).n_nodes; }
int dimension(ElementType type) { return shape(type).dimension; }
const char* name(ElementType type) { return shape(type).name; }

const ElementBlock* Mesh::find_block(ElementType type) const {
  const auto found = std::find_if(blocks.begin(), blocks.end(),
                                  [type](const ElementBlock& block) { return block.type == type; });
  return found == blocks.end() ? nullptr : &*found;
}

}  // namespace solidyn::mesh
