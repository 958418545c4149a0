#pragma once
#include <Eigen/Sparse>
#include <vector>

#include "solidyn/math/sparse_lu.h"
#include "solidyn/solvers/linear_solver.h"
#include "solidyn/system/system.h"

namespace solidyn::integrators {

/// Sets of bodies that joints, forces or shared nodes connect, directly or through others, but not
/// set-valued forces, which are found from outside of the iteration matrix; with their unknowns,
/// multipliers too. Proved by Tower.* in tests/unit/integrators.
struct Clusters {
  Clusters() = default;
  explicit Clusters(const system::System& system);
  std::vector<int> of_unknown;
  std::vector<std::vector<int>> unknowns;
  std::vector<bool> is_grounded;  ///< a joint of theirs is with the ground; of systems alone
};

/// Factors of a matrix without the entries that mix unknowns of different clusters.
class ClusterFactors final : public solvers::LinearSolver {
 public:
  /// @param clusters must outlive this
  explicit ClusterFactors(const Clusters& clusters)
      : LinearSolver(Layout::columns), clusters_(clusters) {}
  const char* name() const override { return "sparse LU of clusters"; }
  void factor() override;
  void solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) override { x = lu_.solve(b); }

 private:
  const Clusters& clusters_;
  math::SparseLu lu_;
};

}  // namespace solidyn::integrators
