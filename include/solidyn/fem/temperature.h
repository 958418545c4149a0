#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <map>

#include "solidyn/mesh/distributed_mesh.h"

namespace solidyn::fem {

/// How much warmer a body is than where it is free of stress, K: a prescribed field, constant in
/// time.
struct TemperatureChange {
  double uniform = 0.0;                     ///< of nodes that are not named
  std::map<std::int64_t, double> at_nodes;  ///< by the node's number in the file

  bool is_zero() const { return uniform == 0.0 && at_nodes.empty(); }
};

/// Local. The changes at a mesh's local nodes, ghosts included; empty where there is none.
Eigen::VectorXd at_local_nodes(const TemperatureChange& change, const mesh::DistributedMesh& mesh);

}  // namespace solidyn::fem
