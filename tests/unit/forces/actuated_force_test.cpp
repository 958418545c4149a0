// An actuator along a coordinate of two bodies whose force is a table over what a third one does.
#include "solidyn/forces/actuated_force.h"

#include "flexible_carriers.h"

namespace solidyn::forces {
namespace {

using Interpolation = math::TimeFunction::Interpolation;
using Of = CoordinateMeasure::Of;

class ActuatedForceOn : public testing::TestWithParam<Of> {
 protected:
  ActuatedForceOn() : on_(3, 29) {
    const auto A = on_.add_frame(bodies::BodyIndex(0)), B = on_.add_frame(bodies::BodyIndex(1)),
               C = on_.add_frame(bodies::BodyIndex(2));
    const auto tracked = [&](bodies::FrameIndex first, bodies::FrameIndex second) {
      return on_.system().tracked_link(first, second);
    };
    SpringDamper::Options spring;
    spring.stiffness = 3.0;
    spring.damping = 0.7;
    const math::Curve curve({-8.0, -2.0, 0.0, 1.0, 3.0, 8.0}, {4.0, -1.0, 2.0, 0.5, -3.0, 6.0},
                            Interpolation::cubic);
    auto measure =
        std::make_unique<CoordinateMeasure>(tracked(A, C), bodies::RotationAngle(), GetParam());
    force_ = std::make_unique<ActuatedForce>(
        "gas", tracked(A, B), bodies::RotationAngle(), std::make_unique<SpringDamper>(spring),
        ActuatedForce::Actuator{curve, std::move(measure)},
        SystemLayout{{bodies::BodyIndex(0), bodies::BodyIndex(1), bodies::BodyIndex(2)},
                     {9, 9, 9}});
    on_.set_in_motion();
  }

  testing_support::FlexibleCarriers on_;
  std::unique_ptr<ActuatedForce> force_;
};
INSTANTIATE_TEST_SUITE_P(OverAngleAndRate, ActuatedForceOn, testing::Values(Of::value, Of::rate));

TEST_P(ActuatedForceOn, TangentIsTheDerivativeOfTheResidual) {
  ASSERT_EQ(force_->bodies(),
            (std::vector<bodies::BodyIndex>{bodies::BodyIndex(0), bodies::BodyIndex(1),
                                            bodies::BodyIndex(2)}));
  const auto tangent = on_.expect_exact_tangent(*force_, 1e-7);
  EXPECT_GT(tangent.K.rightCols(9).norm(), 0.1);
}

// What the spring stores is not of the actuator, whose work is external.
TEST_P(ActuatedForceOn, PowerIsWorkPlusRateOfEnergy) {
  const Eigen::VectorXd r = on_.residual(*force_);
  const double work = -r.dot(on_.velocities(*force_));
  EXPECT_NEAR(on_.power(*force_), work + on_.energy_rate(*force_), 1e-6 * (1.0 + std::abs(work)));
}

}  // namespace
}  // namespace solidyn::forces
