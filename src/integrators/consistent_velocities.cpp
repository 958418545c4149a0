#include "integrators/consistent_velocities.h"

#include <algorithm>

#include "solidyn/base/log.h"
#include "solidyn/system/followed_multipliers.h"
#include "solidyn/system/independent_rows.h"

namespace solidyn::integrators {
namespace {

using Eigen::VectorXd;
using system::State;

// Of the largest velocity, what the constraints may still lack.
constexpr double kTolerance = 1e-13;
// Factors are kept while each solution leaves no more than this of what was lacking ...
constexpr double kFastReduction = 0.1;
// ... and with fresh ones what no longer falls by half is round-off.
constexpr double kStagnates = 0.5;
constexpr int kMaxSolutions = 20;
// Of the largest multiplier so far, by what others are wrong before there is a warning.
constexpr double kWrong = 0.5;

double largest_of(const VectorXd& v) { return v.size() > 0 ? v.lpNorm<Eigen::Infinity>() : 0.0; }

}  // namespace

ConsistentVelocities::ConsistentVelocities(system::System& system, solvers::Preset preset,
                                           double regularization)
    : system_(system),
      factors_(solvers::make_linear_solver(preset, system.layout().n_unknowns())),
      solve_(*factors_, system.layout().n_velocities(), system.layout().n_constraints(),
             regularization),
      regularization_(regularization) {
  forget();
}

void ConsistentVelocities::forget() {
  system_.set_pattern(*factors_);  // a factorisation remembers its pivots
  has_factors_ = false;
}

// G (v + e) - nu. Biases of frames, which gamma needs, have no part in it.
VectorXd ConsistentVelocities::lacking(const State& s) {
  system_.multiply_G(s.v + s.velocity_correction, Gv_);
  return Gv_ - nu_;
}

void ConsistentVelocities::factorise(State& s) {
  system::factorise_constrained_mass(system_, s, regularization_, system::IndependentRows(),
                                     *factors_);
  has_factors_ = true;
}

bool ConsistentVelocities::find(State& s) {
  if (s.velocity_correction.size() == 0) s.velocity_correction.setZero(s.v.size());
  system_.compute_rates(s, nu_, gamma_);
  VectorXd left = lacking(s);
  const double allowed = kTolerance * largest_of(s.v);
  double before = 0.0;
  int n_solutions = 0;
  bool is_fresh = false;
  for (double size = largest_of(left); size > allowed; size = largest_of(left)) {
    const bool is_slow = n_solutions > 0 && !(size <= kFastReduction * before);
    if ((is_slow && is_fresh && !(size <= kStagnates * before)) || n_solutions == kMaxSolutions)
      break;
    if (!has_factors_ || (is_slow && !is_fresh)) {
      factorise(s);
      is_fresh = true;
    }
    rhs_.setZero(system_.layout().n_unknowns());
    rhs_.tail(left.size()) = -left;
    solve_.solve(rhs_, x_);
    s.velocity_correction += x_.head(s.v.size());
    before = size;
    ++n_solutions;
    left = lacking(s);
  }
  if (n_solutions > 0) system_.update(s);
  return n_solutions > 0;
}

VectorXd ConsistentVelocities::increment(State& s, const VectorXd& phi) {
  if (!has_factors_) factorise(s);
  rhs_.setZero(system_.layout().n_unknowns());
  rhs_.tail(phi.size()) = -phi;
  solve_.solve(rhs_, x_);
  return x_.head(s.v.size());
}

void ConsistentVelocities::warn_of_multipliers(State& s, const std::vector<int>& rows,
                                               double round_off, const char* remedy) {
  if (has_warned_ || rows.empty()) return;
  if (!has_factors_) factorise(s);
  VectorXd phi;
  system_.compute_constraints(s, phi);
  system_.update_accelerations();
  system_.compute_rates(s, nu_, gamma_);
  system_.multiply_G(s.a, Gv_);
  rhs_.setZero(system_.layout().n_unknowns());
  rhs_.tail(gamma_.size()) = gamma_ - Gv_;
  solve_.solve(rhs_, x_);
  const VectorXd wrong = x_.tail(gamma_.size());
  largest_multiplier_ = std::max(largest_multiplier_, largest_of((s.lambda + wrong)(rows)));
  const double size = largest_of(wrong(rows)), part = size / largest_multiplier_;
  if (!(part > kWrong && size > round_off)) return;
  has_warned_ = true;
  base::log_warning(
      "t = {:.6g} s: accelerations have jumped, and the constraint forces that {} follows are wrong by {:.2g} of the largest so far, which may happen again and is not told again\n  try a smaller `step`, {}",
      s.t, system::worst_follower(system_, wrong), part, remedy);
}

}  // namespace solidyn::integrators
