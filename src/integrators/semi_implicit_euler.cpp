#include "solidyn/integrators/semi_implicit_euler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "integrators/branches_of_run.h"
#include "integrators/refusals.h"
#include "integrators/relative_step_limit.h"
#include "integrators/rethrow_with_time.h"
#include "integrators/step_remedy.h"
#include "solidyn/base/log.h"
#include "solidyn/system/scales.h"

namespace solidyn::integrators {

using Eigen::VectorXd;
using system::State;

namespace {

// The limit of the step is looked at anew after so many steps, ...
constexpr int kStepsOfLimit = 256;
// ... and where accelerations change with the motion more than it explains: by this factor, and
// this much of (h omega)^2 + 2 h c.
constexpr double kMoreThanKnown = 1.2, kHardlyMore = 0.1;
// Motion under forces that change by themselves looks like that too: beyond these evaluations, and
// this part of those of the steps, the limit is looked at only where stable steps cannot change so.
constexpr double kEvaluationsOfLimit = 100.0, kShareOfLimit = 0.1;
// At a turning point accelerations change and nothing moves: what moved before counts, less so at
// each step.
constexpr double kFades = 0.9;
// Of the length: changes of a step that are round-off.
constexpr double kRoundOff = 1e-13;

}  // namespace

SemiImplicitEuler::SemiImplicitEuler(system::System& system) : system_(system) {}

SemiImplicitEuler::~SemiImplicitEuler() = default;

void SemiImplicitEuler::initialize(const State& state) {
  State s = state.clone();
  system_.update(s);
  if (!mechanism_) {
    mechanism_ = std::make_unique<recursive::Mechanism>(system_);
    share_branches_of_run(*mechanism_);
    limit_ =
        std::make_unique<RelativeStepLimit>(*mechanism_, system::characteristic_length(system_));
  }
  // As a restart does, which has neither.
  limit_->forget();
  steps_since_start_ = 0;
  speed_ = 0.0;
  mechanism_->tree().find_coordinates(s, q_, u_);
  ahead_.setZero(u_.size());
  step_before_ = 0.0;
  evaluate(s);
  evaluation_ = Evaluation::stale;  // of a copy
  system_.update(state);
}

bool SemiImplicitEuler::recall(const Memory& memory) {
  if (memory.acceleration.size() != u_.size() || memory.ahead.size() != u_.size()) return false;
  du_ = memory.acceleration;
  ahead_ = memory.ahead;
  step_before_ = memory.step;
  return true;
}

void SemiImplicitEuler::forget_history(const State& state) {
  const Memory kept = memory();
  initialize(state);
  recall(kept);
}

void SemiImplicitEuler::evaluate(State& s) {
  mechanism_->compute_accelerations(q_, u_, s, du_);
  mechanism_->write_motion(q_, u_, s);
  ++statistics_.linear_solves;
  evaluation_ = Evaluation::at_state;
}

// What speeds of laws change by within a step beyond the mean of their accelerations at its ends is
// of order h^3 where they are smooth, and the impulse of a kink: it moves what hangs on them.
void SemiImplicitEuler::add_impulse_of_laws(State& s, double h, VectorXd& w) {
  if (mechanism_->tree().driven_links().empty()) return;
  VectorXd q = q_, now = u_, then = u_, laws = VectorXd::Zero(u_.size()), at_end = laws;
  mechanism_->tree().follow_laws(s.t, q, now, laws);
  mechanism_->tree().follow_laws(s.t + h, q, then, at_end);
  laws += (then - now) / h - 0.5 * (laws + at_end);
  VectorXd of_step;
  mechanism_->compute_accelerations_as_given(laws, q_, u_, s, of_step);
  ++statistics_.linear_solves;
  w += h * (of_step - du_);
}

void SemiImplicitEuler::require_no_rejection(const State& s, double h) const {
  const std::string rejection =
      rejection_of_step(system_, before_, 0.5 * h * (before_.v + s.v), s.t);
  if (!rejection.empty())
    throw base::ComputationError("the step is too long: " + rejection + "\n  try a smaller `step`");
}

void SemiImplicitEuler::estimate_limit(const VectorXd& suspect, State& workspace, double h) {
  const std::int64_t before = limit_->n_evaluations();
  limit_->estimate(q_, u_, suspect, workspace, h);
  statistics_.linear_solves += limit_->n_evaluations() - before;
  steps_of_limit_ = 0;
  const RelativeStepLimit::Growth growth = limit_->growth(h);
  if (growth.rate == 0.0 || has_told_of_growth_) return;
  has_told_of_growth_ = true;
  base::log_warning(
      "t = {:.6g} s: motion that turns about at {:.3g} rad/s, as spinning bodies do, grows by a factor of {:.3g} in each turn by the steps of `semi_implicit_euler`: use a much smaller `step`, `runge_kutta` or `generalized_alpha`",
      workspace.t, growth.rate, growth.by_turn);
}

bool SemiImplicitEuler::may_estimate() const {
  return static_cast<double>(limit_->n_evaluations()) <=
         kEvaluationsOfLimit + kShareOfLimit * static_cast<double>(steps_since_start_);
}

// Speeds of the middle of the step, for those of its end are ahead: of motion that changes its sign
// in each step accelerations then change by size(h) times what has moved, whatever theta is.
bool SemiImplicitEuler::is_limit_in_doubt(double h) {
  speed_ = std::max(limit_->size_of(w_), kFades * speed_);
  const double changed = h * h * limit_->size_of(du_ - du_before_), moved = h * speed_;
  if (!std::isfinite(changed))
    throw base::ComputationError("the motion diverges\n  try a smaller `step`");
  if (limit_->alternates(du_) && may_estimate()) return true;
  const double more = kMoreThanKnown * limit_->size(h) + kHardlyMore;
  // Stable steps change no more than by what they may have, whatever is known.
  if (changed <= kRoundOff + std::min(more, RelativeStepLimit::kMost) * moved) return false;
  return may_estimate() || changed > kRoundOff + std::max(more, RelativeStepLimit::kMost) * moved;
}

void SemiImplicitEuler::take_step(State& s, double h) {
  ++steps_of_limit_;
  if (!limit_->is_known() || (steps_of_limit_ >= kStepsOfLimit && may_estimate()))
    estimate_limit({}, s, h);
  limit_->require(s.t, h);
  w_ = u_ - step_before_ * ahead_ + 0.5 * (step_before_ + h) * du_;
  add_impulse_of_laws(s, h, w_);
  ahead_ = limit_->extrapolation(h) * du_;
  step_before_ = h;
  u_ = w_ + h * ahead_;
  mechanism_->tree().advance(h * w_, q_);
  s.t += h;
  laws_.setZero(u_.size());
  mechanism_->tree().follow_laws(s.t, q_, u_, laws_);
  mechanism_->project(q_, u_, s);
  evaluate(s);
  require_no_rejection(s, h);
  if (!is_limit_in_doubt(h)) return;
  State scratch = s.clone();
  estimate_limit(du_ - du_before_, scratch, h);
  limit_->require(s.t, h);
  evaluate(s);
}

void SemiImplicitEuler::step(State& s, double h) {
  require_step(h);
  before_.copy_from(s);
  q_before_ = q_;
  u_before_ = u_;
  du_before_ = du_;
  ahead_before_ = ahead_;
  const double speed_before = speed_, step_before = step_before_;
  evaluation_ = Evaluation::stale;
  try {
    take_step(s, h);
  } catch (...) {
    const std::exception_ptr error = std::current_exception();
    const double t = s.t;
    s.copy_from(before_);
    q_ = q_before_;
    u_ = u_before_;
    du_ = du_before_;
    ahead_ = ahead_before_;
    step_before_ = step_before;
    speed_ = speed_before;
    evaluation_ = Evaluation::stale;
    system_.update(s);
    rethrow_with_time(error, t);
  }
  ++statistics_.steps;
  ++steps_since_start_;
}

void SemiImplicitEuler::complete(State& s) {
  if (evaluation_ == Evaluation::completed) return system_.update(s);
  if (evaluation_ == Evaluation::stale) evaluate(s);
  mechanism_->complete(du_, s);
  evaluation_ = Evaluation::completed;
}

}  // namespace solidyn::integrators
