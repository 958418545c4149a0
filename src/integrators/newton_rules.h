#pragma once
#include <algorithm>
#include <string>

/// When Newton's iteration within a step has converged, and when it is given up.
namespace solidyn::integrators {

/// A tangent is kept while each iteration reduces the residual by at least this factor.
constexpr double kGoodReduction = 0.05;
/// ... and where this many more are likely to be enough: a new one takes as long as two or three.
constexpr int kFewMore = 2;
/// A correction is halved so often.
constexpr int kMaxHalvings = 8;
/// The iteration is given up when the residual grows by this factor with a fresh tangent.
constexpr double kDivergence = 1e3;
/// Iterations in which forces of contacts find out what they are.
constexpr int kFirstForces = 3;
/// What is left of a correction by a kept tangent is at least this part of it: the parts that
/// shrink slowly may still hide behind those that shrink fast.
constexpr double kSlowest = 0.01;
inline double shrunk(double now, double before) {
  return before == 0.0 ? 1.0 : std::clamp(now / before, kSlowest, 1.0);
}
/// Of multipliers that G^T maps to zero, relative to all: with more a new tangent takes them away.
constexpr double kIdle = 0.1;
/// Of multipliers that forces depend on, relative: what the next correction may change ...
constexpr double kSettled = 1e-8;
/// ... while they are waited for, and what it may change afterwards: friction that has not found a
/// balance is none.
constexpr int kPatience = 8;
constexpr double kHardlySettled = 1e-3;
/// @param change  of multipliers, by the next correction   @param size  of them
/// @param round_off  what they may change by in any case
inline bool have_settled(double change, double size, int iterations, double round_off) {
  const double allowed = iterations < kPatience ? kSettled : kHardlySettled;
  return change <= std::max(allowed * size, round_off);
}
/// What round-off of positions, `size` times the length, makes of forces of constraints, N: of one
/// position, as at rest, and of all that a step which moves adds up.
/// @param acceleration  what an increment of the positions makes of accelerations, 1/s^2
constexpr double kOfOnePosition = 4.0, kOfSums = 100.0;
inline double round_off_of_forces(double size, double length, double mass, double acceleration,
                                  double times = kOfSums) {
  constexpr double kRoundOff = 1e-15;
  return times * kRoundOff * size * acceleration * mass * std::max(1.0, length);
}
/// Why a step is not taken whose multipliers have not settled. @param by  of the largest
std::string describe_unsettled(const std::string& which, double by);

}  // namespace solidyn::integrators
