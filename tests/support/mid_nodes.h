#pragma once
#include <algorithm>

#include "solidyn/elements/topology.h"
#include "solidyn/mesh/mesh.h"

namespace solidyn::testing_support {

/// The farthest middle node from between its corners, as a part of the edge; of solids.
inline double largest_bend(const mesh::Mesh& mesh) {
  double largest = 0.0;
  for (const mesh::ElementBlock& block : mesh.blocks) {
    const int n = elements::n_nodes(block.type), corners = elements::n_corners(block.type);
    if (elements::dimension(block.type) < 3 || n == corners) continue;
    const auto& edges = elements::edges(block.type);
    for (std::int64_t e = 0; e < block.size(); ++e)
      for (std::size_t i = 0; i < edges.size(); ++i) {
        const auto x = [&](int node) { return mesh.x.col(block.connectivity[e * n + node]); };
        const Eigen::Vector3d a = x(edges[i][0]), b = x(edges[i][1]);
        const Eigen::Vector3d middle = x(corners + static_cast<int>(i));
        largest = std::max(largest, (middle - 0.5 * (a + b)).norm() / (b - a).norm());
      }
  }
  return largest;
}

}  // namespace solidyn::testing_support
