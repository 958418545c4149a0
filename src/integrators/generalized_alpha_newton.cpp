// Newton's iteration of a step.
#include <algorithm>
#include <cmath>

#include "integrators/anderson_acceleration.h"
#include "integrators/tangent_renewal.h"
#include "solidyn/base/timer.h"
#include "solidyn/forces/frame_load.h"
#include "solidyn/integrators/generalized_alpha.h"
#include "solidyn/math/rotation.h"

namespace solidyn::integrators {
namespace {

using Eigen::VectorXd;
using system::State;

// A tangent is kept while each iteration reduces the residual by at least this factor ...
constexpr double kGoodReduction = 0.05;
// ... and the iteration is given up when it grows by this one with a fresh tangent.
constexpr double kDivergence = 1e3;
// Relative round-off that a sum of a few terms of the positions may carry.
constexpr double kRoundOff = 1e-14;
// Increments this many times the allowed one are accepted when they stagnate.
constexpr double kStagnated = 100.0;
// Of multipliers that forces depend on, relative: what the next correction may change ...
constexpr double kSettled = 1e-8;
// ... while they are waited for.
constexpr int kPatience = 8;
// A correction is halved so often.
constexpr int kMaxHalvings = 8;

// Forces that depend on positions.
bool has_springs(const system::System& system) {
  for (int i = 0; i < system.n_forces(); ++i)
    if (!dynamic_cast<const forces::GivenForce*>(&system.force(i))) return true;
  return false;
}

}  // namespace

// Relative to what a step moves, down to what round-off of the positions allows. An error d of the
// positions is an error d/(beta h^2) of the accelerations, so a tolerance that did not follow the
// step would drown them at small steps; one that followed the accelerations would feed on its own
// noise. Without constraints no force depends on an error of the positions in this way, and the
// tolerance follows the accelerations: errors of the velocities then do not grow with the number of
// steps, down to the round-off of inertia forces. Nodes in absolute coordinates do have such
// forces, internal ones, and so have springs.
double GeneralizedAlpha::allowed_increment(const State& s, double h) const {
  const double velocity = std::max(largest_velocity_, velocity_size(s));
  if (system_.n_constraints() == 0 && !has_absolute_bodies() && !has_springs(system_)) {
    const double acceleration = std::max(largest_acceleration_, acceleration_size(s));
    const double to_increment = c_.beta * h * h;
    return std::max(options_.tolerance * std::min(h * velocity, to_increment * acceleration),
                    kRoundOff * to_increment * (acceleration + velocity * velocity));
  }
  return std::max(options_.tolerance * h * velocity, kRoundOff * largest_coordinate_);
}

double GeneralizedAlpha::weighted_size(const VectorXd& v) const {
  return v.cwiseProduct(weights_).lpNorm<Eigen::Infinity>();
}

// Bodies whose internal forces depend on positions in the world.
bool GeneralizedAlpha::has_absolute_bodies() const {
  if (!system_.superelements().empty() || !system_.element_bodies().empty()) return true;
  const auto& bodies = system_.nodal_bodies();
  return std::any_of(bodies.begin(), bodies.end(),
                     [](const bodies::NodalBody* body) { return body->n_rigid() == 0; });
}

// Largest of nodes in absolute coordinates, as fraction of the length; others move with their
// frame.
double GeneralizedAlpha::nodal_size(const State& s, base::Vec bodies::NodalState::*field) const {
  double size = 0.0;
  for (std::size_t k = 0; k < s.nodal.size(); ++k) {
    if (system_.nodal_bodies()[k]->n_rigid() > 0) continue;
    PetscReal largest = 0.0;
    SOLIDYN_PETSC(VecNorm(s.nodal[k].*field, NORM_INFINITY, &largest));
    size = std::max(size, largest / length_);
  }
  return size;
}

double GeneralizedAlpha::velocity_size(const State& s) const {
  return std::max(weighted_size(s.v), nodal_size(s, &bodies::NodalState::du));
}

double GeneralizedAlpha::acceleration_size(const State& s) const {
  return std::max(weighted_size(s.a), nodal_size(s, &bodies::NodalState::ddu));
}

void GeneralizedAlpha::refresh_tangent(const State& s, double h) {
  system::System::TangentOptions options;
  options.coefficients.mass = (1.0 - c_.alpha_m) / ((1.0 - c_.alpha_f) * c_.beta * h * h);
  options.coefficients.damping = c_.gamma / (c_.beta * h);
  options.coefficients.stiffness = 1.0;
  row_scale_ = 1.0 / options.coefficients.mass;
  options.row_scale = row_scale_;
  options.regularization = options_.regularization;
  for (int b = 0; b < system_.n_bodies(); ++b)
    if (system_.body(b).n_rigid() > 0)
      rotation_tangents_[b] = math::right_tangent(n_.segment<3>(system_.velocity_offset(b) + 3));
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
    bodies::NodalBody* body = system_.nodal_bodies()[k];
    const int b = system_.body_of_nodal(static_cast<int>(k));
    body->recover(x_.segment(system_.velocity_offset(b) + body->n_rigid(), body->n_elastic()),
                  nodal_increment_[k]);
  }
}

// What the small residual does not see: of full-mesh bodies between their ports.
double GeneralizedAlpha::interior_increment() const {
  double largest = 0.0;
  for (const bodies::NodalBody* body : system_.nodal_bodies())
    largest = std::max(largest, body->interior_increment() / length_);
  return largest;
}

// Of the correction: the small unknowns and the nodes, as fractions of the length.
double GeneralizedAlpha::increment_size() const {
  double size = weighted_size(x_.head(system_.n_velocities()));
  for (const base::Vec& increment : nodal_increment_) {
    PetscReal largest = 0.0;
    SOLIDYN_PETSC(VecNorm(increment, NORM_INFINITY, &largest));
    size = std::max(size, largest / length_);
  }
  return size;
}

// A share of the correction.
void GeneralizedAlpha::apply(State& s, double share, double h) {
  const VectorXd d = share * x_.head(system_.n_velocities());
  const double to_v = c_.gamma / (c_.beta * h), to_A = 1.0 / (c_.beta * h * h);
  n_ += d;
  s.v += to_v * d;
  s.a += d / row_scale_;
  memory_.acceleration += to_A * d;
  s.lambda += share * x_.tail(system_.n_constraints()) / row_scale_;
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
  const double mass = (1.0 - c_.alpha_m) / ((1.0 - c_.alpha_f) * c_.beta * h * h);
  system_.set_coefficients({mass, c_.gamma / (c_.beta * h), 1.0});
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
  acceleration_->reset();
}

// The equations at the present guess, as right-hand side of a correction. @return whether they are
// finite
bool GeneralizedAlpha::evaluate(const State& s, double h) {
  const int n_v = system_.n_velocities(), n_l = system_.n_constraints();
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
    rhs_[n_v + i] = -(system_.is_velocity_level()[i] ? velocity_row * phi_[i] : phi_[i]);
  return true;
}

// Positions may be prescribed, and forces that depend on multipliers still be off.
bool GeneralizedAlpha::has_settled_multipliers(const State& s, double reduction) const {
  const int n_l = system_.n_constraints();
  if (n_l == 0 || last_iterations_ >= kPatience || !has_steep_forces_) return true;
  const double change = x_.tail(n_l).lpNorm<Eigen::Infinity>() / row_scale_;
  return change * reduction <= kSettled * s.lambda.lpNorm<Eigen::Infinity>();
}

// @param reduction of the residual by the last correction, a factor
GeneralizedAlpha::Verdict GeneralizedAlpha::judge(const State& s, double h, double reduction) {
  const int n_l = system_.n_constraints();
  const double remaining =
      std::max(last_increment_ * std::min(1.0, reduction), interior_increment());
  const double violation = n_l > 0 ? rhs_.tail(n_l).lpNorm<Eigen::Infinity>() : 0.0;
  const double allowed = allowed_increment(s, h);
  if (remaining <= allowed && has_settled_multipliers(s, reduction) &&
      violation <= std::min(allowed * std::max(1.0, length_), options_.constraint_tolerance)) {
    if (reduction > kGoodReduction && last_increment_ > allowed) tangent_is_stale_ = true;
    return Verdict::converged;
  }
  // The sums over a large mesh carry more round-off than the tolerance may allow: increments that
  // are small and no longer shrink are as good as it gets.
  if (last_iterations_ > 3 && last_increment_ > 0.5 * increment_before_ &&
      last_increment_ <= kStagnated * allowed && violation <= options_.constraint_tolerance)
    return Verdict::converged;
  if (last_iterations_ >= options_.max_iterations || reduction > kDivergence) return Verdict::fails;
  return Verdict::goes_on;
}

// @return whether the correction is finite
bool GeneralizedAlpha::correct(State& s, double h) {
  {
    base::ScopedTimer timer(statistics_.solve_seconds);
    solver_->solve(rhs_, x_);
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
  if (!system_.element_bodies().empty()) tangent_is_stale_ = true;
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
      const Verdict verdict = judge(s, h, reduction);
      if (verdict == Verdict::converged) renewal_->finish_step(last_iterations_);
      if (verdict != Verdict::goes_on) return verdict == Verdict::converged;
      // That of a full-mesh body does not become better by being assembled again.
      if (reduction > kGoodReduction && s.nodal.empty()) refresh_tangent(s, h);
    }
    before = size;
    if (!correct(s, h)) return false;
  }
}

}  // namespace solidyn::integrators
