// BDF and Runge-Kutta of PETSc on motions with closed forms.
#include <gtest/gtest.h>

#include "small_systems.h"

namespace solidyn::integrators {
namespace {

using system::State;
using test_systems::Oscillator;
using Type = PetscTsOptions::Type;

// The largest error of the position over the run, and what it took.
struct TsOutcome {
  double error = 0.0, work_error = 0.0;
  std::int64_t steps = 0;
  int largest_order = 0;
};

// Oscillates with decay / w = 0.1, from x = 0.1 and v = 0.3.
TsOutcome run_oscillator(const PetscTsOptions& options) {
  const Oscillator o{2.0, 2.0 * 101.0, 2.0 * 2.0 * 1.0, 0.1, 0.3};  // w = 10, decay = 1
  const auto exact = [](double t) {
    return std::exp(-t) * (0.1 * std::cos(10.0 * t) + 0.04 * std::sin(10.0 * t));
  };
  const auto system = o.make();
  State s = testing_support::start(*system);
  PetscTs integrator(*system, options);
  integrator.initialize(s);
  const double before = testing_support::total_energy(*system, s);
  TsOutcome outcome;
  while (integrator.step(s, 1.0) > 0.0) {
    outcome.error = std::max(outcome.error, std::abs(s.q[0] - exact(s.t)));
    outcome.largest_order = std::max(outcome.largest_order, integrator.order());
    const double energy = testing_support::total_energy(*system, s);
    outcome.work_error =
        std::max(outcome.work_error, std::abs(energy - before - integrator.work().sum()));
  }
  outcome.steps = integrator.statistics().steps;
  return outcome;
}

class BdfOrder : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(UpTo, BdfOrder, testing::Range(1, 7));

// With error control of order k, a step is tolerance^(1/(k + 1)): the number of steps tells the
// order that the method has.
TEST_P(BdfOrder, TakesStepsByTheRootOfTheToleranceThatItHas) {
  PetscTsOptions options;
  options.max_order = GetParam();
  std::vector<TsOutcome> runs;
  for (const double tolerance : {1e-5, 1e-7}) {
    options.relative_tolerance = options.absolute_tolerance = tolerance;
    runs.push_back(run_oscillator(options));
    EXPECT_LE(runs.back().largest_order, GetParam());
    // Local errors of all steps add up; an error of the displacement is 100 N of the energy.
    const double sum = tolerance * static_cast<double>(runs.back().steps);
    EXPECT_LT(runs.back().error, 3.0 * sum);
    EXPECT_LT(runs.back().work_error, 300.0 * sum);
  }
  EXPECT_EQ(runs[1].largest_order, GetParam());
  const double ratio = static_cast<double>(runs[1].steps) / static_cast<double>(runs[0].steps);
  EXPECT_NEAR(std::log10(ratio), 2.0 / (GetParam() + 1), GetParam() == 1 ? 0.15 : 0.25);
}

// A damper of 1e6 1/s beside a load that goes slowly: steps follow the load.
TEST(StiffMotion, IsResolvedByBdfAsFarAsItIsSlow) {
  const Oscillator o{1.0, 1e6, 1e6, 0.0, 0.0, "1e6*sin(2*t)"};
  const auto system = o.make();
  State s = testing_support::start(*system);
  PetscTsOptions options;
  options.relative_tolerance = options.absolute_tolerance = 1e-7;
  PetscTs integrator(*system, options);
  integrator.initialize(s);
  while (integrator.step(s, 3.0) > 0.0) {
  }
  // d x' + k x = 1e6 sin 2t, but for the mass: x = (sin 2t - 2 cos 2t + 2 e^-t)/5
  const double exact = (std::sin(6.0) - 2.0 * std::cos(6.0) + 2.0 * std::exp(-3.0)) / 5.0;
  EXPECT_NEAR(s.q[0], exact, 1e-5);
  EXPECT_LT(integrator.statistics().steps, 400);
}

// An impulse between two runs: the method begins anew, at order two, and knows nothing of before.
TEST(BegunAnew, FollowsTheNewVelocity) {
  for (const Type type : {Type::bdf, Type::rk}) {
    const Oscillator o{1.0, 100.0, 0.0, 0.0, 1.0};
    const auto system = o.make();
    State s = testing_support::start(*system);
    PetscTsOptions options;
    options.type = type;
    options.relative_tolerance = options.absolute_tolerance = 1e-9;
    PetscTs integrator(*system, options);
    integrator.initialize(s);
    while (integrator.step(s, 0.37) > 0.0) {
    }
    const double x = s.q[0];
    s.v[0] = -2.0;
    integrator.initialize(s);
    EXPECT_EQ(integrator.order(), type == Type::bdf ? 2 : 0);
    while (integrator.step(s, 0.8) > 0.0) {
    }
    const double angle = 10.0 * (0.8 - 0.37);
    EXPECT_NEAR(s.q[0], x * std::cos(angle) - 0.2 * std::sin(angle), 3e-7);
    EXPECT_NEAR(integrator.work().sum(), 0.0, 1e-9);
  }
}

// Runge-Kutta of order p: halving the tolerance by 2^p halves the steps' sizes.
TEST(RungeKutta, OfEveryNameHasItsOrder) {
  const std::pair<const char*, int> methods[] = {{"3bs", 3}, {"5dp", 5}, {"8vr", 8}};
  for (const auto& [name, order] : methods) {
    PetscTsOptions options;
    options.type = Type::rk;
    options.rk_type = name;
    std::vector<TsOutcome> runs;
    for (const double tolerance : {1e-6, 1e-10}) {
      options.relative_tolerance = options.absolute_tolerance = tolerance;
      runs.push_back(run_oscillator(options));
      EXPECT_LT(runs.back().error, 100.0 * tolerance) << name;
    }
    const double ratio = static_cast<double>(runs[1].steps) / static_cast<double>(runs[0].steps);
    EXPECT_NEAR(std::log10(ratio), 4.0 / order, 0.25) << name;
  }
}

TEST(LargestStep, IsKept) {
  for (const Type type : {Type::bdf, Type::rk}) {
    const auto system = Oscillator{1.0, 1.0, 0.0, 0.1, 0.0}.make();
    State s = testing_support::start(*system);
    PetscTsOptions options;
    options.type = type;
    options.relative_tolerance = 1e-3;
    options.max_step = 0.01;
    PetscTs integrator(*system, options);
    integrator.initialize(s);
    while (const double h = integrator.step(s, 0.5)) EXPECT_LE(h, 0.01 * (1.0 + 1e-12));
    EXPECT_EQ(s.t, 0.5);
    EXPECT_GE(integrator.statistics().steps, 50);
  }
}

}  // namespace
}  // namespace solidyn::integrators
