// The scheme on a spring and on a spinning disc in closed form, its order with a damper, how long
// its steps may be, what a failed step leaves and what a restart needs.
#include "solidyn/integrators/semi_implicit_euler.h"

#include <gmock/gmock.h>

#include <complex>

#include "small_systems.h"
#include "solidyn/base/log.h"
#include "solidyn/recursive/mechanism.h"

namespace solidyn::integrators {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using system::State;
using test_systems::expect_same;
using test_systems::Oscillator;
using testing::HasSubstr;

struct CheapMotion {
  explicit CheapMotion(std::unique_ptr<system::System> made)
      : system(std::move(made)), state(testing_support::start(*system)), integrator(*system) {
    integrator.initialize(state);
  }
  void go(int n, double h) {
    for (int i = 0; i < n; ++i) {
      integrator.step(state, h);
      system->accept(state);
    }
  }
  std::string failure(double h) {
    try {
      integrator.step(state, h);
    } catch (const base::ComputationError& error) {
      return error.what();
    }
    return {};
  }
  std::unique_ptr<system::System> system;
  State state;
  SemiImplicitEuler integrator;
};

// Leapfrog from x1 = x0 + h (v0 - h/2 w^2 x0) turns in an ellipse: with cos(b) = 1 - (h w)^2 / 2
// the positions are x0 cos(n b) + c sin(n b), for ever.
TEST(SemiImplicitEuler, SwingsInClosedForm) {
  const double h = 0.05, omega = 10.0, x0 = 0.1, v0 = 0.3;
  CheapMotion moving(Oscillator{2.0, 2.0 * omega * omega, 0.0, x0, v0}.make());
  const double x1 = x0 + h * (v0 - 0.5 * h * omega * omega * x0),
               b = std::acos(1.0 - 0.5 * h * h * omega * omega),
               c = (x1 - x0 * std::cos(b)) / std::sin(b);
  for (int n = 1; n <= 5000; ++n) {
    moving.go(1, h);
    if (n % 500 != 0) continue;
    EXPECT_NEAR(moving.state.q[0], x0 * std::cos(n * b) + c * std::sin(n * b), 1e-10) << n;
    EXPECT_NEAR(moving.state.t, n * h, 1e-9);
  }
  EXPECT_EQ(moving.integrator.statistics().steps, 5000);
}

// To x = exp(-c t / 2) (x0 cos(w t) + ...), a damper of three tenths of the critical one.
TEST(SemiImplicitEuler, ConvergesAtOrderTwoWithADamper) {
  const double omega = 10.0, c = 6.0, x0 = 0.1, v0 = 0.3, end = 0.5;
  const double w = std::sqrt(omega * omega - 0.25 * c * c), s = (v0 + 0.5 * c * x0) / w;
  const double decay = std::exp(-0.5 * c * end), cosine = std::cos(w * end),
               sine = std::sin(w * end);
  const double x = decay * (x0 * cosine + s * sine),
               v = decay * (w * (s * cosine - x0 * sine) - 0.5 * c * (x0 * cosine + s * sine));
  std::vector<double> of_x, of_v;
  for (const int n : {400, 800}) {
    CheapMotion moving(Oscillator{2.0, 2.0 * omega * omega, 2.0 * c, x0, v0}.make());
    moving.go(n, end / n);
    of_x.push_back(moving.state.q[0] - x);
    of_v.push_back(moving.state.v[0] - v);
  }
  EXPECT_NEAR(of_x[0] / of_x[1], 4.0, 0.2);
  EXPECT_NEAR(of_v[0] / of_v[1], 4.0, 0.2);
  EXPECT_LT(std::abs(of_x[0]), 1e-4);
}

// The accelerations of a step are those that the next one begins with.
TEST(SemiImplicitEuler, TakesOneEvaluationAStep) {
  CheapMotion moving(testing_support::make_simple_pendulum());
  moving.go(1, 1e-3);
  const auto before = moving.integrator.statistics().linear_solves;
  moving.go(100, 1e-3);
  EXPECT_EQ(moving.integrator.statistics().linear_solves - before, 100);
}

// A force that changes by itself looks as if it were stiff.
TEST(SemiImplicitEuler, LooksAtItsLimitForAFifthOfTheEvaluationsAtMost) {
  CheapMotion moving(Oscillator{1.0, 1.0, 0.5, 0.0, 0.0, "sin(500 * t) + sin(700 * t)"}.make());
  moving.go(3000, 1e-3);
  EXPECT_LT(moving.integrator.statistics().linear_solves, 1.2 * 3000);
}

// A row of free masses with springs between them: omega^2 = 4 k/m sin^2(pi (n - 1) / (2 n)), and
// many more that are nearly as fast.
TEST(SemiImplicitEuler, FindsTheFastestOfManyVibrations) {
  constexpr int n = 50;
  const auto make = [] {
    auto system = std::make_unique<system::System>();
    bodies::FrameIndex before{0};
    for (int i = 0; i < n; ++i) {
      system::InitialMotion motion;
      motion.p_WB = Vector3d(i, 0, 0);
      const auto body = system->add_body(
          bodies::make_rigid_body("mass", 1.0, Vector3d::Zero(), Matrix3d::Identity()), motion);
      const auto frame = system::add_frame(*system, body, motion.p_WB, Vector3d::UnitX());
      forces::SpringDamper::Options options;
      options.stiffness = 100.0;
      options.free = 1.0;
      if (i > 0)
        system::add_spring(*system, "spring", bodies::PointAlongFrameAxis(Vector3d::UnitZ()),
                           options, {before, frame});
      before = frame;
    }
    system->finalize();
    return system;
  };
  const double omega = 20.0 * std::sin(std::acos(0.0) * (n - 1) / n);
  CheapMotion stable(make()), refused(make());
  EXPECT_THAT(refused.failure(2.0 / omega), HasSubstr("the step is too long: "));
  EXPECT_EQ(stable.failure(0.98 * 2.0 / omega), "");
}

// With twice the inertia about its axis the ends of the axis turn about at the rate of the spin: of
// u' = i w u a step is a root of z^2 - (1 + 3/2 i h w) z + i h w / 2. That which Euler's formula
// would make grow by a factor of 1.9 in a turn (h w = 0.2) grows by 1.013.
TEST(SemiImplicitEuler, TellsOfWhatSpinsAndGrows) {
  constexpr double h = 1e-3;
  constexpr int n = 60;
  for (const double spin : {200.0, 600.0}) {
    SCOPED_TRACE(spin);
    auto system = std::make_unique<system::System>();
    system::InitialMotion motion;
    motion.w_WB_B = Vector3d(1e-6, 0, spin);
    system->add_body(
        bodies::make_rigid_body("disc", 1.0, Vector3d::Zero(), Vector3d(1, 1, 2).asDiagonal()),
        motion);
    system->finalize();
    base::clear_logged_warnings();
    CheapMotion moving(std::move(system));
    const auto wobble = [&] { return moving.state.v.segment<2>(3).norm(); };
    moving.go(20, h);  // the other root has died out
    const double before = wobble();
    moving.go(n, h);
    const std::complex<double> turn(0.0, h * spin), b = 0.5 * (1.0 + 1.5 * turn);
    const double by_step = std::abs(b + std::sqrt(b * b - 0.5 * turn));
    EXPECT_NEAR(wobble() / before, std::pow(by_step, n), 1e-3 * std::pow(by_step, n));
    EXPECT_EQ(base::logged_warnings().size(), spin > 500.0 ? 1U : 0U);
  }
}

// (h w)^2 + 2 h c < 4.
TEST(SemiImplicitEuler, RefusesStepsThatAreNotStable) {
  const double omega = 100.0;
  for (const double c : {0.0, 10.0, 120.0}) {
    SCOPED_TRACE(c);
    const double limit = (-c + std::sqrt(c * c + 4.0 * omega * omega)) / (omega * omega);
    const auto make = [&] {
      return Oscillator{2.0, 2.0 * omega * omega, 2.0 * c, 1e-3, 0.0}.make();
    };
    CheapMotion stable(make()), refused(make());
    stable.go(500, 0.98 * limit);
    EXPECT_LT(std::abs(stable.state.q[0]), 0.02);
    const State before = refused.state.clone();
    EXPECT_THAT(refused.failure(1.01 * limit), HasSubstr("the step is too long: "));
    expect_same(refused.state, before);
    EXPECT_EQ(refused.integrator.statistics().steps, 0);
    refused.go(3, 0.5 * limit);
    CheapMotion plain(make());
    plain.go(3, 0.5 * limit);
    expect_same(refused.state, plain.state);
  }
  CheapMotion damped(Oscillator{1.0, 0.0, 100.0, 0.0, 1.0}.make());
  EXPECT_THAT(damped.failure(0.0201), HasSubstr("strongest damper has the rate 100 1/s"));
  CheapMotion stiff(Oscillator{1.0, 1e4, 0.0, 0.1, 0.0}.make());
  EXPECT_THAT(stiff.failure(0.0201), HasSubstr("fastest vibration has the rate 100 1/s"));
}

// A motion that is continued with the memory of another is the same, and without it begins anew, as
// accurate.
TEST(SemiImplicitEuler, GoesOnWithItsMemory) {
  const auto make = [] { return Oscillator{1.0, 100.0, 3.0, 0.1, 0.0}.make(); };
  constexpr double h = 5e-3;
  CheapMotion through(make()), with(make()), without(make());
  through.go(40, h);
  for (CheapMotion* again : {&with, &without}) {
    again->state.copy_from(through.state);
    again->integrator.initialize(again->state);
  }
  EXPECT_TRUE(with.integrator.recall(through.integrator.memory()));
  EXPECT_FALSE(without.integrator.recall({}));
  for (CheapMotion* motion : {&through, &with, &without}) motion->go(40, h);
  EXPECT_LT((with.state.v - through.state.v).norm(), 1e-15);
  const double off = (without.state.v - through.state.v).norm();
  EXPECT_GT(off, 1e-8);
  EXPECT_LT(off, 1e-3);
  through.integrator.forget_history(through.state);
  through.go(10, h);
  with.go(10, h);
  EXPECT_LT((with.state.v - through.state.v).norm(), 1e-15);
}

// Whoever asks for them in between, the motion does not see it.
TEST(SemiImplicitEuler, HasAccelerationsAndMultipliersWhereTheyAreAskedFor) {
  CheapMotion asked(testing_support::make_heavy_top()), plain(testing_support::make_heavy_top());
  for (int i = 0; i < 20; ++i) {
    asked.go(1, 1e-4);
    asked.integrator.complete(asked.state);
    asked.integrator.complete(asked.state);
    plain.go(1, 1e-4);
  }
  EXPECT_EQ(asked.state.q, plain.state.q);
  EXPECT_EQ(asked.state.v, plain.state.v);
  State expected = asked.state.clone();
  recursive::Mechanism mechanism(*asked.system);
  VectorXd q, u;
  asked.system->update(asked.state);
  mechanism.tree().find_coordinates(asked.state, q, u);
  mechanism.compute_state(q, u, expected);
  EXPECT_LT((asked.state.a - expected.a).norm(), 1e-11 * expected.a.norm());
  EXPECT_LT((asked.state.lambda - expected.lambda).norm(), 1e-11 * expected.lambda.norm());
}

// A step that fails, and completing after it, leave what the last good one did.
TEST(SemiImplicitEuler, CompletesTheLastGoodStateAfterAFailure) {
  CheapMotion moving(Oscillator{1.0, 1e4, 0.0, 0.1, 0.0}.make());
  moving.go(5, 1e-3);
  moving.integrator.complete(moving.state);
  const State before = moving.state.clone();
  EXPECT_THAT(moving.failure(0.05), HasSubstr("is not stable"));
  moving.integrator.complete(moving.state);
  expect_same(moving.state, before);
}

TEST(SemiImplicitEuler, RefusesStepsWithoutLength) {
  CheapMotion moving(testing_support::make_simple_pendulum());
  EXPECT_THROW(moving.integrator.step(moving.state, 0.0), base::InputError);
}

}  // namespace
}  // namespace solidyn::integrators
