#include "equilibrium.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/base/resource_error.h"
#include "solidyn/base/timer.h"
#include "solidyn/bodies/nodal_body.h"
#include "solidyn/system/scales.h"
#include "solidyn/system/warnings.h"

namespace solidyn::analyses {
namespace {

using Eigen::VectorXd;
using system::State;

constexpr bodies::TangentCoefficients kStiffness{0.0, 0.0, 1.0};
// Half the distance in t over which loads are differenced: their curvature then matters to 1e-8,
// round-off to 1e-12.
constexpr double kLoadDifference = 1e-4;
// On the diagonal of redundant multipliers, relative to G K^-1 G^T.
constexpr double kRegularization = 1e-10;

}  // namespace

void Move::add(double factor, const Move& other) {
  small += factor * other.small;
  t += factor * other.t;
  for (std::size_t k = 0; k < nodal.size(); ++k)
    SOLIDYN_PETSC(VecAXPY(nodal[k], factor, other.nodal[k]));
}

void Move::scale(double factor) {
  small *= factor;
  t *= factor;
  for (base::Vec& field : nodal) SOLIDYN_PETSC(VecScale(field, factor));
}

void Move::set_zero() {
  small.setZero();
  t = 0.0;
  for (base::Vec& field : nodal) SOLIDYN_PETSC(VecZeroEntries(field));
}

void Equilibrium::start(const State& state, solvers::Preset preset) {
  system_.set_coefficients(kStiffness);
  system_.update(state);
  system_.compute_residual(state, r_, phi_);
  length_ = characteristic_length(system_);
  weights_ = increment_weights(system_, length_);
  redundancy_ = system::find_redundancy(system_, weights_);
  const double stiffness = largest_stiffness(system_, length_);
  row_scale_ = stiffness > 0.0 ? 1.0 / stiffness : 1.0;
  if (!redundancy_.rows.empty())
    regularization_ =
        kRegularization * system_.sparse_G().squaredNorm() / system_.layout().n_constraints();
  solver_ = solvers::make_linear_solver(preset, system_.layout().n_unknowns());
  system_.set_pattern(*solver_);
}

void Equilibrium::take_over() { system_.set_coefficients(kStiffness); }

void Equilibrium::log_warnings(const State& state) {
  system::log_warnings(system_, fmt::format("t = {:.6g}", state.t), is_warned_);
}

Move Equilibrium::make_move() const {
  Move move;
  move.small = VectorXd::Zero(system_.layout().n_unknowns());
  for (bodies::NodalBody* body : system_.layout().nodal_bodies())
    move.nodal.push_back(std::move(body->make_state().u));
  return move;
}

void Equilibrium::assemble(const State& state, double shift, solvers::BlockMatrix& matrix) {
  system::System::TangentOptions options;
  options.coefficients = kStiffness;
  options.row_scale = row_scale_;
  options.regularization = regularization_;
  base::ScopedTimer timer(assembly_seconds);
  system_.update(state);
  system_.renew_tangents();
  system_.compute_residual(state, r_, phi_);  // constraints evaluate G, which assemble() reads
  system_.assemble(state, options, matrix);
  if (shift == 0.0) return;
  for (int i = 0; i < system_.layout().n_velocities(); ++i) {
    const double arm = length_ * weights_[i];
    matrix.add_diagonal(i, row_scale_ * shift * arm * arm);
  }
}

void Equilibrium::factor(const State& state, double shift) {
  assemble(state, shift, *solver_);
  base::ScopedTimer timer(solve_seconds);
  solver_->factor();
}

void Equilibrium::linearise(const State& state) { factor(state, 0.0); }

Eigen::SparseMatrix<double> Equilibrium::tangent(const State& state, double shift) {
  solvers::BlockMatrix matrix;
  system_.set_pattern(matrix);
  assemble(state, shift, matrix);
  return matrix.sparse();
}

void Equilibrium::solve(const VectorXd& rhs, VectorXd& x) {
  base::ScopedTimer timer(solve_seconds);
  solver_->solve(rhs, x);
}

void hold_rates(const system::System& system, VectorXd& phi) {
  for (Eigen::Index i = 0; i < phi.size(); ++i)
    if (system.layout().is_velocity_level()[i]) phi[i] = 0.0;
}

VectorXd Equilibrium::evaluate(const State& state) {
  system_.update(state);
  system_.compute_residual(state, r_, phi_);
  hold_rates(system_, phi_);
  VectorXd rhs(system_.layout().n_unknowns());
  rhs << -row_scale_ * r_, -phi_;
  return rhs;
}

void Equilibrium::set_move(const VectorXd& x, Move& move) {
  move.small = x;
  move.small.tail(system_.layout().n_constraints()) /= row_scale_;
  move.t = 0.0;
  for (std::size_t k = 0; k < move.nodal.size(); ++k) {
    bodies::NodalBody* body = system_.layout().nodal_bodies()[k];
    const bodies::BodyIndex b = system_.layout().body_of_nodal(static_cast<int>(k));
    body->recover(move.small.segment(system_.layout().velocity_offset(b) + body->n_rigid(),
                                     body->n_elastic()),
                  move.nodal[k]);
  }
}

void Equilibrium::find_correction(const State& state, Move& move) {
  base::ScopedTimer timer(solve_seconds);
  VectorXd x;
  solver_->solve(evaluate(state), x);
  set_move(x, move);
}

void Equilibrium::find_load_response(State& state, Move& move) {
  const double t = state.t;
  const double low = t >= 0.0 ? std::max(0.0, t - kLoadDifference) : t - kLoadDifference;
  const double high = t <= 1.0 ? std::min(1.0, t + kLoadDifference) : t + kLoadDifference;
  Move at_low = make_move();
  state.t = low;
  find_correction(state, at_low);
  state.t = high;
  find_correction(state, move);
  state.t = t;
  move.add(-1.0, at_low);
  move.scale(1.0 / (high - low));
}

double Equilibrium::violation() const {
  return phi_.size() > 0 ? phi_.lpNorm<Eigen::Infinity>() : 0.0;
}

double Equilibrium::size(const Move& move) const {
  const auto small = move.small.head(system_.layout().n_velocities()).cwiseProduct(weights_);
  double size = small.size() > 0 ? small.lpNorm<Eigen::Infinity>() : 0.0;
  for (const base::Vec& field : move.nodal) {
    PetscReal largest = 0.0;
    SOLIDYN_PETSC(VecNorm(field, NORM_INFINITY, &largest));
    if (!std::isfinite(largest)) return largest;  // which std::max might drop
    size = std::max(size, largest / length_);
  }
  return move.small.allFinite() ? size : std::nan("");
}

double Equilibrium::dot(const Move& a, const Move& b) const {
  const auto n = system_.layout().n_velocities();
  double sum = a.small.head(n).cwiseProduct(weights_).dot(b.small.head(n).cwiseProduct(weights_));
  for (std::size_t k = 0; k < a.nodal.size(); ++k) {
    PetscScalar product = 0.0;
    PetscInt size = 0;
    SOLIDYN_PETSC(VecDot(a.nodal[k], b.nodal[k], &product));
    SOLIDYN_PETSC(VecGetSize(a.nodal[k], &size));
    sum += 3.0 * product / (static_cast<double>(size) * length_ * length_);
  }
  return sum;
}

void Equilibrium::move_bodies(const State& before, double fraction, const Move& move,
                              State& state) {
  state.t = before.t + fraction * move.t;
  system_.advance(before.q, fraction * move.small.head(system_.layout().n_velocities()), state.q);
  state.lambda = before.lambda + fraction * move.small.tail(system_.layout().n_constraints());
  for (std::size_t k = 0; k < state.nodal.size(); ++k)
    SOLIDYN_PETSC(VecWAXPY(state.nodal[k].u, fraction, move.nodal[k], before.nodal[k].u));
}

bool Equilibrium::is_admissible(const State& state) {
  try {
    system_.update(state);
    return std::isfinite(system_.energy(state).strain) && state.q.allFinite();
  } catch (const base::ResourceError&) {
    throw;
  } catch (const base::ComputationError&) {
    return false;
  }
}

}  // namespace solidyn::analyses
