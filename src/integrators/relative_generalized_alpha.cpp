#include "solidyn/integrators/relative_generalized_alpha.h"

#include <fmt/format.h>

#include <cmath>

#include "integrators/newton_rules.h"
#include "integrators/refusals.h"
#include "integrators/rethrow_with_time.h"
#include "solidyn/base/timer.h"
#include "solidyn/recursive/step_tangent.h"
#include "solidyn/system/scales.h"

namespace solidyn::integrators {
namespace {

using Eigen::VectorXd;
using system::State;

// The same numbers as of absolute coordinates.
namespace relative {
// Round-off of coordinates, and what no longer shrinks and is as small.
constexpr double kRoundOff = 1e-15, kLostDigits = 1e-12, kStagnated = 100.0;
constexpr double kSameStep = 1e-9;
// How much later accelerations are looked at for their rate, in steps; by how much the rate over
// the whole step may differ from that.
constexpr double kProbe = 0.01, kUneven = 0.5;
// Of the filter of accelerations.
constexpr int kFilterTerms = 2;
// Of a step that continues from the last one, over that.
constexpr double kGrowth = 2.0 + 1e-6;
}  // namespace relative

double largest_entry(const VectorXd& v) { return v.size() > 0 ? v.lpNorm<Eigen::Infinity>() : 0.0; }

}  // namespace

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
    tangent_ = std::make_unique<recursive::StepTangent>(*equations_);
  }
  set_weights();
  mechanism_->tree().find_coordinates(s, now_.q, now_.u);
  equations_->find_accelerations(now_.q, now_.u, s, now_.a);
  lambda_ = equations_->closure_multipliers(s);
  now_.A = now_.a;
  step_before_ = 0.0;
  tangent_velocity_ = 0.0;
  past_ = {};
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
  return true;
}

void RelativeGeneralizedAlpha::forget_history(const State& state) {
  const Memory kept = memory();
  initialize(state);
  recall(kept, state);
}

// Of increments, as fractions of the mechanism's length, and rad.
void RelativeGeneralizedAlpha::set_weights() {
  length_ = system::characteristic_length(system_);
  weights_.setOnes(equations_->n_speeds());
  for (const recursive::Link& k : mechanism_->tree().links()) {
    weights_.segment(k.u, k.hinge.n_translations()).setConstant(1.0 / length_);
    const bodies::Body& body = system_.body(k.body);
    weights_.segment(k.u + k.n_speeds, body.n_elastic()) = body.elastic_amplitude() / length_;
  }
}

double RelativeGeneralizedAlpha::size_of(const VectorXd& v) const {
  return largest_entry(v.cwiseProduct(weights_));
}

void RelativeGeneralizedAlpha::set_factors(double h) {
  velocity_ = gamma_ / (beta_ * h);
  acceleration_ = (1.0 - alpha_m_) / ((1.0 - alpha_f_) * beta_ * h * h);
  if (std::abs(tangent_velocity_ - velocity_) > relative::kSameStep * velocity_)
    tangent_velocity_ = 0.0;
}

void RelativeGeneralizedAlpha::factorise(State& s) {
  if (tangent_velocity_ != 0.0) return;
  base::ScopedTimer timer(statistics_.assembly_seconds);
  tangent_->factorise({velocity_, acceleration_}, now_.q, now_.u, now_.a, n_, s);
  tangent_velocity_ = velocity_;
  ++statistics_.tangents;
}

// What the step resolves of an acceleration at the present motion, as GeneralizedAlpha has it: with
// S = M + c1 h D + c2 h^2 K, (I - (I - S^-1 M)^n) x, and of closures all that they prescribe.
VectorXd RelativeGeneralizedAlpha::resolved(State& s, const VectorXd& target, int n_terms) {
  VectorXd kept = VectorXd::Zero(target.size()), a = now_.a;
  equations_->evaluate(now_.q, now_.u, a, s);
  const VectorXd r = equations_->residual(), along = equations_->closure_accelerations();
  n_.setZero(target.size());
  factorise(s);
  for (int i = 0; i < n_terms; ++i) {
    a = now_.a + target - kept;
    equations_->evaluate(now_.q, now_.u, a, s);
    tangent_->solve(r - equations_->residual(),
                    (along - equations_->closure_accelerations()) / acceleration_, x_, dlambda_);
    kept += acceleration_ * x_;
  }
  for (const recursive::Link& k : mechanism_->tree().links())
    for (int j = k.n_free; j < k.n_speeds; ++j) {  // laws
      const int at = k.u + k.order[j];
      kept[at] = target[at];
    }
  return kept;
}

// A stands for the acceleration (alpha_m - alpha_f) h later: it begins along its rate, where that
// is smooth over the step. What the step does not resolve is left out, as it would be thrown by
// h^2 a, with any energy.
void RelativeGeneralizedAlpha::begin(const State& state, double h) {
  now_.A = now_.a;
  State later = state.clone();
  const auto rate = [&](double dt) {
    VectorXd q = now_.q, u = now_.u + dt * now_.a, a;
    mechanism_->tree().advance(dt * now_.u + 0.5 * dt * dt * now_.a, q);
    later.copy_from(state);
    later.t += dt;
    equations_->find_accelerations(q, u, later, a);
    return VectorXd((a - now_.a) / dt);
  };
  try {
    VectorXd near = rate(relative::kProbe * h);
    const VectorXd far = rate(h);
    later.copy_from(state);
    equations_->set_closure_multipliers(lambda_, later);
    now_.A = resolved(later, now_.a, relative::kFilterTerms);
    near = resolved(later, near, 1);
    if (size_of(near - resolved(later, far, 1)) <= relative::kUneven * size_of(near))
      now_.A += (alpha_m_ - alpha_f_) * h * near;
  } catch (const base::ComputationError&) {
    now_.A = now_.a;  // the step itself will say why the motion cannot continue
  }
  system_.update(state);
}

// When the step changes A moves along; a step that is much longer begins anew.
void RelativeGeneralizedAlpha::adapt(const State& state, double h) {
  const double ratio = h / step_before_;
  if (std::abs(ratio - 1.0) <= relative::kSameStep) return;
  if (ratio > relative::kGrowth) return begin(state, h);
  State here = state.clone();
  equations_->set_closure_multipliers(lambda_, here);
  now_.A = resolved(here, now_.a + ratio * (now_.A - now_.a), relative::kFilterTerms);
  system_.update(state);
}

void RelativeGeneralizedAlpha::predict(State& s, double h) {
  if (past_.is_smooth) {
    const double ratio = h / past_.step;
    now_.a += ratio * (now_.a - past_.a);
    lambda_ += ratio * (lambda_ - past_.lambda);
  }
  now_.A =
      ((1.0 - alpha_f_) * now_.a + alpha_f_ * before_.a - alpha_m_ * before_.A) / (1.0 - alpha_m_);
  n_ = h * before_.u + h * h * ((0.5 - beta_) * before_.A + beta_ * now_.A);
  now_.u = before_.u + h * ((1.0 - gamma_) * before_.A + gamma_ * now_.A);
  now_.q = before_.q;
  mechanism_->tree().advance(n_, now_.q);
  equations_->set_closure_multipliers(lambda_, s);
}

void RelativeGeneralizedAlpha::apply(State& s, double share) {
  const VectorXd d = share * x_;
  n_ += d;
  now_.u += velocity_ * d;
  now_.a += acceleration_ * d;
  now_.A += acceleration_ * (1.0 - alpha_f_) / (1.0 - alpha_m_) * d;
  lambda_ += share * dlambda_;
  now_.q = before_.q;
  mechanism_->tree().advance(n_, now_.q);
  equations_->set_closure_multipliers(lambda_, s);
}

// @return whether all is finite
bool RelativeGeneralizedAlpha::evaluate(State& s) {
  base::ScopedTimer timer(statistics_.assembly_seconds);
  equations_->evaluate(now_.q, now_.u, now_.a, s);
  violation_ = largest_entry(equations_->violation());
  return equations_->residual().allFinite() && std::isfinite(violation_);
}

double RelativeGeneralizedAlpha::allowed_increment(double h) const {
  const double of_velocity = h * largest_velocity_,
               of_acceleration = beta_ * h * h * largest_acceleration_;
  return std::max(options_.tolerance * std::min(of_velocity, of_acceleration),
                  relative::kRoundOff * largest_coordinate_);
}

// After a correction: what it left is smaller again by as much as it is smaller than the one
// before. Violations of closures are of before it.
bool RelativeGeneralizedAlpha::has_converged(double allowed) const {
  const double rate = iterations_ == 0 ? 1.0 : shrunk(increment_, increment_before_);
  const double round_off = 4.0 * relative::kRoundOff * largest_coordinate_ * std::max(1.0, length_);
  const double limit = std::max(options_.constraint_tolerance, round_off);
  if (increment_ * rate <= allowed && violation_ * rate <= limit) return true;
  return iterations_ >= 3 && increment_ >= 0.5 * increment_before_ && violation_ <= limit &&
         increment_ <=
             std::max(relative::kStagnated * allowed, relative::kLostDigits * largest_coordinate_);
}

// Of the last correction what leads beyond a reversal of friction is taken back.
void RelativeGeneralizedAlpha::stop_at_reversals(State& s) {
  if (slips_.empty()) return;
  const double share = forces::share_before_reversal(slips_, system_.slips());
  if (share == 1.0) return;
  apply(s, share - 1.0);
  evaluate(s);
}

bool RelativeGeneralizedAlpha::iterate(State& s, double h) {
  const double allowed = allowed_increment(h);
  increment_ = 0.0;
  slips_.clear();
  bool is_fresh = false;
  for (iterations_ = 0; iterations_ < options_.max_iterations; ++iterations_) {
    if (!evaluate(s)) return false;
    if (iterations_ > 0) stop_at_reversals(s);
    is_fresh |= tangent_velocity_ == 0.0;
    factorise(s);
    {
      base::ScopedTimer timer(statistics_.solve_seconds);
      tangent_->solve(equations_->residual(), equations_->violation(), x_, dlambda_);
    }
    ++statistics_.newton_iterations;
    ++statistics_.linear_solves;
    increment_before_ = increment_;
    increment_ = size_of(x_);
    if (!std::isfinite(increment_)) return false;
    if (is_fresh && iterations_ > 1 && increment_ > kDivergence * increment_before_) return false;
    slips_ = system_.slips();
    apply(s, 1.0);
    const bool is_slow = iterations_ > 0 && increment_ > kGoodReduction * increment_before_;
    if (has_converged(allowed)) {
      if (is_slow && increment_ > allowed) tangent_velocity_ = 0.0;
      return evaluate(s);
    }
    if (is_slow) tangent_velocity_ = 0.0;
  }
  return false;
}

void RelativeGeneralizedAlpha::require_no_rejection(const State& s, double h) const {
  std::string rejection = system_.rejection(s.t);
  if (rejection.empty())
    rejection = system_.angles().rejection(system_.kinematics(), system_.layout(),
                                           0.5 * h * (state_before_.v + s.v), state_before_.angles);
  if (!rejection.empty())
    throw base::ComputationError("the step is too long: " + rejection +
                                 "\n  try a smaller `step`, or `adaptive`");
}

std::string RelativeGeneralizedAlpha::failure(const State& s, double h) const {
  int worst = 0;
  const VectorXd& r = equations_->residual();
  if (r.size() > 0) r.cwiseAbs().maxCoeff(&worst);
  std::string name;
  for (const recursive::Link& k : mechanism_->tree().links())
    if (k.u <= worst) name = mechanism_->tree().name_of(k);
  return fmt::format(
      "t = {:.6g} s, step {:.3g} s: Newton stopped after {} iterations, last displacement increment {:.1e} of the characteristic length (allowed {:.1e})\n  largest residual {:.3g} at the hinge or modes of body {}; largest violation of closures {:.3g}\n  try a smaller `step`, or `adaptive`; drives and joints may contradict each other, or a loop be in a singular position",
      s.t, h, iterations_, increment_, allowed_increment(h), r.size() > 0 ? r[worst] : 0.0, name,
      violation_);
}

void RelativeGeneralizedAlpha::step(State& s, double h) {
  require_step(h);
  state_before_.copy_from(s);
  given_A_ = now_.A;
  set_factors(h);
  if (step_before_ == 0.0)
    begin(s, h);
  else
    adapt(s, h);
  before_ = now_;
  const VectorXd lambda_before = lambda_;
  largest_velocity_ = std::max(largest_velocity_, size_of(now_.u));
  largest_acceleration_ = std::max(largest_acceleration_, size_of(now_.a));
  largest_coordinate_ = std::max(largest_coordinate_, largest_entry(now_.q));
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
    now_.A = given_A_;
    lambda_ = lambda_before;
    tangent_velocity_ = 0.0;
    past_ = {};
    s.copy_from(state_before_);
    system_.update(s);
    if (!error) throw base::ComputationError(text);
    rethrow_with_time(error, t);
  }
  ++statistics_.steps;
  step_before_that_ = step_before_;
  step_before_ = h;
  error_estimate_ = std::abs(beta_ - 1.0 / 6.0) * h * h * size_of(now_.A - before_.A);
  if (past_.step > 0.0) {
    const double ratio = h / past_.step, plain = size_of(now_.a - before_.a);
    past_.is_smooth = size_of(now_.a - before_.a - ratio * (before_.a - past_.a)) < plain;
  }
  past_.a = before_.a;
  past_.lambda = lambda_before;
  past_.step = h;
}

void RelativeGeneralizedAlpha::reject(State& s) {
  s.copy_from(state_before_);
  now_ = before_;
  now_.A = given_A_;
  lambda_ = equations_->closure_multipliers(s);
  step_before_ = step_before_that_;
  past_ = {};
  --statistics_.steps;
  ++statistics_.rejected_steps;
  system_.update(s);
}

}  // namespace solidyn::integrators
