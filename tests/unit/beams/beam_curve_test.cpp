#include "solidyn/beams/beam_curve.h"

#include <gtest/gtest.h>

#include <cmath>

#include "random_sections.h"

namespace solidyn::beams {
namespace {

using Eigen::Vector3d;
using Eigen::Vector4d;

class BeamCurveRules : public testing::TestWithParam<TurnRule> {
 protected:
  // Angles on both sides of the switch between series and closed form.
  static Strains strains(unsigned seed) { return random_vector(7, seed % 2 ? 0.1 : 0.5, seed); }
  BeamCurve curve_{0.7, 0.11, 0.07, GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Rules, BeamCurveRules,
                         testing::Values(TurnRule::lobatto, TurnRule::magnus));

TEST_P(BeamCurveRules, RowsAreDerivatives) {
  for (unsigned seed : {1u, 2u, 3u, 4u}) {
    const Strains at = strains(seed);
    const double h = 1e-6;
    curve_.evaluate(at);
    const Matrix37 end_rows = curve_.end_rows();
    const Matrix47 turn_rows = curve_.end_turn_rows();
    for (int i = 0; i < 7; ++i) {
      curve_.evaluate(at + h * Strains::Unit(i));
      Vector3d end = curve_.end();
      Vector4d turn = curve_.end_turn();
      curve_.evaluate(at - h * Strains::Unit(i));
      end = (end - curve_.end()) / (2.0 * h);
      turn = (turn - curve_.end_turn()) / (2.0 * h);
      EXPECT_LT((end - end_rows.col(i)).norm(), 1e-9) << i;
      EXPECT_LT((turn - turn_rows.col(i)).norm(), 1e-9) << i;
    }
  }
}

TEST_P(BeamCurveRules, SecondDerivativeIsThatOfRows) {
  for (unsigned seed : {1u, 2u, 3u, 4u}) {
    const Strains at = strains(seed);
    const Vector3d a(0.3, -0.8, 0.5);
    const Vector4d b(-0.4, 0.7, 0.2, 0.9);
    const double h = 1e-6;
    const auto gradient = [&](const Strains& s) {
      curve_.evaluate(s);
      return Strains(curve_.end_rows().transpose() * a + curve_.end_turn_rows().transpose() * b);
    };
    curve_.evaluate(at);
    const Matrix7 H = curve_.second_derivative(a, b);
    for (int i = 0; i < 7; ++i) {
      const Strains step = h * Strains::Unit(i);
      const Strains column = (gradient(at + step) - gradient(at - step)) / (2.0 * h);
      EXPECT_LT((column - H.col(i)).norm(), 1e-9) << i;
    }
  }
}

TEST(BeamCurve, MagnusIsExactAboutOneAxis) {
  Strains s = Strains::Zero();
  s[3] = 1.3;
  s[6] = -0.4;
  BeamCurve curve(1.0, 0.0, 0.0, TurnRule::magnus);
  curve.evaluate(s);
  const double angle = 0.5 * (1.3 - 0.4), middle = 0.375 * 1.3 - 0.125 * 0.4;
  EXPECT_LT((curve.end_turn() - Vector4d(std::cos(angle / 2), 0, 0, std::sin(angle / 2))).norm(),
            1e-15);
  // Simpson's rule, P-STRAIN (51).
  EXPECT_NEAR(curve.end().x(), (1.0 + 4.0 * std::cos(middle) + std::cos(angle)) / 6.0, 1e-15);
  EXPECT_NEAR(curve.end().y(), (4.0 * std::sin(middle) + std::sin(angle)) / 6.0, 1e-15);
}

TEST(BeamCurve, ConstantStrainsConvergeToTheHelixAtOrderFour) {
  // Of constant strains the curve is a screw motion: R = exp(k), end = l T(k)^T (1 + e, 0, 0).
  const Vector3d k(0.4, -0.3, 0.5), stretch(1.05, 0.0, 0.0);
  double before = 0.0;
  for (int n : {1, 2, 4}) {
    const Vector3d part = k / n;
    Strains s;
    s << 0.05, part, part;
    BeamCurve curve(1.0 / n, 0.0, 0.0, TurnRule::lobatto);
    curve.evaluate(s);
    const Vector3d end = math::right_tangent(part).transpose() * stretch / n;
    const Vector4d turn = curve.end_turn().normalized();
    const Eigen::Quaterniond exact = math::exp_quaternion(part);
    const double error = (curve.end() - end).norm() * n +
                         (turn.tail<3>() - exact.vec()).norm() * n;  // over all elements
    if (n > 1) {
      EXPECT_NEAR(std::log2(before / error), 4.0, 0.2) << n;
    }
    before = error;
  }
}

TEST(BeamCurve, RulesAgreeToOrderFour) {
  double before = 0.0;
  for (double size : {0.4, 0.2, 0.1}) {  // curvatures that differ by size^2, as on refinement
    Strains s;
    s << 0.0, 0.7 * size, -0.5 * size, size, 0.0, 0.0, 0.0;
    s.tail<3>() = s.segment<3>(1) + size * size * Vector3d(-0.9, 1.3, -1.4);
    BeamCurve a(1.0, 0.0, 0.0, TurnRule::lobatto), b(1.0, 0.0, 0.0, TurnRule::magnus);
    a.evaluate(s);
    b.evaluate(s);
    const double difference = (a.end_turn().normalized() - b.end_turn()).norm();
    if (size < 0.4) {
      EXPECT_GT(std::log2(before / difference), 4.7);  // of one element: one order more
    }
    before = difference;
  }
}

}  // namespace
}  // namespace solidyn::beams
