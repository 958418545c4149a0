#pragma once
#include "model/sensors/sensor_entry.h"

namespace solidyn::model {

/// A column as a variable of a formula.
struct FormulaVariable {
  SensorColumn column;
  const SensorEntry* sensor;
  int index;         ///< of the column among the sensor's
  bool is_nameable;  ///< formulas can name it: of letters, digits, _ and .; none of t, pi and e
};

/// Every column of every sensor.
std::vector<FormulaVariable> formula_variables(const SensorEntries& sensors);

}  // namespace solidyn::model
