#include "solidyn/math/rotation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "math/exponential_map.h"

namespace solidyn::math {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Angles on both sides of the switch between series and closed form, and near pi.
class Rotation : public testing::TestWithParam<double> {
 protected:
  Vector3d theta() const { return GetParam() * Vector3d(0.36, -0.48, 0.8); }
};
INSTANTIATE_TEST_SUITE_P(Angles, Rotation,
                         testing::Values(0.0, 1e-9, 1e-5, 1e-3, 0.0999, 0.1001, 0.5, 1.7, 3.1));

TEST_P(Rotation, ExpAgreesWithQuaternionAndIsOrthogonal) {
  const Matrix3d R = exp_rotation(theta());
  EXPECT_LT((R - exp_quaternion(theta()).toRotationMatrix()).norm(), 1e-14);
  EXPECT_LT((R.transpose() * R - Matrix3d::Identity()).norm(), 1e-14);
}

TEST_P(Rotation, ExponentialMapIsThatOfFunctions) {
  for (const double beyond : {1.0, 0.99 / 3.1, 1.01 / 3.1}) {  // one of them about its own switch
    const Vector3d t = beyond * theta(), dt(0.7, -0.2, 1.3);
    const ExponentialMap map(t);
    EXPECT_LT((map.rotation() - exp_rotation(t)).norm(), 1e-14);
    EXPECT_LT((map.right_tangent() - right_tangent(t)).norm(), 1e-14);
    EXPECT_LT((map.rate_of_tangent(dt) - right_tangent_derivative(t, dt) * dt).norm(), 1e-14);
  }
}

TEST_P(Rotation, LogInvertsExp) {
  EXPECT_LT((log_rotation(exp_quaternion(theta())) - theta()).norm(), 1e-13);
  EXPECT_LT((log_rotation(exp_rotation(theta())) - theta()).norm(), 1e-12);
}

TEST_P(Rotation, TangentIsDerivativeOfExp) {
  const Vector3d direction(0.3, 0.9, -0.5);
  const double h = 1e-6;
  const Matrix3d R = exp_rotation(theta());
  const Matrix3d dR =
      (exp_rotation(theta() + h * direction) - exp_rotation(theta() - h * direction)) / (2 * h);
  EXPECT_LT((unskew(R.transpose() * dR) - right_tangent(theta()) * direction).norm(), 1e-9);
}

TEST_P(Rotation, TangentInverseInverts) {
  EXPECT_LT((right_tangent(theta()) * right_tangent_inverse(theta()) - Matrix3d::Identity()).norm(),
            1e-13);
}

TEST_P(Rotation, TangentDerivativesAgreeWithDifferences) {
  const Vector3d a(1.1, -0.4, 0.7);
  const double h = 1e-6;
  Matrix3d D, Dt;
  for (int i = 0; i < 3; ++i) {
    const Vector3d e = h * Vector3d::Unit(i);
    D.col(i) = (right_tangent(theta() + e) * a - right_tangent(theta() - e) * a) / (2 * h);
    Dt.col(i) =
        (right_tangent(theta() + e).transpose() * a - right_tangent(theta() - e).transpose() * a) /
        (2 * h);
  }
  EXPECT_LT((D - right_tangent_derivative(theta(), a)).norm(), 1e-9);
  EXPECT_LT((Dt - right_tangent_transpose_derivative(theta(), a)).norm(), 1e-9);
}

}  // namespace
}  // namespace solidyn::math
