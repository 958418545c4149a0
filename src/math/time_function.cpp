#include "solidyn/math/time_function.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "math/time_function_form.h"
#include "solidyn/base/error.h"
#include "solidyn/math/expression.h"

namespace solidyn::math {

namespace {

using base::InputError;
using Values = TimeFunction::Values;

class Constant final : public TimeFunction::Form {
 public:
  explicit Constant(double value) : value_(value) {}
  std::unique_ptr<Form> clone() const override { return std::make_unique<Constant>(*this); }
  double value(double) const override { return value_; }
  Values evaluate(double) const override { return {value_, 0.0, 0.0}; }
  std::string text() const override { return fmt::format("{}", value_); }

 private:
  double value_;
};

/// Ridders' extrapolation to step 0 of estimates whose error is a series in h^power, steps
/// shrinking by `ratio`. Keeps the entry of Neville's table with the smallest difference from its
/// neighbours.
class Extrapolation {
 public:
  /// @param power 2 for central differences, 1 for one-sided ones
  Extrapolation(double ratio, int power) : factor_(std::pow(ratio, power)) {}

  /// Adds the estimate of the next smaller step, whose round-off is about `noise`.
  void add(double estimate, double noise) {
    if (!std::isfinite(estimate)) {
      n_row_ = 0;  // the larger steps left the domain: start again inside it
      return;
    }
    std::array<double, kColumns> row;
    row[0] = estimate;
    const int n = std::min(n_row_ + 1, kColumns);
    double power = factor_;
    for (int j = 1; j < n; ++j, power *= factor_) {
      row[j] = row[j - 1] + (row[j - 1] - row_[j - 1]) / (power - 1.0);
      const double error =
          std::max({std::abs(row[j] - row[j - 1]), std::abs(row[j] - row_[j - 1]), noise});
      // Two columns can agree by chance where the difference quotient aliases: ask for a third.
      if (j >= 2 && error <= error_) {
        error_ = error;
        best_ = row[j];
        noise_ = noise;
      }
    }
    row_ = row;
    n_row_ = n;
  }
  double best() const { return best_; }
  /// No smaller step can do better: the error has come down to round-off.
  bool is_converged() const { return error_ <= 4.0 * noise_; }

 private:
  static constexpr int kColumns = 8;
  double factor_;
  std::array<double, kColumns> row_{};
  int n_row_ = 0;
  double best_ = std::numeric_limits<double>::quiet_NaN();
  double error_ = std::numeric_limits<double>::infinity();
  double noise_ = 0.0;
};

class Formula final : public TimeFunction::Form {
 public:
  Formula(const std::string& text, double value_scale, double time_scale)
      : expression_(text, {"t"}), value_scale_(value_scale), time_scale_(time_scale) {}
  std::unique_ptr<Form> clone() const override { return std::make_unique<Formula>(*this); }
  std::string text() const override { return "`" + expression_.text() + "`"; }

  double value(double t) const override {
    const double scaled = t / time_scale_;
    return value_scale_ * expression_.value(&scaled);
  }

  /// Rates, powers and balances ask for the same time in turn: the last answer is kept.
  Values evaluate(double t) const override {
    if (t != last_time_) last_ = differentiate(t);
    last_time_ = t;
    return last_;
  }

  void check() const {
    const double at_zero = value(0.0);
    if (!std::isfinite(at_zero))
      throw InputError(fmt::format("`{}` is {} at t = 0", expression_.text(), at_zero),
                       "the expression must be finite at every time of the analysis");
  }

 private:
  /// Steps from 0.1 time units down. The ratio is irrational, so that no period is a multiple of
  /// two of the steps, which would look like convergence.
  static constexpr double kFirstStep = 0.1, kRatio = 1.4142135623730951;
  static constexpr int kSteps = 40;

  Values differentiate(double t) const {
    Values v = central(t);
    if (std::isfinite(v.value) && !std::isfinite(v.first + v.second)) {
      const Values after = one_sided(t, 1.0);
      v = std::isfinite(after.first) ? after : one_sided(t, -1.0);
    }
    return v;
  }

  Values central(double t) const {
    const double f0 = value(t);
    Extrapolation first(kRatio, 2), second(kRatio, 2);
    double h = kFirstStep;
    for (int i = 0; i < kSteps && !(first.is_converged() && second.is_converged()); ++i) {
      const double fp = value(t + h), fm = value(t - h);
      const double h_exact = 0.5 * ((t + h) - (t - h));  // what the rounded arguments are apart
      const double noise = roundoff(f0, fp, fm);
      first.add((fp - fm) / (2.0 * h_exact), noise / h);
      second.add((fp - 2.0 * f0 + fm) / (h_exact * h_exact), 4.0 * noise / (h * h));
      h /= kRatio;
    }
    return {f0, first.best(), second.best()};
  }

  Values one_sided(double t, double side) const {
    const double f0 = value(t);
    Extrapolation first(kRatio, 1), second(kRatio, 1);
    double h = kFirstStep;
    for (int i = 0; i < kSteps; ++i) {
      const double f1 = value(t + side * h), f2 = value(t + 2.0 * side * h);
      const double noise = roundoff(f0, f1, f2);
      first.add(side * (f1 - f0) / h, 2.0 * noise / h);
      second.add((f2 - 2.0 * f1 + f0) / (h * h), 4.0 * noise / (h * h));
      h /= kRatio;
    }
    return {f0, first.best(), second.best()};
  }

  static double roundoff(double a, double b, double c) {
    return std::numeric_limits<double>::epsilon() *
           std::max({std::abs(a), std::abs(b), std::abs(c)});
  }

  Expression expression_;
  double value_scale_, time_scale_;
  mutable double last_time_ = std::numeric_limits<double>::quiet_NaN();
  mutable Values last_;
};

double finite(double number, const char* what, double t, const TimeFunction::Form& form) {
  if (std::isfinite(number)) return number;
  throw base::ComputationError(
      fmt::format("time function {} has no finite {} at t = {:g} s", form.text(), what, t));
}

}  // namespace

TimeFunction::TimeFunction() : TimeFunction(std::make_unique<Constant>(0.0)) {}
TimeFunction::TimeFunction(std::unique_ptr<Form> form) : form_(std::move(form)) {}
TimeFunction::TimeFunction(const TimeFunction& other) : form_(other.form_->clone()) {}
TimeFunction& TimeFunction::operator=(const TimeFunction& other) {
  if (this != &other) form_ = other.form_->clone();
  return *this;
}
TimeFunction::TimeFunction(TimeFunction&&) noexcept = default;
TimeFunction& TimeFunction::operator=(TimeFunction&&) noexcept = default;
TimeFunction::~TimeFunction() = default;

TimeFunction TimeFunction::constant(double value) {
  return TimeFunction(std::make_unique<Constant>(value));
}

TimeFunction TimeFunction::expression(const std::string& text, double value_scale,
                                      double time_scale) {
  auto form = std::make_unique<Formula>(text, value_scale, time_scale);
  form->check();
  return TimeFunction(std::move(form));
}

namespace {

void require_ends(const std::vector<double>& values, TimeFunction::Interpolation interpolation,
                  const TimeFunction::Ends& ends) {
  using Kind = TimeFunction::Ends::Kind;
  if (interpolation != TimeFunction::Interpolation::cubic &&
      (ends.kind == Kind::clamped || ends.kind == Kind::not_a_knot))
    throw InputError("`clamped` and `not_a_knot` ends apply to cubic splines only",
                     "write  interpolation: cubic,  or remove `ends`");
  if (ends.kind != Kind::periodic) return;
  constexpr double kSame = 1e-9;
  const auto [least, largest] = std::minmax_element(values.begin(), values.end());
  const double first = values.front(), last = values.back();
  if (values.size() < 3)
    throw InputError("a periodic table of two points does not define a cycle",
                     "give three or more points");
  if (std::abs(last - first) > kSame * std::max(*largest - *least, std::abs(first)))
    throw InputError(
        fmt::format("a periodic table starts with {:g} and ends with {:g}", first, last),
        "the last point must repeat the value of the first, one period later");
}

}  // namespace

TimeFunction TimeFunction::table(std::vector<double> times, std::vector<double> values,
                                 Interpolation interpolation, const Ends& ends) {
  if (times.size() != values.size() || times.size() < 2)
    throw InputError(
        fmt::format("a table of {} points with {} values", times.size(), values.size()),
        "give two or more points");
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!std::isfinite(times[i]) || !std::isfinite(values[i]))
      throw InputError(fmt::format("point {} of the table is not finite", i + 1));
    if (i > 0 && times[i] <= times[i - 1])
      throw InputError(fmt::format("point {} of the table is at {:g}, not after point {} at {:g}",
                                   i + 1, times[i], i, times[i - 1]),
                       "sort the points by their first number, without duplicates");
  }
  require_ends(values, interpolation, ends);
  return TimeFunction(make_table_form(std::move(times), std::move(values), interpolation, ends));
}

TimeFunction TimeFunction::table(std::vector<double> times, std::vector<double> values,
                                 Interpolation interpolation) {
  return table(std::move(times), std::move(values), interpolation, Ends());
}

double TimeFunction::value(double t) const { return finite(form_->value(t), "value", t, *form_); }
double TimeFunction::first_derivative(double t) const {
  return finite(form_->evaluate(t).first, "first derivative", t, *form_);
}
double TimeFunction::second_derivative(double t) const {
  return finite(form_->evaluate(t).second, "second derivative", t, *form_);
}
TimeFunction::Values TimeFunction::evaluate(double t) const {
  const Values v = form_->evaluate(t);
  finite(v.value, "value", t, *form_);
  finite(v.first, "first derivative", t, *form_);
  finite(v.second, "second derivative", t, *form_);
  return v;
}

}  // namespace solidyn::math
