#include "solidyn/mesh/mesh.h"

#include <algorithm>

namespace solidyn::mesh {

const ElementBlock* Mesh::find_block(ElementType type) const {
  const auto found = std::find_if(blocks.begin(), blocks.end(),
                                  [type](const ElementBlock& block) { return block.type == type; });
  return found == blocks.end() ? nullptr : &*found;
}

}  // namespace solidyn::mesh
