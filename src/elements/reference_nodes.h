#pragma once
#include <Eigen/Dense>

#include "solidyn/elements/topology.h"

namespace solidyn::elements {

/// Reference places of all nodes: the corners, then the middles of the edges.
template <int n_corners, std::size_t n_edges>
Eigen::Matrix<double, 3, n_corners + static_cast<int>(n_edges)> with_middles(
    const Eigen::Matrix<double, 3, n_corners>& corners, const EdgeTable<n_edges>& edges) {
  Eigen::Matrix<double, 3, n_corners + static_cast<int>(n_edges)> nodes;
  nodes.template leftCols<n_corners>() = corners;
  for (std::size_t e = 0; e < n_edges; ++e)
    nodes.col(n_corners + e) = 0.5 * (corners.col(edges[e][0]) + corners.col(edges[e][1]));
  return nodes;
}

}  // namespace solidyn::elements
