#pragma once
#include <cstdint>
#include <vector>

#include "solidyn/mesh/distributed_mesh.h"

namespace solidyn::fem {

/// The mesh of the corners of another one's elements: linear elements of the same shapes, tags and
/// regions on the same ranks. A node that is the corner of any element is one of its nodes; nodes
/// are in the order of those of the whole mesh.
struct CornerMesh {
  mesh::DistributedMesh mesh;
  std::vector<std::int32_t> nodes;  ///< [mesh.n_local()] local nodes of the whole mesh
  /// [local node of the whole mesh] local node of `mesh`, or one of the values below
  std::vector<std::int32_t> corners;
  static constexpr std::int32_t kMiddle = -1;
  static constexpr std::int32_t kElsewhere = -2;  ///< a corner of other ranks' elements only
};

/// Collective. Whether any element has nodes in the middle of its edges.
bool has_middle_nodes(const mesh::DistributedMesh& mesh);

/// Collective.
CornerMesh make_corner_mesh(const mesh::DistributedMesh& whole);

/// u = sum of weight times the corner's u, over the entries of a node. Entries of this rank's
/// elements; those of ghosts are to be added to what the owner has.
struct CornerWeight {
  std::int32_t node = 0;    ///< local, of the whole mesh
  std::int32_t corner = 0;  ///< local, of the corner mesh
  double weight = 0.0;
  bool is_end = true;  ///< of the node's edge, or the node itself
};

/// Collective. Fields of the corners at all nodes: corners keep their value, and the middle of a
/// straight edge takes the mean of its ends. Where a middle node lies beside the straight line, by
/// d, each of its elements adds to the mean what its linear functions change along d,
///   w_a = N_a + grad N_a . d   in the middle of the edge,
/// and the mean over the elements is taken: so that linear fields, rigid motions among them, are
/// exact on curved edges too. Proved by
/// BodyMultigrid.LinearFieldsOfCornersAreExactAtAllNodesOfCurvedEdges
std::vector<CornerWeight> make_corner_weights(const mesh::DistributedMesh& whole,
                                              const CornerMesh& corners);

}  // namespace solidyn::fem
