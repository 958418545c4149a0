#pragma once
#include <Eigen/Dense>
#include <algorithm>
#include <cstdint>
#include <vector>

#include "solidyn/fem/elastic_body.h"

namespace solidyn::fem {

/// Whether rows have stiffness beside the masses.
enum class RowContent { masses, stiffness_and_masses };

/// Accumulates element matrices into rows of 3 x 3 node blocks over this rank's local nodes, ghosts
/// included, and then hands the ghosts' rows to their owners. The pattern is complete before the
/// first element is added, so that adding never moves memory.
class NodeRows {
 public:
  /// @param mesh must outlive this object
  NodeRows(const mesh::DistributedMesh& mesh, RowContent content);

  bool has_stiffness() const { return content_ == RowContent::stiffness_and_masses; }

  /// @param K  not read where rows have no stiffness
  template <int n>
  void add_element(const std::int32_t* nodes, const Eigen::Matrix<double, 3 * n, 3 * n>& K,
                   const Eigen::Matrix<double, n, n>& m,
                   const Eigen::Matrix<double, n, 1>& lumped) {
    for (int a = 0; a < n; ++a) {
      lumped_[nodes[a]] += lumped[a];
      const auto begin = columns_.begin() + row_start_[nodes[a]];
      const auto end = columns_.begin() + row_start_[nodes[a] + 1];
      for (int b = 0; b < n; ++b) {
        const std::int64_t k =
            std::lower_bound(begin, end, mesh_.global[nodes[b]]) - columns_.begin();
        mass_[k] += m(a, b);
        if (!has_stiffness()) continue;
        // K is symmetric: its column 3a + r is its row 3a + r, and contiguous.
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c) stiffness_[9 * k + 3 * r + c] += K(3 * b + c, 3 * a + r);
      }
    }
  }

  /// A mass at a local node.
  void add_mass(std::int32_t node, double mass) {
    const auto begin = columns_.begin() + row_start_[node];
    const auto end = columns_.begin() + row_start_[node + 1];
    mass_[std::lower_bound(begin, end, mesh_.global[node]) - columns_.begin()] += mass;
    lumped_[node] += mass;
  }

  /// Collective. The owned rows, complete. Leaves this object empty.
  ElasticBody exchange();

 private:
  const mesh::DistributedMesh& mesh_;
  RowContent content_;
  std::vector<std::int64_t> row_start_, columns_;
  std::vector<double> stiffness_, mass_, lumped_;
};

}  // namespace solidyn::fem
