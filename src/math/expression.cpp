#include "solidyn/math/expression.h"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <cmath>

#include "solidyn/base/error.h"

namespace solidyn::math {

using base::InputError;

double ramp(double t, double t0, double t1) {
  if (t1 <= t0) return t < t0 ? 0.0 : 1.0;
  return std::clamp((t - t0) / (t1 - t0), 0.0, 1.0);
}

double smooth_step(double t, double t0, double t1) {
  const double s = ramp(t, t0, t1);
  return s * s * s * (10.0 + s * (6.0 * s - 15.0));
}

class Expression::Parser {
 public:
  Parser(const std::string& text, const std::vector<std::string>& variables)
      : text_(text), variables_(variables), values_(variables.size(), 0.0) {
    try {
      define();
      parser_.SetExpr(text_);
    } catch (const mu::Parser::exception_type& error) {  // a variable that muParser cannot have
      fail(error);
    }
    check();
  }

  const std::string& text() const { return text_; }
  const std::vector<std::string>& variables() const { return variables_; }
  bool uses(int variable) const { return is_used_[variable]; }

  double value(const double* values) const {
    std::copy_n(values, values_.size(), values_.begin());
    return parser_.Eval();
  }

  double derivative(const double* values, int variable, double scale) const {
    constexpr double kStep = 6e-6;
    std::copy_n(values, values_.size(), values_.begin());
    const double at = values[variable], h = kStep * std::max(std::abs(at), scale);
    values_[variable] = at + h;
    const double above = parser_.Eval(), x_above = values_[variable];
    values_[variable] = at - h;
    return (above - parser_.Eval()) / (x_above - values_[variable]);
  }

 private:
  void define() {
    if (std::any_of(variables_.begin(), variables_.end(),
                    [](const std::string& name) { return name.find('.') != std::string::npos; }))
      parser_.DefineNameChars("0123456789_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    parser_.ClearConst();  // its own are called _pi and _e
    for (std::size_t i = 0; i < variables_.size(); ++i)
      parser_.DefineVar(variables_[i], &values_[i]);
    parser_.DefineConst("pi", M_PI);
    parser_.DefineConst("e", M_E);
    parser_.DefineFun("ramp", ramp);
    parser_.DefineFun("smooth_step", smooth_step);
  }

  /// muParser parses on the first evaluation.
  void check() {
    reject_assignment();
    int n_results = 1;
    try {
      parser_.Eval();
      n_results = parser_.GetNumResults();
      const auto& used = parser_.GetUsedVar();
      for (const std::string& name : variables_) is_used_.push_back(used.count(name) > 0);
    } catch (const mu::Parser::exception_type& error) {
      fail(error);
    }
    if (n_results != 1)
      throw InputError(fmt::format("`{}` has {} values; expected one", text_, n_results),
                       "write a decimal point instead of a comma");
  }

  /// muParser would take `t = 3` for an order to change t.
  void reject_assignment() const {
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (text_[i] != '=') continue;
      const bool is_comparison = (i > 0 && std::string("=<>!").find(text_[i - 1]) < 4) ||
                                 (i + 1 < text_.size() && text_[i + 1] == '=');
      if (!is_comparison)
        throw InputError(fmt::format("`{}` assigns a value at character {}", text_, i + 1),
                         "write == to compare, or only the right-hand side of the formula");
    }
  }

  std::string listed_variables() const {
    std::string list;
    for (std::size_t i = 0; i < variables_.size(); ++i)
      list += (i == 0 ? "" : i + 1 == variables_.size() ? " and " : ", ") + variables_[i];
    return list;
  }

  [[noreturn]] void fail(const mu::Parser::exception_type& error) const {
    const std::string at =
        error.GetToken().empty() ? std::string() : fmt::format(" (`{}`)", error.GetToken());
    std::string uses;
    for (const std::string& name : variables_) uses += name + ", ";
    throw InputError(
        fmt::format("`{}` is not a valid expression{}: {} at character {}{}", text_,
                    variables_.empty() ? "" : " of " + listed_variables(),
                    error.GetCode() == mu::ecUNASSIGNABLE_TOKEN ? "unknown name" : describe(error),
                    error.GetPos() + 1, at),
        "an expression uses " + uses +
            "pi, + - * / ^ and sin, cos, sqrt, exp, if-then as c ? a : b, ramp(t, t0, t1), smooth_step(t, t0, t1) ..., for example \"150*" +
            (variables_.empty() ? "2" : variables_.front()) + "\"");
  }

  /// muParser's sentence without its own idea of the position.
  static std::string describe(const mu::Parser::exception_type& error) {
    std::string message = error.GetMsg();
    const std::size_t end = message.find(" at position");
    if (end != std::string::npos) message.resize(end);
    if (!message.empty() && message.back() == '.') message.pop_back();
    return message;
  }

  std::string text_;
  std::vector<std::string> variables_;
  std::vector<bool> is_used_;
  mutable std::vector<double> values_;  // the parser reads them
  mu::Parser parser_;
};

Expression::Expression(const std::string& text, const std::vector<std::string>& variables)
    : parser_(std::make_unique<Parser>(text, variables)) {}
Expression::Expression(const Expression& other) : Expression(other.text(), other.variables()) {}
Expression& Expression::operator=(const Expression& other) { return *this = Expression(other); }
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

const std::string& Expression::text() const { return parser_->text(); }
const std::vector<std::string>& Expression::variables() const { return parser_->variables(); }
bool Expression::uses(int variable) const { return parser_->uses(variable); }
double Expression::value(const double* values) const { return parser_->value(values); }
double Expression::derivative(const double* values, int variable, double scale) const {
  return parser_->derivative(values, variable, scale);
}

}  // namespace solidyn::math
