#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

#include "math/time_function_form.h"

namespace solidyn::math {
namespace {

using Rule = boost::math::quadrature::gauss<double, 10>;

constexpr double kPanel = 0.05;       // s
constexpr double kTolerance = 1e-13;  // of the integral of |f| over the interval
constexpr int kBisections = 45;       // to the place of a jump

/// Halves the interval until both halves agree with the whole to `allowed`. (Boost's own bisection
/// compares errors of the unit interval with parts of the tolerance, and does not end.)
template <class F>
double bisected(const F& f, double from, double to, double whole, double allowed, int bisections) {
  const double middle = 0.5 * (from + to);
  const double left = Rule::integrate(f, from, middle), right = Rule::integrate(f, middle, to);
  if (bisections == 0 || std::abs(left + right - whole) <= allowed) return left + right;
  return bisected(f, from, middle, left, allowed, bisections - 1) +
         bisected(f, middle, to, right, allowed, bisections - 1);
}

template <class F>
double integral(const F& f, double from, double to) {
  const double size = Rule::integrate([&](double s) { return std::abs(f(s)); }, from, to);
  return bisected(f, from, to, Rule::integrate(f, from, to), kTolerance * std::abs(size),
                  kBisections);
}

/// The integrals are kept at the ends of panels of equal length, so that a value costs one
/// quadrature over part of a panel and does not depend on what was asked before it.
class TwiceIntegrated final : public TimeFunction::Form {
 public:
  TwiceIntegrated(const TimeFunction& law, double start, double rate)
      : law_(law), ends_({{start, rate}}) {}
  std::unique_ptr<Form> clone() const override { return std::make_unique<TwiceIntegrated>(*this); }
  double value(double t) const override { return at(t).value; }
  std::string text() const override { return "that is integrated twice"; }
  TimeFunction::Values evaluate(double t) const override {
    const End end = at(t);
    return {end.value, end.rate, law_.value(t)};
  }

 private:
  struct End {
    double value, rate;
  };

  End at(double t) const {
    const double n = std::max(0.0, std::floor(t / kPanel));
    while (static_cast<double>(ends_.size()) <= n) {
      const double from = kPanel * static_cast<double>(ends_.size() - 1);
      ends_.push_back(onward(ends_.back(), from, kPanel * static_cast<double>(ends_.size())));
    }
    return onward(ends_[static_cast<std::size_t>(n)], kPanel * n, t);
  }

  End onward(const End& end, double from, double to) const {
    if (to == from) return end;
    const auto rate = [&](double s) { return law_.value(s); };
    const auto value = [&](double s) { return (to - s) * law_.value(s); };
    return {end.value + end.rate * (to - from) + integral(value, from, to),
            end.rate + integral(rate, from, to)};
  }

  TimeFunction law_;
  mutable std::vector<End> ends_;
};

}  // namespace

TimeFunction TimeFunction::twice_integrated(const TimeFunction& law, double start,
                                            double start_rate) {
  return TimeFunction(std::make_unique<TwiceIntegrated>(law, start, start_rate));
}

}  // namespace solidyn::math
