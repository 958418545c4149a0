#pragma once
#include <Eigen/Sparse>
#include <vector>

#include "solidyn/solvers/friction/contact_operator.h"

namespace solidyn::integrators {

/// Some of the three directions of each contact, and the forces along them that give these
/// directions velocities. Directions may be redundant, as those of the corners of a box are.
class DirectionsOfContacts {
 public:
  DirectionsOfContacts() = default;
  /// @param directions  of the rows of A, ascending
  /// @param rank  directions that move others by less than this part do so not at all
  DirectionsOfContacts(const solvers::friction::ContactBlocks& A,
                       std::vector<Eigen::Index> directions, double rank);
  bool is_empty() const { return directions_.empty(); }
  const std::vector<Eigen::Index>& directions() const { return directions_; }
  /// Forces [3 n] that give these velocities [directions], or those nearest to them.
  Eigen::VectorXd forces_for(const Eigen::VectorXd& velocities) const;

 private:
  Eigen::Index n_ = 0;  // 3 n
  std::vector<Eigen::Index> directions_;
  Eigen::MatrixXd inverse_;        // of few
  Eigen::SparseMatrix<double> A_;  // of many
};

}  // namespace solidyn::integrators
