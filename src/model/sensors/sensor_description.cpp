#include "solidyn/model/sensor_description.h"

namespace solidyn::model {

const char* name(SensorType type) {
  switch (type) {
    case SensorType::relative_displacement:
      return "relative_displacement";
    case SensorType::position:
      return "position";
    case SensorType::velocity:
      return "velocity";
    case SensorType::acceleration:
      return "acceleration";
    case SensorType::orientation:
      return "orientation";
    case SensorType::angular_velocity:
      return "angular_velocity";
    case SensorType::angular_acceleration:
      return "angular_acceleration";
    case SensorType::joint_angle:
      return "joint_angle";
    case SensorType::joint_translation:
      return "joint_translation";
    case SensorType::reaction:
      return "reaction";
    case SensorType::support_force:
      return "support_force";
    case SensorType::energy:
      return "energy";
    case SensorType::momentum:
      return "momentum";
    case SensorType::multiplier:
      return "multiplier";
    case SensorType::stress:
      return "stress";
    case SensorType::contact:
      return "contact";
    case SensorType::force:
      return "force";
    case SensorType::joint_force:
      return "joint_force";
    case SensorType::drive:
      return "drive";
    case SensorType::section_force:
      return "section_force";
    case SensorType::section_strain:
      return "section_strain";
    case SensorType::expression:
      return "expression";
  }
  return "";
}

const char* name(Component component) {
  switch (component) {
    case Component::x:
      return "x";
    case Component::y:
      return "y";
    case Component::z:
      return "z";
    case Component::magnitude:
      return "magnitude";
    case Component::force_x:
      return "force_x";
    case Component::force_y:
      return "force_y";
    case Component::force_z:
      return "force_z";
    case Component::torque_x:
      return "torque_x";
    case Component::torque_y:
      return "torque_y";
    case Component::torque_z:
      return "torque_z";
    case Component::xx:
      return "xx";
    case Component::yy:
      return "yy";
    case Component::zz:
      return "zz";
    case Component::xy:
      return "xy";
    case Component::yz:
      return "yz";
    case Component::zx:
      return "zx";
    case Component::von_mises:
      return "von_mises";
    case Component::principal_1:
      return "principal_1";
    case Component::principal_2:
      return "principal_2";
    case Component::principal_3:
      return "principal_3";
    case Component::w:
      return "w";
    case Component::angle_1:
      return "angle_1";
    case Component::angle_2:
      return "angle_2";
    case Component::angle_3:
      return "angle_3";
    case Component::length:
      return "length";
    case Component::angle:
      return "angle";
    case Component::extension:
      return "extension";
    case Component::rate:
      return "rate";
    case Component::force:
      return "force";
    case Component::torque:
      return "torque";
    case Component::displacement_x:
      return "displacement_x";
    case Component::displacement_y:
      return "displacement_y";
    case Component::displacement_z:
      return "displacement_z";
    case Component::rotation_x:
      return "rotation_x";
    case Component::rotation_y:
      return "rotation_y";
    case Component::rotation_z:
      return "rotation_z";
    case Component::energy:
      return "energy";
    case Component::power:
      return "power";
    case Component::axial:
      return "axial";
    case Component::shear_y:
      return "shear_y";
    case Component::shear_z:
      return "shear_z";
    case Component::torsion:
      return "torsion";
    case Component::bending_y:
      return "bending_y";
    case Component::bending_z:
      return "bending_z";
    case Component::stress_max:
      return "stress_max";
    case Component::stress_min:
      return "stress_min";
    case Component::stretch:
      return "stretch";
    case Component::twist:
      return "twist";
    case Component::curvature_y:
      return "curvature_y";
    case Component::curvature_z:
      return "curvature_z";
  }
  return "";
}

const char* name(JointForcePart part) {
  switch (part) {
    case JointForcePart::spring:
      return "spring";
    case JointForcePart::limits:
      return "limits";
    case JointForcePart::friction:
      return "friction";
    case JointForcePart::all:
      return "all";
  }
  return "";
}

}  // namespace solidyn::model
