// Steps that are taken back, that fail, and that go on from what a checkpoint holds.
#include <gmock/gmock.h>

#include "small_systems.h"
#include "solidyn/base/log.h"
#include "solidyn/system/scales.h"

namespace solidyn::integrators {
namespace {

using base::ComputationError;
using system::State;
using system::System;
using test_systems::expect_same;
using test_systems::Oscillator;
using testing::HasSubstr;

GeneralizedAlphaOptions tight() {
  GeneralizedAlphaOptions options;
  options.tolerance = 1e-13;
  return options;
}

// A system in motion with its integrator.
struct Moving {
  explicit Moving(std::unique_ptr<System> made, GeneralizedAlphaOptions options = tight())
      : system(std::move(made)),
        state(testing_support::start(*system)),
        integrator(*system, options) {
    integrator.initialize(state);
  }
  void step(double h) {
    integrator.step(state, h);
    system->accept(state);
  }
  void go(int n, double h) {
    for (int i = 0; i < n; ++i) step(h);
  }
  std::unique_ptr<System> system;
  State state;
  GeneralizedAlpha integrator;
};

using Make = std::unique_ptr<System> (*)();

std::unique_ptr<System> oscillator() { return Oscillator{1.0, 300.0, 2.0, 0.1, 1.0}.make(); }
// Far stiffer than its steps: the first of them begins with other velocities.
std::unique_ptr<System> stiff_oscillator() {
  return Oscillator{1.0, 1e10, 1e4, 0.1, 1.0, "1e5"}.make();
}
std::unique_ptr<System> pendulum() { return testing_support::make_simple_pendulum(); }
std::unique_ptr<System> driven_disc() { return testing_support::make_driven_disc({"20*t + t^2"}); }

class TakenBack : public testing::TestWithParam<Make> {};
INSTANTIATE_TEST_SUITE_P(Of, TakenBack,
                         testing::Values(oscillator, stiff_oscillator, pendulum, driven_disc));

// A first step is a beginning, with a filter and offsets of its own; a later one adapts the memory
// to a new step. Of both nothing stays.
TEST_P(TakenBack, StepsLeaveStateAndMemoryAsTheyWere) {
  for (const int n_before : {0, 3}) {
    Moving moving(GetParam()());
    moving.go(n_before, 1e-3);
    const State before = moving.state.clone();
    const Eigen::VectorXd memory = moving.integrator.memory().acceleration;
    const double step = moving.integrator.memory().step;
    moving.integrator.step(moving.state, 4e-3);
    ASSERT_NE(moving.state.q, before.q);
    moving.integrator.reject(moving.state);
    expect_same(moving.state, before);
    EXPECT_EQ(moving.integrator.memory().step, step);
    if (n_before > 0) {  // else the next step begins anew, from the state
      EXPECT_EQ(moving.integrator.memory().acceleration, memory);
    }
    EXPECT_EQ(moving.integrator.statistics().steps, n_before);
    EXPECT_EQ(moving.integrator.statistics().rejected_steps, 1);
  }
}

// ... so that the motion goes on as if it had not been tried.
TEST_P(TakenBack, StepsDoNotChangeTheMotion) {
  for (const int n_before : {0, 3}) {
    Moving tried(GetParam()()), plain(GetParam()());
    for (Moving* moving : {&tried, &plain}) moving->go(n_before, 1e-3);
    tried.integrator.step(tried.state, 4e-3);
    tried.integrator.reject(tried.state);
    for (Moving* moving : {&tried, &plain}) moving->go(5, 5e-4);
    const double size = plain.state.q.norm() + 1e-3 * plain.state.v.norm();
    EXPECT_LT((tried.state.q - plain.state.q).norm(), 1e-11 * size);
    EXPECT_LT(1e-3 * (tried.state.v - plain.state.v).norm(), 1e-10 * size);
  }
}

class FromACheckpoint : public testing::TestWithParam<Make> {};
INSTANTIATE_TEST_SUITE_P(Of, FromACheckpoint,
                         testing::Values(
                             oscillator, stiff_oscillator, pendulum, driven_disc,
                             [] { return testing_support::make_heavy_top(); },
                             [] {
                               return testing_support::make_driven_disc({"5*t", "5*t"});
                             }));

// Of constraints at this state; 0 where they are independent.
double regularization_of(System& system, const State& state) {
  Eigen::VectorXd r, phi;
  system.update(state);
  system.compute_residual(state, r, phi);
  const auto weights = system::increment_weights(system, system::characteristic_length(system));
  return system::find_redundancy(system, weights).rows.empty()
             ? 0.0
             : system::redundancy_regularization(system);
}

// State and memory are all that it needs, when the other forgets the rest.
TEST_P(FromACheckpoint, ANewIntegratorTakesTheSameStepsToTheLastBit) {
  GeneralizedAlphaOptions options = tight();
  const auto first = GetParam()();
  options.regularization = regularization_of(*first, testing_support::start(*first));
  Moving whole(GetParam()(), options);
  whole.go(7, 1e-3);
  whole.integrator.forget_history(whole.state);
  const State saved = whole.state.clone();
  const Eigen::VectorXd memory = whole.integrator.memory().acceleration;
  whole.go(5, 1e-3);

  const auto again = GetParam()();
  State s = saved.clone();
  options.regularization = regularization_of(*again, s);
  GeneralizedAlpha integrator(*again, options);
  integrator.initialize(s);
  integrator.memory().acceleration = memory;
  integrator.memory().step = 1e-3;
  for (int i = 0; i < 5; ++i) {
    integrator.step(s, 1e-3);
    again->accept(s);
  }
  expect_same(s, whole.state);
}

TEST(StepThatCannotBeTaken, LeavesTheStateAndSaysWhen) {
  const auto disc = testing_support::make_driven_disc({"0", "40*t^3"});  // contradict each other
  State s = testing_support::start(*disc);
  GeneralizedAlphaOptions options = tight();
  options.regularization = system::redundancy_regularization(*disc);
  GeneralizedAlpha integrator(*disc, options);
  integrator.initialize(s);
  const State before = s.clone();
  for (int i = 0; i < 2; ++i) {
    try {
      integrator.step(s, 0.1);
      FAIL() << "no error";
    } catch (const ComputationError& e) {
      EXPECT_THAT(e.what(), HasSubstr("t = 0.1 s"));
      EXPECT_THAT(e.what(), HasSubstr("contradict each other"));
    }
    expect_same(s, before);
    EXPECT_EQ(integrator.memory().step, 0.0);
  }
  EXPECT_EQ(integrator.statistics().steps, 0);
}

// Too long for Newton's method in too few iterations; in parts it goes on, and what was tried
// leaves no trace.
TEST(StepThatCannotBeTaken, DoesNotChangeTheMotionThatGoesOnWithShorterOnes) {
  GeneralizedAlphaOptions few = tight();
  few.max_iterations = 3;
  Moving tried(testing_support::make_heavy_top(), few),
      plain(testing_support::make_heavy_top(), few);
  for (Moving* moving : {&tried, &plain}) moving->go(4, 1e-5);
  const State before = tried.state.clone();
  EXPECT_THROW(tried.step(0.05), ComputationError);
  expect_same(tried.state, before);
  for (Moving* moving : {&tried, &plain}) moving->go(4, 1e-5);
  EXPECT_LT((tried.state.q - plain.state.q).norm(), 1e-12);
}

TEST(StepThatCannotBeTaken, IsOneWithoutALengthAndIsRefusedWithoutATrace) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double h : {0.0, -1e-3, kInfinity, std::numeric_limits<double>::quiet_NaN()}) {
    Moving refused(pendulum()), plain(pendulum());
    for (Moving* moving : {&refused, &plain}) moving->go(2, 1e-3);
    try {
      refused.integrator.step(refused.state, h);
      FAIL() << "a step of " << h;
    } catch (const base::InputError& e) {
      EXPECT_THAT(e.what(), HasSubstr("a step is finite and longer than 0 s"));
    }
    for (Moving* moving : {&refused, &plain}) moving->go(2, 1e-3);
    expect_same(refused.state, plain.state);
  }
}

// An angle that is tracked turns by less than half a turn per step, else its turns cannot be
// counted.
TEST(StepThatTurnsTooFar, IsRefusedAndTakenInParts) {
  auto system = std::make_unique<System>();
  system::InitialMotion motion;
  motion.w_WB_B = Eigen::Vector3d(0, 0, 100);
  const auto body = system->add_body(
      bodies::make_rigid_body("wheel", 1.0, Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity()),
      motion);
  const auto pin = system::add_frames(*system, system::kGround, body, Eigen::Vector3d::Zero());
  system::add_joint(*system, "pin", joints::JointType::revolute, pin);
  forces::SpringDamper::Options options;
  options.damping = 1e-9;
  system::add_spring(*system, "damper", bodies::RotationAngle(), options, pin);
  system->finalize();
  Moving moving(std::move(system));
  const State before = moving.state.clone();
  try {
    moving.step(0.05);
    FAIL() << "5 rad in a step";
  } catch (const ComputationError& e) {
    EXPECT_THAT(e.what(), HasSubstr("the step is too long"));
  }
  expect_same(moving.state, before);
  moving.go(10, 0.02);
  EXPECT_NEAR(moving.state.angles[0], 20.0, 1e-5);
}

// Fixed, redundant and none: what it costs nothing to warn of.
TEST(WeaklyStableChoice, IsWarnedOfWithConstraintsOnly) {
  const auto warnings = [](std::unique_ptr<System> system, double rho) {
    base::clear_logged_warnings();
    GeneralizedAlphaOptions options;
    options.rho_infinity = rho;
    GeneralizedAlpha integrator(*system, options);
    const std::size_t n = base::logged_warnings().size();
    base::clear_logged_warnings();
    return n;
  };
  EXPECT_EQ(warnings(pendulum(), 1.0), 1U);
  EXPECT_EQ(warnings(pendulum(), 0.98), 0U);
  EXPECT_EQ(warnings(oscillator(), 1.0), 0U);
}

}  // namespace
}  // namespace solidyn::integrators
