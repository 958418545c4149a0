#include "model/sensors/sensor_formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "solidyn/analyses/expression_sensor.h"

namespace solidyn::model {
namespace {

/// Brings sensors into the order in which formulas use them, each once.
class Program {
 public:
  explicit Program(const SensorBuilder& builder) : builder_(builder) {}

  analyses::Sensor make(const SensorEntry& sensor) {
    add_sources(sensor);
    add_formula(sensor);
    return analyses::expression_sensor(sensor.name, sensor.columns()[0].quantity.value().si,
                                       std::move(sources_), std::move(formulas_));
  }

 private:
  const SensorEntry& of(const SensorVariable& variable) const {
    return *builder_.model.find_sensor(variable.sensor);
  }

  void add_sources(const SensorEntry& sensor) {
    if (!seen_.insert(sensor.name).second) return;
    for (const SensorVariable& variable : sensor.formula()->variables) {
      const SensorEntry& used = of(variable);
      if (used.formula()) {
        add_sources(used);
      } else if (first_value_.count(used.name) == 0) {
        sources_.push_back(builder_.others.at(used.name));
        first_value_[used.name] = n_values_;
        n_values_ += static_cast<int>(sources_.back().columns.size());
      }
    }
  }

  void add_formula(const SensorEntry& sensor) {
    const SensorFormula& d = *sensor.formula();
    analyses::Formula formula{*d.expression, {}, d.t_scale, d.scale};
    for (const SensorVariable& variable : d.variables) {
      const SensorEntry& used = of(variable);
      if (first_value_.count(used.name) == 0) add_formula(used);
      formula.inputs.push_back({first_value_.at(used.name) + variable.component, variable.scale});
    }
    formulas_.push_back(std::move(formula));
    first_value_[sensor.name] = n_values_++;
  }

  const SensorBuilder& builder_;
  std::vector<analyses::Sensor> sources_;
  std::vector<analyses::Formula> formulas_;
  std::map<std::string, int> first_value_;  // of a sensor among the values
  std::set<std::string> seen_;
  int n_values_ = 0;
};

/// Follows who uses whom.
class CircleFinder {
 public:
  explicit CircleFinder(const SensorEntries& sensors) : sensors_(sensors) {}

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
    for (const auto& sensor : sensors_) {
      if (sensor->name != name || !sensor->formula()) continue;
      for (const SensorVariable& variable : sensor->formula()->variables)
        if (auto circle = find_from(variable.sensor); !circle.empty()) return circle;
    }
    return {};
  }

  const SensorEntries& sensors_;
  std::vector<std::string> path_;
  std::set<std::string> done_;
};

std::string along_arrows(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " -> ") + name;
  return text;
}

}  // namespace

analyses::Sensor make_formula_sensor(const SensorEntry& sensor, const SensorBuilder& builder) {
  return Program(builder).make(sensor);
}

void refuse_circles(const SensorEntries& sensors, Report& report) {
  CircleFinder finder(sensors);
  for (const auto& sensor : sensors) {
    const std::vector<std::string> circle = finder.find(sensor->name);
    for (const auto& first : sensors)
      if (!circle.empty() && first->name == circle[0])
        report.error(
            first->where,
            fmt::format("sensors.{}: circular formula: {}", circle[0], along_arrows(circle)),
            "break the cycle by removing one of these references");
  }
}

}  // namespace solidyn::model
