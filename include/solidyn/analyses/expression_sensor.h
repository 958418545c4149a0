#pragma once
#include "solidyn/analyses/sensors.h"
#include "solidyn/math/expression.h"

namespace solidyn::analyses {

/// A formula of t and of values before it.
struct Formula {
  struct Input {
    int value;           ///< index into the values
    double scale = 1.0;  ///< SI per unit that the formula is written in
  };
  math::Expression expression;  ///< of t and one variable for each input
  std::vector<Input> inputs;
  double t_scale = 1.0, scale = 1.0;  ///< s per unit of t; SI per unit of the result
};

/// The last of `formulas`. Values are the columns of `sources`, in order, and after them the
/// results of the formulas. Where a result is no finite number it stays what it is, with one
/// warning.
/// @param unit of the column. Proved by ExpressionSensor.*.
Sensor expression_sensor(const std::string& name, const std::string& unit,
                         std::vector<Sensor> sources, std::vector<Formula> formulas);

}  // namespace solidyn::analyses
