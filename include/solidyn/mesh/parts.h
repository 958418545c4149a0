#pragma once
#include <string>
#include <vector>

#include "solidyn/mesh/distributed_mesh.h"

namespace solidyn::mesh {

/// Solids of a mesh that share nodes with each other, and none with others.
struct ConnectedPart {
  std::int64_t n_elements = 0;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< mean of its elements' nodes, m
  std::int64_t first_tag = 0;  ///< the lowest number of an element in the file
};

/// Collective; the same on all ranks. The largest first. @param tied groups of nodes (global) that
/// are connected otherwise, such as those of a rigid region. Proved by mpi.mesh.
std::vector<ConnectedPart> find_connected_parts(
    const DistributedMesh& mesh, const std::vector<std::vector<std::int64_t>>& tied = {});

/// "2 parts: 1200 elements around (0.1, 0, 0) m (such as element 17), 34 elements around ..."
std::string describe(const std::vector<ConnectedPart>& parts);

}  // namespace solidyn::mesh
