#include "solidyn/math/rotation_angles.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solidyn/math/rotation.h"

namespace solidyn::math {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

class Sequences : public testing::TestWithParam<AngleSequence> {
 protected:
  bool is_proper() const { return GetParam()[0] == GetParam()[2]; }
};
INSTANTIATE_TEST_SUITE_P(All, Sequences,
                         testing::Values(AngleSequence{0, 1, 2}, AngleSequence{0, 2, 1},
                                         AngleSequence{1, 0, 2}, AngleSequence{1, 2, 0},
                                         AngleSequence{2, 0, 1}, AngleSequence{2, 1, 0},
                                         AngleSequence{0, 1, 0}, AngleSequence{0, 2, 0},
                                         AngleSequence{1, 0, 1}, AngleSequence{1, 2, 1},
                                         AngleSequence{2, 0, 2}, AngleSequence{2, 1, 2}),
                         [](const auto& info) {
                           std::string name;
                           for (int axis : info.param) name += "xyz"[axis];
                           return name;
                         });

TEST_P(Sequences, AnglesComeBackInEveryQuadrant) {
  for (double first : {-3.0, -1.0, 0.4, 2.0})
    for (double second : {0.3, 1.2, is_proper() ? 2.5 : -1.1})
      for (double third : {-2.9, -0.2, 1.0, 3.1}) {
        const Vector3d angles(first, second, third);
        const Matrix3d R = rotation_of_angles(GetParam(), angles);
        EXPECT_LT((angles_of_rotation(GetParam(), R) - angles).norm(), 1e-13) << angles.transpose();
      }
}

TEST_P(Sequences, SingularPositionsHaveNoThirdAngleAndTheSameRotation) {
  const std::array<double, 2> singular =
      is_proper() ? std::array<double, 2>{0.0, M_PI} : std::array<double, 2>{-M_PI_2, M_PI_2};
  for (double second : singular) {
    const Matrix3d R = rotation_of_angles(GetParam(), Vector3d(0.5, second, 0.9));
    const Vector3d angles = angles_of_rotation(GetParam(), R);
    EXPECT_EQ(angles[2], 0.0);
    EXPECT_NEAR(angles[1], second, 1e-12);
    EXPECT_LT((rotation_of_angles(GetParam(), angles) - R).norm(), 1e-12);
  }
  EXPECT_EQ(angles_of_rotation(GetParam(), Matrix3d::Identity()).norm(), 0.0);
}

// From the definition, one turn after the other about the axes that the frame then has.
TEST(RotationAngles, TurnAboutTheAxesOfTheTurningFrame) {
  const Vector3d angles(0.3, -0.7, 1.1);
  Matrix3d R = Matrix3d::Identity();
  const AngleSequence zyx{2, 1, 0};
  for (int n = 0; n < 3; ++n) {
    const Vector3d axis = R.col(zyx[n]);
    R = (exp_rotation(angles[n] * axis) * R).eval();
  }
  EXPECT_LT((rotation_of_angles(zyx, angles) - R).norm(), 1e-15);
}

TEST(NearestQuaternion, IsTheRotationWithTheSignAskedFor) {
  const Vector3d theta(2.0, -1.5, 1.0);
  const Eigen::Quaterniond q = exp_quaternion(theta), opposite(-q.w(), -q.x(), -q.y(), -q.z());
  const Matrix3d R = exp_rotation(theta);
  EXPECT_LT((nearest_quaternion(R, q).coeffs() - q.coeffs()).norm(), 1e-14);
  EXPECT_LT((nearest_quaternion(R, opposite).coeffs() - opposite.coeffs()).norm(), 1e-14);
}

}  // namespace
}  // namespace solidyn::math
