#include "model/sensors/components.h"
#include "model/sensors/joint_keys.h"
#include "model/sensors/joint_questions.h"
#include "model/sensors/wrench_place.h"

namespace solidyn::model {
namespace {

/// Force and torque of a joint on one of its places.
struct ReactionSensor final : WrenchPlace, SensorEntryOf<ReactionSensor> {
  std::string joint;
  Components<int> components;  ///< of the wrench

  static const Fields<ReactionSensor>& fields();
  std::vector<Recorded> recorded() const override { return recorded_components(components); }
  analyses::Sensor make(const SensorBuilder& builder) const override {
    return analyses::reaction_sensor(name, builder.built.joints.at(joint), on, axes,
                                     whats(components));
  }
  bool reads_joint(const std::string& other) const override { return other == joint; }
};

void read_joint_that_reacts(ReactionSensor& entry, const TableView& view, const Scope& scope) {
  const std::optional<JointAnswers> joint = read_joint(view, scope, entry.joint);
  if (joint && joint->is_coupling)
    report_joint_without(
        view, *joint, "single place where it acts",
        "use a sensor of type multiplier: on each joint acts the multiplier times the factor of its term");
}

const Fields<ReactionSensor>& ReactionSensor::fields() {
  using Self = ReactionSensor;
  static const Components<int> of_wrench = {{"force_x", 0, kForce},   {"force_y", 1, kForce},
                                            {"force_z", 2, kForce},   {"torque_x", 3, kTorque},
                                            {"torque_y", 4, kTorque}, {"torque_z", 5, kTorque}};
  static const Fields<Self> list = joined_fields(
      Fields<Self>{read_by<Self>(joint_key(), read_joint_that_reacts),
                   component_field(
                       Key("component", Form::word,
                           "force or torque of the joint, at the joint; `all`: all six", "force_x")
                           .or_else("all"),
                       of_wrench, of_wrench.size(), &Self::components)},
      WrenchPlace::fields());
  return list;
}

}  // namespace

SensorType reaction_sensor_row() { return ReactionSensor::row("reaction"); }

}  // namespace solidyn::model
