#include "solidyn/bodies/frame.h"

#include "random_bodies.h"
#include "solidyn/bodies/frame_in_body.h"

namespace solidyn::bodies {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing_support::random_rotation;
using testing_support::random_second_order;
using testing_support::random_vector;

constexpr int kModes = 4;

Frame make_frame() {
  std::mt19937 g(3);
  Frame frame;
  frame.body = bodies::BodyIndex(0);
  frame.x_B = random_vector(g, 3);
  frame.R_BF = random_rotation(g).toRotationMatrix();
  frame.Psi_t = frame.Psi_r = Eigen::Matrix3Xd(3, kModes);
  for (int i = 0; i < kModes; ++i) {
    frame.Psi_t.col(i) = random_vector(g, 3);
    frame.Psi_r.col(i) = random_vector(g, 3);
  }
  frame.Y_t = random_second_order(g, kModes, 0.5);
  frame.Y_r = random_second_order(g, kModes, 0.5);
  return frame;
}

FrameMotion motion_of(const Frame& frame, const VectorXd& w) {
  BodyState state;
  VectorXd v = VectorXd::Zero(6 + w.size());
  new (&state.q_e) Eigen::Map<const VectorXd>(w.data(), w.size());
  new (&state.v) Eigen::Map<const VectorXd>(v.data(), v.size());
  FrameMotion motion;
  compute_frame_motion(frame, state, motion);
  return motion;
}

// How far a moved origin is from the end of an arm that turns with the frame.
double distance_from_arm(const Frame& frame, const Vector3d& arm, double size) {
  std::mt19937 g(9);
  const VectorXd w = random_vector(g, kModes, size);
  Frame moved = frame;
  move_origin(moved, arm);
  const FrameMotion at_origin = motion_of(frame, w), at_end = motion_of(moved, w);
  EXPECT_EQ(at_end.R, at_origin.R);
  const Matrix3d turn = at_origin.R * frame.R_BF.transpose();
  return (at_end.p - at_origin.p - turn * arm).norm();
}

TEST(MovedFrame, FollowsAnArmToTheOrderThatItsDisplacementsHave) {
  const Vector3d arm(0.3, -0.5, 0.2);
  Frame frame = make_frame();
  const double second = distance_from_arm(frame, arm, 0.02);
  EXPECT_NEAR(second / distance_from_arm(frame, arm, 0.01), 8.0, 0.5);
  frame.Y_t = frame.Y_r = MatrixXd();
  const double first = distance_from_arm(frame, arm, 0.02);
  EXPECT_NEAR(first / distance_from_arm(frame, arm, 0.01), 4.0, 0.2);
  EXPECT_LT(second, 0.1 * first);
}

TEST(MovedFrame, ComesBack) {
  const Vector3d arm(0.3, -0.5, 0.2);
  const Frame frame = make_frame();
  Frame moved = frame;
  move_origin(moved, arm);
  move_origin(moved, -arm);
  EXPECT_LT((moved.x_B - frame.x_B).norm(), 1e-15);
  EXPECT_LT((moved.Psi_t - frame.Psi_t).norm(), 1e-14);
  EXPECT_LT((moved.Y_t - frame.Y_t).norm(), 1e-14);
}

// p, R, elastic columns and bias of a body at the origin, by all that a frame computes.
void expect_same_in_body(const Frame& frame, int n_modes) {
  std::mt19937 g(4);
  const VectorXd q = random_vector(g, n_modes, 0.5), a = VectorXd::Zero(6 + n_modes);
  VectorXd v = random_vector(g, 6 + n_modes);
  v.head<3>().setZero();
  BodyState state;
  new (&state.q_e) Eigen::Map<const VectorXd>(q.data(), q.size());
  new (&state.v) Eigen::Map<const VectorXd>(v.data(), v.size());
  new (&state.a) Eigen::Map<const VectorXd>(a.data(), a.size());
  FrameMotion expected, found;
  compute_frame_motion(frame, state, expected);
  compute_frame_acceleration(frame, state, expected);
  set_bias_in_body(compute_frame_in_body(frame, state, found), state.w_WB_B(), found);
  EXPECT_LT((found.p - expected.p).norm(), 1e-14);
  EXPECT_LT((found.R - expected.R).norm(), 1e-14);
  EXPECT_LT((found.J.rightCols(n_modes) - expected.J.rightCols(n_modes)).norm(), 1e-13);
  EXPECT_LT((found.bias - expected.bias).norm(), 1e-13 * (1.0 + expected.bias.norm()));
}

TEST(FrameInBody, MovesAsThatOfABodyAtTheOrigin) {
  Frame frame = make_frame();
  expect_same_in_body(frame, kModes);
  frame.Y_t = frame.Y_r = MatrixXd();
  expect_same_in_body(frame, kModes);
  frame.Psi_r.resize(3, 0);
  expect_same_in_body(frame, kModes);
  frame.Psi_t.resize(3, 0);
  expect_same_in_body(frame, 0);
}

// A rigid body's frames have a path of their own: beside one mode that does nothing.
TEST(RigidFrame, MovesAsOnABodyWithAnIdleMode) {
  std::mt19937 g(6);
  const VectorXd q = VectorXd::Constant(1, 0.3), v = random_vector(g, 7);
  Frame frame = make_frame();
  frame.Psi_t = frame.Psi_r = Eigen::Matrix3Xd::Zero(3, 1);
  frame.Y_t = frame.Y_r = MatrixXd();
  BodyState state;
  state.p_WB = random_vector(g, 3);
  state.R_WB = random_rotation(g).toRotationMatrix();
  new (&state.q_e) Eigen::Map<const VectorXd>(q.data(), 1);
  new (&state.v) Eigen::Map<const VectorXd>(v.data(), 7);
  FrameMotion expected, found;
  compute_frame_motion(frame, state, expected);
  frame.Psi_t = frame.Psi_r = Eigen::Matrix3Xd(3, 0);
  new (&state.q_e) Eigen::Map<const VectorXd>(q.data(), 0);
  new (&state.v) Eigen::Map<const VectorXd>(v.data(), 6);
  compute_frame_motion(frame, state, found);
  EXPECT_LT((found.p - expected.p).norm(), 1e-15);
  EXPECT_LT((found.R - expected.R).norm(), 1e-15);
  EXPECT_LT((found.v - expected.v).norm(), 1e-14);
  EXPECT_LT((found.w - expected.w).norm(), 1e-14);
  EXPECT_LT((found.J - expected.J.leftCols<6>()).norm(), 1e-14);
}

}  // namespace
}  // namespace solidyn::bodies
