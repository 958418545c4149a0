#include "solidyn/contact/hertz.h"

#include <algorithm>
#include <cmath>

#include "solidyn/math/hertz_ellipse.h"

namespace solidyn::contact {

double effective_modulus(double E_1, double nu_1, double E_2, double nu_2) {
  return 1.0 / ((1.0 - nu_1 * nu_1) / E_1 + (1.0 - nu_2 * nu_2) / E_2);
}

// The gap of relative curvatures c is c_1/2 x^2 + c_2/2 y^2.
double hertz_stiffness(double modulus, const Eigen::Vector2d& c) {
  const auto [low, high] = std::minmax(c[0], c[1]);
  return modulus / std::sqrt(0.5 * low) *
         std::exp(-1.5 * math::hertz_ellipse(high / low).value.log_approach);
}

}  // namespace solidyn::contact
