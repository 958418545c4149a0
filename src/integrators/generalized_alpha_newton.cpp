// Newton's iteration of a step.
#include <algorithm>
#include <cmath>

#include "integrators/anderson_acceleration.h"
#include "integrators/saddle_point_solve.h"
#include "integrators/tangent_renewal.h"
#include "solidyn/base/timer.h"
#include "solidyn/bodies/nodal_body.h"
#include "solidyn/integrators/generalized_alpha.h"
#include "solidyn/math/rotation.h"

namespace solidyn::integrators {
namespace {

using Eigen::VectorXd;
using system::State;

// A tangent is kept while each iteration reduces the residual by at least this factor.
constexpr double kGoodReduction = 0.05;
// A correction is halved so often.
constexpr int kMaxHalvings = 8;

}  // namespace

void GeneralizedAlpha::refresh_tangent(const State& s, double h) {
  system::System::TangentOptions options;
  options.coefficients = step_coefficients(h);
  row_scale_ = 1.0 / options.coefficients.mass;
  options.row_scale = row_scale_;
  options.regularization = options_.regularization;
  for (const bodies::BodyIndex b : system_.bodies())
    if (system_.body(b).n_rigid() > 0)
      rotation_tangents_[b] =
          math::right_tangent(n_.segment<3>(system_.layout().velocity_offset(b) + 3));
  options.rotation_tangents = &rotation_tangents_;
  {
    base::ScopedTimer timer(statistics_.assembly_seconds);
    system_.assemble(s, options, *solver_);
  }
  base::ScopedTimer timer(statistics_.solve_seconds);
  solver_->factor();
  tangent_step_ = h;
  tangent_is_stale_ = false;
  ++statistics_.tangents;
}

// The interior increments of full-mesh bodies that belong to x_.
void GeneralizedAlpha::recover_nodal(const State& s) {
  for (std::size_t k = 0; k < s.nodal.size(); ++k) {
    bodies::NodalBody* body = system_.layout().nodal_bodies()[k];
    const bodies::BodyIndex b = system_.layout().body_of_nodal(static_cast<int>(k));
    body->recover(
        x_.segment(system_.layout().velocity_offset(b) + body->n_rigid(), body->n_elastic()),
        nodal_increment_[k]);
  }
}

// A share of the correction.
void GeneralizedAlpha::apply(State& s, double share, double h) {
  const VectorXd d = share * x_.head(system_.layout().n_velocities());
  const double to_v = c_.gamma / (c_.beta * h), to_A = 1.0 / (c_.beta * h * h);
  n_ += d;
  s.v += to_v * d;
  s.a += d / row_scale_;
  memory_.acceleration += to_A * d;
  s.lambda += share * x_.tail(system_.layout().n_constraints()) / row_scale_;
  system_.advance(before_.q, n_, s.q);
  for (std::size_t k = 0; k < s.nodal.size(); ++k) {
    ::Vec du = nodal_increment_[k];
    SOLIDYN_PETSC(VecAXPY(s.nodal[k].u, share, du));
    SOLIDYN_PETSC(VecAXPY(s.nodal[k].du, share * to_v, du));
    SOLIDYN_PETSC(VecAXPY(s.nodal[k].ddu, share / row_scale_, du));
    SOLIDYN_PETSC(VecAXPY(memory_.nodal[k], share * to_A, du));
  }
}

// Coefficients and position of the tangents that full-mesh bodies keep.
void GeneralizedAlpha::prepare_nodal_tangents(const State& s, double h) {
  if (s.nodal.empty()) return;
  acceleration_->reset();
  renewal_->start_step();
  system_.set_coefficients(step_coefficients(h));
  system_.update(s);
  if (system_.turn_tangents()) tangent_is_stale_ = true;
}

// @return whether a full-mesh body had a better one to offer
bool GeneralizedAlpha::renew_nodal_tangents() {
  base::ScopedTimer timer(statistics_.assembly_seconds);
  if (!system_.renew_tangents()) {
    renewal_->keep();
    return false;
  }
  acceleration_->reset();
  renewal_->renew();
  tangent_is_stale_ = true;
  return true;
}

// Of the last correction, where the whole leads away: friction is steep where slip reverses.
void GeneralizedAlpha::take_half_back(State& s, double h) {
  apply(s, -0.5, h);
  x_ *= 0.5;
  last_increment_ *= 0.5;
}

// What the last correction has of slips that reverse is taken back. Its size remains that of the
// whole, so that a small share does not look like convergence.
void GeneralizedAlpha::stop_at_reversals(State& s, double h) {
  if (slips_.empty()) return;
  system_.update(s);
  const double share = forces::share_before_reversal(slips_, system_.slips());
  if (share == 1.0) return;
  apply(s, share - 1.0, h);
  x_ *= share;
  is_whole_ = false;
  acceleration_->reset();
}

// The equations at the present guess, as right-hand side of a correction. @return whether they are
// finite
bool GeneralizedAlpha::evaluate(const State& s, double h) {
  const int n_v = system_.layout().n_velocities(), n_l = system_.layout().n_constraints();
  system_.update(s);
  if (!s.nodal.empty() && (options_.tangent == NewtonTangent::consistent || renews_))
    renew_nodal_tangents();
  renews_ = false;
  {
    base::ScopedTimer timer(statistics_.assembly_seconds);
    system_.compute_residual(s, r_, phi_);
  }
  if (!r_.allFinite() || !phi_.allFinite()) return false;
  if (tangent_is_stale_) refresh_tangent(s, h);
  const double velocity_row = c_.beta * h / c_.gamma;
  rhs_.head(n_v) = -row_scale_ * r_;
  for (int i = 0; i < n_l; ++i)
    rhs_[n_v + i] = -(system_.layout().is_velocity_level()[i] ? velocity_row * phi_[i] : phi_[i]);
  violation_before_ = violation_;
  violation_ = n_l > 0 ? rhs_.tail(n_l).lpNorm<Eigen::Infinity>() : 0.0;
  return true;
}

// @return whether the correction is finite
bool GeneralizedAlpha::correct(State& s, double h) {
  {
    base::ScopedTimer timer(statistics_.solve_seconds);
    solve_->solve(rhs_, x_);
    // What multipliers of dependent constraints have gathered since G^T changed.
    if (last_iterations_ == 0)
      x_.tail(system_.layout().n_constraints()) -= row_scale_ * solve_->null_part(s.lambda);
  }
  ++statistics_.linear_solves;
  ++statistics_.newton_iterations;
  increment_before_ = last_increment_;
  recover_nodal(s);
  last_increment_ = increment_size();
  if (!std::isfinite(last_increment_)) return false;
  if (!s.nodal.empty() && options_.tangent != NewtonTangent::consistent) {
    renews_ = renewal_->is_too_slow(last_increment_, allowed_increment(s, h));
    acceleration_->accelerate(weights_, length_, x_, nodal_increment_);
  }
  slips_ = system_.slips();
  is_whole_ = true;
  apply(s, 1.0, h);
  stop_at_reversals(s, h);
  return true;
}

bool GeneralizedAlpha::iterate(State& s, double h, Search search) {
  double before = 0.0;
  int n_halvings = 0;
  if (!(std::abs(tangent_step_ - h) <= kSameStep * h)) tangent_is_stale_ = true;
  // Beams turn in the world. With the tangent of the step before, a slider-crank took twice the
  // iterations, and as many new tangents.
  if (!system_.connectivity().element_bodies().empty()) tangent_is_stale_ = true;
  prepare_nodal_tangents(s, h);
  renews_ = !s.nodal.empty() && renewal_->is_due();
  for (last_iterations_ = 0;; ++last_iterations_) {
    if (!evaluate(s, h)) return false;
    const double size = rhs_.norm();
    if (search == Search::halves && last_iterations_ > 0 && size > before &&
        n_halvings++ < kMaxHalvings) {
      take_half_back(s, h);
      --last_iterations_;
      continue;
    }
    n_halvings = 0;
    if (last_iterations_ > 0) {
      const double reduction = before > 0.0 ? size / before : 0.0;
      const Verdict verdict = judge_residual(s, h, reduction);
      if (verdict == Verdict::converged) renewal_->finish_step(last_iterations_);
      if (verdict != Verdict::goes_on) return verdict == Verdict::converged;
      // That of a full-mesh body does not become better by being assembled again.
      if (reduction > kGoodReduction && s.nodal.empty()) refresh_tangent(s, h);
    }
    before = size;
    if (!correct(s, h)) return false;
    if (s.nodal.empty() && judge_correction(s, h) == Verdict::converged) {
      if (last_increment_ > kGoodReduction * increment_before_ &&
          last_increment_ > allowed_increment(s, h))
        tangent_is_stale_ = true;
      system_.update(s);
      return true;
    }
  }
}

}  // namespace solidyn::integrators
