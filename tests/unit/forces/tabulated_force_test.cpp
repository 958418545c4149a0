// A force by a table over what a third body does: tangent, work, and what is beyond the table.
#include "solidyn/forces/tabulated_force.h"

#include <gmock/gmock.h>

#include "flexible_carriers.h"
#include "solidyn/base/error.h"

namespace solidyn::forces {
namespace {

using TabulatedAxes = TabulatedForce::Axes;
using Beyond = TabulatedForce::Beyond;
using Interpolation = math::TimeFunction::Interpolation;
using Of = CoordinateMeasure::Of;
using testing::HasSubstr;

struct TabulatedCase {
  const char* name;
  std::optional<Vector6> direction;
  TabulatedAxes axes = TabulatedAxes::world;
  Of of = Of::value;
};

Vector6 six(double x, double y, double z, double tx, double ty, double tz) {
  Vector6 v;
  v << x, y, z, tx, ty, tz;
  return v;
}

class TabulatedForceOn : public testing::TestWithParam<TabulatedCase> {
 protected:
  TabulatedForceOn() : on_(3, 29) {
    const auto A = on_.add_frame(bodies::BodyIndex(0)), B = on_.add_frame(bodies::BodyIndex(1)),
               C = on_.add_frame(bodies::BodyIndex(2));
    const math::Curve curve({-20.0, -2.0, 0.0, 1.0, 3.0, 20.0}, {4.0, -1.0, 2.0, 0.5, -3.0, 6.0},
                            Interpolation::cubic);
    TabulatedForce::Options options{curve,
                                    std::make_unique<CoordinateMeasure>(
                                        on_.system().link(A, C), bodies::Distance(), GetParam().of),
                                    "d",
                                    Beyond::refuse,
                                    GetParam().direction,
                                    GetParam().axes};
    force_ = std::make_unique<TabulatedForce>(
        "push", on_.system().link(A, B), std::move(options),
        SystemLayout{{bodies::BodyIndex(0), bodies::BodyIndex(1), bodies::BodyIndex(2)},
                     {9, 9, 9}});
    on_.set_in_motion();
  }
  testing_support::FlexibleCarriers on_;
  std::unique_ptr<TabulatedForce> force_;
};
INSTANTIATE_TEST_SUITE_P(
    Directions, TabulatedForceOn,
    testing::Values(
        TabulatedCase{"line", {}}, TabulatedCase{"line_by_rate", {}, {}, Of::rate},
        TabulatedCase{"force_in_world", six(0.6, 0.0, 0.8, 0, 0, 0)},
        TabulatedCase{"force_with_first", six(0.6, 0.0, 0.8, 0, 0, 0), TabulatedAxes::first},
        TabulatedCase{"force_with_second", six(0.6, 0.8, 0.0, 0, 0, 0), TabulatedAxes::second},
        TabulatedCase{"torque_in_world", six(0, 0, 0, 0.6, 0.0, 0.8)},
        TabulatedCase{"torque_with_first", six(0, 0, 0, 0.0, 0.6, 0.8), TabulatedAxes::first,
                      Of::rate},
        TabulatedCase{"torque_with_second", six(0, 0, 0, 0.6, 0.0, 0.8), TabulatedAxes::second}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_P(TabulatedForceOn, TangentIsTheDerivativeOfTheResidual) {
  ASSERT_EQ(force_->bodies(),
            (std::vector<bodies::BodyIndex>{bodies::BodyIndex(0), bodies::BodyIndex(1),
                                            bodies::BodyIndex(2)}));
  const auto tangent = on_.expect_exact_tangent(*force_, 1e-7);
  EXPECT_GT(tangent.K.rightCols(9).norm(), 0.01);
}

TEST_P(TabulatedForceOn, PowerIsTheWorkOfTheForce) {
  const Eigen::VectorXd r = on_.residual(*force_);
  EXPECT_NEAR(on_.power(*force_), -r.dot(on_.velocities(*force_)), 1e-12 * r.norm());
}

TEST_P(TabulatedForceOn, BalancesMomentum) {
  on_.system().update(on_.state());
  const auto exerted = force_->pair_wrench(on_.system().kinematics(), 0.0);
  const auto& w = exerted->wrench;
  const bodies::FramePair f = exerted->link.pair(on_.system().kinematics());
  EXPECT_LT((w.head<3>() + w.segment<3>(6)).norm(), 1e-14 * (1.0 + w.norm()));
  const Eigen::Vector3d moment =
      f.A.R * w.segment<3>(3) + f.B.R * w.tail<3>() + (f.B.p - f.A.p).cross(w.segment<3>(6));
  EXPECT_LT(moment.norm(), 1e-13 * (1.0 + w.norm()));
}

const bodies::FrameIndex kPlace(1);

// A place at x on a body of its own, the force over x along x.
class AtPlace {
 public:
  AtPlace(Beyond beyond, Interpolation interpolation, bool is_periodic = false) {
    math::TimeFunction::Ends ends;
    if (is_periodic) ends.kind = math::TimeFunction::Ends::Kind::periodic;
    const math::Curve curve({1.0, 2.0, 4.0}, {1.0, 3.0, is_periodic ? 1.0 : 4.0}, interpolation,
                            ends);
    TabulatedForce::Options options{
        curve,
        frame_measure(bodies::FrameQuantity::position, kPlace, bodies::kWorld, 0),
        "place.x",
        beyond,
        six(1, 0, 0, 0, 0, 0),
        TabulatedAxes::world};
    force_ = std::make_unique<TabulatedForce>(
        "push", bodies::FrameLink({bodies::FrameIndex(0)}, {kPlace, bodies::BodyIndex(0), 6}),
        std::move(options), SystemLayout{{bodies::kGround, bodies::BodyIndex(0)}, {6}});
    k_.frames.resize(2);
  }
  double size_at(double x) {
    k_.frames[kPlace].p.x() = x;
    return force_->pair_wrench(k_, 0.0)->wrench[6];
  }
  std::string refusal_at(double x) {
    size_at(x);
    Eigen::VectorXd none;
    try {
      force_->remember(k_, 0.25, none);
    } catch (const base::ComputationError& error) {
      return error.what();
    }
    return "";
  }

 private:
  std::unique_ptr<TabulatedForce> force_;
  bodies::Kinematics k_;
};

TEST(TabulatedForce, BeyondTheTableItHoldsOrGoesOnWhateverTheInterpolation) {
  for (const Interpolation between : {Interpolation::linear, Interpolation::cubic}) {
    AtPlace hold(Beyond::hold, between), linear(Beyond::linear, between);
    EXPECT_EQ(hold.size_at(0.0), 1.0);
    EXPECT_EQ(hold.size_at(9.0), 4.0);
    EXPECT_EQ(hold.refusal_at(9.0), "");
    const double h = 1e-6, slope = (linear.size_at(4.0) - linear.size_at(4.0 - h)) / h;
    EXPECT_NEAR(linear.size_at(9.0), 4.0 + 5.0 * slope, 1e-4);
  }
  EXPECT_NEAR(AtPlace(Beyond::linear, Interpolation::linear).size_at(0.0), -1.0, 1e-15);
}

TEST(TabulatedForce, BeyondTheTableItIsRefusedWithTimeNameAndRange) {
  AtPlace refuse(Beyond::refuse, Interpolation::linear);
  for (double inside : {1.0, 2.5, 4.0}) EXPECT_EQ(refuse.refusal_at(inside), "") << inside;
  EXPECT_THAT(refuse.refusal_at(4.5),
              testing::AllOf(HasSubstr("t = 0.25 s"), HasSubstr("`place.x` is 4.5"),
                             HasSubstr("force push goes from 1 to 4"), HasSubstr("beyond: hold")));
  EXPECT_NE(refuse.refusal_at(0.9), "");
  AtPlace periodic(Beyond::refuse, Interpolation::cubic, true);
  EXPECT_EQ(periodic.refusal_at(7.5), "");
  EXPECT_NEAR(periodic.size_at(8.0), 3.0, 1e-14);
}

}  // namespace
}  // namespace solidyn::forces
