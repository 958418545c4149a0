#include "solidyn/model/description.h"

#include <algorithm>

namespace solidyn::model {
namespace {

template <class T>
const T* find_by_name(const std::vector<T>& items, const std::string& name) {
  const auto found =
      std::find_if(items.begin(), items.end(), [&](const T& item) { return item.name == name; });
  return found == items.end() ? nullptr : &*found;
}

}  // namespace

const BodyDescription* ModelDescription::find_body(const std::string& name) const {
  return find_by_name(bodies, name);
}
const JointDescription* ModelDescription::find_joint(const std::string& name) const {
  return find_by_name(joints, name);
}

const SensorDescription* ModelDescription::find_sensor(const std::string& name) const {
  return find_by_name(sensors, name);
}

const char* name(BodyType type) {
  switch (type) {
    case BodyType::rigid:
      return "rigid";
    case BodyType::modal:
      return "modal";
    case BodyType::superelement:
      return "superelement";
    case BodyType::floating_frame:
      return "floating_frame";
    case BodyType::corotational:
      return "corotational";
    case BodyType::inertial:
      return "inertial";
  }
  return "";
}

const char* name(LoadType type) {
  switch (type) {
    case LoadType::force:
      return "force";
    case LoadType::pressure:
      return "pressure";
    case LoadType::traction:
      return "traction";
    case LoadType::nodal_force:
      return "nodal_force";
  }
  return "";
}

const char* name(ForceType type) {
  switch (type) {
    case ForceType::spring_damper:
      return "spring_damper";
    case ForceType::torsional_spring_damper:
      return "torsional_spring_damper";
    case ForceType::bushing:
      return "bushing";
    case ForceType::drag:
      return "drag";
    case ForceType::expression:
      return "expression";
    case ForceType::plugin:
      return "plugin";
  }
  return "";
}

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
  }
  return "";
}

const char* name(LinearDescription::Kind kind) {
  switch (kind) {
    case LinearDescription::Kind::modes:
      return "modes";
    case LinearDescription::Kind::state_space:
      return "linearise";
    case LinearDescription::Kind::frequency_response:
      return "frequency_response";
  }
  return "";
}

const char* name(Integrator integrator) {
  switch (integrator) {
    case Integrator::generalized_alpha:
      return "generalized_alpha";
    case Integrator::hht:
      return "hht";
    case Integrator::bdf:
      return "bdf";
    case Integrator::runge_kutta:
      return "runge_kutta";
    case Integrator::kinematics:
      return "kinematics";
  }
  return "";
}

}  // namespace solidyn::model
