// Contact between flexible bodies whose frames move with second order: its tangent is the
// derivative of what it adds to the residual, its power that of its generalised force.
#include <gtest/gtest.h>

#include "mechanisms.h"
#include "random_bodies.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/contact/contact_force.h"

namespace solidyn::contact {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing_support::MassCloud;
using testing_support::random_rotation;
using testing_support::random_vector;

// Two bodies of three modes, twice the first, or one of them and the ground, with balls or capsules
// that overlap.
class ContactOn : public testing::TestWithParam<std::pair<int, int>> {
 protected:
  ContactOn() : cloud_(10, 3, 5), generator_(7) {
    for (int i = 0; i < 2; ++i) {
      system::InitialMotion motion;
      motion.p_WB = random_vector(generator_, 3);
      motion.q_WB = random_rotation(generator_);
      system_.add_body(std::make_unique<bodies::ModalBody>(
                           "body", cloud_.invariants(), cloud_.mass_matrix(), cloud_.stiffness(1),
                           cloud_.stiffness(2), VectorXd::Ones(3)),
                       motion);
    }
    const int A = system_.add_frame(frame_on(GetParam().first));
    const int B = system_.add_frame(frame_on(GetParam().second));
    NormalLaw law;
    law.stiffness = 30.0;
    law.dissipation = 0.05;
    law.slow_speed = 1.0;
    contact_ = std::make_unique<ContactForce>("contact", system_.link(A, B),
                                              make_geometry(Sphere{3.0}, Capsule{3.0, 1.0}), law,
                                              Friction{0.6, 0.4, 1.0, 0.5}, 1.0);
    system_.finalize();
    state_ = system_.make_state();
    for (int i = 0; i < 2; ++i)
      state_.q.segment(system_.elastic_offset(i), 3) = random_vector(generator_, 3, 0.4);
    state_.v = random_vector(generator_, 18);
  }

  bodies::Frame frame_on(int body) {
    bodies::Frame frame;
    frame.body = body;
    frame.x_B = random_vector(generator_, 3);
    frame.R_BF = random_rotation(generator_).toRotationMatrix();
    if (body < 0) return frame;
    frame.Psi_t = Eigen::Map<const Eigen::Matrix3Xd>(random_vector(generator_, 9).data(), 3, 3);
    frame.Psi_r = Eigen::Map<const Eigen::Matrix3Xd>(random_vector(generator_, 9).data(), 3, 3);
    frame.Y_t = testing_support::random_second_order(generator_, 3, 0.5);
    frame.Y_r = testing_support::random_second_order(generator_, 3, 0.5);
    return frame;
  }

  int n() const { return 9 * static_cast<int>(contact_->bodies().size()); }
  int first() const { return system_.velocity_offset(contact_->bodies().front()); }

  VectorXd residual(const system::State& s) {
    system_.update(s);
    VectorXd r = VectorXd::Zero(n());
    contact_->add_residual(system_.kinematics(), 0.0, r);
    return r;
  }

  MassCloud cloud_;
  std::mt19937 generator_;
  system::System system_;
  system::State state_;
  std::unique_ptr<ContactForce> contact_;
};
INSTANTIATE_TEST_SUITE_P(Carriers, ContactOn,
                         testing::Values(std::pair(0, 1), std::pair(0, 0), std::pair(-1, 1),
                                         std::pair(0, -1)));

TEST_P(ContactOn, TangentIsTheDerivativeOfTheResidual) {
  residual(state_);
  MatrixXd K = MatrixXd::Zero(n(), n()), D = K, K_differences = K, D_differences = K;
  contact_->add_tangent(system_.kinematics(), 0.0, {0.0, 1.0, 1.0}, D, K);
  const double h = 1e-5;
  system::State trial = state_.clone();
  for (int j = 0; j < n(); ++j) {
    const VectorXd step = h * VectorXd::Unit(18, first() + j);
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
  EXPECT_GT(K.norm(), 1.0);
  EXPECT_LT((K - K_differences).norm(), 1e-7 * K.norm());
  EXPECT_GT(D.norm(), 1.0);
  EXPECT_LT((D - D_differences).norm(), 1e-7 * D.norm());
}

TEST_P(ContactOn, PowerIsThatOfTheGeneralisedForceAndOfItsEnergy) {
  const VectorXd r = residual(state_), v = state_.v.segment(first(), n());
  const forces::Force& force = *contact_;
  const double power = force.power(system_.kinematics(), 0.0), h = 1e-6;
  system::State after = state_.clone();
  double energies[2];
  for (int i = 0; i < 2; ++i) {
    system_.advance(state_.q, (i == 0 ? -h : h) * state_.v, after.q);
    system_.update(after);
    energies[i] = force.energy(system_.kinematics(), 0.0);
  }
  const double rate = (energies[1] - energies[0]) / (2.0 * h);
  EXPECT_LT(power, -0.1);
  EXPECT_NEAR(power, -r.dot(v) + rate, 1e-6 * std::abs(r.dot(v)));
}

}  // namespace
}  // namespace solidyn::contact
