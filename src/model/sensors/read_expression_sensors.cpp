#include "model/sensors/read_expression_sensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/forces/formula_reader.h"
#include "model/sensors/sensor_grammar.h"

namespace solidyn::model {
namespace {

std::optional<FormulaReader::Objection> objection_to(const FormulaVariable& variable,
                                                     const Units& units) {
  if (variable.column.quantity || units.length == 1.0) return {};
  return FormulaReader::Objection{
      fmt::format("`{}` is a multiplier, a force or a torque, which differ in units other than "
                  "metres",
                  variable.column.name),
      "use a sensor of type reaction, or write the model in metres"};
}

/// Follows who uses whom.
class CircleFinder {
 public:
  explicit CircleFinder(const std::vector<SensorDescription>& sensors) : sensors_(sensors) {}

  /// The names along a circle that begins and ends with the same one; empty when there is none.
  std::vector<std::string> find(const std::string& name) {
    path_.clear();
    return find_from(name);
  }

 private:
  std::vector<std::string> find_from(const std::string& name) {
    path_.push_back(name);
    if (std::count(path_.begin(), path_.end(), name) > 1)
      return {std::find(path_.begin(), path_.end(), name), path_.end()};
    std::vector<std::string> circle;
    if (done_.insert(name).second) circle = find_through(name);
    path_.pop_back();
    return circle;
  }

  std::vector<std::string> find_through(const std::string& name) {
    for (const SensorDescription& sensor : sensors_) {
      if (sensor.name != name) continue;
      for (const auto& variable : sensor.formula.variables)
        if (auto circle = find_from(variable.sensor); !circle.empty()) return circle;
    }
    return {};
  }

  const std::vector<SensorDescription>& sensors_;
  std::vector<std::string> path_;
  std::set<std::string> done_;
};

void read_formula(const TableView& view, SensorDescription& sensor,
                  const std::vector<SensorDescription>& sensors) {
  if (!view.is_good("value")) return;
  const Units& units = view.context().units;
  FormulaReader reader(view, sensors,
                       [&](const FormulaVariable& v) { return objection_to(v, units); });
  const auto formula = reader.read(view.text("value"), view.path("value"), view.where("value"));
  if (!formula) return;
  sensor.formula.variables = reader.used();
  sensor.formula.expression = reader.of_used(*formula);
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " -> ") + name;
  return text;
}

}  // namespace

void read_measure(const TableView& view, SensorDescription& sensor) {
  const Units& units = view.context().units;
  for (const auto& [word, quantity] : quantities_by_word())
    if (word == view.text("measures")) sensor.formula.measures = quantity;
  sensor.formula.scale = units.scale(sensor.formula.measures);
  sensor.formula.t_scale = units.time;
}

void read_expression_sensors(const TableView& file, std::vector<SensorDescription>& sensors) {
  for (const auto& [name, view] : file.tables("sensors"))
    for (SensorDescription& sensor : sensors)
      if (sensor.name == name && sensor.type == SensorType::expression)
        read_formula(view, sensor, sensors);
  CircleFinder finder(sensors);
  for (const SensorDescription& sensor : sensors) {
    const std::vector<std::string> circle = finder.find(sensor.name);
    for (const SensorDescription& first : sensors)
      if (!circle.empty() && first.name == circle[0])
        file.report().error(
            first.where,
            fmt::format("sensors.{}: its formula depends on itself: {}", circle[0], joined(circle)),
            "take one of them out of the formulas of the others");
  }
}

}  // namespace solidyn::model
