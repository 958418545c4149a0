#include "solidyn/math/hertz_ellipse.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "solidyn/math/elliptic_integrals.h"

namespace solidyn::math {
namespace {

// dD/dq; D = sum of c_n m^n pi/2 c_(n+1), c_n = (2n - 1)!!/(2n)!!, is used near the circle, m = 0,
// where the closed form is a quotient of small numbers.
double slope_of_D(double q, const EllipticIntegrals& e) {
  const double m = 1.0 - q;
  if (m > 0.05) return -(e.B - q * e.D) / (2.0 * q * m);
  double sum = 0.0, c = 0.5, power = 1.0;
  for (int n = 1; n < 16; ++n) {
    const double next = c * (2.0 * n + 1.0) / (2.0 * n + 2.0);
    sum += n * c * next * power;
    power *= m;
    c = next;
  }
  return -0.5 * M_PI * sum;
}

struct Shape {
  double q = 1.0;  ///< square of the ratio of the half axes
  EllipticIntegrals integrals;
  double D_q = 0.0;
  double log_q_slope = 0.0;  ///< d ln q / d ln(ratio)
};

// ratio = B / (q D). Newton's steps in ln q, which follows the logarithm of the ratio nearly
// linearly.
Shape shape_of(double ratio) {
  Shape shape;
  shape.q = std::pow(ratio, -4.0 / 3.0);
  double low = 0.0, high = 1.0;
  for (int i = 0; i < 60; ++i) {
    shape.integrals = complete_elliptic_integrals(shape.q);
    const EllipticIntegrals& e = shape.integrals;
    shape.D_q = slope_of_D(shape.q, e);
    const double K_q = -e.B / (2.0 * shape.q), B_q = K_q - shape.D_q;
    const double slope = shape.q * (B_q / e.B - shape.D_q / e.D) - 1.0;  // d ln(ratio) / d ln q
    const double miss = std::log(e.B / (shape.q * e.D) / ratio);
    shape.log_q_slope = 1.0 / slope;
    (miss > 0.0 ? low : high) = shape.q;
    if (std::abs(miss) < 1e-15) break;
    double next = shape.q * std::exp(-miss / slope);
    if (!(next > low && next < high)) next = std::fmin(1.0, 0.5 * (low + high));
    if (std::abs(next - shape.q) < 1e-16 * shape.q) break;
    shape.q = next;
  }
  return shape;
}

constexpr double kCell = 0.5;  // of the logarithm of the ratio
constexpr int kCells = 28, kTerms = 11;
using Polynomial = std::array<double, kTerms>;

struct Cell {
  Polynomial log_axes, log_long, log_approach;  ///< over -1 to 1
};

// The polynomial through values at Chebyshev's points, of which the series converges by a factor of
// more than 10 a term: the functions are analytic within more than 2 of the real axis.
Polynomial fitted(const std::array<double, kTerms>& values) {
  Polynomial result{}, before{}, chebyshev{};  // T_(k-1), T_k as powers
  chebyshev[0] = 1.0;
  for (int k = 0; k < kTerms; ++k) {
    double coefficient = 0.0;
    for (int i = 0; i < kTerms; ++i)
      coefficient += values[static_cast<std::size_t>(i)] * std::cos(M_PI * k * (i + 0.5) / kTerms);
    coefficient *= (k == 0 ? 1.0 : 2.0) / kTerms;
    Polynomial next{};
    for (std::size_t j = 0; j < kTerms; ++j) {
      result[j] += coefficient * chebyshev[j];
      if (j + 1 < kTerms) next[j + 1] += (k == 0 ? 1.0 : 2.0) * chebyshev[j];
      next[j] -= before[j];
    }
    before = chebyshev;
    chebyshev = next;
  }
  return result;
}

std::vector<Cell> make_table() {
  std::vector<Cell> table;
  for (int cell = 0; cell < kCells; ++cell) {
    std::array<double, kTerms> axes{}, longs{}, approaches{};
    for (std::size_t i = 0; i < kTerms; ++i) {
      const double at = std::cos(M_PI * (static_cast<double>(i) + 0.5) / kTerms);
      const HertzEllipse e = exact_hertz_ellipse(std::exp(kCell * (cell + 0.5 * (1.0 + at)))).value;
      axes[i] = e.log_axes;
      longs[i] = e.log_long;
      approaches[i] = e.log_approach;
    }
    table.push_back({fitted(axes), fitted(longs), fitted(approaches)});
  }
  return table;
}

/// Value and slope.
struct Evaluated {
  double value, slope;
};

Evaluated evaluate(const Polynomial& c, double x) {
  double value = c[kTerms - 1], slope = 0.0;
  for (std::size_t i = kTerms - 1; i-- > 0;) {
    slope = slope * x + value;
    value = value * x + c[i];
  }
  return {value, slope * (2.0 / kCell)};
}

}  // namespace

HertzEllipseWithSlopes exact_hertz_ellipse(double ratio) {
  const Shape s = shape_of(ratio);
  const EllipticIntegrals& e = s.integrals;
  HertzEllipseWithSlopes result;
  result.value.log_axes = 0.5 * std::log(s.q);
  result.value.log_long = std::log(1.5 * e.D / M_PI) / 3.0;
  result.value.log_approach = std::log(1.5 * e.first_kind() / M_PI) - result.value.log_long;
  result.by_log_ratio.log_axes = 0.5 * s.log_q_slope;
  result.by_log_ratio.log_long = s.q * s.D_q / (3.0 * e.D) * s.log_q_slope;
  result.by_log_ratio.log_approach =
      -0.5 * e.B / e.first_kind() * s.log_q_slope - result.by_log_ratio.log_long;
  return result;
}

HertzEllipseWithSlopes hertz_ellipse(double ratio) {
  static const std::vector<Cell> table = make_table();
  const double x = std::log(ratio) / kCell;
  if (!(x < kCells)) return exact_hertz_ellipse(ratio);
  const int i = std::max(0, static_cast<int>(x));
  const Cell& cell = table[static_cast<std::size_t>(i)];
  const double local = 2.0 * (x - i) - 1.0;
  const Evaluated axes = evaluate(cell.log_axes, local), along = evaluate(cell.log_long, local),
                  approach = evaluate(cell.log_approach, local);
  return {{axes.value, along.value, approach.value}, {axes.slope, along.slope, approach.slope}};
}

}  // namespace solidyn::math
