#pragma once
#include <cmath>

namespace solidyn::railway {

/// A zero of f between a and b, where it has values of opposite sign, f may jump through zero:
/// Illinois steps, halved where these are slow. @param width  of the last bracket
template <class Function>
double bracketed_root(const Function& f, double a, double f_a, double b, double f_b, double width) {
  if (f_a == 0.0) return a;
  if (f_b == 0.0) return b;
  for (int i = 0; i < 200 && std::abs(b - a) > width; ++i) {
    const bool is_halved = i % 3 == 2;
    double x = is_halved ? 0.5 * (a + b) : b - f_b * (b - a) / (f_b - f_a);
    if (!(x > std::fmin(a, b) && x < std::fmax(a, b))) x = 0.5 * (a + b);
    if (x == a || x == b) break;
    const double f_x = f(x);
    if (f_x == 0.0) return x;
    if ((f_x > 0.0) == (f_b > 0.0)) {
      f_a *= is_halved ? 1.0 : 0.5;
    } else {
      a = b;
      f_a = f_b;
    }
    b = x;
    f_b = f_x;
  }
  return b;
}

}  // namespace solidyn::railway
