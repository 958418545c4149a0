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
    case BodyType::beam:
      return "beam";
  }
  return "";
}

const char* name(BeamStrain strain) {
  static const char* const names[] = {"stretch", "twist", "curvature_y", "curvature_z"};
  return names[static_cast<int>(strain)];
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
    case LoadType::distributed:
      return "distributed";
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

const char* name(analyses::IntegratorKind integrator) {
  switch (integrator) {
    case analyses::IntegratorKind::generalized_alpha:
      return "generalized_alpha";
    case analyses::IntegratorKind::hht:
      return "hht";
    case analyses::IntegratorKind::bdf:
      return "bdf";
    case analyses::IntegratorKind::runge_kutta:
      return "runge_kutta";
    case analyses::IntegratorKind::kinematics:
      return "kinematics";
  }
  return "";
}

}  // namespace solidyn::model
