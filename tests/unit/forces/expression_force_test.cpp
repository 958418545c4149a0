// Forces by formulas of sensors: their tangent couples all bodies that the sensors see.
#include "solidyn/forces/expression_force.h"

#include "random_bodies.h"
#include "solidyn/base/error.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/system/system.h"

namespace solidyn::forces {
namespace {

using bodies::FrameQuantity;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using math::Expression;
using testing_support::MassCloud;
using testing_support::random_rotation;
using testing_support::random_vector;

const std::vector<std::string> kVariables = {"t", "angle", "y", "v", "w", "turn"};

// Three flexible bodies with frames of second order. The force acts on the second, its reaction on
// the first; sensors see all three, and the first relative to the third.
class ExpressionForceOn : public testing::TestWithParam<bool> {
 protected:
  ExpressionForceOn() : cloud_(10, 3, 5), generator_(17) {
    for (int i = 0; i < 3; ++i) {
      system::InitialMotion motion;
      motion.p_WB = random_vector(generator_, 3);
      motion.q_WB = random_rotation(generator_);
      system_.add_body(std::make_unique<bodies::ModalBody>(
                           "body", cloud_.invariants(), cloud_.mass_matrix(), cloud_.stiffness(1),
                           cloud_.stiffness(2), VectorXd::Ones(3)),
                       motion);
    }
    std::array<int, 3> frames;
    for (int i = 0; i < 3; ++i) frames[i] = system_.add_frame(frame_on(i));
    const int ground = system_.add_frame(bodies::Frame());
    ExpressionForce::Options o;
    o.components = {Expression("y*v + t", kVariables),
                    Expression("3*w", kVariables),
                    std::nullopt,
                    Expression("sin(angle)*y", kVariables),
                    Expression("turn - w", kVariables),
                    Expression("v*v", kVariables)};
    o.force_scale = 2.0;
    o.torque_scale = 0.5;
    o.t_scale = 0.1;
    o.measures = {Measure::tracked_angle(ground, frames[2], system_.add_angle(ground, frames[2])),
                  frame_measure(FrameQuantity::position, frames[0], frames[2], 1),
                  frame_measure(FrameQuantity::velocity, frames[1], frames[0], 3),
                  frame_measure(FrameQuantity::angular_velocity, frames[2], -1, 0),
                  frame_measure(FrameQuantity::orientation, frames[1], frames[2], 2)};
    o.measure_scale = {0.7, 1.0, 1.3, 1.0, 1.0};
    o.is_in_body_axes = GetParam();
    std::vector<int> bodies_of_frames = {0, 1, 2, -1};
    force_ =
        std::make_unique<ExpressionForce>("force", system_.link(frames[0], frames[1]), std::move(o),
                                          bodies_of_frames, std::vector<int>{9, 9, 9});
    system_.finalize();
    state_ = system_.make_state();
    for (int i = 0; i < 3; ++i)
      state_.q.segment(system_.elastic_offset(i), 3) = random_vector(generator_, 3, 0.4);
    state_.v = random_vector(generator_, 27);
    state_.t = 0.3;
  }

  bodies::Frame frame_on(int body) {
    bodies::Frame frame;
    frame.body = body;
    frame.x_B = random_vector(generator_, 3);
    frame.R_BF = random_rotation(generator_).toRotationMatrix();
    frame.Psi_t = Eigen::Map<const Eigen::Matrix3Xd>(random_vector(generator_, 9).data(), 3, 3);
    frame.Psi_r = Eigen::Map<const Eigen::Matrix3Xd>(random_vector(generator_, 9).data(), 3, 3);
    frame.Y_t = testing_support::random_second_order(generator_, 3, 0.5);
    frame.Y_r = testing_support::random_second_order(generator_, 3, 0.5);
    return frame;
  }

  VectorXd residual(const system::State& s) {
    system_.update(s);
    VectorXd r = VectorXd::Zero(27);
    force_->add_residual(system_.kinematics(), s.t, r);
    return r;
  }

  MassCloud cloud_;
  std::mt19937 generator_;
  system::System system_;
  system::State state_;
  std::unique_ptr<ExpressionForce> force_;
};
INSTANTIATE_TEST_SUITE_P(BodyAxes, ExpressionForceOn, testing::Bool());

TEST_P(ExpressionForceOn, TangentIsTheDerivativeOfTheResidual) {
  ASSERT_EQ(force_->bodies(), (std::vector<int>{0, 1, 2}));
  residual(state_);
  MatrixXd K = MatrixXd::Zero(27, 27), D = K, K_differences = K, D_differences = K;
  force_->add_tangent(system_.kinematics(), state_.t, {0.0, 1.0, 1.0}, D, K);
  const double h = 1e-5;
  system::State trial = state_.clone();
  for (int j = 0; j < 27; ++j) {
    const VectorXd step = h * VectorXd::Unit(27, j);
    system_.advance(state_.q, step, trial.q);
    K_differences.col(j) = residual(trial);
    system_.advance(state_.q, -step, trial.q);
    K_differences.col(j) = (K_differences.col(j) - residual(trial)).eval() / (2.0 * h);
    trial.q = state_.q;
    trial.v = state_.v + step;
    D_differences.col(j) = residual(trial);
    trial.v = state_.v - step;
    D_differences.col(j) = (D_differences.col(j) - residual(trial)).eval() / (2.0 * h);
    trial.v = state_.v;
  }
  EXPECT_GT(K.rightCols(9).norm(), 1.0);
  EXPECT_LT((K - K_differences).norm(), 1e-7 * K.norm());
  EXPECT_GT(D.rightCols(9).norm(), 1.0);
  EXPECT_LT((D - D_differences).norm(), 1e-7 * D.norm());
}

TEST_P(ExpressionForceOn, PowerIsThatOfTheGeneralisedForce) {
  const VectorXd r = residual(state_);
  EXPECT_NEAR(force_->power(system_.kinematics(), state_.t), -r.dot(state_.v), 1e-10 * r.norm());
}

}  // namespace
}  // namespace solidyn::forces
