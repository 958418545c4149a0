#pragma once
#include <string>
#include <vector>

#include "solidyn/system/system.h"

namespace solidyn::system {

/// How far the constraints are from depending on each other: the smallest singular value s of G,
/// with rows of length one in lengths and radians, and the combination y of rows that makes it,
/// |G^T y| = s |y|. In a singular position (a dead centre) s is zero. By inverse iteration from
/// the last y, so that it costs one factorisation of G G^T and a solution. Local; the same on all
/// ranks. Proved by tests/unit/system/condition_test.cpp.
class Condition {
 public:
  /// @param redundant rows that depend on others everywhere, and are left out
  Condition(const System& system, const std::vector<int>& redundant);
  /// s at the state for which compute_residual() was called last; 1 without constraints.
  double estimate();
  /// The sign of det G, whose change between two positions shows that the motion has passed a
  /// singular one; 0 unless the rows determine the motion and none is left out. Otherwise as
  /// estimate().
  int orientation() const;
  /// y of the last estimate(); one number per row that is not left out.
  const Eigen::VectorXd& combination() const { return y_; }
  /// The constraints with the largest parts of such a y, largest first, drives marked: "drive push
  /// (driven), joint crank_pin, ...".
  std::string participants(const Eigen::VectorXd& combination) const;
  std::string participants() const { return participants(y_); }

 private:
  const System& system_;
  std::vector<int> position_;  // of each row among those that are looked at, or -1
  Eigen::VectorXd y_;
};

}  // namespace solidyn::system
