#include "solidyn/system/independent_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solidyn/system/scales.h"
#include "violation.h"

namespace solidyn::system {
namespace {

using Eigen::VectorXd;

// On the diagonal of a row that is left out: beyond any compliance of constraints in SI units.
constexpr double kLeftOut = 1e20;
// Coefficients of a good choice are at most one; this much larger ones are worth an exchange, each
// of which makes the rows' volume larger by as much.
constexpr double kWorthwhile = 2.0;
constexpr int kMaxExchanges = 1000;

}  // namespace

void IndependentRows::leave_out(const System& system, solvers::BlockMatrix& matrix) const {
  for (int row : left_out_) matrix.add_diagonal(system.layout().n_velocities() + row, -kLeftOut);
}

void IndependentRows::leave_out(Eigen::Ref<VectorXd> rhs, int offset) const {
  for (int row : left_out_) rhs[offset + row] = 0.0;
}

// M a + G^T lambda = g_r, G a = 0 has lambda = c, for a is zero where r depends on the others.
bool IndependentRows::exchange_worst(const System& system, const VectorXd& scales,
                                     solvers::LinearSolver& solver) {
  const Eigen::SparseMatrix<double> Gt = system.sparse_G().transpose();
  const int n_v = system.layout().n_velocities();
  VectorXd rhs = VectorXd::Zero(system.layout().n_unknowns()), x;
  double largest = kWorthwhile;
  int worst = -1, better = -1;
  for (std::size_t i = 0; i < left_out_.size(); ++i) {
    rhs.head(n_v) = Gt.col(left_out_[i]);
    solver.solve(rhs, x);
    leave_out(x, n_v);
    const VectorXd c = scales[left_out_[i]] *
                       x.tail(system.layout().n_constraints()).cwiseQuotient(scales).cwiseAbs();
    Eigen::Index j = 0;
    if (!(c.maxCoeff(&j) > largest)) continue;
    largest = c[j];
    worst = static_cast<int>(i);
    better = static_cast<int>(j);
  }
  if (worst >= 0) left_out_[worst] = better;
  return worst >= 0;
}

bool IndependentRows::improve(System& system, State& state, solvers::LinearSolver& solver) {
  if (is_all()) return false;
  bool is_another = false;
  for (int i = 0; i < kMaxExchanges; ++i) {
    factorise_constrained_mass(system, state, 0.0, *this, solver);
    const VectorXd scales =
        row_scales(system, increment_weights(system, characteristic_length(system)));
    if (!exchange_worst(system, scales, solver)) break;
    is_another = true;
  }
  system.update(state);
  return is_another;
}

void factorise_constrained_mass(System& system, State& state, double regularization,
                                const IndependentRows& rows, solvers::LinearSolver& solver) {
  const VectorXd v = state.v, correction = std::exchange(state.velocity_correction, {});
  state.v.setZero();
  System::TangentOptions tangent;
  tangent.coefficients = {1.0, 0.0, 0.0};
  tangent.regularization = rows.is_all() ? regularization : 0.0;
  system.set_coefficients(tangent.coefficients);
  VectorXd r, phi;
  system.update(state);
  system.compute_residual(state, r, phi);
  system.assemble(state, tangent, solver);
  rows.leave_out(system, solver);
  solver.factor();
  state.v = v;
  state.velocity_correction = correction;
  system.update(state);
}

}  // namespace solidyn::system
