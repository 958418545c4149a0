#pragma once
#include <algorithm>

namespace solidyn::simulation {

/// When checkpoints by the clock are due: the first one early, so that a run that is killed in its
/// first minute has one, and each wait twice as long as the one before, up to `interval`.
class CheckpointPlan {
 public:
  static constexpr double kFirst = 5.0;  ///< s

  /// @param interval s of wall-clock time; 0: none
  explicit CheckpointPlan(double interval) : interval_(interval), wait_(first()) {}

  double interval() const { return interval_; }
  double first() const { return std::min(kFirst, interval_); }
  bool is_due(double seconds_since_the_last) const {
    return interval_ > 0.0 && seconds_since_the_last >= wait_;
  }
  void was_written() { wait_ = std::min(2.0 * wait_, interval_); }

 private:
  double interval_, wait_;
};

}  // namespace solidyn::simulation
