#include "solidyn/math/function_of_variables.h"

namespace solidyn::math {

std::string FunctionOfVariables::text() const {
  if (formula()) return formula()->text();
  return "a table over " + std::get<Over>(function_).name;
}

bool FunctionOfVariables::uses(int variable) const {
  return formula() ? formula()->uses(variable) : std::get<Over>(function_).variable == variable;
}

std::string FunctionOfVariables::name_of(int variable) const {
  return formula() ? formula()->variables()[variable] : std::get<Over>(function_).name;
}

double FunctionOfVariables::value(const double* values) const {
  if (formula()) return formula()->value(values);
  const Over& over = std::get<Over>(function_);
  return over.curve.value(over.x_scale * values[over.variable]) / over.y_scale;
}

double FunctionOfVariables::derivative(const double* values, int variable) const {
  if (formula()) return formula()->derivative(values, variable);
  const Over& over = std::get<Over>(function_);
  if (over.variable != variable) return 0.0;
  return over.curve.slope(over.x_scale * values[variable]) * over.x_scale / over.y_scale;
}

}  // namespace solidyn::math
