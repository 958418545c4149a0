#pragma once
#include <Eigen/Dense>
#include <cmath>

namespace solidyn::math {

/// A number with its derivatives by n variables: formulas written once for plain numbers and for
/// these.
template <int n>
struct Dual {
  using Slopes = Eigen::Array<double, n, 1>;
  double value = 0.0;
  Slopes by = Slopes::Zero();

  Dual() = default;
  Dual(double v)
      : value(v) {}  // NOLINT(google-explicit-constructor): constants take part in formulas
  Dual(double v, const Slopes& slopes) : value(v), by(slopes) {}
  static Dual variable(double v, int index) {
    Dual result(v);
    result.by[index] = 1.0;
    return result;
  }

  friend Dual operator+(const Dual& a, const Dual& b) { return {a.value + b.value, a.by + b.by}; }
  friend Dual operator-(const Dual& a, const Dual& b) { return {a.value - b.value, a.by - b.by}; }
  friend Dual operator-(const Dual& a) { return {-a.value, -a.by}; }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return {a.value * b.value, a.value * b.by + b.value * a.by};
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const double quotient = a.value / b.value;
    return {quotient, (a.by - quotient * b.by) / b.value};
  }
  /// Its slope at zero is infinite and taken as zero: laws multiply it by something that vanishes
  /// there.
  friend Dual sqrt(const Dual& a) {
    const double root = std::sqrt(a.value);
    return root == 0.0 ? Dual() : Dual(root, a.by * (0.5 / root));
  }
  friend Dual exp(const Dual& a) {
    const double e = std::exp(a.value);
    return {e, e * a.by};
  }
  friend Dual atan(const Dual& a) { return {std::atan(a.value), a.by / (1.0 + a.value * a.value)}; }
  friend Dual sin(const Dual& a) { return {std::sin(a.value), std::cos(a.value) * a.by}; }
  friend Dual cos(const Dual& a) { return {std::cos(a.value), -std::sin(a.value) * a.by}; }
  friend Dual abs(const Dual& a) { return a.value < 0.0 ? -a : a; }
};

inline double value_of(double x) { return x; }
template <int n>
double value_of(const Dual<n>& x) {
  return x.value;
}

}  // namespace solidyn::math
