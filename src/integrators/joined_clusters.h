#pragma once
#include <Eigen/Sparse>
#include <algorithm>
#include <vector>

#include "integrators/clusters.h"
#include "solidyn/base/disjoint_sets.h"

namespace solidyn::integrators {

/// Sets of clusters that contacts connect.
class JoinedClusters {
 public:
  /// @param W [n_v x 3 n] of the contacts' points
  JoinedClusters(const Clusters& clusters, const Eigen::SparseMatrix<double>& W)
      : sets_(clusters.unknowns.size()), of_point_(W.cols() / 3) {
    for (Eigen::Index k = 0; k < W.cols(); ++k) {
      std::vector<int>& of = of_point_[k / 3];
      for (Eigen::SparseMatrix<double>::InnerIterator it(W, k); it; ++it) {
        const int cluster = clusters.of_unknown[it.row()];
        if (std::find(of.begin(), of.end(), cluster) == of.end()) of.push_back(cluster);
        sets_.join(cluster, of.front());
      }
    }
  }
  int root(int cluster) const { return sets_.root(cluster); }
  /// Those that it moves: one, where its other side is fixed.
  const std::vector<int>& of_point(Eigen::Index k) const { return of_point_[k]; }

 private:
  base::DisjointSets<> sets_;
  std::vector<std::vector<int>> of_point_;
};

}  // namespace solidyn::integrators
