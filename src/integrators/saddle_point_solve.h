#pragma once
#include "solidyn/solvers/linear_solver.h"

namespace solidyn::integrators {

/// Solutions of [S G^T; G 0] [x; y] = [f; g] by the factors of [S G^T; G -epsilon], which exist
/// where rows of G depend on others. There y is that of minimum norm, and what of g no x can meet
/// (the round-off of dependent rows) is left out: divided by epsilon, it would be larger than y.
/// With epsilon = 0 a plain solve. Proved by RedundantConstraints in
/// tests/verification/integrators.
class SaddlePointSolve {
 public:
  /// @param factors of the matrix above, renewed as their owner likes; must outlive this
  SaddlePointSolve(solvers::LinearSolver& factors, int n_velocities, int n_constraints,
                   double epsilon);

  /// @param rhs [n_velocities + n_constraints]
  void solve(const Eigen::VectorXd& rhs, Eigen::VectorXd& x);

  /// The same of many right-hand sides at once, without anything in the rows of constraints.
  /// @param F [n_velocities x k]   @return [n_velocities + n_constraints x k]
  Eigen::MatrixXd solve_columns(const Eigen::MatrixXd& F);

  /// The part of multipliers that G^T maps to zero. Zero when epsilon is. [n_constraints]
  Eigen::VectorXd null_part(const Eigen::VectorXd& multipliers);

 private:
  void solve_constraint_rows(const Eigen::VectorXd& g);

  solvers::LinearSolver& factors_;
  int n_v_, n_l_;
  double epsilon_;
  Eigen::VectorXd rhs_, y_;
};

}  // namespace solidyn::integrators
