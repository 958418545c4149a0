#include "solidyn/math/elliptic_integrals.h"

#include <algorithm>
#include <cmath>

namespace solidyn::math {
namespace {

// R_D(x, y, z): x, y, z approach their mean by the factor 4 of each duplication; the rest is a
// series of fifth order.
double carlson_rd(double x, double y, double z) {
  double sum = 0.0, factor = 1.0;
  for (int i = 0; i < 60; ++i) {
    const double mean = 0.2 * (x + y + 3.0 * z);
    const double X = (mean - x) / mean, Y = (mean - y) / mean, Z = (mean - z) / mean;
    if (std::max({std::abs(X), std::abs(Y), std::abs(Z)}) < 1e-3) {
      const double ea = X * Y, eb = Z * Z, ec = ea - eb, ed = ea - 6.0 * eb, ee = ed + ec + ec;
      const double series = 1.0 + ed * (-3.0 / 14.0 + 9.0 / 88.0 * ed - 4.5 / 26.0 * Z * ee) +
                            Z * (ee / 6.0 + Z * (-9.0 / 22.0 * ec + Z * 3.0 / 26.0 * ea));
      return 3.0 * sum + factor * series / (mean * std::sqrt(mean));
    }
    const double rx = std::sqrt(x), ry = std::sqrt(y), rz = std::sqrt(z);
    const double lambda = rx * (ry + rz) + ry * rz;
    sum += factor / (rz * (z + lambda));
    factor *= 0.25;
    x = 0.25 * (x + lambda);
    y = 0.25 * (y + lambda);
    z = 0.25 * (z + lambda);
  }
  return NAN;
}

}  // namespace

EllipticIntegrals complete_elliptic_integrals(double q) {
  return {q * carlson_rd(0.0, 1.0, q) / 3.0, carlson_rd(0.0, q, 1.0) / 3.0};
}

}  // namespace solidyn::math
