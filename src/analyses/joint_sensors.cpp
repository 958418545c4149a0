#include "solidyn/analyses/joint_sensors.h"

#include <cmath>

#include "analyses/wrench_on_side.h"

namespace solidyn::analyses {
namespace {

using bodies::CoordinateValue;

double derivative_of(const bodies::Coordinate& coordinate, const bodies::FramePair& f,
                     Derivative derivative) {
  const CoordinateValue c = bodies::value_of(coordinate, f);
  if (derivative == Derivative::none) return c.value;
  if (derivative == Derivative::first) return c.J.dot(f.twist());
  return c.J.head<6>().dot(f.A.acceleration) + c.J.tail<6>().dot(f.B.acceleration) +
         bodies::bias_of(coordinate, f);
}

std::string unit_of(const bodies::Coordinate& coordinate, Derivative derivative) {
  const char* per_time[] = {"", "/s", "/s^2"};
  return (bodies::is_angle(coordinate) ? "rad" : "m") +
         std::string(per_time[static_cast<int>(derivative)]);
}

}  // namespace

Vector6 wrench_on_side(const bodies::Vector12& both, const bodies::FramePair& f, JointSide side,
                       ReactionAxes axes) {
  const bodies::FrameMotion& own = side == JointSide::first ? f.A : f.B;
  const Vector6 wrench = both.segment<6>(side == JointSide::first ? 0 : 6);
  Eigen::Vector3d force = wrench.head<3>(), torque = own.R * wrench.tail<3>();
  if (axes != ReactionAxes::world) {
    const Eigen::Matrix3d R = (axes == ReactionAxes::first ? f.A : f.B).R.transpose();
    force = (R * force).eval();
    torque = (R * torque).eval();
  }
  Vector6 result;
  result << force, torque;
  return result;
}

Sensor coordinate_sensor(const std::string& name, const bodies::FrameLink& link,
                         const bodies::Coordinate& coordinate, Derivative derivative, Turns turns) {
  Sensor s;
  s.reads_reactions = false;
  s.columns = {{name, unit_of(coordinate, derivative)}};
  s.needs_accelerations = derivative == Derivative::second;
  const bool wraps = turns == Turns::wrapped && derivative == Derivative::none;
  s.read = [=](const SensorContext& c, double* value) {
    *value = derivative_of(coordinate, link.pair(c.system.kinematics()), derivative);
    if (wraps) *value = std::remainder(*value, 2.0 * M_PI);
  };
  return s;
}

Sensor reaction_sensor(const std::string& name, bodies::ConstraintIndex constraint, JointSide on,
                       ReactionAxes axes, const std::vector<int>& components) {
  const char* suffixes[] = {".force_x",  ".force_y",  ".force_z",
                            ".torque_x", ".torque_y", ".torque_z"};
  Sensor s;
  for (int c : components)
    s.columns.push_back({components.size() == 1 ? name : name + suffixes[c], c < 3 ? "N" : "N m"});
  s.read = [=](const SensorContext& c, double* values) {
    const joints::Joint& joint = joints::joint_of(c.system.constraint(constraint));
    const bodies::FramePair f = joint.link().pair(c.system.kinematics());
    const bodies::Vector12 both = joint.reaction(
        c.system.kinematics(),
        c.state.lambda.segment(c.system.layout().constraint_offset(constraint), joint.n_rows()));
    const Vector6 wrench = wrench_on_side(both, f, on, axes);
    for (int component : components) *values++ = wrench[component];
  };
  return s;
}

}  // namespace solidyn::analyses
