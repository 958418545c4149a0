// What each joint leaves free and what it does not: the null space of its rows on a free body.
#include <gtest/gtest.h>

#include "random_bodies.h"
#include "solidyn/joints/coupler.h"
#include "solidyn/joints/curve.h"
#include "solidyn/joints/joint.h"
#include "solidyn/system/system.h"

namespace solidyn::joints {
namespace {

using bodies::Frame;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Twist = Eigen::Matrix<double, 6, 1>;  // velocity of B's origin and angular velocity, A's axes

constexpr double kRadius = 0.4, kLength = 0.7, kPitch = 0.03;

std::vector<Twist> along(const std::vector<int>& directions) {
  std::vector<Twist> twists;
  for (int d : directions) twists.push_back(Twist::Unit(d));
  return twists;
}

struct Case {
  const char* name;
  JointRows rows;
  std::vector<Twist> free;
  Vector3d p_AB = Vector3d::Zero();
  Matrix3d R_AB = Matrix3d::Identity();
};

// A disc whose centre is at height r over the contact point may turn about it in every direction.
Case rolling_disc() {
  Case c{"rolling", rolling_rows(kRadius), {}, Vector3d(0.3, -0.2, kRadius)};
  c.R_AB =
      Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), Vector3d(1, 2, 0)).toRotationMatrix();
  for (int axis = 0; axis < 3; ++axis) {
    Twist turn = Twist::Unit(3 + axis);
    turn.head<3>() = Vector3d::Unit(axis).cross(Vector3d(0, 0, kRadius));
    c.free.push_back(turn);
  }
  return c;
}

// A straight one along z.
JointRows straight_curve() {
  const std::vector<Vector3d> points = {-Vector3d::UnitZ(), Vector3d::UnitZ()};
  return point_on_curve("joint", std::make_shared<const SpaceCurve>(points, false),
                        Vector3d::Zero())
      .rows;
}

std::vector<Case> cases() {
  Twist screw = Twist::Unit(5);
  screw[2] = kPitch / (2.0 * M_PI);
  return {{"fixed", joint_rows(JointType::fixed), {}},
          {"spherical", joint_rows(JointType::spherical), along({3, 4, 5})},
          {"revolute", joint_rows(JointType::revolute), along({5})},
          {"cylindrical", joint_rows(JointType::cylindrical), along({2, 5})},
          {"prismatic", joint_rows(JointType::prismatic), along({2})},
          {"planar", joint_rows(JointType::planar), along({0, 1, 5})},
          {"universal", joint_rows(JointType::universal), along({3, 4})},
          {"constant_velocity", joint_rows(JointType::constant_velocity), along({3, 4})},
          {"screw", screw_rows(kPitch), {screw}},
          {"point_on_line", joint_rows(JointType::point_on_line), along({2, 3, 4, 5})},
          {"point_on_plane", joint_rows(JointType::point_on_plane), along({0, 1, 3, 4, 5})},
          {"point_on_curve", straight_curve(), along({2, 3, 4, 5})},
          {"parallel_axes", joint_rows(JointType::parallel_axes), along({0, 1, 2, 5})},
          {"perpendicular_axes", joint_rows(JointType::perpendicular_axes), along({0, 1, 2, 3, 5})},
          {"orientation", joint_rows(JointType::orientation), along({0, 1, 2})},
          {"distance", distance_rows(kLength), along({1, 2, 3, 4, 5}), Vector3d(kLength, 0, 0)},
          rolling_disc()};
}

class JointFreedom : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, JointFreedom, testing::ValuesIn(cases()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(JointFreedom, IsTheNullSpaceOfItsRows) {
  const Case& c = GetParam();
  std::mt19937 g(3);
  const Matrix3d R_WA = testing_support::random_rotation(g).toRotationMatrix();
  system::System s;
  s.add_body(bodies::make_rigid_body("body", 1.0, Vector3d::Zero(), Matrix3d::Identity()), {});
  Frame ground, moving;
  ground.R_BF = R_WA;
  ground.x_B = -R_WA * c.p_AB;
  moving.R_BF = R_WA * c.R_AB;
  moving.body = bodies::BodyIndex(0);
  const auto A = s.add_frame(ground), B = s.add_frame(moving);
  s.add_constraint(
      std::make_unique<Joint>("j", s.tracked_link(A, B), c.rows.primitives, c.rows.names));
  s.finalize();
  const system::State state = s.make_state();
  s.update(state);
  VectorXd r, phi;
  s.compute_residual(state, r, phi);
  EXPECT_LT(phi.norm(), 1e-14);
  const MatrixXd G = Eigen::MatrixXd(s.sparse_G());
  EXPECT_EQ(static_cast<std::size_t>(6 - Eigen::FullPivLU<MatrixXd>(G).rank()), c.free.size());
  for (const Twist& twist : c.free) {
    VectorXd v(6);
    v << R_WA * twist.head<3>(), R_WA * twist.tail<3>();
    EXPECT_LT((G * v).norm(), 1e-14) << twist.transpose();
  }
}

// Shafts bent by any angle: the universal joint lets the second run unevenly, the other does not.
double speed_ratio(JointType type, double bend, double angle) {
  system::System s;
  for (const char* name : {"first", "second"})
    s.add_body(bodies::make_rigid_body(name, 1.0, Vector3d::Zero(), Matrix3d::Identity()), {});
  const Matrix3d R_2 = Eigen::AngleAxisd(bend, Vector3d::UnitY()).toRotationMatrix();
  const Matrix3d bearing[] = {Matrix3d::Identity(), R_2};
  for (int body = 0; body < 2; ++body) {
    Frame ground, shaft;
    ground.R_BF = shaft.R_BF = bearing[body];
    shaft.body = bodies::BodyIndex(body);
    const auto A = s.add_frame(ground), B = s.add_frame(shaft);
    const JointRows rows = joint_rows(JointType::revolute);
    s.add_constraint(std::make_unique<Joint>("bearing", s.link(A, B), rows.primitives, rows.names));
  }
  Frame first, second;
  first.body = bodies::BodyIndex(0);
  second.body = bodies::BodyIndex(1);
  second.R_BF = R_2;  // with its y normal to the first's x
  const auto A = s.add_frame(first), B = s.add_frame(second);
  const JointRows rows = joint_rows(type);
  s.add_constraint(std::make_unique<Joint>("joint", s.link(A, B), rows.primitives, rows.names));
  s.finalize();
  system::State state = s.make_state();
  const double of_second = type == JointType::universal
                               ? std::atan2(std::sin(angle), std::cos(angle) * std::cos(bend))
                               : angle;
  VectorXd turn(12), q, r, phi;
  turn << Vector3d::Zero(), angle * Vector3d::UnitZ(), Vector3d::Zero(), of_second * R_2.col(2);
  s.advance(state.q, turn, q);
  state.q = q;
  s.update(state);
  s.compute_residual(state, r, phi);
  EXPECT_LT(phi.norm(), 1e-14) << angle;
  const VectorXd free = Eigen::FullPivLU<MatrixXd>(Eigen::MatrixXd(s.sparse_G())).kernel();
  return free.segment<3>(9).dot(R_2.col(2)) / free.segment<3>(3).dot(Vector3d::UnitZ());
}

TEST(BentShafts, RunAsTheClosedFormsSay) {
  // tan(angle_2) = tan(angle_1) / cos(bend), so w_2 / w_1 = cos(bend) / (1 - sin^2(bend)
  // cos^2(angle_1)), from where the first shaft's arm lies in the plane of the shafts
  const double bend = 0.6;
  for (double angle : {0.0, 0.4, 1.1, 2.5, 4.0}) {
    const double sine = std::sin(bend) * std::cos(angle);
    EXPECT_NEAR(speed_ratio(JointType::universal, bend, angle),
                std::cos(bend) / (1.0 - sine * sine), 1e-13)
        << angle;
    EXPECT_NEAR(speed_ratio(JointType::constant_velocity, bend, angle), 1.0, 1e-13) << angle;
  }
}

}  // namespace
}  // namespace solidyn::joints
