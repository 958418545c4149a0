#pragma once
#include <algorithm>
#include <exception>
#include <limits>

#include "solidyn/base/resource_error.h"
#include "solidyn/integrators/impact_search.h"
#include "solidyn/system/state.h"

namespace solidyn::integrators {

/// Chooses the steps of an integrator of order two from its error estimate (a proportional-integral
/// controller: Gustafsson; Hairer & Wanner, Solving ODEs II, IV.2):
///   factor = safety (tolerance / error)^(0.7/3) (error before / tolerance)^(0.4/3)
/// A step keeps its size while the factor stays within a band about one, so that the integrator can
/// go on with its tangent. A step that fails to converge is tried again with half its size.
/// Proved by tests/verification/integrators/step_control_test.cpp.
class StepController {
 public:
  /// @param tolerance of the error per step, relative to the mechanism's length
  /// @param min_step, max_step s
  /// @throws base::InputError unless tolerance > 0 and 0 < min_step <= max_step
  StepController(double tolerance, double min_step, double max_step);

  /// The size of the first step, s, instead of max_step. Clipped to the limits.
  void set_next_step(double h);
  double next_step() const { return next_; }

  /// One accepted step, never beyond t_end (the last one may be shorter than min_step).
  /// Integrator: step(state, h), reject(state), error_estimate().
  /// @return its size; 0 when state.t is not before t_end
  /// @throws base::ComputationError when even the smallest step does not converge (the first
  /// failure of this step) or has too large an error; `state` is then unchanged
  template <class Integrator>
  double step(Integrator& integrator, system::State& state, double t_end);

 private:
  double fit(double remaining) const;
  void shorten_after_failure(double h, const std::exception_ptr& first_failure);
  void shorten_after_error(double h, double error, double t);
  void propose_next(double h, double error);

  double tolerance_, min_, max_, next_;
  double error_before_ = 0.0;  // of the last accepted step
  bool was_shortened_ = false;
};

template <class Integrator>
double StepController::step(Integrator& integrator, system::State& state, double t_end) {
  const double t = state.t;
  std::exception_ptr first_failure;
  double longest = std::numeric_limits<double>::infinity();  // to an impact
  was_shortened_ = false;
  while (t < t_end) {
    const double h = std::min(fit(t_end - t), longest);
    try {
      integrator.step(state, h);
    } catch (const base::ResourceError&) {
      throw;
    } catch (const ImpactWithinStep& impact) {
      longest = impact.length;
      continue;
    } catch (const base::ComputationError&) {
      if (!first_failure) first_failure = std::current_exception();
      shorten_after_failure(h, first_failure);
      continue;
    }
    const double error = integrator.error_estimate();
    if (error <= tolerance_) {
      propose_next(h, error);
      if (h >= t_end - t) state.t = t_end;
      return h;
    }
    integrator.reject(state);
    shorten_after_error(h, error, t);
  }
  return 0.0;
}

}  // namespace solidyn::integrators
