#pragma once
#include "solidyn/bodies/frame_pair.h"
#include "solidyn/math/rotation.h"

namespace solidyn::wheel_rail {

/// Adds (wrench at a varied pair - wrench at one varied the other way) / (2 step), one column for
/// each of six variations of each frame. Those of A are left out unless it moves.
/// @param wrench  a vector of a fixed number of rows    @param vary (FrameMotion&, int i, double
/// by)
/// @param by [rows x 12]
template <class Wrench, class Vary, class By>
void add_differences(const bodies::FramePair& f, double step, bool A_moves, const Wrench& wrench,
                     const Vary& vary, By& by) {
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
  for (int side = A_moves ? 0 : 1; side < 2; ++side)
    for (int i = 0; i < 6; ++i) {
      vary(frames[side], i, step);
      Eigen::Matrix<double, By::RowsAtCompileTime, 1> change =
          wrench({frames[0], frames[1], f.angle});
      frames[side] = given[side];
      vary(frames[side], i, -step);
      change -= wrench({frames[0], frames[1], f.angle});
      frames[side] = given[side];
      by.col(6 * side + i) += change / (2.0 * step);
    }
}

/// By poses, as forces::PairForce has them. @param step m and rad
template <class Wrench, class By>
void add_pose_differences(const bodies::FramePair& f, double step, bool A_moves,
                          const Wrench& wrench, By& by_position) {
  const auto vary = [](bodies::FrameMotion& m, int i, double by) {
    if (i < 3)
      m.p[i] += by;
    else
      m.R = m.R * math::exp_rotation(by * Eigen::Vector3d::Unit(i - 3));
  };
  add_differences(f, step, A_moves, wrench, vary, by_position);
}

/// By twists. @param step m/s and rad/s
template <class Wrench, class By>
void add_twist_differences(const bodies::FramePair& f, double step, bool A_moves,
                           const Wrench& wrench, By& by_twist) {
  const auto vary = [](bodies::FrameMotion& m, int i, double by) {
    (i < 3 ? m.v[i] : m.w[i - 3]) += by;
  };
  add_differences(f, step, A_moves, wrench, vary, by_twist);
}

}  // namespace solidyn::wheel_rail
