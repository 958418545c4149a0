#include "model/joints/joint_coordinates.h"

#include "solidyn/joints/joint.h"

namespace solidyn::model {
namespace {

using Eigen::Vector3d;

bodies::Coordinate coordinate_of(JointFreedom freedom) {
  switch (freedom) {
    case JointFreedom::rotation:
      return bodies::RotationAngle();
    case JointFreedom::first_arm:
      return bodies::angle_about_arm(1);
    case JointFreedom::second_arm:
      return bodies::angle_about_arm(2);
    case JointFreedom::translation_x:
      return bodies::PointAlongFrameAxis(Vector3d::UnitX());
    case JointFreedom::translation_y:
      return bodies::PointAlongFrameAxis(Vector3d::UnitY());
    case JointFreedom::translation:
      break;
  }
  return bodies::PointAlongFrameAxis(Vector3d::UnitZ());
}

}  // namespace

BuiltCoordinate coordinate_along(const std::string& name, JointFreedom freedom, BuiltModel& built) {
  const auto& joint =
      static_cast<const joints::Joint&>(built.system.constraint(built.joints.at(name)));
  const bodies::Coordinate coordinate = coordinate_of(freedom);
  const bodies::AngleOfDots* angle = bodies::as_angle(coordinate);
  const int A = joint.frame_A(), B = joint.frame_B();
  return {angle ? built.system.link(A, B, built.system.add_angle(A, B, *angle)) : joint.link(),
          coordinate};
}

}  // namespace solidyn::model
