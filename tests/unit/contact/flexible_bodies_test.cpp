// Contact between flexible bodies whose frames move with second order: its tangent is the
// derivative of what it adds to the residual, its power that of its generalised force.
#include "flexible_carriers.h"
#include "solidyn/contact/contact_force.h"

namespace solidyn::contact {
namespace {

// Two flexible bodies, twice the first, or one of them and the ground, with balls or capsules that
// overlap.
class ContactOn : public testing::TestWithParam<std::pair<int, int>> {
 protected:
  ContactOn() : on_(2, 7) {
    const auto A = on_.add_frame(bodies::BodyIndex(GetParam().first)),
               B = on_.add_frame(bodies::BodyIndex(GetParam().second));
    NormalLaw law;
    law.stiffness = 30.0;
    law.dissipation = 0.05;
    law.slow_speed = 1.0;
    contact_ = std::make_unique<ContactForce>("contact", on_.system().link(A, B),
                                              make_geometry(Sphere{3.0}, Capsule{3.0, 1.0}), law,
                                              Friction{0.6, 0.4, 1.0, 0.5}, 1.0);
    on_.set_in_motion();
  }

  testing_support::FlexibleCarriers on_;
  std::unique_ptr<ContactForce> contact_;
};
INSTANTIATE_TEST_SUITE_P(Carriers, ContactOn,
                         testing::Values(std::pair(0, 1), std::pair(0, 0), std::pair(-1, 1),
                                         std::pair(0, -1)));

TEST_P(ContactOn, TangentIsTheDerivativeOfTheResidual) {
  const auto tangent = on_.expect_exact_tangent(*contact_, 1e-7);
  EXPECT_GT(tangent.K.norm(), 1.0);
  EXPECT_GT(tangent.D.norm(), 1.0);
}

TEST_P(ContactOn, PowerIsThatOfTheGeneralisedForceAndOfItsEnergy) {
  const double work = -on_.residual(*contact_).dot(on_.velocities(*contact_));
  const double power = on_.power(*contact_);
  EXPECT_LT(power, -0.1);
  EXPECT_NEAR(power, work + on_.energy_rate(*contact_), 1e-6 * std::abs(work));
}

}  // namespace
}  // namespace solidyn::contact
