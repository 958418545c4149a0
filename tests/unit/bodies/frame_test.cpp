#include "solidyn/bodies/frame.h"

#include "random_bodies.h"
#include "solidyn/bodies/frame_fields.h"
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

MatrixXd fields_of(const FrameFields& fields) { return fields.by * fields.x; }

// Fields against compute_frame_in_body(), their rates along a motion and their derivatives against
// differences of fourth order.
TEST(FrameInBody, FieldsAreThoseOfItsMotionAndTheirRates) {
  constexpr double kStep = 2e-3;
  std::mt19937 g(8);
  const VectorXd q = random_vector(g, kModes, 0.5), dq = random_vector(g, kModes),
                 ddq = random_vector(g, kModes);
  const Eigen::Matrix<double, 6, 1> wrench = random_vector(g, 6);
  Frame full = make_frame(), linear = full, point = full;
  linear.Y_t = linear.Y_r = MatrixXd();
  point.Psi_r.resize(3, 0);
  for (const Frame& frame : {full, linear, point}) {
    const auto with_state = [&](const VectorXd& position, const auto& use) {
      VectorXd v = VectorXd::Zero(6 + kModes);
      v.tail(kModes) = dq;
      BodyState state;
      new (&state.q_e) Eigen::Map<const VectorXd>(position.data(), kModes);
      new (&state.v) Eigen::Map<const VectorXd>(v.data(), v.size());
      use(state);
    };
    const auto fields_at = [&](const VectorXd& position) {
      FrameFields fields;
      with_state(position,
                 [&](const BodyState& s) { compute_fields_in_body(frame, s, ddq, fields); });
      return fields;
    };
    const FrameFields here = fields_at(q);
    with_state(q, [&](const BodyState& s) {
      FrameMotion m;
      compute_frame_in_body(frame, s, m);
      MatrixXd J = m.J.rightCols(kModes);
      J.bottomRows<3>() = (m.R * J.bottomRows<3>()).eval();
      J.topRows<3>() += math::skew(m.p) * J.bottomRows<3>();
      EXPECT_LT((fields_of(here) - J).norm(), 1e-13);
    });
    const double h = kStep;
    const auto along = [&](double t) {
      return fields_of(fields_at(q + t * dq + 0.5 * t * t * ddq));
    };
    const MatrixXd rate = (along(-2 * h) - along(2 * h) + 8.0 * (along(h) - along(-h))) / (12 * h),
                   second = (16.0 * (along(h) + along(-h)) - along(2 * h) - along(-2 * h) -
                             30.0 * along(0.0)) /
                            (12 * h * h);
    MatrixXd dS = here.rate * here.x, ddS = here.second * here.x;
    EXPECT_EQ(here.dx.cols(), frame.Y_t.rows() == 0 ? 0 : kModes);
    if (here.dx.cols() > 0) {
      dS += here.by * here.dx;
      ddS += 2.0 * here.rate * here.dx + here.by * here.ddx;
    }
    EXPECT_LT((rate - dS).norm(), 1e-9);
    EXPECT_LT((second - ddS).norm(), 1e-7);
    MatrixXd K = MatrixXd::Zero(kModes, kModes);
    with_state(q, [&](const BodyState& s) { add_field_stiffness(frame, s, wrench, K); });
    for (int i = 0; i < kModes; ++i) {
      const auto by = [&](double t) {
        const FrameFields fields = fields_at(q + t * VectorXd::Unit(kModes, i));
        return VectorXd(fields_of(fields).transpose() * wrench);
      };
      const VectorXd column = (by(-2 * h) - by(2 * h) + 8.0 * (by(h) - by(-h))) / (12 * h);
      EXPECT_LT((column - K.col(i)).norm(), 1e-9) << i;
    }
  }
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
