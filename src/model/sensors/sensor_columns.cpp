#include "model/sensors/sensor_columns.h"

#include <algorithm>
#include <cctype>

namespace solidyn::model {
namespace {

bool can_be_variable(const std::string& name) {
  return name != "t" && name != "pi" && name != "e" &&
         std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '.'; });
}

}  // namespace

std::vector<FormulaVariable> formula_variables(const SensorEntries& sensors) {
  std::vector<FormulaVariable> variables;
  for (const auto& sensor : sensors) {
    int index = 0;
    for (const SensorColumn& column : sensor->columns()) {
      variables.push_back({column, sensor.get(), index, can_be_variable(column.name)});
      ++index;
    }
  }
  return variables;
}

}  // namespace solidyn::model
