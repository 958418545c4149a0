#include "model/sensors/build_force_sensors.h"

#include "model/sensors/sensor_columns.h"
#include "solidyn/analyses/force_sensors.h"

namespace solidyn::model {
namespace {

using analyses::ForceQuantity;

ForceQuantity quantity_of(Component component) {
  const auto shifted = [component](Component first, ForceQuantity quantity) {
    return static_cast<ForceQuantity>(static_cast<int>(quantity) + static_cast<int>(component) -
                                      static_cast<int>(first));
  };
  switch (component) {
    case Component::length:
    case Component::angle:
      return ForceQuantity::coordinate;
    case Component::extension:
      return ForceQuantity::extension;
    case Component::rate:
      return ForceQuantity::rate;
    case Component::force:
    case Component::torque:
      return ForceQuantity::effort;
    case Component::energy:
      return ForceQuantity::energy;
    case Component::power:
      return ForceQuantity::power;
    default:
      if (component >= Component::displacement_x)
        return shifted(Component::displacement_x, ForceQuantity::displacement_x);
      return shifted(Component::force_x, ForceQuantity::force_x);
  }
}

}  // namespace

analyses::Sensor make_force_sensor(const SensorDescription& d, const BuiltModel& built) {
  const std::vector<SensorColumn> columns = columns_of(d);
  std::vector<analyses::ForceColumn> read;
  for (std::size_t i = 0; i < columns.size(); ++i)
    read.push_back(
        {quantity_of(d.components[i]), {columns[i].name, columns[i].quantity.value().si}});
  return analyses::force_sensor(
      built.forces.at(d.force)[0],
      d.is_on_first ? analyses::JointSide::first : analyses::JointSide::second,
      static_cast<analyses::ReactionAxes>(d.axes), std::move(read));
}

analyses::Sensor make_joint_force_sensor(const SensorDescription& d, const BuiltModel& built) {
  std::vector<int> forces;
  for (JointForcePart part :
       {JointForcePart::spring, JointForcePart::limits, JointForcePart::friction}) {
    if (d.part != part && d.part != JointForcePart::all) continue;
    const auto found = built.forces.find(d.joint + "." + name(part));
    if (found != built.forces.end())
      forces.insert(forces.end(), found->second.begin(), found->second.end());
  }
  using Axes = analyses::ReactionAxes;
  constexpr int kTorque = 3, kX = 0, kY = 1, kZ = 2;
  if (d.components.at(0) == Component::force)
    return analyses::joint_force_sensor(d.name, forces, Axes::first, d.along);
  if (d.arm == 2) return analyses::joint_force_sensor(d.name, forces, Axes::second, kTorque + kY);
  return analyses::joint_force_sensor(d.name, forces, Axes::first,
                                      kTorque + (d.arm == 1 ? kX : kZ));
}

analyses::Sensor make_drive_sensor(const SensorDescription& d, const BuiltModel& built) {
  using analyses::DriveQuantity;
  std::vector<DriveQuantity> quantities;
  for (Component component : d.components)
    quantities.push_back(component == Component::force    ? DriveQuantity::force
                         : component == Component::torque ? DriveQuantity::torque
                                                          : DriveQuantity::power);
  return analyses::drive_sensor(d.name, built.joints.at(d.joint), quantities);
}

}  // namespace solidyn::model
