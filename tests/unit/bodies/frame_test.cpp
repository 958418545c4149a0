#include "solidyn/bodies/frame.h"

#include "random_bodies.h"

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

}  // namespace
}  // namespace solidyn::bodies
