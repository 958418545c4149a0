#pragma once
#include <vector>

namespace solidyn::integrators {

/// When full-mesh bodies that keep a tangent should compute it anew. Counts in iterations, not in
/// seconds, so that a run takes the same steps on any machine.
class TangentRenewal {
 public:
  /// What a new tangent costs, in iterations: assembly and factorisation against a solve and a
  /// residual (SOLVERS.md: a factor costs 27 to 38 solves, an iteration about three).
  static constexpr int kCost = 10;

  static constexpr int kFirstSteps = 3;

  /// Before the first iteration: true when the iterations that the old tangent has cost too many,
  /// in the steps since it was made, add up to a new one.
  bool is_due() const { return wasted_ >= kCost; }

  /// After a correction of this size: true when the iteration continues for so long, at the rate of
  /// the last ones, that a new tangent pays within this step.
  bool is_too_slow(double correction, double allowed);

  void start_step();
  void renew();
  /// Instead of renew(), where there was no better tangent: the next try is as far off.
  void keep();
  /// The first steps with a tangent say in the mean how many it takes: single ones have luck.
  void finish_step(int iterations);
  /// True when the tangent was made in the step under way. If that fails, it is the tangent of an
  /// iterate astray.
  bool is_of_this_step() const { return is_of_this_step_; }

 private:
  std::vector<double> corrections_;  // of this step, with this tangent
  int n_first_ = 0, of_first_ = 0;   // first steps with this tangent, and their iterations
  double wasted_ = 0.0;
  bool is_of_this_step_ = false;
};

}  // namespace solidyn::integrators
