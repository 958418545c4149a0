#pragma once
#include "solidyn/mesh/mesh.h"

namespace solidyn::mesh {

/// Which part each solid element and each node belongs to.
struct Partition {
  std::vector<std::int32_t>
      element_part;  ///< blocks of solids one after the other, in the order of Mesh::blocks
  std::vector<std::int32_t> node_part;  ///< [n_nodes]; a part that holds one of the node's elements
};

/// Splits the dual graph of the solids (neighbours share a face) with METIS, elements weighing
/// element_work(); nodes between parts go
/// to the neighbour with the fewest nodes so far. Local and deterministic. Throws InputError when a
/// node has no solid, while others have one: a mesh without solids is a cloud of nodes.
Partition partition(const Mesh& mesh, int n_parts);

}  // namespace solidyn::mesh
