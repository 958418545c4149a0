#include "solidyn/forces/measure.h"

#include <algorithm>
#include <cmath>

#include "solidyn/bodies/frame_pair.h"
#include "solidyn/math/rotation.h"

namespace solidyn::forces {
namespace {

using bodies::FrameMotion;
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

Measure Measure::tracked_angle(int frame_A, int frame_B, int angle) {
  Measure measure({frame_A, frame_B}, [](const Motions& m) {
    return bodies::relative_angle({*m[0], *m[1]});
  });
  measure.angle_ = angle;
  return measure;
}

double Measure::value(const bodies::Kinematics& k) const {
  if (angle_ >= 0) return k.angles[angle_];
  Motions motions;
  for (int f : frames_) motions.push_back(&k.frames[f]);
  return function_(motions);
}

Measure::Gradient Measure::gradient(const bodies::Kinematics& k, int i) const {
  Motions motions;
  for (int f : frames_) motions.push_back(&k.frames[f]);
  const FrameMotion& at = k.frames[frames_[i]];
  FrameMotion moved = motion_of(at);
  motions[i] = &moved;
  const auto difference = [&](const auto& change, double step) {
    change(step);
    const double above = function_(motions);
    change(-step);
    const double difference = above - function_(motions);
    moved = motion_of(at);
    return (angle_ >= 0 ? std::remainder(difference, 2.0 * M_PI) : difference) / (2.0 * step);
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

Measure frame_measure(bodies::FrameQuantity quantity, int frame, int relative_to, int component) {
  const auto part = [component](const Vector3d& v) {
    return component < 3 ? v[component] : v.norm();
  };
  if (relative_to < 0)
    return Measure({frame}, [=](const Measure::Motions& m) {
      return part(bodies::quantity_of(quantity, *m[0]));
    });
  return Measure({frame, relative_to}, [=](const Measure::Motions& m) {
    return part(bodies::relative_quantity(quantity, *m[0], *m[1]));
  });
}

}  // namespace solidyn::forces
