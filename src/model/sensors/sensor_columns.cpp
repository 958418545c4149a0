#include "model/sensors/sensor_columns.h"

#include <algorithm>
#include <cctype>

#include "model/language/key.h"

namespace solidyn::model {
namespace {

const Quantity kNumber{"1", 0, 0, 0, 0, 0};

const Quantity kTwist{"rad/m", -1, 0, 0, 1, 0};
const Quantity kCurvature{"1/m", -1, 0, 0, 0, 0};

Quantity of_joint_coordinate(const SensorDescription& d) {
  const bool is_angle = d.type == SensorType::joint_angle;
  if (d.derivative == 0) return is_angle ? kAngle : kLength;
  if (d.derivative == 1) return is_angle ? kAngularVelocity : kVelocity;
  return is_angle ? kAngularAcceleration : kAcceleration;
}

Quantity of_contact(analyses::ContactQuantity quantity) {
  switch (quantity) {
    case analyses::ContactQuantity::gap:
    case analyses::ContactQuantity::penetration:
      return kLength;
    case analyses::ContactQuantity::slip_speed:
      return kVelocity;
    case analyses::ContactQuantity::in_contact:
      return kNumber;
    default:
      return kForce;
  }
}

// Of reactions, forces and drives.
Quantity of_force(Component component, bool turns) {
  switch (component) {
    case Component::length:
    case Component::displacement_x:
    case Component::displacement_y:
    case Component::displacement_z:
      return kLength;
    case Component::angle:
    case Component::rotation_x:
    case Component::rotation_y:
    case Component::rotation_z:
      return kAngle;
    case Component::extension:
      return turns ? kAngle : kLength;
    case Component::rate:
      return turns ? kAngularVelocity : kVelocity;
    case Component::torque:
    case Component::torque_x:
    case Component::torque_y:
    case Component::torque_z:
      return kTorque;
    case Component::energy:
      return kEnergy;
    case Component::power:
      return kPower;
    default:
      return kForce;
  }
}

Quantity of_section(Component component, bool is_force) {
  switch (component) {
    case Component::axial:
      return kForce;
    case Component::shear_y:
    case Component::shear_z:
      return is_force ? kForce : kNumber;
    case Component::stress_max:
    case Component::stress_min:
      return kPressure;
    case Component::stretch:
      return kNumber;
    case Component::twist:
      return kTwist;
    case Component::curvature_y:
    case Component::curvature_z:
      return kCurvature;
    default:
      return kTorque;
  }
}

std::optional<Quantity> quantity_of(const SensorDescription& d, Component component) {
  switch (d.type) {
    case SensorType::position:
      return kLength;
    case SensorType::relative_displacement:
      return d.normalised_by == 1.0 ? kLength : kNumber;
    case SensorType::velocity:
      return kVelocity;
    case SensorType::acceleration:
      return kAcceleration;
    case SensorType::orientation:
      return d.form == OrientationForm::quaternion ? kNumber : kAngle;
    case SensorType::angular_velocity:
      return kAngularVelocity;
    case SensorType::angular_acceleration:
      return kAngularAcceleration;
    case SensorType::joint_angle:
    case SensorType::joint_translation:
      return of_joint_coordinate(d);
    case SensorType::support_force:
      return kForce;
    case SensorType::reaction:
    case SensorType::force:
    case SensorType::joint_force:
    case SensorType::drive:
      return of_force(component, d.force_type == ForceType::torsional_spring_damper);
    case SensorType::energy:
      return kEnergy;
    case SensorType::momentum:
      return d.momentum == analyses::MomentumPart::linear ? kMomentum : kAngularMomentum;
    case SensorType::stress:
      return kPressure;
    case SensorType::section_force:
    case SensorType::section_strain:
      return of_section(component, d.type == SensorType::section_force);
    case SensorType::expression:
      return d.formula.measures.si[0] ? d.formula.measures : kNumber;
    case SensorType::multiplier:
    case SensorType::contact:
      break;
  }
  return {};
}

bool can_be_variable(const std::string& name) {
  return name != "t" && name != "pi" && name != "e" &&
         std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '.'; });
}

}  // namespace

std::vector<SensorColumn> columns_of(const SensorDescription& d) {
  std::vector<SensorColumn> columns;
  for (analyses::ContactQuantity quantity : d.contact_quantities)
    columns.push_back({d.name + "." + name(quantity), of_contact(quantity)});
  for (Component component : d.components)
    columns.push_back({d.name + "." + name(component), quantity_of(d, component)});
  if (columns.empty()) columns.push_back({d.name, quantity_of(d, Component::x)});
  if (columns.size() == 1) columns[0].name = d.name;
  return columns;
}

std::vector<FormulaVariable> formula_variables(const std::vector<SensorDescription>& sensors) {
  std::vector<FormulaVariable> variables;
  for (const SensorDescription& sensor : sensors) {
    int index = 0;
    for (const SensorColumn& column : columns_of(sensor)) {
      variables.push_back({column, &sensor, index, can_be_variable(column.name)});
      ++index;
    }
  }
  return variables;
}

}  // namespace solidyn::model
