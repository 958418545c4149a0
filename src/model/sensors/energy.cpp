#include "model/bodies/body_entry.h"
#include "model/read.h"
#include "model/sensors/built_body.h"
#include "model/sensors/sensor_entry.h"

namespace solidyn::model {
namespace {

using analyses::EnergyPart;

struct EnergySensor final : SensorEntryOf<EnergySensor> {
  EnergyPart part = EnergyPart::total;
  std::string body;  ///< empty: the system

  static const Fields<EnergySensor>& fields();
  std::vector<Recorded> recorded() const override { return {{"", kEnergy}}; }
  analyses::Sensor make(const SensorBuilder& builder) const override;
};

const Fields<EnergySensor>& EnergySensor::fields() {
  using Self = EnergySensor;
  static const Choice<EnergyPart> parts = {{"kinetic", EnergyPart::kinetic},
                                           {"strain", EnergyPart::strain},
                                           {"potential", EnergyPart::potential},
                                           {"total", EnergyPart::total}};
  static const Fields<Self> list = {
      read_by<Self>(Key("body", Form::reference, "the body; by default the whole system", "rod"),
                    [](Self& entry, const TableView& view, const Scope& scope) {
                      if (const auto* body = find_referred_body(view, "body", scope))
                        entry.body = body->name;
                    }),
      field(Key("kind", Form::word, "which energy", "kinetic").or_default(), parts, &Self::part)};
  return list;
}

analyses::Sensor EnergySensor::make(const SensorBuilder& builder) const {
  return analyses::energy_sensor(name, part, bodies_of(builder.built, body));
}

}  // namespace

SensorType energy_sensor_row() { return EnergySensor::row("energy"); }

}  // namespace solidyn::model
