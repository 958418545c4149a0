#include "solidyn/forces/measure.h"

#include <algorithm>
#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/math/rotation.h"

namespace solidyn::forces {
namespace {

using bodies::FrameIndex;
using bodies::FrameMotion;
using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kStep = 1e-6;

// Without Jacobians, which no measure reads.
FrameMotion motion_of(const FrameMotion& f) {
  FrameMotion copy;
  copy.p = f.p;
  copy.R = f.R;
  copy.v = f.v;
  copy.w = f.w;
  return copy;
}

}  // namespace

double FunctionMeasure::value(const bodies::Kinematics& k) const {
  Motions motions;
  for (const FrameIndex f : frames()) motions.push_back(&k.frames[f]);
  return function_(motions);
}

Measure::Gradient FunctionMeasure::gradient(const bodies::Kinematics& k, int i) const {
  Motions motions;
  for (const FrameIndex f : frames()) motions.push_back(&k.frames[f]);
  const FrameMotion& at = k.frames[frames()[i]];
  FrameMotion moved = motion_of(at);
  motions[i] = &moved;
  const auto difference = [&](const auto& change, double step) {
    change(step);
    const double above = function_(motions);
    change(-step);
    const double difference = above - function_(motions);
    moved = motion_of(at);
    return (kind_ == Kind::angle ? std::remainder(difference, 2.0 * M_PI) : difference) /
           (2.0 * step);
  };
  const double v_step = kStep * std::max(1.0, at.v.norm()),
               w_step = kStep * std::max(1.0, at.w.norm());
  Gradient g;
  for (int j = 0; j < 3; ++j) {
    const Vector3d e = Vector3d::Unit(j);
    g.by_position[j] = difference([&](double h) { moved.p = at.p + h * e; }, kStep);
    g.by_position[3 + j] =
        difference([&](double h) { moved.R = at.R * math::exp_rotation(Vector3d(h * e)); }, kStep);
    g.by_twist[j] = difference([&](double h) { moved.v = at.v + h * e; }, v_step);
    g.by_twist[3 + j] = difference([&](double h) { moved.w = at.w + h * e; }, w_step);
  }
  return g;
}

double CoordinateMeasure::value(const bodies::Kinematics& k) const {
  const bodies::FramePair f = link_.pair(k);
  const bodies::CoordinateValue c = value_of(coordinate_, f);
  return of_ == Of::value ? c.value : c.J.dot(f.twist());
}

// The rate is J V, and d(J^T) = S d(position), so that d(J V) = V^T S d(position) + J dV.
Measure::Gradient CoordinateMeasure::gradient(const bodies::Kinematics& k, int i) const {
  const bodies::FramePair f = link_.pair(k);
  const bodies::Row12 J = value_of(coordinate_, f).J;
  bodies::Row12 by_position = J, by_twist = bodies::Row12::Zero();
  if (of_ == Of::rate) {
    bodies::Matrix12 S = bodies::Matrix12::Zero();
    add_stiffness_of(coordinate_, f, 1.0, S);
    by_position = f.twist().transpose() * S;
    by_twist = J;
  }
  return {by_position.segment<6>(6 * i), by_twist.segment<6>(6 * i)};
}

std::unique_ptr<Measure> frame_measure(bodies::FrameQuantity quantity, FrameIndex frame,
                                       FrameIndex relative_to, int component,
                                       std::optional<FrameIndex> axes_of) {
  const FrameIndex axes = axes_of.value_or(relative_to);
  std::vector<FrameIndex> frames{frame};
  const auto place_of = [&](FrameIndex other) -> std::size_t {
    if (other == bodies::kWorld) return 0;
    frames.push_back(other);
    return frames.size() - 1;
  };
  const std::size_t ref = place_of(relative_to), own = axes == relative_to ? ref : place_of(axes);
  using Motions = FunctionMeasure::Motions;
  const auto motion = [](const Motions& m, std::size_t i) { return i ? m[i] : nullptr; };
  return std::make_unique<FunctionMeasure>(std::move(frames), [=](const Motions& m) {
    constexpr double kLargest = 175.0 / 180.0 * M_PI;
    const Vector3d v = bodies::quantity_seen(quantity, *m[0], motion(m, ref), motion(m, own));
    if (quantity == bodies::FrameQuantity::orientation && v.norm() > kLargest)
      throw base::ComputationError(
          "a force depends on a rotation vector of more than 175 degrees, which is undefined at half a turn: use a joint_angle, which counts turns, or on the sine and cosine of angles");
    return component < 3 ? v[component] : v.norm();
  });
}

std::unique_ptr<Measure> angle_measure(const math::AngleSequence& sequence, FrameIndex frame,
                                       FrameIndex relative_to, int angle) {
  std::vector<FrameIndex> frames{frame};
  if (relative_to != bodies::kWorld) frames.push_back(relative_to);
  return std::make_unique<FunctionMeasure>(
      std::move(frames),
      [=](const FunctionMeasure::Motions& m) {
        const Matrix3d R = m.size() > 1 ? Matrix3d(m[1]->R.transpose() * m[0]->R) : m[0]->R;
        return math::angles_of_rotation(sequence, R)[angle];
      },
      angle == 1 ? FunctionMeasure::Kind::number : FunctionMeasure::Kind::angle);
}

}  // namespace solidyn::forces
