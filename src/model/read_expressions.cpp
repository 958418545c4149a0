#include "model/read_expressions.h"

#include <fmt/format.h>

#include "model/formula_reader.h"
#include "model/read.h"

namespace solidyn::model {
namespace {

/// A force depends on positions and velocities, of which the tangent needs the derivatives.
std::optional<FormulaReader::Objection> objection_of_force_to(const FormulaVariable& variable) {
  const SensorDescription& sensor = *variable.sensor;
  switch (sensor.type) {
    case SensorType::position:
    case SensorType::relative_displacement:
    case SensorType::velocity:
    case SensorType::angular_velocity:
      return {};
    case SensorType::joint_angle:
    case SensorType::joint_translation:
      if (sensor.derivative == 2)
        return FormulaReader::Objection{
            fmt::format("`{}` records an acceleration, on which a force cannot depend",
                        variable.column.name),
            "use a sensor without  quantity: acceleration"};
      if (sensor.wraps && sensor.derivative == 0)
        return FormulaReader::Objection{
            fmt::format("`{}` jumps by a turn, and the force would jump with it",
                        variable.column.name),
            "use a sensor without  turns: wrapped  (and the sine and cosine of its angle)"};
      return {};
    case SensorType::orientation:
      if (sensor.form != OrientationForm::quaternion) return {};
      return FormulaReader::Objection{
          fmt::format("`{}` is of a quaternion, on which a force cannot depend",
                      variable.column.name),
          fmt::format("write  as: rotation_vector,  or angles as xyz, under sensors.{}",
                      sensor.name)};
    default:
      return FormulaReader::Objection{
          fmt::format("`{}` is a sensor of type {}, on which a force cannot depend",
                      variable.column.name, name(sensor.type)),
          "use sensors of type position, velocity, orientation, angular_velocity, joint_angle, "
          "joint_translation or relative_displacement"};
  }
}

void read_vector(const TableView& view, const std::string& key, int first, FormulaReader& reader,
                 ExpressionDescription& d) {
  if (!view.is_good(key)) return;
  const std::vector<Value>& items = view.find(key)->items;
  for (int i = 0; i < 3; ++i) {
    const Value& item = items[i];
    if (const auto number = as_number(item); number && *number == 0.0) continue;
    const std::string path = fmt::format("component {} of {}", i + 1, view.path(key));
    d.components[first + i] = reader.read(item.text, path, item.where);
  }
}

}  // namespace

ExpressionDescription read_expressions(const TableView& view,
                                       const std::vector<SensorDescription>& sensors) {
  const Units& units = view.context().units;
  ExpressionDescription d;
  d.t_scale = units.time;
  d.force_scale = units.force;
  d.torque_scale = units.force * units.length;
  d.is_in_body_axes = view.text("axes") == "body";
  FormulaReader reader(view, sensors, objection_of_force_to);
  read_vector(view, "force", 0, reader, d);
  read_vector(view, "torque", 3, reader, d);
  d.variables = reader.used();
  for (auto& component : d.components)
    if (component) component = reader.of_used(*component);
  return d;
}

}  // namespace solidyn::model
