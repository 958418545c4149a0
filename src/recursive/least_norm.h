#pragma once
#include <Eigen/Sparse>

#include "solidyn/math/sparse_lu.h"
#include "solidyn/recursive/closures.h"
#include "solidyn/recursive/hinge_multipliers.h"

namespace solidyn::recursive {

/// Multipliers of dependent closures and of the hinges in their loops are determined up to those
/// that move nothing; these stay within their loops. Of all of them the least ones, as those of
/// system::solve_acceleration_equations are. Local. Proved by
/// Mechanism.SharesForcesOfDependentRowsAsAbsoluteCoordinatesDo
class LeastNorm {
 public:
  /// At the system's kinematics. @param n_multipliers  of the system
  /// @pre ArticulatedBodies::factorise() with the rows of closures. Loses their multipliers.
  LeastNorm(Tree& tree, Closures& closures, HingeMultipliers& hinges, Eigen::Index n_multipliers);

  /// Takes away from all multipliers of the system what moves nothing: a symmetric projection.
  void shorten(Eigen::VectorXd& lambda) const;

 private:
  Eigen::SparseMatrix<double> idle_;  // in columns
  math::SparseLu squares_;
};

}  // namespace solidyn::recursive
