#pragma once
#include "solidyn/mesh/interface.h"

namespace solidyn::mesh {

/// A node with its place, as it travels between ranks.
struct PlacedNode {
  std::int64_t global, tag;
  double x[3];
  Eigen::Vector3d position() const { return {x[0], x[1], x[2]}; }
};

/// Collective. The node and, in the order of their tags, all others of the elements around it.
/// @param global the node's index, the same on all ranks
std::vector<PlacedNode> find_node_star(const DistributedMesh& mesh, std::int64_t global);

/// Weights of Attachment::node: a = u_0, and w the least-squares rotation of the others about node
/// 0, J w = sum r_i x (u_i - u_0), J = sum |r_i|^2 I - r_i r_i^T.
/// @param x [3 x k] the node first     @return [6 x 3k]
Eigen::Matrix<double, 6, Eigen::Dynamic> make_node_weights(const Eigen::Matrix3Xd& x);

}  // namespace solidyn::mesh
