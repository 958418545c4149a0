#pragma once
#include <vector>

namespace solidyn::solvers {

/// When an iteration matrix that is kept over time steps should be computed anew. Counts in
/// iterations, not in seconds, so that a run takes the same steps on any machine.
class TangentRenewal {
 public:
  /// @param cost  what a new matrix costs, in iterations: assembly and factorisation against a
  ///              solution and a residual
  explicit TangentRenewal(double cost) : cost_(cost) {}

  static constexpr int kFirstSteps = 3;

  /// Before the first iteration: true when the iterations that the old tangent has cost too many,
  /// in the steps since it was made, add up to a new one.
  bool is_due() const { return wasted_ >= cost_; }

  /// After a correction of this size: true when the iteration continues for so long, at the rate of
  /// the last ones, that a new tangent pays within this step.
  bool is_too_slow(double correction, double allowed);

  void start_step();
  void renew();
  /// Instead of renew(), where there was no better tangent: the next try is as far off.
  void keep();
  /// The first steps with a tangent say in the mean how many it takes: single ones have luck.
  void finish_step(int iterations);
  /// Steps that were finished since renew().
  int steps() const { return steps_; }
  /// True when the tangent was made in the step under way. If that fails, it is the tangent of an
  /// iterate astray.
  bool is_of_this_step() const { return is_of_this_step_; }

 private:
  double cost_;
  std::vector<double> corrections_;             // of this step, with this tangent
  int steps_ = 0, n_first_ = 0, of_first_ = 0;  // the first of these, and their iterations
  double wasted_ = 0.0;
  bool is_of_this_step_ = false;
};

}  // namespace solidyn::solvers
