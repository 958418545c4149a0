#include "solvers/friction/polynomial_roots.h"

#include <algorithm>
#include <cmath>

namespace solidyn::solvers::friction {
namespace {

using Coefficients = std::array<double, 5>;

struct PolynomialValue {
  double value = 0.0, slope = 0.0, size = 0.0;  // size: sum of |c_k t^k|, whose round-off is p's
};

PolynomialValue evaluate(const Coefficients& c, int degree, double t) {
  PolynomialValue p;
  for (int k = degree; k >= 0; --k) {
    p.slope = p.slope * t + p.value;
    p.value = p.value * t + c[k];
    p.size = p.size * std::abs(t) + std::abs(c[k]);
  }
  return p;
}

/// @pre p has different signs at low and high, and is monotone between them
double bracketed_root(const Coefficients& c, int degree, double low, double high) {
  const bool rises = evaluate(c, degree, high).value > 0.0;
  double t = 0.5 * (low + high);
  for (int i = 0; i < 200; ++i) {
    const PolynomialValue p = evaluate(c, degree, t);
    if (p.value == 0.0) return t;
    ((p.value > 0.0) == rises ? high : low) = t;
    double next = t - p.value / p.slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - t) <= 1e-16 * std::abs(t) || next == low || next == high) return next;
    t = next;
  }
  return t;
}

RealRoots roots_of_degree(const Coefficients& c, int degree) {
  constexpr double kDouble = 1e-13;  // of the terms: what p may be at a double root
  RealRoots roots;
  const auto add = [&](double t) {
    if (roots.count < 4 && (roots.count == 0 || t > roots.values[roots.count - 1]))
      roots.values[roots.count++] = t;
  };
  if (degree < 1) return roots;
  if (degree == 1) {
    add(-c[0] / c[1]);
    return roots;
  }
  Coefficients derivative{};
  for (int k = 1; k <= degree; ++k) derivative[k - 1] = k * c[k];
  const RealRoots turns = roots_of_degree(derivative, degree - 1);
  double bound = 0.0;  // Cauchy's
  for (int k = 0; k < degree; ++k) bound = std::max(bound, std::abs(c[k] / c[degree]));
  double low = -1.0 - bound;
  PolynomialValue at_low = evaluate(c, degree, low);
  for (int i = 0; i <= turns.count; ++i) {
    const double high = i < turns.count ? turns.values[i] : 1.0 + bound;
    const PolynomialValue at_high = evaluate(c, degree, high);
    const bool touches = i < turns.count && std::abs(at_high.value) <= kDouble * at_high.size;
    const bool left_is_root = std::abs(at_low.value) <= kDouble * at_low.size && i > 0;
    if (!touches && !left_is_root && (at_low.value > 0.0) != (at_high.value > 0.0))
      add(bracketed_root(c, degree, low, high));
    if (touches) add(high);
    low = high;
    at_low = at_high;
  }
  return roots;
}

}  // namespace

RealRoots real_roots(const std::array<double, 5>& c) {
  constexpr double kZero = 1e-14;
  double largest = 0.0;
  for (const double value : c) largest = std::max(largest, std::abs(value));
  if (!(largest > 0.0) || !std::isfinite(largest)) return {};
  Coefficients scaled = c;
  for (double& value : scaled) value /= largest;
  int degree = 4;
  while (degree > 0 && std::abs(scaled[degree]) <= kZero) --degree;
  return roots_of_degree(scaled, degree);
}

}  // namespace solidyn::solvers::friction
