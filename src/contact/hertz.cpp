#include "solidyn/contact/hertz.h"

#include <cmath>

namespace solidyn::contact {
namespace {

// Below this eccentricity of the patch, differences of elliptic integrals lose more digits than
// the circle's formula, which is within m^2/16 of the ellipse's.
constexpr double kCircle = 1e-5;

// The eccentricity squared m of a patch between curvatures of ratio B/A >= 1:
//   B/A = [E/(1 - m) - K] / [K - E]   (Johnson 4.26), monotone in m.
double eccentricity_squared(double ratio) {
  double low = kCircle, high = 1.0 - 1e-15;
  for (int i = 0; i < 200 && high - low > 1e-16; ++i) {
    const double m = 0.5 * (low + high), k = std::sqrt(m);
    const double K = std::comp_ellint_1(k), E = std::comp_ellint_2(k);
    ((E / (1.0 - m) - K) / (K - E) < ratio ? low : high) = m;
  }
  return 0.5 * (low + high);
}

}  // namespace

double effective_modulus(double E_1, double nu_1, double E_2, double nu_2) {
  return 1.0 / ((1.0 - nu_1 * nu_1) / E_1 + (1.0 - nu_2 * nu_2) / E_2);
}

// d = (9 F^2 / (16 E*^2 R_e))^(1/3) F_2,  F_2 = (2/pi) sqrt(a/b)^-1 K / F_1,
// F_1^3 = 4/(pi m) (b/a)^1.5 sqrt([(a/b)^2 E - K] [K - E]),  R_e = 1 / sqrt(product of curvatures)
double hertz_stiffness(double modulus, const Eigen::Vector2d& c) {
  const double R_e = 1.0 / std::sqrt(c[0] * c[1]);
  const double circular = 4.0 / 3.0 * modulus * std::sqrt(R_e);
  const double ratio = c[0] / c[1];
  const double m = ratio > 1.0 + 2.0 * kCircle ? eccentricity_squared(ratio) : 0.0;
  if (m <= 2.0 * kCircle) return circular;
  const double k = std::sqrt(m), K = std::comp_ellint_1(k), E = std::comp_ellint_2(k);
  const double b_a = std::sqrt(1.0 - m);
  const double F_1 =
      std::cbrt(4.0 / (M_PI * m) * std::pow(b_a, 1.5) * std::sqrt((E / (1.0 - m) - K) * (K - E)));
  const double F_2 = 2.0 / M_PI * std::sqrt(b_a) * K / F_1;
  return circular / std::pow(F_2, 1.5);
}

}  // namespace solidyn::contact
