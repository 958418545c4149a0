#pragma once
#include <Eigen/Core>
#include <vector>

namespace solidyn::forces {

/// How fast two surfaces slip on each other, where friction turns round within little more than a
/// transition speed.
struct Slip {
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< m/s
  double transition_speed = 0.0;                       ///< m/s; 0: nothing presses them together
};

/// Of a correction of Newton's method that changes slips from `before` to `after`: how much may be
/// taken, 0..1. The friction of what slips faster than half the transition speed is nearly
/// constant, so that a correction from there sees no resistance where the slip reverses, goes far
/// beyond, and the next one as far back. One that turns a slip by more than a right angle ends
/// where that slip is slowest: there friction is steep, and Newton's method goes up its curve from
/// one side. The limit of Castro et al. (2020), "A transition-aware method for the simulation of
/// compliant contact with regularized friction". All of it where they are
/// not as many: then shapes have come near each other. Proved by Slip.*.
double share_before_reversal(const std::vector<Slip>& before, const std::vector<Slip>& after);

}  // namespace solidyn::forces
