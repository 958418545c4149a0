#pragma once
#include <memory>
#include <string>
#include <vector>

namespace solidyn::math {

/// A formula of named variables in muParser's syntax, with the constants `pi` and `e` and, beside
/// muParser's own functions, ramp(t, t0, t1) and smooth_step(t, t0, t1) (math/time_function.h). A
/// value type. One object must not be evaluated by two threads at once.
class Expression {
 public:
  /// @throws base::InputError with the position of the fault in the text
  Expression(const std::string& text, const std::vector<std::string>& variables);
  Expression(const Expression& other);
  Expression& operator=(const Expression& other);
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;
  ~Expression();

  const std::string& text() const;
  const std::vector<std::string>& variables() const;
  bool uses(int variable) const;  ///< the formula names it
  /// May be infinite or not a number. @param values one per variable
  double value(const double* values) const;
  /// By a variable, a central difference of step 6e-6 max(|value|, scale): for formulas that change
  /// on that scale its relative error is below 1e-9.
  double derivative(const double* values, int variable, double scale = 1.0) const;

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
};

double ramp(double t, double t0, double t1);
double smooth_step(double t, double t0, double t1);

}  // namespace solidyn::math
