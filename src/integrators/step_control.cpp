#include "solidyn/integrators/step_control.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace solidyn::integrators {
namespace {

constexpr double kOrder = 3.0;  // the error of one step is O(h^3)
constexpr double kSafety = 0.85;
constexpr double kShrinkMost = 0.2, kGrowMost = 2.0;
// Between these factors the step is kept.
constexpr double kKeepFrom = 0.9, kKeepTo = 1.4;

}  // namespace

StepController::StepController(double tolerance, double min_step, double max_step)
    : tolerance_(tolerance), min_(min_step), max_(max_step), next_(max_step) {
  if (!(tolerance > 0.0))
    throw base::InputError(
        fmt::format("the tolerance of adaptive steps is {}", tolerance),
        "give the allowed error per step as a fraction of the characteristic length of the mechanism, for example 1e-6");
  if (!(min_step > 0.0 && min_step <= max_step))
    throw base::InputError(
        fmt::format("the range of adaptive steps is {} s to {} s", min_step, max_step),
        "give a positive minimum step that does not exceed the maximum step");
}

void StepController::set_next_step(double h) { next_ = std::clamp(h, min_, max_); }

// Two equal steps rather than a whole one and a sliver.
double StepController::fit(double remaining) const {
  if (remaining <= next_) return remaining;
  return remaining < 2.0 * next_ ? 0.5 * remaining : next_;
}

void StepController::shorten_after_failure(double h, const std::exception_ptr& first_failure) {
  if (h <= min_) std::rethrow_exception(first_failure);
  next_ = std::max(min_, 0.5 * h);
  was_shortened_ = true;
}

void StepController::shorten_after_error(double h, double error, double t) {
  if (h <= min_)
    throw base::ComputationError(fmt::format(
        "t = {:.6g} s: with the minimum step, {:.3g} s, the error is {:.2g} of the characteristic length (tolerance {:.2g})\n  try a smaller `minimum_step` or a larger tolerance",
        t, h, error, tolerance_));
  const double factor = kSafety * std::pow(tolerance_ / error, 1.0 / kOrder);
  next_ = std::max(min_, h * std::clamp(factor, kShrinkMost, kKeepFrom));
  was_shortened_ = true;
}

void StepController::propose_next(double h, double error) {
  double factor = kGrowMost;
  if (error > 0.0) {
    factor = error_before_ > 0.0 ? kSafety * std::pow(tolerance_ / error, 0.7 / kOrder) *
                                       std::pow(error_before_ / tolerance_, 0.4 / kOrder)
                                 : kSafety * std::pow(tolerance_ / error, 1.0 / kOrder);
    factor = std::clamp(factor, kShrinkMost, kGrowMost);
  }
  error_before_ = error;
  if (factor >= kKeepFrom && (factor <= kKeepTo || was_shortened_)) factor = 1.0;
  // A step that had to end at t_end says nothing against the longer one that was planned.
  const double proposed = h < next_ ? std::max(next_, factor * h) : factor * h;
  next_ = std::clamp(proposed, min_, max_);
}

}  // namespace solidyn::integrators
