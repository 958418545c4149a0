#include "solidyn/analyses/expression_sensor.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "solidyn/base/log.h"

namespace solidyn::analyses {
namespace {

class Evaluator {
 public:
  Evaluator(std::string name, std::vector<Sensor> sources, std::vector<Formula> formulas)
      : name_(std::move(name)), sources_(std::move(sources)), formulas_(std::move(formulas)) {}

  double value(const SensorContext& c) {
    std::size_t n = 0;
    for (const Sensor& source : sources_) n += source.columns.size();
    values_.resize(n);
    double* at = values_.data();
    for (const Sensor& source : sources_) {
      source.read(c, at);
      at += source.columns.size();
    }
    for (const Formula& formula : formulas_) values_.push_back(result_of(formula, c.state.t));
    warn_if_no_number(values_.back(), c.state.t);
    return values_.back();
  }

 private:
  double result_of(const Formula& formula, double t) {
    variables_.assign(1, t / formula.t_scale);
    for (const Formula::Input& input : formula.inputs)
      variables_.push_back(values_[input.value] / input.scale);
    return formula.expression.value(variables_.data()) * formula.scale;
  }

  void warn_if_no_number(double value, double t) {
    if (has_warned_ || std::isfinite(value)) return;
    has_warned_ = true;
    base::log_warning("t = {:.6g} s, sensor {}: `{}` is {}", t, name_,
                      formulas_.back().expression.text(),
                      std::isnan(value) ? "not a number" : "infinite");
  }

  std::string name_;
  std::vector<Sensor> sources_;
  std::vector<Formula> formulas_;
  std::vector<double> values_, variables_;
  bool has_warned_ = false;
};

}  // namespace

Sensor expression_sensor(const std::string& name, const std::string& unit,
                         std::vector<Sensor> sources, std::vector<Formula> formulas) {
  Sensor s;
  s.columns = {{name, unit}};
  s.needs_accelerations = std::any_of(sources.begin(), sources.end(), [](const Sensor& source) {
    return source.needs_accelerations;
  });
  s.reads_reactions = std::any_of(sources.begin(), sources.end(),
                                  [](const Sensor& source) { return source.reads_reactions; });
  // Shared by the copies of the sensor: std::function wants to be copied.
  auto evaluator = std::make_shared<Evaluator>(name, std::move(sources), std::move(formulas));
  s.read = [evaluator](const SensorContext& c, double* value) { *value = evaluator->value(c); };
  return s;
}

}  // namespace solidyn::analyses
