#pragma once
#include <algorithm>

namespace solidyn::integrators {

/// Whether a step begins with the tangent that the last one left, or with a new one. Stiff springs
/// turn in a step by more than a tangent stands: the first correction with that of the step before
/// stretches them, and the one that is then made, of the forces of this stretch, is not that of the
/// solution either. Where a tangent had to be made anew in the step after it was made, steps begin
/// with new ones, before a look at whether the last one would do: one, then twice as many, as long
/// as looks end alike. Counts steps, not seconds, so that runs are the same on any machine.
/// Proved by CarriedTangents.*
class CarriedTangents {
 public:
  /// At the start of a step. @param has_one  of the same step size
  /// @return whether that is to be used
  bool use(bool has_one) {
    is_carried_ = has_one && n_new_ == 0;
    if (has_one && n_new_ > 0) --n_new_;
    return is_carried_;
  }
  /// At its end. @param was_renewed  whether a tangent was made within the step
  void finish_step(bool was_renewed) {
    if (is_carried_ && !was_renewed) n_last_ = 0;
    if (is_carried_ && was_renewed && is_of_last_step_)
      n_new_ = n_last_ = std::clamp(2 * n_last_, 1, kMost);
    is_of_last_step_ = was_renewed;
  }

 private:
  static constexpr int kMost = 16;
  bool is_carried_ = false, is_of_last_step_ = false;
  int n_new_ = 0, n_last_ = 0;  // steps to begin with new ones: left, and of the last look
};

}  // namespace solidyn::integrators
