#include <fmt/format.h>

#include "model/sensors/joint_keys.h"
#include "model/sensors/joint_questions.h"
#include "model/sensors/sensor_entry.h"

namespace solidyn::model {
namespace {

struct MultiplierSensor final : SensorEntryOf<MultiplierSensor> {
  std::string joint;
  int index = 0;  ///< among the joint's, from 0

  static const Fields<MultiplierSensor>& fields();
  void check(const TableView& view, const Scope& scope);
  std::vector<Recorded> recorded() const override { return {{"", std::nullopt}}; }
  analyses::Sensor make(const SensorBuilder& builder) const override {
    return analyses::multiplier_sensor(name, builder.built.joints.at(joint), index);
  }
  bool reads_joint(const std::string& other) const override { return other == joint; }
};

const Fields<MultiplierSensor>& MultiplierSensor::fields() {
  using Self = MultiplierSensor;
  static const Fields<Self> list = {
      read_elsewhere<Self>(joint_key()),
      field(Key("index", Form::integer, "index of the multiplier of the joint, from 0", "0")
                .within(kNotNegative)
                .or_default(),
            &Self::index)};
  return list;
}

void MultiplierSensor::check(const TableView& view, const Scope& scope) {
  const std::optional<JointAnswers> of = read_joint(view, scope, joint);
  if (of && index >= of->n_multipliers)
    view.report().error(view.where("index"),
                        fmt::format("{} is {}: a {} has {} multipliers", view.path("index"), index,
                                    of->type, of->n_multipliers),
                        fmt::format("give an index from 0 to {}", of->n_multipliers - 1));
}

}  // namespace

SensorType multiplier_sensor_row() { return MultiplierSensor::row("multiplier"); }

}  // namespace solidyn::model
