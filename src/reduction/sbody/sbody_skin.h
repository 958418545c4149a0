#pragma once
#include "solidyn/mesh/mesh.h"

namespace solidyn::reduction {

/// The part of a mesh that shows from outside.
struct Skin {
  mesh::Mesh mesh;                   ///< the elements with an outer face, their nodes and sets
  std::vector<std::int64_t> node;    ///< [n_nodes of the skin] the whole mesh's node
  std::vector<std::int64_t> row_of;  ///< [n_nodes of the whole mesh] the skin's node, or -1
};

/// Local. Its surface shows all outer faces of the whole (and the inner side of the layer, which
/// are invisible).
Skin make_skin(const mesh::Mesh& whole);

}  // namespace solidyn::reduction
