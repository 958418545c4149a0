#include "model/sensors/build_expression_sensors.h"

#include "model/sensors/sensor_columns.h"
#include "solidyn/analyses/expression_sensor.h"

namespace solidyn::model {
namespace {

/// Brings sensors into the order in which formulas use them, each once.
class Program {
 public:
  Program(const ModelDescription& model, const std::map<std::string, analyses::Sensor>& of_names)
      : model_(model), of_names_(of_names) {}

  analyses::Sensor make(const SensorDescription& d) {
    add_sources(d);
    add_formula(d);
    return analyses::expression_sensor(d.name, columns_of(d)[0].quantity.value().si,
                                       std::move(sources_), std::move(formulas_));
  }

 private:
  void add_sources(const SensorDescription& d) {
    if (!seen_.insert(d.name).second) return;
    for (const auto& variable : d.formula.variables) {
      const SensorDescription& sensor = *model_.find_sensor(variable.sensor);
      if (sensor.type == SensorType::expression) {
        add_sources(sensor);
      } else if (first_value_.count(sensor.name) == 0) {
        sources_.push_back(of_names_.at(sensor.name));
        first_value_[sensor.name] = n_values_;
        n_values_ += static_cast<int>(sources_.back().columns.size());
      }
    }
  }

  void add_formula(const SensorDescription& d) {
    analyses::Formula formula{*d.formula.expression, {}, d.formula.t_scale, d.formula.scale};
    for (const auto& variable : d.formula.variables) {
      const SensorDescription& sensor = *model_.find_sensor(variable.sensor);
      if (first_value_.count(sensor.name) == 0) add_formula(sensor);
      formula.inputs.push_back({first_value_.at(sensor.name) + variable.component, variable.scale});
    }
    formulas_.push_back(std::move(formula));
    first_value_[d.name] = n_values_++;
  }

  const ModelDescription& model_;
  const std::map<std::string, analyses::Sensor>& of_names_;
  std::vector<analyses::Sensor> sources_;
  std::vector<analyses::Formula> formulas_;
  std::map<std::string, int> first_value_;  // of a sensor among the values
  std::set<std::string> seen_;
  int n_values_ = 0;
};

}  // namespace

analyses::Sensor make_expression_sensor(const SensorDescription& d, const ModelDescription& model,
                                        const std::map<std::string, analyses::Sensor>& of_names) {
  return Program(model, of_names).make(d);
}

}  // namespace solidyn::model
