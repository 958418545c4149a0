#include "model/forces/read_expressions.h"

#include <fmt/format.h>

#include <variant>

#include "model/forces/formula_reader.h"
#include "model/read.h"

namespace solidyn::model {

// A force depends on positions and velocities, of which the tangent needs the derivatives.
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

namespace {

using Table = FormulaReader::Table;
using Read = std::optional<std::variant<math::Expression, Table>>;

template <class T>
Read as_read(std::optional<T> value) {
  return value ? Read(std::move(*value)) : Read();
}

void read_vector(const TableView& view, const std::string& key, double unit, const char* si,
                 FormulaReader& reader, std::array<Read, 6>& components, int first) {
  if (!view.is_good(key)) return;
  const std::vector<Value>& items = view.find(key)->items;
  for (int i = 0; i < 3; ++i) {
    const Value& item = items[i];
    if (const auto number = as_number(item); number && *number == 0.0) continue;
    const std::string path = fmt::format("component {} of {}", i + 1, view.path(key));
    if (item.kind == Value::Kind::map)
      components[first + i] = as_read(reader.read_table(
          TableView(item, time_function_grammar(), path, item.where, view.context()), unit, si));
    else
      components[first + i] = as_read(reader.read(item.text, path, item.where));
  }
}

/// Of t and the variables in `d`, in the file's units as they are.
math::FunctionOfVariables of_used(const Read& read, const FormulaReader& reader,
                                  const ExpressionDescription& d, double y_scale) {
  if (const auto* formula = std::get_if<math::Expression>(&*read)) return reader.of_used(*formula);
  const Table& table = std::get<Table>(*read);
  const int index = reader.index_of_used(table);
  const double x_scale = index == 0 ? d.t_scale : d.variables[index - 1].scale;
  return math::FunctionOfVariables::Over{table.curve, index, table.name, x_scale, y_scale};
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
  std::array<Read, 6> components;
  read_vector(view, "force", d.force_scale, "N", reader, components, 0);
  read_vector(view, "torque", d.torque_scale, "N m", reader, components, 3);
  d.variables = reader.used();
  for (int i = 0; i < 6; ++i)
    if (components[i])
      d.components[i] = of_used(components[i], reader, d, i < 3 ? d.force_scale : d.torque_scale);
  return d;
}

bool is_over_sensor(const TableView& view, const std::string& key) {
  const Value* value = view.find(key);
  return value && value->kind == Value::Kind::map && value->find("of");
}

std::optional<TableOverSensor> read_over_sensor(const TableView& view, const std::string& key,
                                                const std::vector<SensorDescription>& sensors) {
  if (!view.is_good(key) || !is_over_sensor(view, key)) return {};
  const Value& value = *view.find(key);
  FormulaReader reader(view, sensors, objection_of_force_to);
  auto table = reader.read_table(
      TableView(value, time_function_grammar(), view.path(key), value.where, view.context()),
      view.scale(key), view.si(key));
  if (!table) return {};
  const ExpressionDescription::Variable variable = reader.used().at(0);
  return TableOverSensor{variable.sensor, variable.component, std::move(table->curve)};
}

}  // namespace solidyn::model
