#include "solidyn/railway/kalker.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "solidyn/base/error.h"

namespace solidyn::railway {
namespace {

constexpr double kLeast = 0.1;  // of the table

// Rows: ratio of the smaller to the larger axis 0.1, 0.2 ... 1. Columns: Poisson's ratio 0, 1/4,
// 1/2.
using Column = std::array<std::array<double, 3>, 10>;
struct Table {
  Column c11, c22, c23, c33;
};

// At a/b = 0.8 and 1/4 some copies of the table print c23 = 1.15, which its neighbours (1.14, 1.36)
// exclude.
constexpr Table kNarrow = {  // a < b
    {{{2.51, 3.31, 4.85},
      {2.59, 3.37, 4.81},
      {2.68, 3.44, 4.80},
      {2.78, 3.53, 4.82},
      {2.88, 3.62, 4.83},
      {2.98, 3.72, 4.91},
      {3.09, 3.81, 4.97},
      {3.19, 3.91, 5.05},
      {3.29, 4.01, 5.12},
      {3.40, 4.12, 5.20}}},
    {{{2.51, 2.52, 2.53},
      {2.59, 2.63, 2.66},
      {2.68, 2.75, 2.81},
      {2.78, 2.88, 2.98},
      {2.88, 3.01, 3.14},
      {2.98, 3.14, 3.31},
      {3.09, 3.28, 3.48},
      {3.19, 3.41, 3.65},
      {3.29, 3.54, 3.82},
      {3.40, 3.67, 3.98}}},
    {{{0.334, 0.473, 0.731},
      {0.483, 0.603, 0.809},
      {0.607, 0.715, 0.889},
      {0.720, 0.823, 0.977},
      {0.827, 0.929, 1.07},
      {0.930, 1.03, 1.18},
      {1.03, 1.14, 1.29},
      {1.13, 1.25, 1.40},
      {1.23, 1.36, 1.51},
      {1.33, 1.47, 1.63}}},
    {{{6.42, 8.28, 11.7},
      {3.46, 4.27, 5.66},
      {2.49, 2.96, 3.72},
      {2.02, 2.32, 2.77},
      {1.74, 1.93, 2.22},
      {1.56, 1.68, 1.86},
      {1.43, 1.50, 1.60},
      {1.34, 1.37, 1.42},
      {1.27, 1.27, 1.27},
      {1.21, 1.19, 1.16}}}};
constexpr Table kLong = {  // a > b
    {{{10.7, 11.7, 12.9},
      {6.96, 7.78, 8.82},
      {5.57, 6.34, 7.34},
      {4.84, 5.57, 6.57},
      {4.37, 5.10, 6.11},
      {4.06, 4.78, 5.80},
      {3.82, 4.54, 5.58},
      {3.65, 4.36, 5.42},
      {3.51, 4.22, 5.30},
      {3.40, 4.12, 5.20}}},
    {{{10.7, 12.8, 16.0},
      {6.96, 8.14, 9.79},
      {5.57, 6.40, 7.51},
      {4.84, 5.48, 6.31},
      {4.37, 4.90, 5.56},
      {4.06, 4.50, 5.04},
      {3.82, 4.21, 4.67},
      {3.65, 3.99, 4.39},
      {3.51, 3.81, 4.16},
      {3.40, 3.67, 3.98}}},
    {{{12.2, 14.6, 18.0},
      {5.72, 6.63, 7.89},
      {3.79, 4.32, 5.01},
      {2.88, 3.24, 3.70},
      {2.35, 2.62, 2.96},
      {2.01, 2.23, 2.50},
      {1.76, 1.95, 2.18},
      {1.58, 1.75, 1.94},
      {1.44, 1.59, 1.77},
      {1.33, 1.47, 1.63}}},
    {{{0.795, 0.526, 0.228},
      {0.828, 0.601, 0.341},
      {0.868, 0.674, 0.446},
      {0.912, 0.747, 0.549},
      {0.958, 0.819, 0.650},
      {1.01, 0.892, 0.751},
      {1.05, 0.965, 0.852},
      {1.10, 1.04, 0.954},
      {1.16, 1.11, 1.06},
      {1.21, 1.19, 1.16}}}};

double interpolate(const Column& column, double ratio, double nu) {
  const int row = std::clamp(static_cast<int>(10.0 * ratio - 1.0 + 1e-12), 0, 8);
  const double share = 10.0 * ratio - 1.0 - row;
  const auto at = [&](std::size_t k) {
    const auto i = static_cast<std::size_t>(row);
    return (1.0 - share) * column[i][k] + share * column[i + 1][k];
  };
  return 1.0 / (8.0 * (nu - 0.25) * (nu - 0.5) / at(0) - 16.0 * nu * (nu - 0.5) / at(1) +
                8.0 * nu * (nu - 0.25) / at(2));
}

KalkerCoefficients from_table(bool is_narrow, double ratio, double nu) {
  const Table& table = is_narrow ? kNarrow : kLong;
  return {interpolate(table.c11, ratio, nu), interpolate(table.c22, ratio, nu),
          interpolate(table.c23, ratio, nu), interpolate(table.c33, ratio, nu)};
}

// For the ratio g of the smaller to the larger axis towards zero.
KalkerCoefficients asymptote(bool is_narrow, double g, double nu) {
  const double L = std::log(16.0 / (g * g)), log_4 = std::log(4.0);
  if (is_narrow)
    return {M_PI * M_PI / (4.0 * (1.0 - nu)), M_PI * M_PI / 4.0,
            M_PI * std::sqrt(g) / (3.0 * (1.0 - nu)) * (1.0 + nu * (0.5 * L + log_4 - 5.0)),
            M_PI * M_PI / (16.0 * (1.0 - nu) * g)};
  const double c11 = L - 2.0 * nu, c22 = (1.0 - nu) * L + 2.0 * nu,
               c23 = (1.0 - nu) * L - 2.0 + 4.0 * nu;
  return {2.0 * M_PI / (c11 * g) * (1.0 + (3.0 - log_4) / c11),
          2.0 * M_PI / (c22 * g) * (1.0 + (1.0 - nu) * (3.0 - log_4) / c22),
          2.0 * M_PI / (3.0 * g * std::sqrt(g) * c23), 0.25 * M_PI * (1.0 - nu * (L - 2.0) / c23)};
}

}  // namespace

bool is_in_kalker_table(double a_over_b) { return std::min(a_over_b, 1.0 / a_over_b) >= kLeast; }

KalkerCoefficients kalker_coefficients(double a_over_b, double nu) {
  if (!(a_over_b > 0.0 && std::isfinite(a_over_b)))
    throw base::InputError(fmt::format("the ratio a/b of a patch's half axes is {:g}", a_over_b),
                           "give a positive ratio, a along rolling");
  if (!(nu >= 0.0 && nu <= 0.5))
    throw base::InputError(
        fmt::format("Poisson's ratio is {:g}, and Kalker's table is for 0 to 0.5", nu),
        "give Poisson's ratio of the material, for steel 0.3");
  const bool is_narrow = a_over_b <= 1.0;
  const double ratio = is_narrow ? a_over_b : 1.0 / a_over_b;
  if (ratio >= kLeast) return from_table(is_narrow, ratio, nu);
  const KalkerCoefficients end = from_table(is_narrow, kLeast, nu);
  const KalkerCoefficients limit = asymptote(is_narrow, kLeast, nu),
                           here = asymptote(is_narrow, ratio, nu);
  const auto met = [&](double at_end, double asymptotic_end, double asymptotic) {
    return asymptotic * (1.0 + (at_end / asymptotic_end - 1.0) * ratio / kLeast);
  };
  return {met(end.c11, limit.c11, here.c11), met(end.c22, limit.c22, here.c22),
          met(end.c23, limit.c23, here.c23), met(end.c33, limit.c33, here.c33)};
}

}  // namespace solidyn::railway
