#include "model/joints/joint_coordinates.h"

#include "solidyn/joints/joint.h"

namespace solidyn::model {

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

bool is_rotation(JointFreedom freedom) {
  const bodies::Coordinate coordinate = coordinate_of(freedom);
  return bodies::as_angle(coordinate) != nullptr;
}

const char* name(JointFreedom freedom) {
  switch (freedom) {
    case JointFreedom::translation:
      return "translation";
    case JointFreedom::rotation:
      return "rotation";
    case JointFreedom::translation_x:
      return "translation_x";
    case JointFreedom::translation_y:
      return "translation_y";
    case JointFreedom::first_arm:
      return "first_arm";
    case JointFreedom::second_arm:
      return "second_arm";
  }
  return "";
}

BuiltCoordinate coordinate_along(const std::string& name, JointFreedom freedom, BuiltModel& built) {
  const joints::Joint& joint = joints::joint_of(built.system.constraint(built.joints.at(name)));
  if (const bodies::Coordinate* own = own_coordinate(name, freedom, built))
    return {joint.link(), *own};
  const bodies::Coordinate coordinate = coordinate_of(freedom);
  const bodies::FrameIndex A = joint.frame_A(), B = joint.frame_B();
  return {bodies::as_angle(coordinate) ? built.system.tracked_link(A, B, coordinate) : joint.link(),
          coordinate};
}

const bodies::Coordinate* own_coordinate(const std::string& name, JointFreedom freedom,
                                         const BuiltModel& built) {
  const auto joint = built.own_coordinates.find(name);
  if (joint == built.own_coordinates.end()) return nullptr;
  const auto own = joint->second.find(freedom);
  return own == joint->second.end() ? nullptr : &own->second;
}

}  // namespace solidyn::model
