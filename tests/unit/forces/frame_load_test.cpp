// A load on a frame does the work that its force and torque do, and its tangent is the derivative
// of its generalised force.
#include "solidyn/forces/frame_load.h"

#include "mechanisms.h"
#include "random_bodies.h"
#include "solidyn/bodies/modal_body.h"

namespace solidyn::forces {
namespace {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing_support::MassCloud;
using testing_support::random_rotation;
using testing_support::random_vector;
using Axes = FrameLoad::Axes;

VectorFunction constants(const Vector3d& v) {
  using math::TimeFunction;
  return {TimeFunction::constant(v.x()), TimeFunction::constant(v.y()),
          TimeFunction::constant(v.z())};
}

// A flexible body whose frame sees translation and rotation of three modes.
class FrameLoadOn : public testing::TestWithParam<Axes> {
 protected:
  FrameLoadOn() : cloud_(10, 3, 5), generator_(11) {
    bodies::Frame frame;
    frame.x_B = random_vector(generator_, 3);
    frame.R_BF = random_rotation(generator_).toRotationMatrix();
    frame.Psi_t = frame.Psi_r = Matrix3Xd(3, 3);
    for (int i = 0; i < 3; ++i) {
      frame.Psi_t.col(i) = random_vector(generator_, 3);
      frame.Psi_r.col(i) = random_vector(generator_, 3);
    }
    frame.Y_t = testing_support::random_second_order(generator_, 3, 0.5);
    frame.Y_r = testing_support::random_second_order(generator_, 3, 0.5);
    system::InitialMotion motion;
    motion.p_WB = random_vector(generator_, 3);
    motion.q_WB = random_rotation(generator_);
    frame.body = system_.add_body(std::make_unique<bodies::ModalBody>(
                                      "body", cloud_.invariants(), cloud_.mass_matrix(),
                                      cloud_.stiffness(1), cloud_.stiffness(2), VectorXd::Ones(3)),
                                  motion);
    frame_ = system_.add_frame(frame);
    force_ = random_vector(generator_, 3, 3.0);
    torque_ = random_vector(generator_, 3, 2.0);
  }

  system::State moving_state() {
    system_.finalize();
    system::State s = system_.make_state();
    s.q.tail(3) = random_vector(generator_, 3, 0.4);
    s.v = random_vector(generator_, 9);
    return s;
  }

  FrameLoad load() const {
    return {
        "load", frame_, bodies::BodyIndex(0), GetParam(), constants(force_), constants(torque_)};
  }

  VectorXd residual(const FrameLoad& load, const system::State& s) {
    system_.update(s);
    VectorXd r = VectorXd::Zero(9);
    load.add_residual(system_.kinematics(), 0.0, r);
    return r;
  }

  MassCloud cloud_;
  std::mt19937 generator_;
  system::System system_;
  bodies::FrameIndex frame_;
  Vector3d force_, torque_;
};
INSTANTIATE_TEST_SUITE_P(Axes, FrameLoadOn, testing::Values(Axes::world, Axes::frame));

TEST_P(FrameLoadOn, TangentIsTheDerivativeOfTheResidual) {
  const system::State s = moving_state();
  const FrameLoad load = this->load();
  residual(load, s);
  MatrixXd K = MatrixXd::Zero(9, 9), D = K, differences(9, 9);
  load.add_tangent(system_.kinematics(), 0.0, {0.0, 1.0, 1.0}, D, K);
  EXPECT_EQ(D.norm(), 0.0);
  const double h = 1e-5;
  system::State trial = s.clone();
  for (int j = 0; j < 9; ++j) {
    system_.advance(s.q, h * VectorXd::Unit(9, j), trial.q);
    differences.col(j) = residual(load, trial);
    system_.advance(s.q, -h * VectorXd::Unit(9, j), trial.q);
    differences.col(j) = (differences.col(j) - residual(load, trial)).eval() / (2.0 * h);
  }
  EXPECT_GT(K.norm(), 1.0);
  EXPECT_LT((K - differences).norm(), 1e-8 * K.norm());
}

TEST_P(FrameLoadOn, PowerIsThatOfForceAndTorqueOnTheFrame) {
  const system::State s = moving_state();
  const VectorXd r = residual(load(), s);
  const bodies::FrameMotion& m = system_.kinematics().frames[frame_];
  const bool follows = GetParam() == Axes::frame;
  const Vector3d force_W = follows ? Vector3d(m.R * force_) : force_;
  const Vector3d torque_W = follows ? Vector3d(m.R * torque_) : torque_;
  const double expected = force_W.dot(m.v) + torque_W.dot(m.R * m.w);
  EXPECT_NEAR(load().power(system_.kinematics(), 0.0), expected, 1e-12);
  EXPECT_NEAR(-r.dot(s.v), expected, 1e-12);
}

TEST_P(FrameLoadOn, SystemHasItInResidualAndPower) {
  const double with = [&] {
    system_.add_force(std::make_unique<FrameLoad>("load", frame_, bodies::BodyIndex(0), GetParam(),
                                                  constants(force_), constants(torque_)));
    const system::State s = moving_state();
    system_.update(s);
    return system_.external_powers(s).sum() + s.v.tail(3).dot(cloud_.stiffness(2) * s.v.tail(3)) -
           load().power(system_.kinematics(), 0.0);
  }();
  EXPECT_NEAR(with, 0.0, 1e-10);
  const system::State s = system_.make_state();
  system_.update(s);
  VectorXd r, phi, alone = VectorXd::Zero(9);
  system_.compute_residual(s, r, phi);
  const_cast<bodies::Body&>(system_.body(bodies::BodyIndex(0)))
      .add_residual(system_.kinematics().bodies[bodies::BodyIndex(0)], Vector3d::Zero(), alone);
  load().add_residual(system_.kinematics(), 0.0, alone);
  EXPECT_LT((r - alone).norm(), 1e-14);
  EXPECT_GT(r.norm(), 1.0);
}

}  // namespace
}  // namespace solidyn::forces
