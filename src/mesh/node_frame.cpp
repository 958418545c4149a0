#include "node_frame.h"

#include <algorithm>

#include "gather_items.h"
#include "solidyn/math/rotation.h"

namespace solidyn::mesh {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// The nodes of this rank's elements that hold the node. Local.
std::vector<PlacedNode> find_local_star(const DistributedMesh& mesh, std::int64_t global) {
  std::vector<PlacedNode> star;
  for (const ElementBlock& block : mesh.solids) {
    const int n = n_nodes(block.type);
    for (std::int64_t e = 0; e < block.size(); ++e) {
      const std::int32_t* nodes = &block.connectivity[n * e];
      const auto is_it = [&](std::int32_t k) { return mesh.global[k] == global; };
      if (std::none_of(nodes, nodes + n, is_it)) continue;
      for (int a = 0; a < n; ++a) {
        const std::int32_t k = nodes[a];
        star.push_back(
            {mesh.global[k], mesh.node_tags[k], {mesh.x(0, k), mesh.x(1, k), mesh.x(2, k)}});
      }
    }
  }
  return star;
}

}  // namespace

std::vector<PlacedNode> find_node_star(const DistributedMesh& mesh, std::int64_t global) {
  std::vector<PlacedNode> star = gather_items(mesh.comm, find_local_star(mesh, global));
  std::sort(star.begin(), star.end(), [&](const PlacedNode& a, const PlacedNode& b) {
    if ((a.global == global) != (b.global == global)) return a.global == global;
    return a.tag < b.tag;
  });
  star.erase(std::unique(star.begin(), star.end(),
                         [](const auto& a, const auto& b) { return a.global == b.global; }),
             star.end());
  return star;
}

Eigen::Matrix<double, 6, Eigen::Dynamic> make_node_weights(const Eigen::Matrix3Xd& x) {
  const Eigen::Index n = x.cols();
  Matrix3d J = Matrix3d::Zero();
  for (Eigen::Index i = 1; i < n; ++i) {
    const Matrix3d r = math::skew(x.col(i) - x.col(0));
    J -= r * r;
  }
  const Matrix3d inverse = J.inverse();  // elements are no lines: J is definite
  Eigen::Matrix<double, 6, Eigen::Dynamic> weights(6, 3 * n);
  weights.setZero();
  weights.block<3, 3>(0, 0).setIdentity();
  for (Eigen::Index i = 1; i < n; ++i) {
    const Matrix3d turn = inverse * math::skew(x.col(i) - x.col(0));
    weights.block<3, 3>(3, 3 * i) = turn;
    weights.block<3, 3>(3, 0) -= turn;
  }
  return weights;
}

}  // namespace solidyn::mesh
