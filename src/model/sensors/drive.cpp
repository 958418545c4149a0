#include <fmt/format.h>

#include "model/joints/joint_entry.h"
#include "model/sensors/catalogue.h"
#include "model/sensors/components.h"
#include "model/sensors/joint_keys.h"
#include "model/sensors/joint_questions.h"
#include "solidyn/analyses/force_sensors.h"

namespace solidyn::model {
namespace {

using analyses::DriveQuantity;

/// Force or torque of a drive, and its power.
struct DriveSensor final : SensorEntryOf<DriveSensor> {
  std::string joint;
  Components<DriveQuantity> components;

  static const Fields<DriveSensor>& fields();
  void check(const TableView& view, const Scope& scope);
  std::vector<Recorded> recorded() const override { return recorded_components(components); }
  analyses::Sensor make(const SensorBuilder& builder) const override {
    return analyses::drive_sensor(name, builder.built.joints.at(joint), whats(components));
  }
  bool reads_joint(const std::string& other) const override { return other == joint; }
};

const Components<DriveQuantity>& drive_components() {
  static const Components<DriveQuantity> list = {{"force", DriveQuantity::force, kForce},
                                                 {"torque", DriveQuantity::torque, kTorque},
                                                 {"power", DriveQuantity::power, kPower}};
  return list;
}

const Fields<DriveSensor>& DriveSensor::fields() {
  using Self = DriveSensor;
  static const Fields<Self> list = {
      read_elsewhere<Self>(joint_key()),
      component_field(
          Key("component", Form::word,
              "force or torque of the drive on its second place, along the driven coordinate; the power supplied to the mechanism; `all`: both",
              "power")
              .or_else("all"),
          drive_components(), drive_components().size(), &Self::components)};
  return list;
}

/// A drive has a force or a torque where it drives one coordinate.
void DriveSensor::check(const TableView& view, const Scope& scope) {
  const std::optional<JointAnswers> of = read_joint(view, scope, joint);
  if (!of) return;
  if (!of->is_drive)
    return view.report().error(view.where("joint"),
                               fmt::format("{}: `{}` is of type {}, which is not a drive",
                                           view.path("joint"), of->name, of->type),
                               "give a drive, or use a sensor of type reaction");
  Components<DriveQuantity> possible;
  for (const auto& component : drive_components())
    if (component.what == DriveQuantity::power || component.word == of->drive_effort)
      possible.push_back(component);
  components = choose_components(view, possible, possible.size(), "a " + of->type);
}

}  // namespace

void add_drive_sensors(const Builder& builder) {
  for (const auto& joint : builder.model.joints) {
    const auto constraint = builder.built.joints.find(joint->name);
    if (joint->type.family != JointFamily::drive || constraint == builder.built.joints.end())
      continue;
    std::vector<DriveQuantity> quantities;
    for (const forces::Reading& reading : joint->type.readings)
      for (const auto& component : drive_components())
        if (component.word == std::string(reading.name)) quantities.push_back(component.what);
    builder.built.drives.push_back(
        analyses::drive_sensor(joint->name, constraint->second, quantities));
  }
}

SensorType drive_sensor_row() { return DriveSensor::row("drive"); }

}  // namespace solidyn::model
