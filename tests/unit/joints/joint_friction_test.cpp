// Friction in joints: tangents by positions, velocities and multipliers, and how much it is.
#include "solidyn/joints/joint_friction.h"

#include "random_bodies.h"
#include "solidyn/system/system.h"

namespace solidyn::joints {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing_support::MassCloud;
using testing_support::random_rotation;
using testing_support::random_vector;

struct FrictionCase {
  const char* name;
  JointType type;
  bool slides, turns;
};

class JointFrictionOn : public testing::TestWithParam<FrictionCase> {
 protected:
  JointFrictionOn() : cloud_(10, 3, 5), generator_(31) {
    std::array<int, 2> frames;
    for (int i = 0; i < 2; ++i) {
      system::InitialMotion motion;
      motion.p_WB = random_vector(generator_, 3);
      motion.q_WB = random_rotation(generator_);
      system_.add_body(std::make_unique<bodies::ModalBody>(
                           "body", cloud_.invariants(), cloud_.mass_matrix(), cloud_.stiffness(1),
                           cloud_.stiffness(2), VectorXd::Ones(3)),
                       motion);
      frames[i] = system_.add_frame(frame_on(i));
    }
    const JointRows rows = joint_rows(GetParam().type);
    auto joint = std::make_unique<Joint>("joint", system_.link(frames[0], frames[1]),
                                         rows.primitives, rows.names);
    JointFriction::Options o;
    o.law.static_coefficient = 0.3;
    o.law.dynamic_coefficient = 0.2;
    o.law.transition_speed = 1.0;
    o.law.stribeck_speed = 2.0;
    o.slides = GetParam().slides;
    o.turns = GetParam().turns;
    o.radius = 0.7;
    o.moment_arm = 0.9;
    o.preload = 0.5;
    friction_ = std::make_unique<JointFriction>("friction", *joint, 0, o);
    system_.add_constraint(std::move(joint));
    system_.finalize();
    state_ = system_.make_state();
    for (int i = 0; i < 2; ++i)
      state_.q.segment(system_.elastic_offset(i), 3) = random_vector(generator_, 3, 0.4);
    state_.v = random_vector(generator_, 18);
    state_.lambda = random_vector(generator_, system_.n_constraints(), 3.0);
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
    VectorXd r = VectorXd::Zero(18);
    friction_->add_residual(system_.kinematics(), 0.0, r);
    return r;
  }

  MassCloud cloud_;
  std::mt19937 generator_;
  system::System system_;
  system::State state_;
  std::unique_ptr<JointFriction> friction_;
};
INSTANTIATE_TEST_SUITE_P(
    Joints, JointFrictionOn,
    testing::Values(FrictionCase{"revolute", JointType::revolute, false, true},
                    FrictionCase{"prismatic", JointType::prismatic, true, false},
                    FrictionCase{"cylindrical", JointType::cylindrical, true, true}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_P(JointFrictionOn, TangentIsTheDerivativeOfTheResidual) {
  residual(state_);
  const int n_l = system_.n_constraints();
  MatrixXd K = MatrixXd::Zero(18, 18), D = K, K_differences = K, D_differences = K;
  MatrixXd L = MatrixXd::Zero(18, n_l), L_differences = L;
  friction_->add_tangent(system_.kinematics(), 0.0, {0.0, 1.0, 1.0}, D, K);
  friction_->add_multiplier_tangent(system_.kinematics(), 0.0, L);
  const double h = 1e-5;
  system::State trial = state_.clone();
  for (int j = 0; j < 18; ++j) {
    const VectorXd step = h * VectorXd::Unit(18, j);
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
  for (int j = 0; j < n_l; ++j) {
    trial.lambda = state_.lambda + h * VectorXd::Unit(n_l, j);
    L_differences.col(j) = residual(trial);
    trial.lambda = state_.lambda - h * VectorXd::Unit(n_l, j);
    L_differences.col(j) = (L_differences.col(j) - residual(trial)).eval() / (2.0 * h);
  }
  EXPECT_GT(K.norm(), 0.1);
  EXPECT_LT((K - K_differences).norm(), 1e-8 * (1.0 + K.norm()));
  EXPECT_GT(D.norm(), 0.1);
  EXPECT_LT((D - D_differences).norm(), 1e-8 * (1.0 + D.norm()));
  EXPECT_GT(L.norm(), 0.1);
  EXPECT_LT((L - L_differences).norm(), 1e-8 * (1.0 + L.norm()));
}

TEST_P(JointFrictionOn, TakesEnergy) {
  const VectorXd r = residual(state_);
  const double power = friction_->power(system_.kinematics(), 0.0);
  EXPECT_LT(power, -1e-3);
  EXPECT_NEAR(power, -r.dot(state_.v), 1e-12 * r.norm());
}

}  // namespace
}  // namespace solidyn::joints
