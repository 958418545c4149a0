#pragma once
#include <string>
#include <variant>

#include "solidyn/math/curve.h"
#include "solidyn/math/expression.h"

namespace solidyn::math {

/// A function of named variables: a formula, or a curve over one of them. A value type. One object
/// must not be evaluated by two threads at once. Proved by FunctionOfVariables.*.
class FunctionOfVariables {
 public:
  /// A curve over the variable of this index and name: curve(x_scale variable) / y_scale.
  struct Over {
    Curve curve;
    int variable;
    std::string name;
    double x_scale = 1.0, y_scale = 1.0;
  };
  FunctionOfVariables(Expression formula)  // NOLINT(google-explicit-constructor)
      : function_(std::move(formula)) {}
  FunctionOfVariables(Over curve)  // NOLINT(google-explicit-constructor)
      : function_(std::move(curve)) {}

  std::string text() const;  ///< for messages
  bool uses(int variable) const;
  std::string name_of(int variable) const;  ///< @pre it uses the variable
  /// May be infinite or not a number. @param values one per variable
  double value(const double* values) const;
  /// By a variable: exact of curves, a central difference of formulas.
  double derivative(const double* values, int variable) const;
  /// The formula; null of a curve.
  const Expression* formula() const { return std::get_if<Expression>(&function_); }

 private:
  std::variant<Expression, Over> function_;
};

}  // namespace solidyn::math
