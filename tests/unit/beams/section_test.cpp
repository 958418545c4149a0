#include "solidyn/beams/section.h"

#include <gtest/gtest.h>

#include <cmath>

namespace solidyn::beams {
namespace {

constexpr double kNu = 0.3;

TEST(Section, RectangleHasStVenantsTorsionConstant) {
  // Timoshenko & Goodier, Theory of Elasticity, table of k1: 0.1406 for a square, 0.229 for 2 : 1,
  // 0.312 for 10 : 1.
  for (const auto& [ratio, k] : {std::pair{1.0, 0.1406}, {2.0, 0.229}, {10.0, 0.312}}) {
    EXPECT_NEAR(make_rectangle(ratio, 1.0, kNu).torsion_constant, k * ratio, 6e-4 * ratio);
    EXPECT_NEAR(make_rectangle(1.0, ratio, kNu).torsion_constant, k * ratio, 6e-4 * ratio);
  }
}

TEST(Section, RectangleBendsMoreEasilyAboutItsLongSide) {
  const Section s = make_rectangle(0.02, 0.04, kNu);
  EXPECT_DOUBLE_EQ(s.area, 8e-4);
  EXPECT_NEAR(s.I_y, 0.02 * std::pow(0.04, 3) / 12.0, 1e-20);  // of z^2: z is the long side
  EXPECT_NEAR(s.I_z, 0.04 * std::pow(0.02, 3) / 12.0, 1e-20);
  EXPECT_NEAR(s.shear_y, 13.0 / 15.3, 1e-12);
}

TEST(Section, ThickTubeIsAlmostACircleAndAThinOneHasItsLimits) {
  const Section circle = make_circle(0.01, kNu), thick = make_tube(0.01, 0.00999999, kNu);
  EXPECT_NEAR(thick.area, circle.area, 1e-6 * circle.area);
  EXPECT_NEAR(thick.torsion_constant, circle.torsion_constant, 1e-6 * circle.torsion_constant);
  EXPECT_NEAR(thick.shear_y, circle.shear_y, 1e-5);
  const double r = 0.01, t = 1e-6, pi = std::acos(-1.0);
  const Section thin = make_tube(r, t, kNu);
  EXPECT_NEAR(thin.I_y, pi * r * r * r * t, 2e-4 * thin.I_y);
  EXPECT_NEAR(thin.shear_y, 2.0 * (1.0 + kNu) / (4.0 + 3.0 * kNu), 1e-3);  // Cowper 1966
}

TEST(Section, IntegralsOfAnISectionAreThoseOfItsPlates) {
  const double b = 0.1, h = 0.2, f = 0.01, w = 0.006;
  const Section s = make_i_section(b, h, f, w);
  const double offset = 0.5 * (h - f), clear = h - 2.0 * f;
  EXPECT_NEAR(s.area, 2.0 * b * f + clear * w, 1e-15);
  EXPECT_NEAR(
      s.I_y,
      2.0 * (b * f * f * f / 12.0 + b * f * offset * offset) + w * clear * clear * clear / 12.0,
      1e-15);
  EXPECT_NEAR(s.I_z, 2.0 * f * b * b * b / 12.0 + clear * w * w * w / 12.0, 1e-15);
  // Thin plates: a third of length times thickness cubed, less what their ends take (0.63 t/b).
  const double thin = (2.0 * b * f * f * f + clear * w * w * w) / 3.0;
  EXPECT_LT(s.torsion_constant, thin);
  EXPECT_GT(s.torsion_constant, 0.92 * thin);
  EXPECT_NEAR(s.shear_z * s.area, h * w, 1e-15);
}

TEST(Section, AWideFlangeMakesTheRectangleOfItsOutline) {
  const Section i = make_i_section(0.05, 0.1, 0.02, 0.05 - 1e-12);
  const Section r = make_rectangle(0.05, 0.1, kNu);
  EXPECT_NEAR(i.I_y, r.I_y, 1e-9 * r.I_y);
  EXPECT_NEAR(i.I_z, r.I_z, 1e-9 * r.I_z);
}

}  // namespace
}  // namespace solidyn::beams
