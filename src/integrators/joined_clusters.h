#pragma once
#include <Eigen/Sparse>
#include <algorithm>
#include <numeric>
#include <vector>

#include "integrators/clusters.h"

namespace solidyn::integrators {

/// Sets of clusters that contacts connect.
class JoinedClusters {
 public:
  /// @param W [n_v x 3 n] of the contacts' points
  JoinedClusters(const Clusters& clusters, const Eigen::SparseMatrix<double>& W)
      : parent_(clusters.unknowns.size()), of_point_(W.cols() / 3) {
    std::iota(parent_.begin(), parent_.end(), 0);
    for (Eigen::Index k = 0; k < W.cols(); ++k) {
      std::vector<int>& of = of_point_[k / 3];
      for (Eigen::SparseMatrix<double>::InnerIterator it(W, k); it; ++it) {
        const int cluster = clusters.of_unknown[it.row()];
        if (std::find(of.begin(), of.end(), cluster) == of.end()) of.push_back(cluster);
        parent_[root(cluster)] = root(of.front());
      }
    }
  }
  int root(int cluster) const {
    while (parent_[cluster] != cluster) cluster = parent_[cluster];
    return cluster;
  }
  /// Those that it moves: one, where its other side is fixed.
  const std::vector<int>& of_point(Eigen::Index k) const { return of_point_[k]; }

 private:
  std::vector<int> parent_;
  std::vector<std::vector<int>> of_point_;
};

}  // namespace solidyn::integrators
