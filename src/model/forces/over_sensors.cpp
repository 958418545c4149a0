#include "model/forces/over_sensors.h"

#include <fmt/format.h>

#include "model/forces/force_entry.h"
#include "model/joints/joint_coordinates.h"
#include "model/read.h"
#include "solidyn/forces/actuated_force.h"

namespace solidyn::model {

std::optional<Rejection> rejection_by_force(const FormulaVariable& variable) {
  return variable.sensor->force_rejection(variable.column.name);
}

std::unique_ptr<forces::Measure> make_measure(const SensorVariable& variable,
                                              const Builder& builder) {
  return builder.model.find_sensor(variable.sensor)->measure(variable.component, builder);
}

bool is_over_sensor(const TableView& view, const std::string& key) {
  const Value* value = view.find(key);
  return value && value->kind == Value::Kind::map && value->find("of");
}

std::optional<TableOverSensor> read_over_sensor(const TableView& view, const std::string& key,
                                                const SensorEntries& sensors) {
  if (!view.is_good(key) || !is_over_sensor(view, key)) return {};
  const Value& value = *view.find(key);
  FormulaReader reader(view, sensors, rejection_by_force);
  auto table = reader.read_table(
      TableView(value, time_function_grammar(), view.path(key), value.where, view.context()),
      view.scale(key), view.si(key));
  if (!table) return {};
  return TableOverSensor{reader.used().at(0), std::move(table->curve)};
}

forces::SystemLayout layout_of(const system::System& system) {
  forces::SystemLayout layout;
  for (const bodies::Frame& frame : system.kinematics().frame_definitions)
    layout.bodies_of_frames.push_back(frame.body);
  for (const bodies::BodyIndex b : system.bodies())
    layout.n_velocities.push_back(system.body(b).n_velocities());
  return layout;
}

std::unique_ptr<forces::Force> make_coordinate_force(const std::string& name,
                                                     const BuiltCoordinate& along,
                                                     std::unique_ptr<forces::EffortLaw> law,
                                                     const std::optional<TableOverSensor>& actuator,
                                                     const Builder& builder) {
  if (!actuator)
    return std::make_unique<forces::CoordinateForce>(name, along.link, along.coordinate,
                                                     std::move(law));
  return std::make_unique<forces::ActuatedForce>(
      name, along.link, along.coordinate, std::move(law),
      forces::ActuatedForce::Actuator{actuator->curve, make_measure(actuator->over, builder)},
      layout_of(builder.built.system));
}

}  // namespace solidyn::model
