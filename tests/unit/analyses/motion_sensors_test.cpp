#include <gtest/gtest.h>

#include <cmath>

#include "solidyn/analyses/orientation_sensor.h"
#include "solidyn/math/rotation.h"
#include "two_bodies.h"

namespace solidyn::analyses {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using testing_support::random_rotation;

class RelativeTo : public testing::TestWithParam<bool> {};

TEST_P(RelativeTo, VelocityIsTheRateOfThePosition) {
  TwoBodies two;
  const bodies::FrameIndex reference = GetParam() ? two.first : kWorld;
  const Sensor p = two.sensor(FrameQuantity::position, reference);
  const Vector3d rate =
      (two.read(p, two.after(kStep)) - two.read(p, two.after(-kStep))) / (2.0 * kStep);
  const Vector3d v = two.read(two.sensor(FrameQuantity::velocity, reference), two.state);
  EXPECT_LT((v - rate).norm(), 1e-6 * v.norm());
}

TEST_P(RelativeTo, AccelerationIsTheRateOfTheVelocityAndTheSecondRateOfThePosition) {
  TwoBodies two;
  const bodies::FrameIndex reference = GetParam() ? two.first : kWorld;
  const Sensor p = two.sensor(FrameQuantity::position, reference);
  const Sensor v = two.sensor(FrameQuantity::velocity, reference);
  const system::State before = two.after(-kStep), after = two.after(kStep);
  const Vector3d rate = (two.read(v, after) - two.read(v, before)) / (2.0 * kStep);
  const Vector3d second_rate =
      (two.read(p, after) - 2.0 * two.read(p, two.state) + two.read(p, before)) / (kStep * kStep);
  const Vector3d a = two.read(two.sensor(FrameQuantity::acceleration, reference), two.state);
  EXPECT_LT((a - rate).norm(), 1e-5 * a.norm());
  EXPECT_LT((a - second_rate).norm(), 1e-5 * a.norm());
}

TEST_P(RelativeTo, AngularVelocityIsTheRateOfTheRotation) {
  TwoBodies two;
  const bodies::FrameIndex reference = GetParam() ? two.first : kWorld;
  const Sensor turn = two.sensor(FrameQuantity::orientation, reference);
  const auto R = [&](double t) { return math::exp_rotation(two.read(turn, two.after(t))); };
  const Matrix3d rate = (R(kStep) - R(-kStep)) / (2.0 * kStep);
  const Vector3d w = two.read(two.sensor(FrameQuantity::angular_velocity, reference), two.state);
  EXPECT_LT((w - math::unskew(rate * R(0.0).transpose())).norm(), 1e-6 * w.norm());
}

TEST_P(RelativeTo, AngularAccelerationIsTheRateOfTheAngularVelocity) {
  TwoBodies two;
  const bodies::FrameIndex reference = GetParam() ? two.first : kWorld;
  const Sensor w = two.sensor(FrameQuantity::angular_velocity, reference);
  const Vector3d rate =
      (two.read(w, two.after(kStep)) - two.read(w, two.after(-kStep))) / (2.0 * kStep);
  const Sensor sensor = two.sensor(FrameQuantity::angular_acceleration, reference);
  EXPECT_TRUE(sensor.needs_accelerations);
  EXPECT_EQ(sensor.columns[0].unit, "rad/s^2");
  const Vector3d a = two.read(sensor, two.state);
  EXPECT_LT((a - rate).norm(), 1e-5 * a.norm());
}

TEST_P(RelativeTo, AnotherFramesAxesTurnTheVectorOnly) {
  TwoBodies two;
  const bodies::FrameIndex reference = GetParam() ? two.first : kWorld;
  for (const FrameQuantity quantity :
       {FrameQuantity::position, FrameQuantity::velocity, FrameQuantity::acceleration,
        FrameQuantity::angular_velocity, FrameQuantity::angular_acceleration}) {
    const Vector3d own = two.read(two.sensor(quantity, reference), two.state);
    const Vector3d other = two.read(two.sensor(quantity, reference, two.second), two.state);
    const Vector3d world = two.read(two.sensor(quantity, reference, kWorld), two.state);
    const auto& frames = two.system.kinematics().frames;
    const Vector3d in_world = reference == kWorld ? own : Vector3d(frames[reference].R * own);
    EXPECT_LT((world - in_world).norm(), 1e-14 * own.norm());
    EXPECT_LT((frames[two.second].R * other - in_world).norm(), 1e-14 * own.norm());
  }
}

INSTANTIATE_TEST_SUITE_P(Frames, RelativeTo, testing::Values(false, true),
                         [](const auto& info) { return info.param ? "AMovingFrame" : "TheWorld"; });

// A turntable (1.5 rad/s about z) and a body that passes it on a straight line with a constant
// velocity u at p: seen from the table its acceleration is -w x (w x p) ... = -2 w x u + w x (w x
// p) with u of the world: (2 w u_y - w^2 p_x, -2 w u_x - w^2 p_y, 0).
TEST(RelativeAcceleration, OfAStraightMotionSeenFromATurntableHasCoriolisAndCentrifugalTerms) {
  system::System s;
  system::InitialMotion table, body;
  table.w_WB_B = Vector3d(0, 0, 1.5);
  body.p_WB = Vector3d(2, 0.5, 1);
  body.v_WB = Vector3d(0.4, -0.3, 0.1);
  for (const auto& motion : {table, body})
    s.add_body(bodies::make_rigid_body("b", 1.0, Vector3d::Zero(), Matrix3d::Identity()), motion);
  bodies::Frame of_table, of_body;
  of_table.body = bodies::BodyIndex(0);
  of_body.body = bodies::BodyIndex(1);
  const auto A = s.add_frame(of_table), B = s.add_frame(of_body);
  s.finalize();
  const system::State state = s.make_state();
  s.update(state);
  s.update_accelerations();
  using C = VectorComponent;
  Vector3d a;
  frame_sensor("a", FrameQuantity::acceleration, B, A, {C::x, C::y, C::z})
      .read({s, state}, a.data());
  const Vector3d expected(2 * 1.5 * -0.3 - 1.5 * 1.5 * 2, -2 * 1.5 * 0.4 - 1.5 * 1.5 * 0.5, 0.0);
  EXPECT_LT((a - expected).norm(), 1e-14);
}

TEST(AnglesSensor, TurnTheReferenceIntoTheFrame) {
  TwoBodies two;
  const math::AngleSequence zxz{2, 0, 2};
  const Sensor sensor = angles_sensor("s", zxz, two.second, two.first, {0, 1, 2});
  EXPECT_EQ(sensor.columns[2].name, "s.angle_3");
  EXPECT_EQ(sensor.columns[2].unit, "rad");
  const Matrix3d R = math::rotation_of_angles(zxz, two.read(sensor, two.state));
  const auto& frames = two.system.kinematics().frames;
  EXPECT_LT((frames[two.first].R * R - frames[two.second].R).norm(), 1e-14);
}

// Both bodies turn many times, and every component of the quaternion changes its sign: none of them
// jumps. The guides are off by a constant rotation of less than half a turn.
TEST(QuaternionSensor, IsTheRotationAndDoesNotJump) {
  TwoBodies two;
  std::mt19937 generator(3);
  AttitudeGuide guides[2];
  for (int i = 0; i < 2; ++i) {
    guides[i].body = bodies::BodyIndex(i);
    const bodies::FrameIndex frame = i == 0 ? two.first : two.second;
    guides[i].q_BF = Quaterniond(two.system.kinematics().frame_definitions[frame].R_BF) *
                     math::exp_quaternion(Vector3d(0.5, -0.4, 0.3));
  }
  const Sensor sensor =
      quaternion_sensor("s", two.second, guides[1], two.first, guides[0], {0, 1, 2, 3});
  EXPECT_EQ(sensor.columns[0].name, "s.w");
  Eigen::Vector4d before, now;
  int n_changes = 0;
  system::State state = two.state.clone();
  Eigen::VectorXd turning =
      two.state.v;  // without deformation, which would turn the frames at will
  for (const auto body : {bodies::BodyIndex(0), bodies::BodyIndex(1)})
    turning.segment(two.system.layout().velocity_offset(body) + 6, kModes).setZero();
  for (int step = 0; step < 2000; ++step) {
    two.system.advance(two.state.q, 0.02 * step * turning, state.q);
    two.system.update(state);
    sensor.read({two.system, state}, now.data());
    const auto& frames = two.system.kinematics().frames;
    const Matrix3d R = frames[two.first].R.transpose() * frames[two.second].R;
    ASSERT_LT((Quaterniond(now[0], now[1], now[2], now[3]).toRotationMatrix() - R).norm(), 1e-13);
    if (step > 0) {
      ASSERT_LT((now - before).norm(), 0.5) << step;
      n_changes += now[0] * before[0] < 0.0;
    }
    before = now;
  }
  EXPECT_GT(n_changes, 2);
}

}  // namespace
}  // namespace solidyn::analyses
