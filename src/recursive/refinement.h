#pragma once
#include <algorithm>

namespace solidyn::recursive {

/// Whether corrections with an iteration matrix that is kept over time steps are refined
/// (StepTangent::refine()): where what they miss by the way that bodies have gone would take
/// another correction. What is missed grows with each step; some directions are missed by more than
/// others. Proved by Refinement.*
class Refinement {
 public:
  /// Of a motion that begins.
  void forget() { *this = {}; }
  /// With another matrix.
  void renew() { has_measured_ = false; }
  /// Of a correction that is not refined, what it misses. @param steps  since the matrix was made
  double predicted(int steps) const { return std::min(1.0, miss_ * steps); }
  /// Before a correction is applied. @return whether it is to be refined
  bool begin(int steps) { return is_refined_ = predicted(steps) > kSmall; }
  /// Whether the last one was.
  bool is_refined() const { return is_refined_; }
  /// What the last one missed, of it, as refining has shown.
  void measure(double part, int steps) {
    miss_ = std::max(kLeast * miss_, part / steps);
    has_measured_ = true;
  }
  /// What is left of one that was not refined, as the next one has shown. Where refining has shown
  /// that little is missed, what makes corrections slow is something else.
  void learn(double part, int steps) {
    if (steps > 0 && !is_refined_ && !has_measured_) miss_ = part / steps;
  }

 private:
  static constexpr double kSmall = 0.05;  // what costs no more corrections
  static constexpr double kLeast = 0.7;   // of what was missed before
  double miss_ = 0.0;                     // in each step
  bool has_measured_ = false, is_refined_ = false;
};

}  // namespace solidyn::recursive
