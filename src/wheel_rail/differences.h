#pragma once
#include "solidyn/bodies/frame_pair.h"
#include "solidyn/math/rotation.h"

namespace solidyn::wheel_rail {

struct DifferenceSteps {
  double pose = 1e-7;   ///< m and rad
  double twist = 1e-6;  ///< m/s and rad/s; 0: not by twists
};

/// Adds the derivatives of a wrench between two frames by their poses and twists, as those of
/// forces::PairForce, by central differences. Those by A are left out unless it moves.
template <class Wrench>
void add_differences(const bodies::FramePair& f, const DifferenceSteps& steps, bool A_moves,
                     const Wrench& wrench, bodies::Matrix12& by_position,
                     bodies::Matrix12& by_twist) {
  const auto copy = [](const bodies::FrameMotion& from) {  // without its Jacobian
    bodies::FrameMotion motion;
    motion.p = from.p;
    motion.R = from.R;
    motion.v = from.v;
    motion.w = from.w;
    return motion;
  };
  const bodies::FrameMotion given[2] = {copy(f.A), copy(f.B)};
  bodies::FrameMotion frames[2] = {given[0], given[1]};
  const auto column = [&](int side, double step, auto&& vary) {
    vary(frames[side], step);
    bodies::Vector12 change = wrench({frames[0], frames[1], f.angle});
    frames[side] = given[side];
    vary(frames[side], -step);
    change -= wrench({frames[0], frames[1], f.angle});
    frames[side] = given[side];
    return bodies::Vector12(change / (2.0 * step));
  };
  for (int side = A_moves ? 0 : 1; side < 2; ++side)
    for (int i = 0; i < 6; ++i) {
      by_position.col(6 * side + i) +=
          column(side, steps.pose, [i](bodies::FrameMotion& m, double by) {
            if (i < 3)
              m.p[i] += by;
            else
              m.R = m.R * math::exp_rotation(by * Eigen::Vector3d::Unit(i - 3));
          });
      if (steps.twist > 0.0)
        by_twist.col(6 * side + i) +=
            column(side, steps.twist, [i](bodies::FrameMotion& m, double by) {
              (i < 3 ? m.v[i] : m.w[i - 3]) += by;
            });
    }
}

}  // namespace solidyn::wheel_rail
