// Newton's iteration of a step, and when it ends.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "integrators/consistent_velocities.h"
#include "integrators/newton_rules.h"
#include "integrators/step_remedy.h"
#include "recursive/multiplier_forces.h"
#include "recursive/refinement.h"
#include "solidyn/base/timer.h"
#include "solidyn/integrators/relative_generalized_alpha.h"
#include "solidyn/recursive/step_tangent.h"
#include "solidyn/system/scales.h"
#include "solvers/tangent_renewal.h"

namespace solidyn::integrators {
namespace {

using Eigen::VectorXd;
using recursive::SweptLinks;
using system::State;

// The same numbers as of absolute coordinates.
namespace relative {
// Round-off of coordinates, and what no longer shrinks and is as small.
constexpr double kRoundOff = 1e-15, kLostDigits = 1e-12, kStagnated = 100.0;
// Of the last correction, what one with a kept tangent may be that is applied.
constexpr double kUseless = 0.5;
// By how much corrections with a kept tangent may shrink less from one step to the next: what it
// misses grows with the time since it was made, at most as its square, or with what else changes.
constexpr double kLeastSlower = 1.25, kMostSlower = 2.0;
double slower(int steps) {
  const double growth = 1.0 + 1.0 / std::max(1, steps);
  return std::clamp(growth * growth, kLeastSlower, kMostSlower);
}
// By how much more inertia springs are let shrink, and by how much forces do then.
constexpr std::array<double, 2> kMoreInertia = {1e4, 1e8};
constexpr double kShrunk = 0.1;
// Of coordinates: corrections that turn forces too little for that.
constexpr double kFar = 1e-6;
// That many corrections in a step are few: then what the matrix misses changes little from one step
// to the next.
constexpr int kFew = 3;
// Of corrections that shrink slowly: whether the next one is likely to be the last. Where more are
// needed there is a new tangent: parts that the old one knows nothing of, as where forces of modes
// that the step does not resolve change sign, may grow behind those that shrink.
bool takes_one_more(double correction, double before, double allowed) {
  const double rate = correction / before;
  return correction > allowed && correction * rate * rate <= allowed;
}
}  // namespace relative

double largest_entry(const VectorXd& v) { return v.size() > 0 ? v.lpNorm<Eigen::Infinity>() : 0.0; }

}  // namespace

// Closures are met by positions: with these velocities joints slip.
void RelativeGeneralizedAlpha::find_slip_velocities(State& s) {
  if (!consistent_velocities_) return;
  mechanism_->tree().compute_motion(now_.q.data(), now_.u.data());
  mechanism_->tree().write(s);
  system_.update(s);
  VectorXd phi;
  system_.compute_constraints(s, phi);
  consistent_velocities_->find(s);
}

// @return whether all is finite
bool RelativeGeneralizedAlpha::evaluate(State& s, SweptLinks links) {
  base::ScopedTimer timer(statistics_.assembly_seconds);
  if (!driven_.empty()) equations_->follow_laws(s.t, now_.q, now_.u, of_laws_);
  find_slip_velocities(s);
  equations_->evaluate_as_given(now_.q, now_.u, now_.a, s, links);
  violation_ = largest_entry(equations_->violation());
  return equations_->residual().allFinite() && std::isfinite(violation_);
}

double RelativeGeneralizedAlpha::allowed_increment(double h) const {
  const double of_velocity = h * largest_velocity_,
               of_acceleration = beta_ * h * h * largest_acceleration_;
  return std::max(options_.tolerance * std::min(of_velocity, of_acceleration),
                  relative::kRoundOff * largest_coordinate_);
}

// Of what the last correction left over that correction: as much as it is smaller than the one
// before; of the first one as in the step before with the same tangent, or a little more, where no
// force can have changed its mind since.
double RelativeGeneralizedAlpha::reduction() {
  if (iterations_ > 0)
    rate_ = shrunk(increment_, increment_before_);
  else
    rate_ = equations_->has_forces()
                ? 1.0
                : std::min(1.0, relative::slower(tangent_->renewal().steps()) * rate_);
  const recursive::Refinement& refinement = tangent_->refinement();
  if (iterations_ > 0 || refinement.is_refined() || !tangent_->can_refine()) return rate_;
  return std::max(rate_, refinement.predicted(tangent_->renewal().steps()));
}

// Of closures, where forces follow them: coordinates may be prescribed, and these forces still be
// off. Not below what round-off of coordinates makes of them.
bool RelativeGeneralizedAlpha::has_settled_multipliers(double rate) const {
  if (!equations_->has_forces_of_closures()) return true;
  const double round_off =
      round_off_of_forces(largest_coordinate_, length_, system::total_mass(system_), acceleration_);
  return have_settled(largest_entry(dlambda_) * rate, largest_entry(lambda_), iterations_,
                      round_off);
}

// Of a mechanism that has not moved yet: the first correction of a step, which no other is compared
// with, where it is no more than the noise that guesses follow.
bool RelativeGeneralizedAlpha::rests_but_for_round_off(double h) const {
  const double round_off = relative::kLostDigits * largest_coordinate_;
  return iterations_ == 0 && h * largest_velocity_ <= round_off && increment_ <= round_off &&
         violation_ <= round_off * std::max(1.0, length_);
}

// After a correction. Violations of closures are of before it.
bool RelativeGeneralizedAlpha::has_converged(double allowed, double h) {
  const double rate = reduction();
  const double round_off = 4.0 * relative::kRoundOff * largest_coordinate_ * std::max(1.0, length_);
  const double limit = std::max(options_.constraint_tolerance, round_off);
  const bool is_found = increment_ * rate <= allowed && violation_ * rate <= limit;
  if ((is_found || rests_but_for_round_off(h)) && has_settled_multipliers(rate)) return true;
  return iterations_ >= 3 && increment_ >= 0.5 * increment_before_ && violation_ <= limit &&
         increment_ <= std::max(relative::kStagnated * allowed,
                                relative::kLostDigits * largest_coordinate_) &&
         has_settled_multipliers(rate);
}

// Of the first guess, where closing the loops changes slips: corrections along them find friction
// as the tangent has it. What opens them is taken away by a tangent that nearly leaves out damping.
// @return whether all is finite
bool RelativeGeneralizedAlpha::close_loops(State& s) {
  constexpr int kAttempts = 3;
  constexpr double kOfTransition = 0.1, kOfDamping = 1e-6;
  if (!consistent_velocities_) return true;
  for (int i = 0; i < kAttempts; ++i) {
    if (!evaluate(s, SweptLinks::of_rank)) return false;
    VectorXd phi = equations_->violation();
    for (int row = 0; row < phi.size(); ++row)
      if (equations_->closures().is_rate(row)) phi[row] = 0.0;
    const double speed = velocity_ * largest_entry(phi);
    const auto is_slow = [&](const forces::Slip& slip) {
      return speed <= kOfTransition * slip.transition_speed;
    };
    slips_ = system_.slips();
    if (std::all_of(slips_.begin(), slips_.end(), is_slow)) break;
    base::ScopedTimer timer(statistics_.assembly_seconds);
    tangent_->factorise({kOfDamping * velocity_, acceleration_}, now_.q, now_.u, now_.a, n_, s);
    tangent_velocity_ = 0.0;
    ++statistics_.tangents;
    tangent_->solve(VectorXd::Zero(n_.size()), phi, x_, dlambda_);
    dlambda_.setZero();
    if (!x_.allFinite()) return false;
    apply(s, 1.0);
  }
  slips_.clear();
  return true;
}

// Where a first guess or a correction has stretched stiff springs, their forces are not those of
// the motion, and what they do to bodies that turn is larger than inertia: with some of them the
// tangent is singular. A tangent with so much more inertia lets springs shrink without moving
// anything else, and Newton's method goes on from there. Nothing is moved where forces do not fall
// by that.
void RelativeGeneralizedAlpha::let_springs_shrink(State& s) {
  for (const double inertia : relative::kMoreInertia) {
    const double before = equations_->residual().norm();
    {
      base::ScopedTimer timer(statistics_.assembly_seconds);
      tangent_->factorise({velocity_, inertia * acceleration_}, now_.q, now_.u, now_.a, n_, s);
      tangent_velocity_ = 0.0;
      ++statistics_.tangents;
    }
    tangent_->solve(equations_->residual(), equations_->violation(), x_, dlambda_);
    ++statistics_.linear_solves;
    if (!x_.allFinite()) continue;
    dlambda_.setZero();
    apply(s, 1.0);
    if (evaluate(s, SweptLinks::of_rank) &&
        equations_->residual().norm() <= relative::kShrunk * before)
      return;
    apply(s, -1.0);
    evaluate(s, SweptLinks::of_rank);
  }
}

// Of the last correction what leads beyond a reversal of friction is taken back.
void RelativeGeneralizedAlpha::stop_at_reversals(State& s) {
  if (slips_.empty()) return;
  const double share = forces::share_before_reversal(slips_, system_.slips());
  if (share == 1.0) return;
  tangent_->break_off();
  apply(s, share - 1.0);
  evaluate(s, SweptLinks::of_rank);
}

bool RelativeGeneralizedAlpha::iterate(State& s, double h) {
  const double allowed = allowed_increment(h);
  // As the step before did. Friction that follows multipliers may change its mind in any of them.
  // Where rows of closures are nearly dependent, what is learnt of their multipliers is noise, and
  // grows.
  bool takes_few = iterations_ < relative::kFew && equations_->multiplier_forces().empty() &&
                   equations_->n_closure_rows() == 0;
  increment_ = 0.0;
  slips_.clear();
  if (!close_loops(s)) return false;
  tangent_->break_off();
  solvers::TangentRenewal& renewal = tangent_->renewal();
  renewal.start_step();
  if (renewal.is_due()) tangent_velocity_ = 0.0;
  if (!carried_.use(tangent_velocity_ != 0.0)) tangent_velocity_ = 0.0;
  bool is_fresh = false, may_shrink = true;
  int n_slow = 0;
  const double guessed = size_of(n_);
  double residual_before = std::numeric_limits<double>::infinity();
  const auto correct = [&] {
    is_fresh |= tangent_velocity_ == 0.0;
    factorise(s);
    takes_few &= !tangent_->has_couplings();
    base::ScopedTimer timer(statistics_.solve_seconds);
    const VectorXd &r = equations_->residual(), &phi = equations_->violation();
    if (takes_few && iterations_ <= relative::kFew)
      tangent_->correct(weights_, r, phi, x_, dlambda_);
    else
      tangent_->solve(r, phi, x_, dlambda_);
    ++statistics_.linear_solves;
    increment_ = size_of(x_);
  };
  // By a tangent of earlier steps, where what it misses would take another correction: that takes a
  // residual beside a solution, and what is left over makes the next guess worse.
  VectorXd change;
  const auto refine = [&] {
    recursive::Refinement& refinement = tangent_->refinement();
    const int steps = renewal.steps();
    if (iterations_ > 0 && increment_ > allowed && increment_before_ > 0.0)
      refinement.learn(increment_ / increment_before_, steps);
    if (!refinement.begin(steps)) return;
    base::ScopedTimer timer(statistics_.solve_seconds);
    tangent_->refine(x_, change);
    ++statistics_.linear_solves;
    increment_ = size_of(x_);
    if (increment_ > 0.0) refinement.measure(size_of(change) / increment_, steps);
  };
  for (iterations_ = 0; iterations_ < options_.max_iterations; ++iterations_) {
    if (!evaluate(s, SweptLinks::of_rank)) return false;
    if (iterations_ > 0) stop_at_reversals(s);
    increment_before_ = increment_;
    double residual = equations_->residual().norm();
    bool is_kept = tangent_velocity_ != 0.0;
    correct();
    if (is_kept && tangent_->can_refine()) refine();
    // A correction of another place that does not shrink would lead away: what stiff springs make
    // of it is no guess for a tangent.
    if (is_kept && iterations_ > 0 &&
        !(increment_ <= std::max(allowed, relative::kUseless * increment_before_))) {
      tangent_velocity_ = 0.0;
      is_kept = takes_few = false;
      correct();
    }
    // A correction by more than the guess moves, or after one that has made forces larger: by
    // springs, or as in contacts and after jumps of forces, where there is nothing to let go.
    if (increment_ > relative::kFar && equations_->has_forces() &&
        (increment_ > guessed || residual > residual_before)) {
      if (may_shrink) {
        let_springs_shrink(s);
        const double left = equations_->residual().norm();
        may_shrink = left <= relative::kShrunk * residual;
        residual = left;
      }
      tangent_velocity_ = 0.0;
      is_kept = takes_few = false;
      correct();
    }
    residual_before = residual;
    ++statistics_.newton_iterations;
    if (!std::isfinite(increment_)) return false;
    if (is_fresh && iterations_ > 1 && increment_ > kDivergence * increment_before_) return false;
    slips_ = system_.slips();
    apply(s, 1.0);
    // Where few are taken, the first correction by a new tangent says nothing of it.
    const bool is_slow = iterations_ > 0 && (is_kept || !takes_few) &&
                         increment_ > kGoodReduction * increment_before_;
    if (is_slow) ++n_slow;
    if (has_converged(allowed, h)) {
      carried_.finish_step(is_fresh);
      renewal.finish_step(takes_few ? 1 + n_slow : 1);
      // Where few are taken, renewal counts the slow ones.
      if (is_slow && !takes_few && increment_ > allowed) tangent_velocity_ = 0.0;
      if (equations_->has_forces() || !driven_.empty()) return evaluate(s, SweptLinks::all);
      base::ScopedTimer timer(statistics_.assembly_seconds);
      equations_->settle(now_.q, now_.u, now_.a);  // nothing reads what hinges exert
      return true;
    }
    const bool goes_on = takes_few && iterations_ < relative::kFew &&
                         relative::takes_one_more(increment_, increment_before_, allowed);
    if (is_slow && !goes_on) tangent_velocity_ = 0.0;
  }
  return false;
}

void RelativeGeneralizedAlpha::require_no_rejection(const State& s, double h) const {
  const std::string rejection =
      rejection_of_step(system_, state_before_, 0.5 * h * (state_before_.v + s.v), s.t);
  if (!rejection.empty())
    throw base::ComputationError("the step is too long: " + rejection +
                                 "\n  try a smaller `step`, or `adaptive`");
}

std::string RelativeGeneralizedAlpha::failure(const State& s, double h) {
  int worst = 0;
  const VectorXd& r = equations_->residual();
  if (r.size() > 0) r.cwiseAbs().maxCoeff(&worst);
  std::string name;
  for (const recursive::Link& k : mechanism_->tree().links())
    if (k.u <= worst) name = mechanism_->tree().name_of(k);
  std::string text = fmt::format(
      "t = {:.6g} s, step {:.3g} s: Newton stopped after {} iterations, last displacement increment {:.1e} of the characteristic length (allowed {:.1e})\n  largest residual {:.3g} at the hinge or modes of body {}; largest violation of closures {:.3g}",
      s.t, h, iterations_, increment_, allowed_increment(h), r.size() > 0 ? r[worst] : 0.0, name,
      violation_);
  if (!has_settled_multipliers(1.0))
    text += describe_unsettled("forces of closures, which friction of joints follows,",
                               largest_entry(dlambda_) / largest_entry(lambda_));
  const std::string contradiction = contradiction_in_step(system_, state_before_, s.t);
  return contradiction.empty() ? text + remedy_of_step(system_, state_before_, s.t) : contradiction;
}

}  // namespace solidyn::integrators
