// A law between two frames acts on their carriers as its wrench says, and its tangent is the
// derivative of what it adds to the residual, whatever carries the frames.
#include "solidyn/forces/pair_force.h"

#include "mechanisms.h"
#include "random_bodies.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/math/rotation.h"

namespace solidyn::forces {
namespace {

using bodies::FramePair;
using bodies::Matrix12;
using bodies::Vector12;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing_support::MassCloud;
using testing_support::random_rotation;
using testing_support::random_vector;

// A wrench linear in the frames' origins, axes' x and twists, so that every block of the tangent
// matters: w = K [p_A; x_A; p_B; x_B] + D twist.
class LinearLaw final : public PairForce {
 public:
  LinearLaw(const bodies::FrameLink& link, const MatrixXd& K, const MatrixXd& D)
      : PairForce("law", link), K_(K), D_(D) {}
  Vector12 wrench(const FramePair& f, double) const override {
    Vector12 x;
    x << f.A.p, f.A.R.col(0), f.B.p, f.B.R.col(0);
    return K_ * x + D_ * f.twist();
  }
  void add_derivatives(const FramePair& f, double, Matrix12& by_position,
                       Matrix12& by_twist) const override {
    Matrix12 dx = Matrix12::Identity();
    dx.block<3, 3>(3, 3) = -f.A.R * math::skew(Vector3d::UnitX());
    dx.block<3, 3>(9, 9) = -f.B.R * math::skew(Vector3d::UnitX());
    by_position += K_ * dx;
    by_twist += D_;
  }

 private:
  Matrix12 K_, D_;
};

// Two flexible bodies with frames of second order, or twice the first.
class PairForceOn : public testing::TestWithParam<std::pair<int, int>> {
 protected:
  PairForceOn() : cloud_(10, 3, 5), generator_(7) {
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
    const MatrixXd numbers =
        Eigen::Map<const MatrixXd>(random_vector(generator_, 288).data(), 12, 24);
    law_ = std::make_unique<LinearLaw>(system_.link(A, B), numbers.leftCols(12),
                                       numbers.rightCols(12));
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

  int n() const { return 9 * static_cast<int>(law_->bodies().size()); }
  int first() const { return system_.velocity_offset(law_->bodies().front()); }

  VectorXd residual(const system::State& s) {
    system_.update(s);
    VectorXd r = VectorXd::Zero(n());
    law_->add_residual(system_.kinematics(), 0.0, r);
    return r;
  }

  MassCloud cloud_;
  std::mt19937 generator_;
  system::System system_;
  system::State state_;
  std::unique_ptr<LinearLaw> law_;
};
INSTANTIATE_TEST_SUITE_P(Carriers, PairForceOn,
                         testing::Values(std::pair(0, 1), std::pair(0, 0), std::pair(-1, 1),
                                         std::pair(0, -1)));

TEST_P(PairForceOn, TangentIsTheDerivativeOfTheResidual) {
  residual(state_);
  MatrixXd K = MatrixXd::Zero(n(), n()), D = K, K_differences = K, D_differences = K;
  law_->add_tangent(system_.kinematics(), 0.0, {0.0, 1.0, 1.0}, D, K);
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
  EXPECT_LT((K - K_differences).norm(), 1e-8 * K.norm());
  EXPECT_GT(D.norm(), 1.0);
  EXPECT_LT((D - D_differences).norm(), 1e-8 * D.norm());
}

TEST_P(PairForceOn, PowerIsThatOfTheGeneralisedForce) {
  const VectorXd r = residual(state_);
  EXPECT_NEAR(static_cast<const Force&>(*law_).power(system_.kinematics(), 0.0),
              -r.dot(state_.v.segment(first(), n())), 1e-10 * r.norm());
}

// One and a half turns in steps of a quarter: an angle counts its turns as states are accepted.
TEST(TrackedAngle, CountsWholeTurns) {
  system::System system;
  MassCloud cloud(4, 0, 3);
  system::InitialMotion motion;
  const int body = system.add_body(
      std::make_unique<bodies::ModalBody>("disc", cloud.invariants(), MatrixXd(0, 0),
                                          MatrixXd(0, 0), MatrixXd(0, 0), VectorXd(0)),
      motion);
  bodies::Frame A, B;
  B.body = body;
  const int frame_A = system.add_frame(A), frame_B = system.add_frame(B);
  const int angle = system.add_angle(frame_A, frame_B);
  EXPECT_EQ(system.add_angle(frame_A, frame_B), angle);
  system.finalize();
  system::State state = system.make_state();
  for (int i = 1; i <= 6; ++i) {
    const VectorXd quarter = 0.5 * M_PI * VectorXd::Unit(6, 5);
    VectorXd q;
    system.advance(state.q, quarter, q);
    state.q = q;
    system.update(state);
    EXPECT_NEAR(system.kinematics().angles[angle], 0.5 * M_PI * i, 1e-12);
    system.accept(state);
  }
  EXPECT_NEAR(system.link(frame_A, frame_B, angle).pair(system.kinematics()).angle, 3.0 * M_PI,
              1e-12);
}

}  // namespace
}  // namespace solidyn::forces
