// FASTSIM, Kalker (1982): along strips of the patch, from the leading edge at x = a on, tractions
// grow with three flexibilities and are cut to the bound.
#include <cmath>

#include "creep_formulas.h"

namespace solidyn::railway {
namespace {

// In units of the patch, X = x/a and Y = y/b, and of the bound at its centre, tractions depend on
// four numbers:
//   dp_x/dX = g_x - h_x Y,  dp_y/dX = g_y + h_y X  (against the way), |p| <= bound(X, Y)
constexpr int kRates = 4;
template <class T>
struct Rates {
  T g_x, h_x, g_y, h_y;
};
template <class T>
struct Sums {
  T p_x = T(0.0), p_y = T(0.0), X_p_y = T(0.0), Y_p_x = T(0.0);  ///< of p dX dY
  double bound = 0.0;                                            ///< of the bound
};

// A step from cell to cell is between their middles, the first one half as long.
template <class T>
void add_strip(const Rates<T>& rates, double Y, int cells, bool is_parabola, double area,
               Sums<T>& sums) {
  using std::sqrt;
  const double half = std::sqrt(1.0 - Y * Y), width = 2.0 * half / cells;
  T p_x(0.0), p_y(0.0);
  const T rate_x = rates.g_x - Y * rates.h_x;
  for (int k = 0; k < cells; ++k) {
    const double X = half - (k + 0.5) * width, step = k == 0 ? 0.5 * width : width;
    const double square = 1.0 - X * X - Y * Y;
    const double bound = is_parabola ? square : std::sqrt(std::max(square, 0.0));
    p_x = p_x - step * rate_x;
    p_y = p_y - step * (rates.g_y + (X + 0.5 * step) * rates.h_y);
    const T p_squared = p_x * p_x + p_y * p_y;
    if (value_of(p_squared) > bound * bound) {
      const T share = bound / sqrt(p_squared);
      p_x = p_x * share;
      p_y = p_y * share;
    }
    const double dA = width * area;
    sums.bound += dA * bound;
    sums.p_x = sums.p_x + dA * p_x;
    sums.p_y = sums.p_y + dA * p_y;
    sums.X_p_y = sums.X_p_y + (dA * X) * p_y;
    sums.Y_p_x = sums.Y_p_x + (dA * Y) * p_x;
  }
}

template <class T>
Sums<T> integrate(const Rates<T>& rates, const CreepParameters& p) {
  Sums<T> sums;
  const double height = 2.0 / p.cells_across;
  for (int j = 0; j < p.cells_across; ++j)
    add_strip(rates, (j + 0.5) * height - 1.0, p.cells_along, p.bound == TractionBound::parabola,
              height, sums);
  return sums;
}

double chained(double sum, const Rates<double>&) { return sum; }
// Of a sum by the four rates, and of these by the state.
CreepDual chained(const Dual<kRates>& sum, const Rates<CreepDual>& r) {
  return {sum.value, sum.by[0] * r.g_x.by + sum.by[1] * r.h_x.by + sum.by[2] * r.g_y.by +
                         sum.by[3] * r.h_y.by};
}

Rates<double> as_variables(const Rates<double>& r) { return r; }
Rates<Dual<kRates>> as_variables(const Rates<CreepDual>& r) {
  using D = Dual<kRates>;
  return {D::variable(r.g_x.value, 0), D::variable(r.h_x.value, 1), D::variable(r.g_y.value, 2),
          D::variable(r.h_y.value, 3)};
}

struct Fastsim {
  template <class S>
  static PatchForce<S> apply(const PatchState<S>& s, const CreepParameters& p) {
    using std::sqrt;
    const KalkerCoefficients& c = p.coefficients;
    const double G = p.shear_modulus;
    // Flexibilities L: p = slip / L
    const S L_1 = (8.0 / (3.0 * c.c11 * G)) * s.a, L_2 = (8.0 / (3.0 * c.c22 * G)) * s.a;
    const S L_3 = (0.25 * M_PI / (G * c.c23)) * s.a * sqrt(s.a / s.b);
    const double peak = p.bound == TractionBound::parabola ? 2.0 : 1.5;
    const S bound = (peak / M_PI) * s.mu * s.N / (s.a * s.b);
    const Rates<S> rates = {s.a * s.xi / (L_1 * bound), s.a * s.b * s.spin / (L_3 * bound),
                            s.a * s.eta / (L_2 * bound), s.a * s.a * s.spin / (L_3 * bound)};
    const auto sums = integrate(as_variables(rates), p);
    // Few cells sum the bound to up to 1 % more than mu N, which the force must not exceed.
    const S force = s.mu * s.N / sums.bound;
    return {force * chained(sums.p_x, rates), force * chained(sums.p_y, rates),
            force * (s.a * chained(sums.X_p_y, rates) - s.b * chained(sums.Y_p_x, rates))};
  }
};

}  // namespace

CreepLaw fastsim_law() {
  return entry<Fastsim>("fastsim", "Kalker's FASTSIM: tractions in cells of the patch");
}

}  // namespace solidyn::railway
