#include "integrators/saddle_point_solve.h"

namespace solidyn::integrators {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Each refinement leaves epsilon/(epsilon + sigma) of the error, sigma the eigenvalues of
// G S^-1 G^T that are not zero: 1e-8 as a rule, more where stiff bodies tie the rows.
constexpr int kMaxRefinements = 6;
// What a further one would change, relative.
constexpr double kRefined = 1e-13;

}  // namespace

SaddlePointSolve::SaddlePointSolve(solvers::LinearSolver& factors, int n_velocities,
                                   int n_constraints, double epsilon)
    : factors_(factors), n_v_(n_velocities), n_l_(n_constraints), epsilon_(epsilon) {}

// y_ := the solution for [0; -epsilon g].
void SaddlePointSolve::solve_constraint_rows(const VectorXd& g) {
  rhs_.setZero(n_v_ + n_l_);
  rhs_.tail(n_l_) = -epsilon_ * g;
  factors_.solve(rhs_, y_);
}

// Of [0; -epsilon g] the factors make g itself along the null space of G^T, and
// epsilon/(epsilon + sigma) of all else, which the next iteration of Newton's method makes good.
VectorXd SaddlePointSolve::null_part(const VectorXd& multipliers) {
  if (epsilon_ == 0.0) return VectorXd::Zero(n_l_);
  solve_constraint_rows(multipliers);
  return y_.tail(n_l_);
}

void SaddlePointSolve::solve(const VectorXd& rhs, VectorXd& x) {
  if (epsilon_ == 0.0) {
    factors_.solve(rhs, x);
    return;
  }
  VectorXd consistent = rhs;
  consistent.tail(n_l_) -= null_part(rhs.tail(n_l_));
  factors_.solve(consistent, x);
  VectorXd change = x.tail(n_l_);
  for (int i = 0; i < kMaxRefinements; ++i) {
    solve_constraint_rows(change);
    const double size = y_.tail(n_l_).norm(), before = change.norm();
    if (!(size < before)) return;
    x += y_;
    if (size * size <= kRefined * before * x.tail(n_l_).norm()) return;
    change = y_.tail(n_l_);
  }
}

MatrixXd SaddlePointSolve::solve_columns(const MatrixXd& F) {
  MatrixXd rhs = MatrixXd::Zero(n_v_ + n_l_, F.cols());
  rhs.topRows(n_v_) = F;
  MatrixXd X = factors_.solve_columns(rhs);
  if (epsilon_ == 0.0) return X;
  MatrixXd change = X.bottomRows(n_l_);
  for (int i = 0; i < kMaxRefinements && !change.isZero(0.0); ++i) {
    rhs.setZero();
    rhs.bottomRows(n_l_) = -epsilon_ * change;
    const MatrixXd Y = factors_.solve_columns(rhs);
    for (Eigen::Index column = 0; column < F.cols(); ++column) {
      const double size = Y.col(column).tail(n_l_).norm(), before = change.col(column).norm();
      change.col(column).setZero();  // the column is done
      if (!(size < before)) continue;
      X.col(column) += Y.col(column);
      if (size * size > kRefined * before * X.col(column).tail(n_l_).norm())
        change.col(column) = Y.col(column).tail(n_l_);
    }
  }
  return X;
}

}  // namespace solidyn::integrators
