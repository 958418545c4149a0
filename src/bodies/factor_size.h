#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "solidyn/mesh/distributed_mesh.h"

namespace solidyn::bodies {

/// Collective. Bytes of a Cholesky factor of the mesh's stiffness in double precision, on all ranks
/// together. The corners' graph is ordered by METIS and eliminated on rank 0, the middle of an edge
/// together with that end which goes first: 0.95 to 1.35 times what CHOLMOD finds for the nodes
/// themselves (FactorSizeOf.IsThatOfCholmodsAnalysis), in a tenth of the time.
/// Nothing is analysed where `enough` bytes are enough for any mesh of so many nodes: then that
/// bound, reduction::bound_of_factor().
double predict_factor_bytes(const mesh::DistributedMesh& mesh, double enough);

/// That for a body, or reduction::predict_factor_bytes() of one whose rows are there: bytes by what
/// is clearly enough.
using FactorBytes = std::function<double(double enough)>;

/// Vertices, from 0, and the elements that join them.
struct ElementGraph {
  std::int32_t n_vertices = 0;
  std::vector<std::int32_t> start = {0};  ///< [n_elements + 1]
  std::vector<std::int32_t> vertices;     ///< of element e from start[e] to before start[e + 1]
  /// Ends of edges with a node in the middle, each edge once.
  std::vector<std::array<std::int32_t, 2>> edges = {};
};

/// Entries of the lower triangle of a factor after nested dissection, one for each pair of nodes.
double count_factor_entries(const ElementGraph& graph);

}  // namespace solidyn::bodies
