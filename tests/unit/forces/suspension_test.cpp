// What vehicles stand on: dampers in series with springs, bump stops, anti-roll bars.
#include "flexible_carriers.h"
#include "solidyn/bodies/internal_coordinate.h"
#include "solidyn/forces/anti_roll_bar.h"
#include "solidyn/forces/bump_stop.h"
#include "solidyn/forces/coordinate_force.h"
#include "solidyn/forces/series_spring_damper.h"

namespace solidyn::forces {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Interpolation = math::TimeFunction::Interpolation;

// Two flexible bodies, twice the first, and one and the ground.
class SeriesSpringDamperOn : public testing::TestWithParam<std::pair<int, int>> {
 protected:
  SeriesSpringDamperOn() : on_(2, 17) {
    const auto A = on_.add_frame(bodies::BodyIndex(GetParam().first)),
               B = on_.add_frame(bodies::BodyIndex(GetParam().second));
    SeriesSpringDamper::Options options{3.0, 0.7, 0.4, {}};
    options.by_rate = math::Curve({-5.0, 0.0, 5.0}, {-1.0, 0.0, 2.0}, Interpolation::linear);
    inertia_ = SeriesSpringDamper::inertia(options);
    own_ =
        on_.system().add_body(std::make_unique<bodies::InternalCoordinate>("damper", inertia_), {});
    force_ = std::make_unique<SeriesSpringDamper>("damper", on_.system().link(A, B),
                                                  bodies::Distance(), own_, options);
    on_.set_in_motion();
    on_.state().a = testing_support::random_vector(on_.generator(), on_.state().v.size());
  }
  double& own(VectorXd& velocities) const {
    return velocities[on_.system().layout().velocity_offset(own_)];
  }

  mutable testing_support::FlexibleCarriers on_;
  double inertia_ = 0.0;
  bodies::BodyIndex own_;
  std::unique_ptr<SeriesSpringDamper> force_;
};
INSTANTIATE_TEST_SUITE_P(Carriers, SeriesSpringDamperOn,
                         testing::Values(std::pair(0, 1), std::pair(0, 0), std::pair(-1, 1),
                                         std::pair(0, -1)));

TEST_P(SeriesSpringDamperOn, TangentIsTheDerivativeOfTheResidual) {
  const auto tangent = on_.expect_exact_tangent(*force_, 1e-8);
  EXPECT_GT(tangent.K.norm(), 1.0);
}

// Of the second rate the equation has what its coordinate has of inertia, and no more.
TEST_P(SeriesSpringDamperOn, CoordinateHasTheInertia) {
  EXPECT_NEAR(inertia_, 0.7 * 0.7 / 3.0, 1e-15);
  bodies::Body& body = on_.system().body(own_);
  const VectorXd before = on_.residual(*force_);
  own(on_.state().a) += 2.0;
  EXPECT_EQ(on_.residual(*force_), before);
  VectorXd r = VectorXd::Zero(1);
  body.add_residual(on_.system().kinematics().bodies[own_], Vector3d::Zero(), r);
  EXPECT_NEAR(r[0], inertia_ * own(on_.state().a), 1e-14);
  MatrixXd M = MatrixXd::Zero(1, 1), none = M;
  body.add_tangent(on_.system().kinematics().bodies[own_], Vector3d::Zero(), {1.0, 1.0, 1.0}, M,
                   none);
  EXPECT_EQ(M(0, 0), inertia_);
  EXPECT_EQ(none(0, 0), 0.0);
}

// What it does to the bodies, and what its spring stores: the damper has the rest.
TEST_P(SeriesSpringDamperOn, PowerIsThatOfTheDamper) {
  VectorXd velocities = on_.velocities(*force_), r = on_.residual(*force_);
  const Eigen::Index n = r.size() - 1;
  const double work = -r.head(n).dot(velocities.head(n));
  EXPECT_NEAR(on_.power(*force_), work + on_.energy_rate(*force_), 1e-8 * (1.0 + std::abs(work)));
}

// The law that linear analyses hold is what its equation is where the law is met and stays so.
TEST_P(SeriesSpringDamperOn, EquationIsTheLawAndItsDerivative) {
  on_.system().update(on_.state());
  double values[6];
  force_->read(on_.system().kinematics(), 0.0, values);
  const DamperLaw damper(0.7,
                         math::Curve({-5.0, 0.0, 5.0}, {-1.0, 0.0, 2.0}, Interpolation::linear));
  const double rate = damper.rate(values[3]), resistance = damper.resistance(rate);
  ASSERT_GT(std::abs(rate), 0.1);
  own(on_.state().v) = rate;
  on_.system().update(on_.state());
  const auto law = force_->rate_law(on_.system().kinematics());
  const auto tangent = on_.tangent(*force_);
  const Eigen::Index n = tangent.K.rows() - 1;
  const double least = 0.7;  // beyond the table's ends
  const double T = least / 3.0, scale = least / resistance;
  EXPECT_EQ(law.by_rate.head(n).norm(), 0.0);
  EXPECT_NEAR(inertia_, scale * T * law.by_rate[n], 1e-12);
  EXPECT_LT((tangent.D.row(n) - scale * (law.by_rate + T * law.by_position)).norm(), 1e-12);
}

// The law and its derivative are met, with no acceleration of its own.
TEST_P(SeriesSpringDamperOn, SteadyValueMeetsItsEquation) {
  const Eigen::Index n = on_.residual(*force_).size() - 1;
  own(on_.state().a) = 0.0;
  EXPECT_GT(std::abs(on_.residual(*force_)[n]), 1e-3);
  const auto [coordinate, rate] = force_->steady_value(on_.system().kinematics());
  on_.state().q[on_.system().layout().elastic_offset(own_)] = coordinate;
  own(on_.state().v) = rate;
  EXPECT_LT(std::abs(on_.residual(*force_)[n]), 1e-13);
}

// Of friction that sticks, and of a valve that opens; the table's ends are far beyond and not.
TEST(DamperLaw, RateIsTheInverseOfForce) {
  for (const double c : {1e-3, 1.0, 2e3})
    for (const double width : {1e-3, 0.5}) {
      const DamperLaw law(
          c, math::Curve({-width, 0.0, width}, {-4e3, 0.0, 5e3}, Interpolation::linear));
      EXPECT_EQ(law.least_resistance(), c);
      for (double force = 1e-3; force < 1e5; force *= 3.7)
        for (const double f : {force, -force})
          EXPECT_NEAR(law.force(law.rate(f)), f, 1e-12 * (std::abs(f) + 4e3)) << c << " " << width;
    }
  EXPECT_EQ(DamperLaw(2.0, {}).rate(3.0), 1.5);
}

// The compliance has no jump at the table's corners, its derivative is that, and away from them it
// is exact.
TEST(DamperLaw, ComplianceIsContinuous) {
  const DamperLaw law(2.0,
                      math::Curve({-0.1, 0.0, 0.2}, {-40.0, 0.0, 20.0}, Interpolation::linear));
  EXPECT_NEAR(law.compliance(10.0).value, 1.0 / 102.0, 1e-14);
  EXPECT_NEAR(law.compliance(-20.0).value, 1.0 / 402.0, 1e-14);
  double last = law.compliance(-60.0).value;
  for (double f = -60.0; f < 60.0; f += 1e-2) {
    const auto here = law.compliance(f);
    EXPECT_LT(std::abs(here.value - last), 0.05);  // of 0.5
    last = here.value;
    constexpr double h = 1e-4;
    const double after = law.compliance(f + h).value, before = law.compliance(f - h).value,
                 slopes[] = {(after - here.value) / h, (here.value - before) / h};
    if (std::abs(slopes[0] - slopes[1]) < 1e-6)
      EXPECT_NEAR(here.by_force, slopes[0], 1e-6 * (1.0 + std::abs(slopes[0]))) << f;
  }
}

TEST(AntiRollBar, TangentIsTheDerivativeOfTheResidual) {
  testing_support::FlexibleCarriers on(2, 23);
  const auto A = on.add_frame(bodies::BodyIndex(0)), B = on.add_frame(bodies::BodyIndex(1));
  const LinkDifference::Link left{{0.3, 1.0, -0.2}, {0.1, 0.8, 0.5}},
      right{{0.2, -1.1, 0.1}, {-0.3, -0.9, 0.6}};
  SpringDamper::Options law;
  law.stiffness = 3.0;
  law.damping = 0.7;
  law.free = 0.2;
  const CoordinateForce bar("bar", on.system().link(A, B),
                            bodies::UserCoordinate(std::make_shared<LinkDifference>(left, right)),
                            std::make_unique<SpringDamper>(law));
  on.set_in_motion();
  EXPECT_GT(on.expect_exact_tangent(bar, 1e-8).K.norm(), 1.0);
  const VectorXd r = on.residual(bar);
  const double work = -r.dot(on.velocities(bar));
  EXPECT_NEAR(on.power(bar), work + on.energy_rate(bar), 1e-7 * (1.0 + std::abs(work)));
}

BumpStop::Options manchester() {
  BumpStop::Options o;
  o.force = math::Curve({0.025, 0.030, 0.035, 0.060, 0.065},
                        {0.0, 600.0, 1760.0, 29200.0, 230000.0}, Interpolation::linear);
  o.damping = 0.5;
  return o;
}

TEST(BumpStop, PushesBackOnBothSidesByItsCharacteristic) {
  const BumpStop stop(manchester());
  EXPECT_EQ(stop.effort(0.02, 0.0, 0.0).value, 0.0);
  EXPECT_NEAR(stop.effort(0.0325, 0.0, 0.0).value, 1180.0, 1e-9);
  EXPECT_NEAR(stop.effort(-0.0325, 0.0, 0.0).value, -1180.0, 1e-9);
  // 200800 N in the last 5 mm, and on
  EXPECT_NEAR(stop.effort(0.070, 0.0, 0.0).value, 230000.0 + 200800.0, 1e-3);
  BumpStop::Options one = manchester();
  one.is_negative = false;
  EXPECT_EQ(BumpStop(one).effort(-0.05, 0.0, 0.0).value, 0.0);
  EXPECT_EQ(BumpStop(one).energy(-0.05), 0.0);
  EXPECT_GT(BumpStop(one).effort(0.05, 0.0, 0.0).value, 0.0);
}

TEST(BumpStop, DerivativesAreThoseOfTheEffortAndOfTheEnergy) {
  const BumpStop stop(manchester());
  constexpr double h = 1e-7;
  for (const double x : {-0.08, -0.061, -0.033, 0.01, 0.027, 0.05, 0.09})
    for (const double rate : {-0.3, 0.2}) {
      const Effort e = stop.effort(x, rate, 0.0);
      const double by_x =
          (stop.effort(x + h, rate, 0.0).value - stop.effort(x - h, rate, 0.0).value) / (2.0 * h);
      const double by_rate =
          (stop.effort(x, rate + h, 0.0).value - stop.effort(x, rate - h, 0.0).value) / (2.0 * h);
      const double stored = (stop.energy(x + h) - stop.energy(x - h)) / (2.0 * h);
      EXPECT_NEAR(e.by_x, by_x, 1e-6 * (1.0 + std::abs(by_x))) << x;
      EXPECT_NEAR(e.by_rate, by_rate, 1e-6 * (1.0 + std::abs(by_rate))) << x;
      EXPECT_NEAR(e.stored, stored, 1e-5 * (1.0 + std::abs(stored))) << x;
    }
}

TEST(BumpStop, NeverPulls) {
  const BumpStop stop(manchester());
  for (const double rate : {-1.0, -2.5, -100.0}) {
    EXPECT_GE(stop.effort(0.05, rate, 0.0).value, 0.0);
    EXPECT_LE(stop.effort(-0.05, -rate, 0.0).value, 0.0);
  }
  EXPECT_EQ(stop.effort(0.05, -2.5, 0.0).value, 0.0);
}

}  // namespace
}  // namespace solidyn::forces
