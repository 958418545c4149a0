#include <fmt/format.h>

#include <array>

#include "model/joints/catalogue.h"
#include "model/joints/joint_coordinates.h"
#include "model/sensors/joint_keys.h"
#include "model/sensors/joint_questions.h"
#include "model/sensors/sensor_entry.h"
#include "solidyn/analyses/joint_sensors.h"

namespace solidyn::model {
namespace {

using analyses::Derivative;
using analyses::Turns;

/// What a joint leaves free, or its first or second rate.
class CoordinateSensor : public SensorEntry {
 public:
  std::string joint;
  JointFreedom freedom = JointFreedom::translation;
  Derivative derivative = Derivative::none;
  std::array<Quantity, 3> quantities;  ///< of the coordinate and its rates

  std::vector<Recorded> recorded() const override {
    return {{"", quantities[static_cast<int>(derivative)]}};
  }
  analyses::Sensor make(const SensorBuilder& builder) const override {
    const auto [link, coordinate] = coordinate_along(joint, freedom, builder.built);
    return analyses::coordinate_sensor(name, link, coordinate, derivative, turns());
  }
  bool is_measurable() const override { return true; }
  std::optional<Rejection> force_rejection(const std::string& column) const override;
  std::unique_ptr<forces::Measure> measure(int column, const Builder& builder) const override;
  bool reads_joint(const std::string& other) const override { return other == joint; }

  static Fields<CoordinateSensor> fields();

 protected:
  virtual Turns turns() const { return Turns::counted; }
};

Fields<CoordinateSensor> CoordinateSensor::fields() {
  static const Choice<Derivative> derivatives = {{"position", Derivative::none},
                                                 {"velocity", Derivative::first},
                                                 {"acceleration", Derivative::second}};
  return {field(
      Key("quantity", Form::word, "the coordinate, its rate, or its second derivative", "velocity")
          .or_default(),
      derivatives, &CoordinateSensor::derivative)};
}

std::optional<Rejection> CoordinateSensor::force_rejection(const std::string& column) const {
  if (derivative == Derivative::second)
    return Rejection{
        fmt::format("`{}` records an acceleration, on which a force cannot depend", column),
        "use a sensor without  quantity: acceleration"};
  if (turns() == Turns::wrapped && derivative == Derivative::none)
    return Rejection{
        fmt::format("`{}` jumps by a full turn, and so would the force", column),
        "use a sensor without  turns: wrapped  (and the sine and cosine of its angle)"};
  return {};
}

std::unique_ptr<forces::Measure> CoordinateSensor::measure(int, const Builder& builder) const {
  using Of = forces::CoordinateMeasure::Of;
  const auto [link, coordinate] = coordinate_along(joint, freedom, builder.built);
  return std::make_unique<forces::CoordinateMeasure>(
      link, coordinate, derivative == Derivative::first ? Of::rate : Of::value);
}

struct JointAngleSensor final : SensorEntryOf<JointAngleSensor, CoordinateSensor> {
  Turns counting = Turns::counted;

  JointAngleSensor() { quantities = {kAngle, kAngularVelocity, kAngularAcceleration}; }
  static const Fields<JointAngleSensor>& fields();
  bool counts_turns() const override {
    return derivative == Derivative::none && counting == Turns::counted;
  }

 protected:
  Turns turns() const override { return counting; }
};

void read_joint_that_turns(JointAngleSensor& entry, const TableView& view, const Scope& scope) {
  const std::optional<JointAnswers> joint = read_joint(view, scope, entry.joint);
  if (!joint) return;
  entry.freedom = read_arm(view, *joint).value_or(JointFreedom::rotation);
  if (!joint->turns)
    report_joint_without(
        view, *joint, "angle",
        fmt::format("name a {} joint, or a rotation_drive",
                    joint_types_with({JointFreedom::rotation, JointFreedom::first_arm})));
}

const Fields<JointAngleSensor>& JointAngleSensor::fields() {
  using Self = JointAngleSensor;
  static const Choice<Turns> countings = {{"counted", Turns::counted}, {"wrapped", Turns::wrapped}};
  static const Fields<Self> list = joined_fields(
      Fields<Self>{read_by<Self>(joint_key(), read_joint_that_turns)}, CoordinateSensor::fields(),
      Fields<Self>{
          field(
              Key("turns", Form::word,
                  "`counted`: the angle is continuous over full turns; `wrapped`: between minus and plus half a turn",
                  "wrapped")
                  .or_default(),
              countings, &Self::counting),
          read_elsewhere<Self>(arm_key())});
  return list;
}

struct JointTranslationSensor final : SensorEntryOf<JointTranslationSensor, CoordinateSensor> {
  JointTranslationSensor() { quantities = {kLength, kVelocity, kAcceleration}; }
  static const Fields<JointTranslationSensor>& fields();
};

void read_joint_that_slides(JointTranslationSensor& entry, const TableView& view,
                            const Scope& scope) {
  const std::optional<JointAnswers> joint = read_joint(view, scope, entry.joint);
  if (!joint) return;
  if (!joint->slides)
    return report_joint_without(
        view, *joint, "translation",
        fmt::format("name a {} joint, or a translation_drive",
                    joint_types_with({JointFreedom::translation, JointFreedom::translation_x})));
  entry.freedom = read_along(view, *joint).value_or(JointFreedom::translation);
}

const Fields<JointTranslationSensor>& JointTranslationSensor::fields() {
  using Self = JointTranslationSensor;
  static const Fields<Self> list =
      joined_fields(Fields<Self>{read_by<Self>(joint_key(), read_joint_that_slides)},
                    CoordinateSensor::fields(), Fields<Self>{read_elsewhere<Self>(along_key())});
  return list;
}

}  // namespace

SensorType joint_angle_sensor_row() { return JointAngleSensor::row("joint_angle"); }
SensorType joint_translation_sensor_row() {
  return JointTranslationSensor::row("joint_translation");
}

}  // namespace solidyn::model
