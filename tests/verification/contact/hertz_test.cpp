// Case F01, statics: stiffness of spheres; of elliptic patches against the formulas of the
// pressure.
#include "solidyn/contact/hertz.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solidyn/contact/geometry.h"

namespace solidyn::contact {
namespace {

const double kSteel = effective_modulus(210e9, 0.3, 210e9, 0.3);

TEST(Hertz, SpheresHaveTheStiffnessOfF01) {
  EXPECT_NEAR(kSteel, 1.15384615e11, 1e3);
  const double on_plane = hertz_stiffness(kSteel, relative_curvatures(Sphere{0.02}, Plane{}));
  const double on_sphere = hertz_stiffness(kSteel, relative_curvatures(Sphere{0.02}, Sphere{0.03}));
  EXPECT_NEAR(on_plane, 2.17571317e10, 1e2);
  EXPECT_NEAR(on_sphere, 1.68530018e10, 1e2);
  EXPECT_NEAR(std::pow(1000.0 / on_plane, 2.0 / 3.0), 1.28311497e-5, 1e-13);
  EXPECT_NEAR(std::pow(1000.0 / on_sphere, 2.0 / 3.0), 1.52130102e-5, 1e-13);
}

// A semi-ellipsoidal pressure p_0 over half-axes a > b belongs to the curvatures 2A, 2B and to the
// approach d (Johnson, Contact Mechanics, 3.35-3.37, 4.24):
//   A = p_0 b / (E* e^2 a^2) (K - E), B = p_0 b / (E* e^2 a^2) ((a/b)^2 E - K), d = p_0 b K / E*
TEST(Hertz, EllipticPatchesHaveTheApproachOfTheirPressure) {
  for (const double e : {0.01, 0.3, 0.8, 0.99, 0.9999}) {
    const double a = 2e-3, b = a * std::sqrt(1.0 - e * e), p_0 = 1e9;
    const double K = std::comp_ellint_1(e), E = std::comp_ellint_2(e);
    const double scale = p_0 * b / (kSteel * e * e * a * a);
    const Eigen::Vector2d curvatures(2.0 * scale * (a * a / (b * b) * E - K),
                                     2.0 * scale * (K - E));
    const double force = 2.0 / 3.0 * M_PI * a * b * p_0, d = p_0 * b * K / kSteel;
    EXPECT_NEAR(hertz_stiffness(kSteel, curvatures) * std::pow(d, 1.5), force, 1e-7 * force) << e;
  }
}

}  // namespace
}  // namespace solidyn::contact
