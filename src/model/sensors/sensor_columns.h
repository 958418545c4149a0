#pragma once
#include <optional>
#include <string>
#include <vector>

#include "solidyn/model/description.h"

namespace solidyn::model {

/// A column of history.csv, and what it measures; nothing for a multiplier, which is a force or a
/// torque.
struct SensorColumn {
  std::string name;
  std::optional<Quantity> quantity;
};

/// The columns of a sensor, as the sensor that is built of it has them.
std::vector<SensorColumn> columns_of(const SensorDescription& sensor);

/// A column as a variable of a formula.
struct FormulaVariable {
  SensorColumn column;
  const SensorDescription* sensor;
  int index;         ///< of the column among the sensor's
  bool is_nameable;  ///< formulas can name it: of letters, digits, _ and .; none of t, pi and e
};

/// Every column of every sensor.
std::vector<FormulaVariable> formula_variables(const std::vector<SensorDescription>& sensors);

}  // namespace solidyn::model
