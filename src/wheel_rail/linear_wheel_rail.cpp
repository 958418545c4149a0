#include "solidyn/wheel_rail/linear_wheel_rail.h"

#include <fmt/format.h>

#include <cmath>

#include "solidyn/base/error.h"
#include "wheel_rail/differences.h"

namespace solidyn::wheel_rail {

using bodies::FramePair;
using bodies::Matrix12;
using bodies::Vector12;
using Eigen::Vector3d;

// The wheelset as seen from A, which does not turn.
struct LinearWheelRail::Motion {
  double y = 0.0, yaw = 0.0, V = 0.0, y_rate = 0.0, yaw_rate = 0.0, spin = 0.0;
  double added_spin = 0.0;  // what the frame does not have
  Vector3d axle;
};

LinearWheelRail::Motion LinearWheelRail::motion(const FramePair& f) const {
  Motion m;
  const Vector3d offset = f.A.R.transpose() * (f.B.p - f.A.p), v = f.A.R.transpose() * f.B.v,
                 w = f.A.R.transpose() * (f.B.R * f.B.w);
  m.axle = f.A.R.transpose() * f.B.R.col(1);
  m.y = offset.y();
  m.yaw = std::atan2(-m.axle.x(), m.axle.y());
  m.V = v.x();
  m.y_rate = v.y();
  m.yaw_rate = w.z();
  m.added_spin = options_.turns ? 0.0 : m.V / options_.radius;
  m.spin = w.dot(m.axle) + m.added_spin;
  if (!(m.V > 0.0))
    throw base::ComputationError(fmt::format(
        "{}: the wheelset moves along the track with {:.4g} m/s; creepages are velocities over that speed and need it to be forward",
        name(), m.V));
  return m;
}

LinearWheelRail::Forces LinearWheelRail::forces_of(const Motion& m) const {
  const LinearWheelRailOptions& o = options_;
  Forces result{Vector3d::Zero(), Vector3d::Zero()};
  for (const double side : {1.0, -1.0}) {
    const double r = o.radius + side * o.conicity * m.y;
    const double force = -o.f11 * (m.V - side * o.half_distance * m.yaw_rate - r * m.spin) / m.V;
    result.force.x() += force;
    result.moment += -r * force * m.axle;
    result.moment.z() -= side * o.half_distance * force;
  }
  const double lateral = m.y_rate / m.V - m.yaw, turn = m.yaw_rate / m.V;
  result.force.y() = -2.0 * (o.f22 * lateral + o.f23 * turn);
  result.moment.z() += 2.0 * (o.f23 * lateral - o.f33 * turn);
  return result;
}

Vector12 LinearWheelRail::wrench(const FramePair& f, double) const {
  const Forces on_wheelset = forces_of(motion(f));
  Vector12 w;
  w.segment<3>(6) = f.A.R * on_wheelset.force;
  w.tail<3>() = f.B.R.transpose() * (f.A.R * on_wheelset.moment);
  w.head<3>() = -w.segment<3>(6);
  w.segment<3>(3) =
      -on_wheelset.moment - f.A.R.transpose() * (f.B.p - f.A.p).cross(w.segment<3>(6));
  return w;
}

void LinearWheelRail::add_derivatives(const FramePair& f, double t, Matrix12& by_position,
                                      Matrix12& by_twist) const {
  const bool rails_move = link().body_A() != bodies::kGround;
  const auto at = [&](const FramePair& pair) { return wrench(pair, t); };
  add_pose_differences(f, 1e-5, rails_move, at, by_position);
  add_twist_differences(f, 1e-5 * f.B.v.norm(), rails_move, at, by_twist);
}

double LinearWheelRail::power(const FramePair& f, double t) const {
  return wrench(f, t).dot(f.twist());
}

void LinearWheelRail::read(const bodies::Kinematics& kinematics, double, double* values) const {
  const Motion m = motion(pair(kinematics));
  values[0] = m.y;
  values[1] = m.yaw;
  values[2] = m.V;
}

}  // namespace solidyn::wheel_rail
