// A law between two frames acts on their carriers as its wrench says, and its tangent is the
// derivative of what it adds to the residual, whatever carries the frames.
#include "solidyn/forces/pair_force.h"

#include "flexible_carriers.h"
#include "mechanisms.h"
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

// Two flexible bodies, twice the first, or one and the ground.
class PairForceOn : public testing::TestWithParam<std::pair<int, int>> {
 protected:
  PairForceOn() : on_(2, 7) {
    const auto A = on_.add_frame(bodies::BodyIndex(GetParam().first)),
               B = on_.add_frame(bodies::BodyIndex(GetParam().second));
    const MatrixXd numbers =
        Eigen::Map<const MatrixXd>(random_vector(on_.generator(), 288).data(), 12, 24);
    law_ = std::make_unique<LinearLaw>(on_.system().link(A, B), numbers.leftCols(12),
                                       numbers.rightCols(12));
    on_.set_in_motion();
  }

  testing_support::FlexibleCarriers on_;
  std::unique_ptr<LinearLaw> law_;
};
INSTANTIATE_TEST_SUITE_P(Carriers, PairForceOn,
                         testing::Values(std::pair(0, 1), std::pair(0, 0), std::pair(-1, 1),
                                         std::pair(0, -1)));

TEST_P(PairForceOn, TangentIsTheDerivativeOfTheResidual) {
  const auto tangent = on_.expect_exact_tangent(*law_, 1e-8);
  EXPECT_GT(tangent.K.norm(), 1.0);
  EXPECT_GT(tangent.D.norm(), 1.0);
}

TEST_P(PairForceOn, PowerIsThatOfTheGeneralisedForce) {
  const VectorXd r = on_.residual(*law_);
  EXPECT_NEAR(on_.power(*law_), -r.dot(on_.velocities(*law_)), 1e-10 * r.norm());
}

// One and a half turns in steps of a quarter: an angle counts its turns as states are accepted.
TEST(TrackedAngle, CountsWholeTurns) {
  system::System system;
  MassCloud cloud(4, 0, 3);
  system::InitialMotion motion;
  const auto body = system.add_body(
      std::make_unique<bodies::ModalBody>("disc", cloud.invariants(), MatrixXd(0, 0),
                                          MatrixXd(0, 0), MatrixXd(0, 0), VectorXd(0)),
      motion);
  bodies::Frame A, B;
  B.body = body;
  const auto frame_A = system.add_frame(A), frame_B = system.add_frame(B);
  const auto angle = system.tracked_link(frame_A, frame_B).angle();
  EXPECT_EQ(system.tracked_link(frame_A, frame_B).angle(), angle);
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
  EXPECT_NEAR(system.link(frame_A, frame_B).with_angle(angle).pair(system.kinematics()).angle,
              3.0 * M_PI, 1e-12);
}

}  // namespace
}  // namespace solidyn::forces
