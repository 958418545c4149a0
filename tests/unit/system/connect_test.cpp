#include "solidyn/system/connect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "solidyn/base/error.h"
#include "solidyn/bodies/modal_body.h"

namespace solidyn::system {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using joints::JointType;
using testing::HasSubstr;

const Vector3d kPoint(0.4, -0.2, 0.7), kAxis(1.0, -2.0, 0.5);

bodies::BodyIndex add_turned_body(System& system, const Vector3d& p) {
  InitialMotion motion;
  motion.p_WB = p;
  motion.q_WB = Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Vector3d(1, 2, -1).normalized()));
  return system.add_body(
      bodies::make_rigid_body("body", 2.0, Vector3d::Zero(), Matrix3d::Identity()), motion);
}

template <class Action>
std::string refusal(Action&& action) {
  try {
    action();
  } catch (const base::InputError& e) {
    return e.what();
  }
  return "it was accepted";
}

TEST(Connect, FramesAreAtTheWorldPointWithTheWorldAxisOnEveryBody) {
  System system;
  const auto body = add_turned_body(system, {1, 2, 3});
  const FramesOfPair frames = add_frames(system, kGround, body, kPoint, kAxis);
  system.finalize();
  const State state = system.make_state();
  system.update(state);
  const bodies::FrameMotion &A = system.kinematics().frames[frames.A],
                            &B = system.kinematics().frames[frames.B];
  EXPECT_LT((A.p - kPoint).norm(), 1e-15);
  EXPECT_LT((A.R.col(2) - kAxis.normalized()).norm(), 1e-15);
  EXPECT_LT((B.p - A.p).norm(), 1e-15);
  EXPECT_LT((B.R - A.R).norm(), 1e-15);
}

TEST(Connect, JointsHoldBodiesAsTheyAreDrawn) {
  System system;
  const auto first = add_turned_body(system, {1, 2, 3}),
             second = add_turned_body(system, {-1, 0, 1});
  const FramesOfPair frames = add_frames(system, first, second, kPoint, kAxis);
  const auto joint = add_joint(system, "hinge", JointType::revolute, frames);
  system.finalize();
  const State state = system.make_state();
  system.update(state);
  Eigen::VectorXd phi;
  system.compute_constraints(state, phi);
  EXPECT_EQ(phi.size(), 5);
  EXPECT_LT(phi.norm(), 1e-15);
  EXPECT_EQ(system.constraint(joint).name(), "hinge");
}

TEST(Connect, DrivesCountWholeTurns) {
  System system;
  const auto body = add_turned_body(system, {1, 2, 3});
  const FramesOfPair frames = add_frames(system, kGround, body, kPoint, kAxis);
  add_rotation_drive(system, "motor", math::TimeFunction::constant(6.0 * M_PI), frames);
  system.finalize();
  State state = system.make_state();
  system.update(state);
  state.angles = system.angles().aligned_values(system.kinematics());
  system.update(state);
  EXPECT_NEAR(system.kinematics().angles[system.tracked_link(frames.A, frames.B).angle()],
              6.0 * M_PI, 1e-12);
}

TEST(Connect, SpringsOfAnglesResistThem) {
  System system;
  const auto body = add_turned_body(system, {1, 2, 3});
  const FramesOfPair frames = add_frames(system, kGround, body, kPoint, kAxis);
  forces::SpringDamper::Options options;
  options.stiffness = 30.0;
  options.free = -0.2;
  const auto spring = add_spring(system, "coil", bodies::RotationAngle(), options, frames);
  system.finalize();
  const State state = system.make_state();
  system.update(state);
  EXPECT_NEAR(system.force(spring).energy(system.kinematics(), 0.0), 0.5 * 30.0 * 0.2 * 0.2, 1e-14);
}

TEST(Connect, LoadsPushInWorldAxes) {
  System system;
  const auto body = add_turned_body(system, {1, 2, 3});
  const auto frame = add_frame(system, body, {1, 2, 3}, kAxis);
  using math::TimeFunction;
  add_load(system, "push", frame,
           {TimeFunction::constant(3.0), TimeFunction(), TimeFunction::constant(-4.0)});
  system.finalize();
  const State state = system.make_state();
  system.update(state);
  Eigen::VectorXd r, phi;
  system.compute_residual(state, r, phi);
  EXPECT_LT((r.head<3>() - Vector3d(-3, 0, 4)).norm(), 1e-15);  // M a + h - Q
}

TEST(Connect, RefusesWhatHasNoMeaning) {
  System system;
  const auto body = add_turned_body(system, {1, 2, 3});
  EXPECT_THAT(refusal([&] { add_frame(system, bodies::BodyIndex(5), kPoint); }),
              HasSubstr("there is no body 5: the system has 1"));
  EXPECT_THAT(refusal([&] { add_frame(system, body, kPoint, Vector3d::Zero()); }),
              HasSubstr("and has no direction"));
  const FramesOfPair same = add_frames(system, body, body, kPoint);
  EXPECT_THAT(refusal([&] { add_joint(system, "hinge", JointType::revolute, same); }),
              HasSubstr("joint hinge: both of its frames are on the same body"));
  EXPECT_THAT(refusal([&] { add_rotation_drive(system, "motor", {}, same); }),
              HasSubstr("joint motor: both of its frames are on the same body"));
  const auto fixed = add_frame(system, kGround, kPoint);
  EXPECT_THAT(refusal([&] { add_load(system, "push", fixed, {}); }),
              HasSubstr("load push: its frame is on the ground"));
}

}  // namespace
}  // namespace solidyn::system
