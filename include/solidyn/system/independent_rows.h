#pragma once
#include <vector>

#include "solidyn/solvers/linear_solver.h"
#include "solidyn/system/system.h"

namespace solidyn::system {

/// A choice of constraint rows that say everything, of a mechanism some of whose rows depend on
/// others. Beside the positions that satisfy the constraints, dependent rows contradict the others
/// by the distance d, and the matrix that holds them all is nearly singular there: its solutions
/// are wrong by order one or more, however its diagonal is regularised. Without as many rows as
/// depend they are wrong by order d, as they should be.
///   g_r = sum of c_j g_j  for each row r left out: a choice with all |c_j| (of rows of length one)
/// below two is as well conditioned as any, within a factor, and is looked for by exchanging r and
/// the j of the largest c. Proved by IndependentRows.*
class IndependentRows {
 public:
  /// @param dependent as many rows as depend on others, such as Redundancy::rows; empty: none
  explicit IndependentRows(std::vector<int> dependent = {}) : left_out_(std::move(dependent)) {}

  bool is_all() const { return left_out_.empty(); }
  const std::vector<int>& left_out() const { return left_out_; }
  /// Replaces the rows that are left out in an assembled matrix [..; G ..] by lambda_r = 0.
  void leave_out(const System& system, solvers::BlockMatrix& matrix) const;
  /// Zeroes them in a right-hand side [n_v + n_lambda] or [n_lambda]. @param offset n_v or 0
  void leave_out(Eigen::Ref<Eigen::VectorXd> rhs, int offset) const;
  /// Makes the choice a good one for a state that satisfies the constraints. Leaves kinematics() at
  /// the state. @param solver has System::set_pattern(); its factors are lost
  /// @return whether the choice is another one now
  bool improve(System& system, State& state, solvers::LinearSolver& solver);

 private:
  bool exchange_worst(const System& system, const Eigen::VectorXd& scales,
                      solvers::LinearSolver& solver);

  std::vector<int> left_out_;
};

/// Assembles and factorises [M G^T; G -regularization] at the positions of `state`, at rest, so
/// that friction, which follows multipliers, has no part in it; without the rows that `rows` leaves
/// out.
void factorise_constrained_mass(System& system, State& state, double regularization,
                                const IndependentRows& rows, solvers::LinearSolver& solver);

}  // namespace solidyn::system
