#include "model/sensors/components.h"

namespace solidyn::model {
namespace {

using analyses::MomentumPart;

struct MomentumSensor final : SensorEntryOf<MomentumSensor> {
  MomentumPart part = MomentumPart::linear;
  Components<analyses::VectorComponent> components;

  static const Fields<MomentumSensor>& fields();
  std::vector<Recorded> recorded() const override {
    return recorded_components(components,
                               part == MomentumPart::linear ? kMomentum : kAngularMomentum);
  }
  analyses::Sensor make(const SensorBuilder&) const override {
    return analyses::momentum_sensor(name, part, whats(components));
  }
};

const Fields<MomentumSensor>& MomentumSensor::fields() {
  using Self = MomentumSensor;
  static const Choice<MomentumPart> parts = {{"linear", MomentumPart::linear},
                                             {"angular", MomentumPart::angular},
                                             {"centroidal", MomentumPart::centroidal}};
  static const Fields<Self> list = {
      component_field(Key("component", Form::word, "`all` means x, y and z", "x").or_else("all"),
                      vector_components(), 3, &Self::components),
      field(
          Key("kind", Form::word,
              "linear momentum, angular momentum about the world origin, or `centroidal`: angular momentum about the centre of mass of the system",
              "linear")
              .or_default(),
          parts, &Self::part)};
  return list;
}

}  // namespace

SensorType momentum_sensor_row() { return MomentumSensor::row("momentum"); }

}  // namespace solidyn::model
