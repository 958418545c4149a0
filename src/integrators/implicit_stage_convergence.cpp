// When Newton's iteration has converged.
#include <algorithm>
#include <cmath>

#include "integrators/implicit_stage.h"
#include "integrators/newton_rules.h"
#include "solidyn/bodies/nodal_body.h"
#include "solidyn/forces/force.h"
#include "solidyn/system/scales.h"

namespace solidyn::integrators {
namespace {

using Eigen::VectorXd;
using system::State;

// Relative round-off that a sum of a few terms of the positions may carry.
constexpr double kRoundOff = 1e-15;
// The same over a large mesh.
constexpr double kRoundOffOfMesh = 1e-14;
// Increments this many times the allowed one are accepted when they stagnate ...
constexpr double kStagnated = 100.0;
// ... or below this part of the positions, which their round-off may come to beside constraints ...
constexpr double kLostDigits = 1e-12;
// ... and of smooth small systems without constraints those below this, whose residual is a
// difference of forces of stiff springs that leaves the softest directions no more digits.
constexpr double kSmooth = 1e-8;

// Times what the laws of contacts leave: what a correction of that size leaves is less.
constexpr double kOverLaws = 10.0;
// Of what velocities make of a step: more than that is no accuracy, whatever the laws leave.
constexpr double kLoosest = 1e-4;

// Forces that depend on positions.
bool has_springs(const system::System& system) {
  for (const forces::ForceIndex i : system.forces())
    if (!system.force(i).is_given_in_time()) return true;
  return !system.connectivity().superelements().empty() ||
         !system.connectivity().element_bodies().empty();
}

}  // namespace

// An error d of the positions is one of d/(beta h^2) of the accelerations, and those of all steps
// add up: relative to what accelerations make of a step, the motion is off by `tolerance` however
// short the steps are. Down to round-off, of the positions where constraints or forces depend on
// them, else of inertia forces. Full-mesh bodies under constraints, whose iterations are dear, and
// those with absolute nodes are held to what velocities make of a step. Nor need they be finer than
// the velocities that the laws of contacts leave.
double ImplicitStage::allowed_increment(const StageCoefficients& c, const State& s) const {
  const double velocity = std::max(largest_velocity_, velocity_size(s)),
               acceleration = std::max(largest_acceleration_, acceleration_size(s)),
               to_increment = c.increment;
  const bool is_free = system_.layout().n_constraints() == 0;
  double allowed = options_.tolerance * c.h * velocity;
  if (s.nodal.empty() || (is_free && !has_absolute_meshes_))
    allowed = std::min(allowed, options_.tolerance * to_increment * acceleration);
  if (c.velocity > 0.0)
    allowed =
        std::max(allowed, std::min(kLoosest * c.h * velocity,
                                   kOverLaws * contacts_.allowed_speed() / (c.velocity * length_)));
  const double round_off = s.nodal.empty() ? kRoundOff : kRoundOffOfMesh;
  if (is_free && !has_absolute_meshes_ && !has_springs(system_))
    return std::max(allowed, kRoundOffOfMesh * to_increment * (acceleration + velocity * velocity));
  return std::max(allowed, round_off * largest_coordinate_);
}

double ImplicitStage::weighted_size(const VectorXd& v) const {
  return v.cwiseProduct(weights_).lpNorm<Eigen::Infinity>();
}

double ImplicitStage::round_off_of_multipliers() const {
  return round_off_of_forces(largest_coordinate_, length_, system::total_mass(system_),
                             c_.acceleration);
}

// Largest of nodes in absolute coordinates, as fraction of the length; others move with their
// frame.
double ImplicitStage::nodal_size(const State& s, base::Vec bodies::NodalState::*field) const {
  double size = 0.0;
  for (std::size_t k = 0; k < s.nodal.size(); ++k) {
    if (system_.layout().nodal_bodies()[k]->n_rigid() > 0) continue;
    PetscReal largest = 0.0;
    SOLIDYN_PETSC(VecNorm(s.nodal[k].*field, NORM_INFINITY, &largest));
    size = std::max(size, largest / length_);
  }
  return size;
}

double ImplicitStage::nodal_change(std::size_t k, ::Vec before, ::Vec now) {
  if (system_.layout().nodal_bodies()[k]->n_rigid() > 0) return 0.0;
  PetscReal largest = 0.0;
  SOLIDYN_PETSC(VecWAXPY(nodal_increment_[k], -1.0, before, now));
  SOLIDYN_PETSC(VecNorm(nodal_increment_[k], NORM_INFINITY, &largest));
  return largest / length_;
}

// Whose round-off increments cannot fall below: a body that has gone far, a shaft that has turned
// many times, have less of it to spare.
double ImplicitStage::coordinate_size(const State& s) const {
  double size = s.q.size() > 0 ? s.q.lpNorm<Eigen::Infinity>() : 0.0;
  for (const bodies::BodyIndex b : system_.bodies())
    if (system_.body(b).n_rigid() > 0)
      size = std::max(
          size, s.q.segment<3>(system_.layout().configuration_offset(b)).lpNorm<Eigen::Infinity>() /
                    length_);
  if (s.angles.size() > 0) size = std::max(size, s.angles.lpNorm<Eigen::Infinity>());
  return std::max(size, nodal_size(s, &bodies::NodalState::u));
}

double ImplicitStage::velocity_size(const State& s) const {
  return std::max(weighted_size(s.v), nodal_size(s, &bodies::NodalState::du));
}

double ImplicitStage::acceleration_size(const State& s) const {
  return std::max(weighted_size(s.a), nodal_size(s, &bodies::NodalState::ddu));
}

// What the small residual does not see: of full-mesh bodies between their ports.
double ImplicitStage::interior_increment() const {
  double largest = 0.0;
  for (const bodies::NodalBody* body : system_.layout().nodal_bodies())
    largest = std::max(largest, body->interior_increment() / length_);
  return largest;
}

// Of the correction: the small unknowns and the nodes, as fractions of the length.
double ImplicitStage::increment_size() const {
  double size = weighted_size(x.head(system_.layout().n_velocities()));
  for (const base::Vec& increment : nodal_increment_) {
    PetscReal largest = 0.0;
    SOLIDYN_PETSC(VecNorm(increment, NORM_INFINITY, &largest));
    size = std::max(size, largest / length_);
  }
  return size;
}

// While they are waited for all multipliers count; then those that forces follow, which others, of
// dependent constraints, must not hold up.
bool ImplicitStage::has_settled(const MultiplierChange& m) const {
  if (m.lambda.size() == 0 || !has_steep_forces_) return true;
  const double largest = m.lambda.lpNorm<Eigen::Infinity>();
  const auto round_off_of = [&](double times) {
    return round_off_of_forces(largest_coordinate_, length_, system::total_mass(system_),
                               m.acceleration, times);
  };
  if (m.iterations < kPatience && !m.stagnates) {
    const double change = m.change.lpNorm<Eigen::Infinity>();
    // Nothing presses joints of a mechanism at rest but round-off, of which the largest is a part.
    return change <= kSettled * largest || change <= round_off_of(kOfOnePosition);
  }
  const double round_off = kLostDigits * largest + round_off_of(kOfSums);
  return have_settled(m.change(followed_).lpNorm<Eigen::Infinity>(),
                      m.lambda(followed_).lpNorm<Eigen::Infinity>(), m.iterations, round_off);
}

// By the correction x, of which `rate` is left.
ImplicitStage::MultiplierChange ImplicitStage::multiplier_change(const State& s, double rate,
                                                                 bool stagnates) const {
  return {rate / row_scale_ * x.tail(s.lambda.size()), s.lambda, last_iterations_, c_.acceleration,
          stagnates};
}

bool ImplicitStage::has_stagnated(double allowed, const State& s, double rate) const {
  return last_iterations_ >= 3 && last_increment_ >= 0.5 * increment_before_ &&
         is_round_off(last_increment_, violation_, allowed) &&
         has_settled(multiplier_change(s, rate, true));
}

// Of what is small and no longer shrinks.
bool ImplicitStage::is_round_off(double increment, double violation, double allowed) const {
  const bool is_smooth = nodal_increment_.empty() && system_.layout().n_constraints() == 0 &&
                         !has_steep_forces_ && slips_.empty();
  const double round_off = kLostDigits * largest_coordinate_;
  return increment <= std::max({kStagnated * allowed, round_off, is_smooth ? kSmooth : 0.0}) &&
         violation <= std::max(options_.constraint_tolerance, least_violation());
}

// The round-off of what constraints compare, as of bodies in orbit.
double ImplicitStage::least_violation() const {
  constexpr double kTerms = 4.0;
  return kTerms * kRoundOff * largest_coordinate_ * std::max(1.0, length_);
}

double ImplicitStage::allowed_violation(double allowed) const {
  return std::max(std::min(allowed * std::max(1.0, length_), options_.constraint_tolerance),
                  least_violation());
}

// What a correction leaves is estimated by the one before it. With full-mesh bodies another
// residual would tell it for the price of a correction; contacts want to see what their forces have
// done.
bool ImplicitStage::judges_by_corrections(const State& s) const {
  return s.nodal.empty() || contacts_.is_empty();
}

// Of a mechanism that has not moved yet: the first correction of a step, which no other is compared
// with, where it is no more than the noise that guesses follow.
bool ImplicitStage::rests_but_for_round_off() const {
  const double round_off = kLostDigits * largest_coordinate_;
  return last_iterations_ == 0 && nodal_increment_.empty() &&
         c_.h * largest_velocity_ <= round_off && last_increment_ <= round_off &&
         violation_ <= round_off * std::max(1.0, length_);
}

// Of a residual that the last correction has reduced, a factor: whether a few more by the kept
// tangent are likely to end the step. So is what round-off leaves of it, as of a vehicle that runs
// steadily. Friction of joints wants multipliers, which a kept tangent finds more slowly than the
// motion, and corrections of contacts are dear.
bool ImplicitStage::ends_soon(const State& s, double reduction) const {
  if (has_steep_forces_ || !contacts_.is_empty() || !(reduction < 1.0)) return false;
  const double allowed = allowed_increment(c_, s);
  double next = last_increment_;
  for (int i = 0; i < kFewMore; ++i) {
    next *= reduction;
    if (next * reduction <= allowed) return true;
  }
  return false;
}

// After a correction that was applied, by how much smaller it was than the one before: what it left
// is smaller again by that.
ImplicitStage::Verdict ImplicitStage::judge_correction(const State& s) const {
  if (!is_whole_ || !contacts_.failure().empty()) return Verdict::goes_on;
  const bool is_first = last_iterations_ == 0;
  const double rate =
      is_first ? 1.0 : std::max(shrunk(last_increment_, increment_before_), later_rate_);
  const double allowed = allowed_increment(c_, s);
  const double violation = violation_ * (is_first ? 1.0 : shrunk(violation_, violation_before_));
  const bool is_found =
      last_increment_ * rate <= allowed && violation <= allowed_violation(allowed);
  if ((is_found || rests_but_for_round_off()) && has_settled(multiplier_change(s, rate, false)))
    return Verdict::converged;
  return has_stagnated(allowed, s, rate) ? Verdict::converged : Verdict::goes_on;
}

// @param reduction of the residual by the last correction, a factor
ImplicitStage::Verdict ImplicitStage::judge_residual(const State& s, double reduction) {
  if (!s.nodal.empty() && contacts_.failure().empty()) {
    const double remaining = last_increment_ * std::min(1.0, reduction);
    const double allowed = allowed_increment(c_, s);
    // What the interior would do costs as much as a correction: it is asked last.
    if (remaining <= allowed && interior_increment() <= allowed &&
        has_settled(multiplier_change(s, reduction, false)) &&
        violation_ <= allowed_violation(allowed))
      return Verdict::converged;
    if (has_stagnated(allowed, s, 1.0)) return Verdict::converged;
  }
  // A contact that takes up its force changes a residual that may have been none; and what was
  // none, and has led to no correction of the small unknowns, grows to round-off.
  const bool may_grow =
      (!contacts_.is_empty() && last_iterations_ <= kFirstForces) ||
      weighted_size(x.head(system_.layout().n_velocities())) <= allowed_increment(c_, s);
  if (last_iterations_ >= options_.max_iterations || (reduction > kDivergence && !may_grow))
    return Verdict::fails;
  return Verdict::goes_on;
}

}  // namespace solidyn::integrators
