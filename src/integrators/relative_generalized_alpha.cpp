#include "solidyn/integrators/relative_generalized_alpha.h"

#include <algorithm>
#include <cmath>

#include "integrators/branches_of_run.h"
#include "integrators/consistent_velocities.h"
#include "integrators/newton_rules.h"
#include "integrators/refusals.h"
#include "integrators/relative_weights.h"
#include "integrators/rethrow_with_time.h"
#include "recursive/refinement.h"
#include "solidyn/base/timer.h"
#include "solidyn/recursive/step_tangent.h"
#include "solidyn/system/followed_multipliers.h"
#include "solidyn/system/scales.h"

namespace solidyn::integrators {

using Eigen::VectorXd;
using system::State;

RelativeGeneralizedAlpha::RelativeGeneralizedAlpha(system::System& system,
                                                   const GeneralizedAlphaOptions& options)
    : system_(system), options_(options) {
  const double alpha = options.hht_alpha.value_or(0.0);
  const double rho = options.hht_alpha ? (1.0 + alpha) / (1.0 - alpha) : options.rho_infinity;
  alpha_m_ = options.hht_alpha ? 0.0 : (2.0 * rho - 1.0) / (rho + 1.0);
  alpha_f_ = options.hht_alpha ? -alpha : rho / (rho + 1.0);
  gamma_ = 0.5 + alpha_f_ - alpha_m_;
  beta_ = 0.25 * (gamma_ + 0.5) * (gamma_ + 0.5);
}

RelativeGeneralizedAlpha::~RelativeGeneralizedAlpha() = default;

void RelativeGeneralizedAlpha::initialize(const State& state) {
  State s = state.clone();
  system_.update(s);
  if (!mechanism_) {
    mechanism_ = std::make_unique<recursive::Mechanism>(system_);
    equations_ = std::make_unique<recursive::StepEquations>(*mechanism_);
    share_branches_of_run(*equations_);
    tangent_ = std::make_unique<recursive::StepTangent>(*equations_);
  }
  consistent_velocities_.reset();
  if (equations_->n_closure_rows() > 0 && !system::followed_multipliers(system_).empty())
    consistent_velocities_ =
        std::make_unique<ConsistentVelocities>(system_, options_.preset, options_.regularization);
  followed_closures_.clear();
  if (equations_->has_forces_of_closures())
    for (const bodies::ConstraintIndex c : mechanism_->tree().forest().closures)
      for (int i = 0; i < system_.constraint(c).n_rows(); ++i)
        followed_closures_.push_back(system_.layout().constraint_offset(c) + i);
  set_weights();
  driven_.clear();
  free_turns_.clear();
  for (const recursive::Link& k : mechanism_->tree().links()) {
    for (int j = k.n_free; j < k.n_speeds; ++j) driven_.push_back(k.u + k.order[j]);
    if (k.turns_with_carrier())
      free_turns_.push_back({k.u + k.hinge.n_translations(), k.hinge.turn_sign()});
  }
  mechanism_->tree().find_coordinates(s, now_.q, now_.u);
  equations_->find_accelerations(now_.q, now_.u, s, now_.a);
  lambda_ = equations_->closure_multipliers(s);
  now_.A = now_.law = now_.a;
  step_before_ = 0.0;
  corrected_start_.reset();
  tangent_velocity_ = 0.0;
  carried_ = {};
  tangent_->refinement().forget();
  iterations_ = 0;
  past_.forget();
  largest_velocity_ = largest_acceleration_ = 0.0;
  largest_coordinate_ = 1.0;
  system_.update(state);
}

bool RelativeGeneralizedAlpha::recall(const Memory& memory, const State& state) {
  if (memory.acceleration.size() != now_.a.size() ||
      memory.algorithmic_acceleration.size() != now_.a.size())
    return false;
  now_.a = memory.acceleration;
  now_.A = memory.algorithmic_acceleration;
  lambda_ = equations_->closure_multipliers(state);
  step_before_ = memory.step;
  VectorXd q = now_.q, u = now_.u;
  now_.law = law_accelerations(state.t, q, u);
  return true;
}

void RelativeGeneralizedAlpha::forget_history(const State& state) {
  const Memory kept = memory();
  initialize(state);
  recall(kept, state);
}

void RelativeGeneralizedAlpha::set_weights() {
  length_ = system::characteristic_length(system_);
  weights_ = increment_weights(mechanism_->tree(), length_);
}

double RelativeGeneralizedAlpha::size_of(const VectorXd& v) const {
  return v.size() > 0 ? v.cwiseProduct(weights_).lpNorm<Eigen::Infinity>() : 0.0;
}

// Whose round-off increments cannot fall below: forces and closures see how bodies are placed in
// the world, and of a mechanism that is far from its origin that has less to spare.
double RelativeGeneralizedAlpha::coordinate_size() const {
  double size = now_.q.size() > 0 ? now_.q.lpNorm<Eigen::Infinity>() : 0.0;
  if (equations_->has_forces())
    for (const recursive::Link& k : mechanism_->tree().links())
      size = std::max(size, k.p.lpNorm<Eigen::Infinity>() / length_);
  return size;
}

void RelativeGeneralizedAlpha::set_factors(double h) {
  velocity_ = gamma_ / (beta_ * h);
  acceleration_ = (1.0 - alpha_m_) / ((1.0 - alpha_f_) * beta_ * h * h);
  bracket_ = h * h / 12.0;
  if (std::abs(tangent_velocity_ - velocity_) > kSameStep * velocity_) tangent_velocity_ = 0.0;
}

void RelativeGeneralizedAlpha::factorise(State& s) {
  if (tangent_velocity_ != 0.0) return;
  base::ScopedTimer timer(statistics_.assembly_seconds);
  tangent_->factorise({velocity_, acceleration_}, now_.q, now_.u, now_.a, n_, s);
  tangent_velocity_ = velocity_;
  rate_ = 1.0;
  ++statistics_.tangents;
}

// From the start of the step by n_. Of a body that turns on another one, with the velocity w + a t
// in the axes of that one, R_1 = exp(n) R_0 has n = h w + h^2 a/2 - h^3 w x a/12. Without the last
// term a fast spin turns its own axis by (h w)^2/12 too much of each turn of the axis, and speeds
// that the spin dominates are then those of another motion: an error of order two, but a large one.
// Newton's matrix does without it. Free bodies have the increments of absolute coordinates.
void RelativeGeneralizedAlpha::advance_coordinates() {
  now_.q = before_.q;
  if (free_turns_.empty()) return mechanism_->tree().advance(n_, now_.q);
  turned_ = n_;
  for (const FreeTurn& turn : free_turns_) {
    const Eigen::Vector3d w = before_.u.segment<3>(turn.speeds),
                          change = now_.u.segment<3>(turn.speeds) - w;
    turned_.segment<3>(turn.speeds) += turn.sign * bracket_ * w.cross(change);
  }
  mechanism_->tree().advance(turned_, now_.q);
}

void RelativeGeneralizedAlpha::predict(State& s, double h) {
  s.velocity_correction.resize(0);
  past_.extrapolate(h, now_.a, lambda_);
  tangent_->keep_idle(lambda_before_, lambda_);
  now_.A =
      ((1.0 - alpha_f_) * now_.a + alpha_f_ * before_.a - alpha_m_ * before_.A) / (1.0 - alpha_m_);
  plan_laws(s.t - h, h);
  const VectorXd u = first_offset_.size() > 0 ? VectorXd(before_.u + first_offset_) : before_.u;
  n_ = h * u + h * h * ((0.5 - beta_) * before_.A + beta_ * now_.A);
  now_.u = u + h * ((1.0 - gamma_) * before_.A + gamma_ * now_.A);
  advance_coordinates();
  equations_->set_closure_multipliers(lambda_, s);
}

void RelativeGeneralizedAlpha::apply(State& s, double share) {
  n_ += share * x_;
  now_.u += share * velocity_ * x_;
  now_.a += share * acceleration_ * x_;
  now_.A += share * acceleration_ * (1.0 - alpha_f_) / (1.0 - alpha_m_) * x_;
  lambda_ += share * dlambda_;
  advance_coordinates();
  equations_->set_closure_multipliers(lambda_, s);
}

void RelativeGeneralizedAlpha::step(State& s, double h) {
  require_step(h);
  state_before_.copy_from(s);
  given_A_ = now_.A;
  first_offset_.resize(0);
  before_drop_.reset();
  if (step_before_ != 0.0) corrected_start_.reset();  // a first step may be tried again
  set_factors(h);
  if (step_before_ == 0.0)
    begin(s, h);
  else
    adapt(s, h);
  before_ = now_;
  lambda_before_ = lambda_;
  largest_velocity_ = std::max(largest_velocity_, size_of(now_.u));
  largest_acceleration_ = std::max(largest_acceleration_, size_of(now_.a));
  largest_coordinate_ = std::max(largest_coordinate_, coordinate_size());
  s.t += h;
  bool converged = false;
  std::exception_ptr error;
  try {
    predict(s, h);
    converged = iterate(s, h);
    if (converged) equations_->write(s);
    if (converged) require_no_rejection(s, h);
  } catch (...) {
    error = std::current_exception();
  }
  if (!converged || error) {
    const double t = s.t;
    const std::string text = error ? std::string() : failure(s, h);
    now_ = before_;
    take_dropped_back();
    now_.A = given_A_;
    tangent_velocity_ = 0.0;
    past_.forget();
    s.copy_from(state_before_);
    system_.update(s);
    if (!error) throw base::ComputationError(text);
    rethrow_with_time(error, t);
  }
  if (consistent_velocities_)
    consistent_velocities_->warn_of_multipliers(
        s, followed_closures_,
        round_off_of_forces(largest_coordinate_, length_, system::total_mass(system_),
                            acceleration_),
        "or `formulation: absolute` with `integrator: ed_alpha`, whose constraint forces do not swing after a jump");
  ++statistics_.steps;
  step_before_that_ = step_before_;
  step_before_ = h;
  error_estimate_ = std::abs(beta_ - 1.0 / 6.0) * h * h * size_of(now_.A - before_.A);
  // What a stiff spring between distant bodies does from step to step is not smooth enough.
  past_.note(h, {before_.a, lambda_before_}, {now_.a, lambda_}, weights_,
             tangent_->has_couplings() || equations_->n_closure_rows() > 0
                 ? Extrapolation::Most::cubic
                 : Extrapolation::Most::nearest);
}

// The motion as it was before the step, with velocities that it began without.
void RelativeGeneralizedAlpha::take_dropped_back() {
  lambda_ = lambda_before_;
  if (!before_drop_) return;
  now_.u = before_drop_->u;
  now_.a = before_drop_->a;
  lambda_ = before_drop_->lambda;
  corrected_start_ = before_drop_->corrected_start;
  before_drop_.reset();
}

void RelativeGeneralizedAlpha::complete(State& s) {
  equations_->set_closure_multipliers(lambda_, s);
  equations_->evaluate_as_given(now_.q, now_.u, now_.a, s);
  system_.update(s);
  equations_->write_reactions(s);
}

void RelativeGeneralizedAlpha::reject(State& s) {
  s.copy_from(state_before_);
  now_ = before_;
  take_dropped_back();
  now_.A = given_A_;
  step_before_ = step_before_that_;
  past_.forget();
  --statistics_.steps;
  ++statistics_.rejected_steps;
  system_.update(s);
}

}  // namespace solidyn::integrators
