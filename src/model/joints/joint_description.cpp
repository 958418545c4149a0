#include "solidyn/model/joint_description.h"

namespace solidyn::model {

JointFamily family(JointType type) {
  switch (type) {
    case JointType::gear:
    case JointType::rack_and_pinion:
    case JointType::coupler:
      return JointFamily::coupling;
    case JointType::rotation_drive:
    case JointType::translation_drive:
    case JointType::distance_drive:
    case JointType::point_path:
      return JointFamily::drive;
    default:
      return JointFamily::joint;
  }
}

bool has_coordinate(JointType type, JointCoordinate coordinate) {
  switch (type) {
    case JointType::revolute:
    case JointType::planar:
      return coordinate == JointCoordinate::angle;
    case JointType::prismatic:
    case JointType::point_on_line:
      return coordinate == JointCoordinate::translation;
    case JointType::cylindrical:
    case JointType::screw:
      return true;
    default:
      return false;
  }
}

bool turns_by_own_axes(const JointDescription& joint) {
  if (joint.axis) return false;
  switch (joint.type) {
    case JointType::revolute:
    case JointType::cylindrical:
    case JointType::prismatic:
    case JointType::planar:
    case JointType::screw:
    case JointType::point_on_line:
    case JointType::point_on_plane:
    case JointType::parallel_axes:
      return true;
    default:
      return false;
  }
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

const char* name(JointType type) {
  switch (type) {
    case JointType::fixed:
      return "fixed";
    case JointType::spherical:
      return "spherical";
    case JointType::revolute:
      return "revolute";
    case JointType::cylindrical:
      return "cylindrical";
    case JointType::prismatic:
      return "prismatic";
    case JointType::planar:
      return "planar";
    case JointType::universal:
      return "universal";
    case JointType::constant_velocity:
      return "constant_velocity";
    case JointType::screw:
      return "screw";
    case JointType::point_on_line:
      return "point_on_line";
    case JointType::point_on_plane:
      return "point_on_plane";
    case JointType::parallel_axes:
      return "parallel_axes";
    case JointType::perpendicular_axes:
      return "perpendicular_axes";
    case JointType::orientation:
      return "orientation";
    case JointType::distance:
      return "distance";
    case JointType::rolling:
      return "rolling";
    case JointType::gear:
      return "gear";
    case JointType::rack_and_pinion:
      return "rack_and_pinion";
    case JointType::coupler:
      return "coupler";
    case JointType::rotation_drive:
      return "rotation_drive";
    case JointType::translation_drive:
      return "translation_drive";
    case JointType::distance_drive:
      return "distance_drive";
    case JointType::point_path:
      return "point_path";
  }
  return "";
}

const char* name(JointCoordinate coordinate) {
  return coordinate == JointCoordinate::angle ? "angle" : "translation";
}

}  // namespace solidyn::model
