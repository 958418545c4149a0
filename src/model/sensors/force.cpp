#include <fmt/format.h>

#include <stdexcept>
#include <string_view>

#include "model/forces/catalogue.h"
#include "model/sensors/components.h"
#include "model/sensors/references.h"
#include "model/sensors/wrench_place.h"
#include "solidyn/analyses/force_sensors.h"

namespace solidyn::model {
namespace {

/// What a force shows of itself, and what every force between two frames shows.
struct ForceSensor final : WrenchPlace, SensorEntryOf<ForceSensor> {
  std::string force;
  Components<int> components;  ///< the force's readings, and behind them those of every force

  static const Fields<ForceSensor>& fields();
  std::vector<Recorded> recorded() const override { return recorded_components(components); }
  analyses::Sensor make(const SensorBuilder& builder) const override;
};

Quantity in_unit(std::string_view si) {
  for (const Quantity& quantity : {kNumber, kLength, kCurvature, kAngle, kVelocity,
                                   kAngularVelocity, kForce, kTorque, kEnergy, kPower})
    if (si == quantity.si) return quantity;
  throw std::logic_error("internal error: a force has a reading in an unknown unit");
}

/// Of a type of force.
Components<int> readings_of(const ForceType& type) {
  Components<int> list;
  for (const forces::Readings& readings : {type.readings, forces::readings_of_every_force()})
    for (const forces::Reading& reading : readings)
      list.push_back({reading.name, static_cast<int>(list.size()), in_unit(reading.si)});
  return list;
}

// What any type of force shows, and `all`.
Words words_of_readings() {
  Words words;
  const auto add = [&](const forces::Readings& readings) {
    for (const forces::Reading& reading : readings)
      if (std::find(words.begin(), words.end(), reading.name) == words.end())
        words.emplace_back(reading.name);
  };
  for (const ForceType& type : force_catalogue()) add(type.readings);
  add(forces::readings_of_every_force());
  words.emplace_back("all");
  return words;
}

// Forces are read after sensors: of them the types are known.
void read_force_and_component(ForceSensor& entry, const TableView& view, const Scope& scope) {
  constexpr std::size_t kWrench = 6;
  std::vector<std::string> known;
  for (const auto& [force, type] : scope.names.forces) known.push_back(force);
  entry.force = read_reference(view, "force", known, "forces");
  const auto found = scope.names.forces.find(entry.force);
  if (found == scope.names.forces.end()) return;
  const ForceType* type = find_force_type(found->second);
  if (!type) return;  // of which there is a complaint
  entry.components = choose_components(view, readings_of(*type),
                                       type->readings.empty() ? kWrench : type->readings.size(),
                                       "a " + type->word);
}

const Fields<ForceSensor>& ForceSensor::fields() {
  using Self = ForceSensor;
  static const Fields<Self> list = joined_fields(
      Fields<Self>{
          read_by<Self>(Key("force", Form::reference, "one of `forces`", "strut").needed(),
                        read_force_and_component),
          read_elsewhere<Self>(
              Key("component", Form::word,
                  "of a spring_damper `length`, `extension` (beyond the free length), its `rate`, and the tension `force`; of a torsional one `angle`, `extension`, `rate`, and `torque`, which is positive if it acts against a positive angle; of a bushing displacement and rotation vector of the second place relative to the first, in their mid-frame; of every force: force and torque on the place `side`, stored energy, and the power supplied to the system. `all`: the quantities specific to its type, or force and torque",
                  "length")
                  .among(words_of_readings())
                  .or_else("all"))},
      WrenchPlace::fields());
  return list;
}

analyses::Sensor ForceSensor::make(const SensorBuilder& builder) const {
  const std::vector<SensorColumn> named = columns();
  std::vector<analyses::ForceColumn> read;
  for (std::size_t i = 0; i < components.size(); ++i)
    read.push_back({components[i].what, {named[i].name, components[i].quantity.si}});
  return analyses::force_sensor(builder.built.forces.at(force)[0], on, axes, std::move(read));
}

}  // namespace

SensorType force_sensor_row() { return ForceSensor::row("force"); }

}  // namespace solidyn::model
