// The choice of steps, for integrators whose errors and failures the test decides.
#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <limits>

#include "solidyn/base/resource_error.h"
#include "solidyn/integrators/step_control.h"

namespace solidyn::integrators {
namespace {

using base::ComputationError;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kTolerance = 1e-6;

// An integrator whose steps have errors by a law, and may fail.
struct Scripted {
  std::function<double(double t, double h)> error = [](double, double) { return kTolerance; };
  std::function<void(double t, double h)> fail = [](double, double) {};
  std::vector<double> tried, taken;
  double before = 0.0, estimate = 0.0;

  void step(system::State& state, double h) {
    before = state.t;
    tried.push_back(h);
    fail(before, h);
    estimate = error(before, h);
    state.t += h;
    taken.push_back(h);
  }
  void reject(system::State& state) {
    state.t = before;
    taken.pop_back();
  }
  double error_estimate() const { return estimate; }
};

// Of local errors c(t) h^3.
Scripted of_order_three(std::function<double(double)> c) {
  Scripted integrator;
  integrator.error = [c = std::move(c)](double t, double h) { return c(t) * h * h * h; };
  return integrator;
}

double run(StepController& control, Scripted& integrator, double end) {
  system::State state;
  while (control.step(integrator, state, end) > 0.0) {
  }
  return state.t;
}

// Of an even motion one size is found and kept, below the largest that the tolerance allows. From
// above it is near that; from below it may stay where the controller would change it by less than
// its band: at a ratio r of tolerance and error that is 0.85 r^0.1 < 1.4, a fifth of the largest.
TEST(StepsOfAnEvenMotion, SettleBelowTheLargestThatIsAllowed) {
  for (const double first : {1e-5, 5e-3, 5.0}) {
    Scripted even = of_order_three([](double) { return 1.0; });
    StepController control(kTolerance, 1e-9, 10.0);
    control.set_next_step(first);
    EXPECT_EQ(run(control, even, 3.0), 3.0);
    const double largest = std::cbrt(kTolerance);
    const std::size_t n = even.taken.size();
    EXPECT_LT(even.taken[n / 2], largest);
    EXPECT_GT(even.taken[n / 2], (first < 1e-3 ? 0.18 : 0.45) * largest);
    EXPECT_EQ(even.taken[n / 2], even.taken[n / 2 + 5]);
    EXPECT_LE(even.tried.size() - n, first > 1.0 ? 5U : 1U);
  }
}

// Whatever the errors do, they stay within the tolerance, and steps within their limits; at most
// twice as long as the one before.
TEST(StepsOfAnyMotion, KeepToleranceLimitsAndTheEnd) {
  for (const double frequency : {1.0, 7.0, 40.0}) {
    Scripted uneven =
        of_order_three([=](double t) { return std::pow(10.0, 4.0 * std::sin(frequency * t)); });
    StepController control(kTolerance, 1e-6, 0.02);
    EXPECT_EQ(run(control, uneven, 2.0), 2.0);
    double t = 0.0;
    for (std::size_t i = 0; i < uneven.taken.size(); ++i) {
      const double h = uneven.taken[i];
      EXPECT_LE(uneven.error(t, h), kTolerance);
      EXPECT_LE(h, 0.02);
      EXPECT_GE(h, 1e-6);
      if (i > 0 && i + 2 < uneven.taken.size()) {
        EXPECT_LE(h, 2.0 * uneven.taken[i - 1] * (1 + 1e-12));
      }
      t += h;
    }
    EXPECT_NEAR(t, 2.0, 1e-12);
    EXPECT_LT(uneven.tried.size(), 1.3 * static_cast<double>(uneven.taken.size()));
  }
}

TEST(StepsBeforeTheEnd, AreTwoEqualOnesRatherThanASliver) {
  const auto steps_to = [](double end) {
    Scripted steady;
    steady.error = [](double, double) { return 0.8 * kTolerance; };
    StepController control(kTolerance, 1e-3, 0.3);
    EXPECT_EQ(run(control, steady, end), end);
    return steady.taken;
  };
  EXPECT_THAT(steps_to(1.0), ElementsAre(0.3, 0.3, DoubleNear(0.2, 1e-15), DoubleNear(0.2, 1e-15)));
  EXPECT_THAT(steps_to(0.31), ElementsAre(0.155, 0.155));
  EXPECT_THAT(steps_to(0.3), ElementsAre(0.3));
  EXPECT_THAT(steps_to(1e-9), ElementsAre(1e-9));  // may be shorter than the smallest step
}

TEST(StepsBeforeTheEnd, DoNotShortenTheOnesThatWerePlanned) {
  Scripted steady;
  steady.error = [](double, double) { return 0.8 * kTolerance; };
  StepController control(kTolerance, 1e-3, 0.3);
  system::State state;
  EXPECT_EQ(control.step(steady, state, 0.01), 0.01);
  EXPECT_EQ(control.next_step(), 0.3);
  EXPECT_EQ(control.step(steady, state, 0.01), 0.0);
  EXPECT_EQ(steady.tried.size(), 1U);
}

TEST(StepThatFails, IsTriedAgainWithHalfItsSizeAndDoesNotGrowAtOnce) {
  Scripted jumpy;
  jumpy.error = [](double, double) { return 1e-3 * kTolerance; };  // as if it could be far longer
  jumpy.fail = [](double t, double h) {
    if (t == 0.0 && h > 0.1) throw ComputationError("no convergence");
  };
  StepController control(kTolerance, 1e-3, 0.5);
  system::State state;
  EXPECT_EQ(control.step(jumpy, state, 10.0), 0.0625);
  EXPECT_THAT(jumpy.tried, ElementsAre(0.5, 0.25, 0.125, 0.0625));
  EXPECT_EQ(control.next_step(), 0.0625);
  EXPECT_EQ(control.step(jumpy, state, 10.0), 0.0625);
  EXPECT_NEAR(control.next_step(), 0.0625 * 0.85 * std::pow(1e3, 0.1), 1e-12);
}

TEST(StepThatFails, AtTheSmallestSizeTellsTheFirstFailure) {
  Scripted broken;
  broken.fail = [](double, double h) {
    throw ComputationError("failed with " + std::to_string(h));
  };
  StepController control(kTolerance, 0.1, 0.5);
  system::State state;
  state.t = 2.0;
  try {
    control.step(broken, state, 10.0);
    FAIL() << "no error";
  } catch (const ComputationError& e) {
    EXPECT_STREQ(e.what(), "failed with 0.500000");
  }
  EXPECT_THAT(broken.tried, ElementsAre(0.5, 0.25, 0.125, 0.1));
  EXPECT_EQ(state.t, 2.0);
}

TEST(StepThatFails, ForWantOfMemoryIsNotTriedAgain) {
  Scripted poor;
  poor.fail = [](double, double) { throw base::ResourceError("out of memory"); };
  StepController control(kTolerance, 0.1, 0.5);
  system::State state;
  EXPECT_THROW(control.step(poor, state, 10.0), base::ResourceError);
  EXPECT_EQ(poor.tried.size(), 1U);
}

TEST(ErrorThatIsTooLarge, ShortensTheStepByItsCubeRootWithinBounds) {
  const auto second_try = [](double error) {
    Scripted first_is_wrong;
    first_is_wrong.error = [&first_is_wrong, error](double, double) {
      return first_is_wrong.tried.size() == 1 ? error : 0.5 * kTolerance;
    };
    StepController control(kTolerance, 1e-9, 1.0);
    system::State state;
    control.step(first_is_wrong, state, 100.0);
    return first_is_wrong.tried.at(1);
  };
  EXPECT_NEAR(second_try(8.0 * kTolerance), 0.85 / 2.0, 1e-12);
  EXPECT_NEAR(second_try(1.0001 * kTolerance), 0.85, 1e-4);
  EXPECT_EQ(second_try(1e6 * kTolerance), 0.2);
  EXPECT_EQ(second_try(std::numeric_limits<double>::infinity()), 0.2);
}

// Never an endless loop, whatever the estimate is.
TEST(ErrorThatIsTooLarge, AtTheSmallestStepIsTheEndWithTheStateBeforeIt) {
  for (const double estimate :
       {1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    Scripted wrong;
    wrong.error = [=](double, double) { return estimate; };
    StepController control(kTolerance, 0.1, 0.5);
    system::State state;
    state.t = 3.0;
    try {
      control.step(wrong, state, 10.0);
      FAIL() << "no error";
    } catch (const ComputationError& e) {
      EXPECT_THAT(e.what(), HasSubstr("t = 3 s: with the minimum step, 0.1 s, the error is "));
    }
    EXPECT_EQ(state.t, 3.0);
    EXPECT_TRUE(wrong.taken.empty());
  }
}

// A step that has no error to speak of grows to twice its size, and no further.
TEST(ErrorOfZero, DoublesTheStep) {
  Scripted exact;
  exact.error = [](double, double) { return 0.0; };
  StepController control(kTolerance, 1e-3, 1.0);
  control.set_next_step(0.01);
  run(control, exact, 0.5);
  EXPECT_THAT(std::vector<double>(exact.taken.begin(), exact.taken.begin() + 4),
              ElementsAre(0.01, 0.02, 0.04, 0.08));
}

TEST(FirstStep, IsHeldToTheLimits) {
  StepController control(kTolerance, 0.1, 0.5);
  EXPECT_EQ(control.next_step(), 0.5);
  control.set_next_step(1e-9);
  EXPECT_EQ(control.next_step(), 0.1);
  control.set_next_step(7.0);
  EXPECT_EQ(control.next_step(), 0.5);
}

}  // namespace
}  // namespace solidyn::integrators
