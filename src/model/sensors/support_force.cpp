#include <fmt/format.h>

#include "model/sensors/components.h"
#include "model/sensors/references.h"
#include "solidyn/base/error.h"

namespace solidyn::model {
namespace {

struct SupportForceSensor final : SensorEntryOf<SupportForceSensor> {
  std::string support;
  Components<analyses::VectorComponent> components;

  static const Fields<SupportForceSensor>& fields();
  std::vector<Recorded> recorded() const override {
    return recorded_components(components, kForce);
  }
  analyses::Sensor make(const SensorBuilder& builder) const override;
};

const Fields<SupportForceSensor>& SupportForceSensor::fields() {
  using Self = SupportForceSensor;
  static const Fields<Self> list = {
      read_by<Self>(Key("support", Form::reference, "one of `supports`", "clamp").needed(),
                    [](Self& entry, const TableView& view, const Scope& scope) {
                      entry.support = read_reference(
                          view, "support", names_of_entries(scope.model.supports), "supports");
                    }),
      component_field(
          Key("component", Form::word, "force of the support on the body, world axes", "x")
              .or_else("all"),
          vector_components(), 3, &Self::components)};
  return list;
}

analyses::Sensor SupportForceSensor::make(const SensorBuilder& builder) const {
  const BuiltModel& built = builder.built;
  if (const auto held = built.supports.find(support); held != built.supports.end())
    return analyses::support_force_sensor(name, held->second, whats(components));
  if (const auto solid = built.solid_supports.find(support); solid != built.solid_supports.end())
    return analyses::support_force_sensor(name, *solid->second.first, solid->second.second,
                                          whats(components));
  throw base::InputError(
      fmt::format(
          "sensors.{}: the support `{}` constrains a superelement, without multipliers that could be recorded",
          name, support),
      "define an interface instead and constrain it by a fixed joint with  share: false", where);
}

}  // namespace

SensorType support_force_sensor_row() { return SupportForceSensor::row("support_force"); }

}  // namespace solidyn::model
