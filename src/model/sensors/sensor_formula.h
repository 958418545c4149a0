#pragma once
#include <optional>

#include "model/sensors/sensor_entry.h"
#include "solidyn/math/expression.h"
#include "solidyn/model/sensor_variable.h"

namespace solidyn::model {

/// A formula of t and of columns of other sensors, in the file's units.
struct SensorFormula {
  std::optional<math::Expression> expression;  ///< of t and `variables`; empty after a complaint
  std::vector<SensorVariable> variables;
  double t_scale = 1.0;  ///< s per unit of t
  Quantity measures;     ///< of the result
  double scale = 1.0;    ///< SI per unit of the result
};

/// A sensor that records a formula, with the sensors that it uses.
analyses::Sensor make_formula_sensor(const SensorEntry& sensor, const SensorBuilder& builder);

/// Complains of formulas that use each other in a circle.
void refuse_circles(const SensorEntries& sensors, Report& report);

}  // namespace solidyn::model
