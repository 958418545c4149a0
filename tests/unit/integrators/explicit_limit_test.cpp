// How long explicit steps may be: rates of oscillators and chains in closed form, and that steps
// beyond the limit grow, those below it do not.
#include "integrators/explicit_limit.h"

#include "integrators/implicit_stage.h"
#include "small_systems.h"
#include "solidyn/integrators/half_explicit.h"

namespace solidyn::integrators {
namespace {

using system::State;
using test_systems::Oscillator;

struct Rates {
  double vibration, damping, longest;
};

Rates rates_of(system::System& system) {
  const State state = testing_support::start(system);
  ImplicitStage stage(system, {});
  stage.begin_anew(state);
  stage.allocate(state);
  stage.prepare({1.0, 0.0, 1.0, 1.0, 0.0}, state);
  ExplicitLimit limit(system);
  limit.estimate(state, stage.solve(), stage.length());
  return {limit.vibration(), limit.damping(), limit.longest()};
}

TEST(ExplicitLimit, KnowsAnOscillator) {
  const auto system = Oscillator{2.0, 5e5, 30.0, 0.1, 1.0}.make();
  const Rates rates = rates_of(*system);
  EXPECT_NEAR(rates.vibration, 500.0, 1.0);
  EXPECT_NEAR(rates.damping, 15.0, 0.05);
  EXPECT_NEAR(500.0 * 500.0 * rates.longest * rates.longest + 15.0 * rates.longest, 3.9, 0.05);
}

// Held by a joint nothing vibrates but the pendulum itself: sqrt(g/L) where it hangs or swings.
TEST(ExplicitLimit, LeavesOutWhatJointsHold) {
  const auto system = testing_support::make_simple_pendulum();
  EXPECT_LT(rates_of(*system).vibration, 10.0);
}

// Without springs nothing limits the step.
TEST(ExplicitLimit, AllowsAnyStepOfAFreeBody) {
  const auto system = test_systems::make_free_body({1, 0, 0}, {0, 0, 0});
  EXPECT_GT(rates_of(*system).longest, 1e3);
}

TEST(HalfExplicitStep, IsRefusedWhereItIsNotStable) {
  const auto system = Oscillator{1.0, 1e4, 0.0, 0.1, 0.0}.make();
  State state = testing_support::start(*system);
  HalfExplicit integrator(*system, {});
  integrator.initialize(state);
  const State before = state.clone();
  try {
    integrator.step(state, 0.0201);
    FAIL();
  } catch (const base::ComputationError& error) {
    EXPECT_NE(std::string(error.what()).find("is not stable"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("bathe"), std::string::npos);
  }
  test_systems::expect_same(state, before);
  for (int i = 0; i < 2000; ++i) {
    integrator.step(state, 0.0190);
    system->accept(state);
    ASSERT_LT(std::abs(state.q[0]), 0.4);  // 1/sqrt(1 - (h omega/2)^2) times 0.1
  }
}

TEST(HalfExplicitStep, IsTakenBackWithoutATrace) {
  const auto system = testing_support::make_simple_pendulum();
  State state = testing_support::start(*system);
  HalfExplicit integrator(*system, {});
  integrator.initialize(state);
  for (int i = 0; i < 3; ++i) integrator.step(state, 1e-3);
  const State before = state.clone();
  integrator.step(state, 2e-3);
  integrator.reject(state);
  test_systems::expect_same(state, before);
  EXPECT_EQ(integrator.statistics().steps, 3);
}

}  // namespace
}  // namespace solidyn::integrators
