#include "solidyn/math/time_function.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "solidyn/base/error.h"

namespace solidyn::math {
namespace {

using Interpolation = TimeFunction::Interpolation;

std::string message_of(const std::string& text) {
  try {
    TimeFunction::expression(text);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(TimeFunction, ConstantHasNoDerivatives) {
  const TimeFunction f = TimeFunction::constant(3.25);
  EXPECT_EQ(f.value(7.0), 3.25);
  EXPECT_EQ(f.first_derivative(7.0), 0.0);
  EXPECT_EQ(f.second_derivative(7.0), 0.0);
  EXPECT_EQ(TimeFunction().value(1.0), 0.0);
}

TEST(TimeFunction, ExpressionIsEvaluated) {
  EXPECT_DOUBLE_EQ(TimeFunction::expression("150*t").value(0.2), 30.0);
  EXPECT_DOUBLE_EQ(TimeFunction::expression("2*pi*t^2").value(3.0), 18.0 * M_PI);
  EXPECT_DOUBLE_EQ(TimeFunction::expression("t < 1 ? 5 : 6").value(2.0), 6.0);
  EXPECT_DOUBLE_EQ(TimeFunction::expression("ramp(t, 1, 3)").value(1.5), 0.25);
  EXPECT_DOUBLE_EQ(TimeFunction::expression("smooth_step(t, 1, 3)").value(2.0), 0.5);
}

TEST(TimeFunction, ScalesConvertUnits) {
  // An angle of 360 t^2 degrees with t in milliseconds is 2 pi (1000 t)^2 rad with t in seconds.
  const TimeFunction f = TimeFunction::expression("360*t^2", M_PI / 180.0, 1e-3);
  EXPECT_NEAR(f.value(2e-3), 8.0 * M_PI, 1e-13);
  EXPECT_NEAR(f.first_derivative(2e-3), 8e3 * M_PI, 1e-8);
  EXPECT_NEAR(f.second_derivative(2e-3), 4e6 * M_PI, 1e-4);
}

// exp(-t/tau) sin(t/tau + 0.3) on every time scale that the header promises.
TEST(TimeFunction, DerivativesOfExpressionsKeepTheDocumentedError) {
  for (double tau : {1e-4, 1e-3, 1.0 / 150.0, 0.1, 1.0, 30.0}) {
    const TimeFunction f =
        TimeFunction::expression(fmt::format("exp(-t/{0:.17g})*sin(t/{0:.17g}+0.3)", tau));
    for (double s : {0.0, 0.37, 1.0, 2.9}) {
      const double first = std::exp(-s) * (std::cos(s + 0.3) - std::sin(s + 0.3)) / tau;
      const double second = -2.0 * std::exp(-s) * std::cos(s + 0.3) / (tau * tau);
      EXPECT_NEAR(f.first_derivative(s * tau), first, 1e-9 / tau) << "tau " << tau << ", s " << s;
      EXPECT_NEAR(f.second_derivative(s * tau), second, 1e-6 / (tau * tau))
          << "tau " << tau << ", s " << s;
    }
  }
}

// The last answer is kept: it must not be that of another time.
TEST(TimeFunction, TimesThatAreAskedForInTurnHaveTheirOwnDerivatives) {
  const TimeFunction f = TimeFunction::expression("t^3");
  for (const double t : {1.0, 1.0, 2.0, 1.0, -1.0}) {
    EXPECT_NEAR(f.evaluate(t).value, t * t * t, 1e-12);
    EXPECT_NEAR(f.evaluate(t).first, 3.0 * t * t, 1e-9);
    EXPECT_NEAR(f.evaluate(t).second, 6.0 * t, 1e-6);
  }
}

// Every step of a difference quotient that halves would see this sine's zeros only.
TEST(TimeFunction, PeriodsThatDivideTheStepDoNotAlias) {
  for (double frequency : {10.0, 20.0, 160.0, 640.0, 1280.0}) {
    const double w = 2.0 * M_PI * frequency;
    const TimeFunction f = TimeFunction::expression(fmt::format("sin(2*pi*{}*t)", frequency));
    EXPECT_NEAR(f.first_derivative(0.0), w, 1e-9 * w) << frequency;
    EXPECT_NEAR(f.second_derivative(0.25 / frequency), -w * w, 1e-6 * w * w) << frequency;
  }
}

TEST(TimeFunction, DriveOfConstantSpeedHasNoAcceleration) {
  const TimeFunction f = TimeFunction::expression("150*t");
  for (double t : {0.0, 0.0137, 1.0, 100.0}) {
    const TimeFunction::Values v = f.evaluate(t);
    EXPECT_NEAR(v.first, 150.0, 150e-12) << t;
    EXPECT_NEAR(v.second, 0.0, 150.0 * 1e-9 * (1.0 + t)) << t;
  }
}

TEST(TimeFunction, DerivativesAtTheEdgeOfTheDomainAreOneSided) {
  const TimeFunction f = TimeFunction::expression("t^2.5");
  EXPECT_NEAR(f.first_derivative(0.0), 0.0, 1e-8);
  const TimeFunction g = TimeFunction::expression("sqrt(1+2*t)+log(1+t)");
  EXPECT_NEAR(g.first_derivative(0.0), 2.0, 1e-9);
  EXPECT_NEAR(g.second_derivative(0.0), -2.0, 1e-7);
  const TimeFunction h = TimeFunction::expression("t >= 0 ? cos(3*t) : sqrt(-1)");
  EXPECT_NEAR(h.first_derivative(0.0), 0.0, 1e-6);
  EXPECT_NEAR(h.second_derivative(0.0), -9.0, 1e-3);
}

TEST(TimeFunction, SmoothStepIsTwiceContinuous) {
  const TimeFunction f = TimeFunction::expression("smooth_step(t, 0.1, 0.3)");
  EXPECT_NEAR(f.first_derivative(0.2), 1.875 / 0.2, 1e-8);
  EXPECT_NEAR(f.second_derivative(0.05), 0.0, 1e-9);
  EXPECT_NEAR(f.first_derivative(0.35), 0.0, 1e-9);
}

TEST(TimeFunction, ValueThatIsNotANumberIsAnError) {
  const TimeFunction f = TimeFunction::expression("sqrt(1-t)");
  EXPECT_THROW(f.value(2.0), base::ComputationError);
  EXPECT_THROW(f.evaluate(2.0), base::ComputationError);
}

TEST(TimeFunction, LinearTableIsExactAndHeldOutside) {
  const TimeFunction f =
      TimeFunction::table({1.0, 2.0, 4.0}, {3.0, 5.0, -1.0}, Interpolation::linear);
  EXPECT_DOUBLE_EQ(f.value(1.5), 4.0);
  EXPECT_DOUBLE_EQ(f.value(4.0), -1.0);
  EXPECT_DOUBLE_EQ(f.first_derivative(3.0), -3.0);
  EXPECT_EQ(f.value(0.0), 3.0);
  EXPECT_EQ(f.value(9.0), -1.0);
  EXPECT_EQ(f.first_derivative(9.0), 0.0);
  EXPECT_EQ(f.second_derivative(3.0), 0.0);
}

// The natural spline through (0,0), (1,1), (2,0) has curvature -3 at the middle (by hand: 4 m =
// -12).
TEST(TimeFunction, CubicTableIsTheNaturalSpline) {
  const TimeFunction f =
      TimeFunction::table({0.0, 1.0, 2.0}, {0.0, 1.0, 0.0}, Interpolation::cubic);
  EXPECT_NEAR(f.second_derivative(1.0), -3.0, 1e-14);
  EXPECT_NEAR(f.first_derivative(0.0), 1.5, 1e-14);
  EXPECT_NEAR(f.value(0.5), 0.5 + 3.0 / 16.0, 1e-14);
  EXPECT_NEAR(f.value(3.0), -1.5, 1e-14);
  EXPECT_EQ(f.second_derivative(3.0), 0.0);
}

TEST(TimeFunction, CubicTableOnUnevenTimesIsTwiceContinuous) {
  const std::vector<double> times = {0.0, 0.3, 0.5, 1.1, 1.2, 2.0};
  const TimeFunction f =
      TimeFunction::table(times, {1.0, -0.4, 2.0, 0.7, 0.9, -3.0}, Interpolation::cubic);
  for (double t : times) {
    const TimeFunction::Values before = f.evaluate(t - 1e-9), after = f.evaluate(t + 1e-9);
    EXPECT_NEAR(before.value, after.value, 1e-6);
    EXPECT_NEAR(before.first, after.first, 1e-5);
    EXPECT_NEAR(before.second, after.second, 1e-4);
  }
}

TEST(TimeFunction, CubicTableReproducesAStraightLine) {
  const TimeFunction f =
      TimeFunction::table({-1.0, 0.2, 5.0}, {-2.0, 0.4, 10.0}, Interpolation::cubic);
  EXPECT_NEAR(f.value(3.3), 6.6, 1e-13);
  EXPECT_NEAR(f.second_derivative(3.3), 0.0, 1e-13);
}

TEST(TimeFunction, BadTablesAreRejected) {
  EXPECT_THROW(TimeFunction::table({1.0}, {1.0}, Interpolation::linear), base::InputError);
  EXPECT_THROW(TimeFunction::table({1.0, 1.0}, {1.0, 2.0}, Interpolation::linear),
               base::InputError);
  EXPECT_THROW(TimeFunction::table({1.0, 2.0}, {1.0, NAN}, Interpolation::cubic), base::InputError);
}

TEST(TimeFunction, FaultsOfExpressionsAreLocated) {
  using testing::HasSubstr;
  EXPECT_THAT(message_of("150*tt+1"), HasSubstr("at character 5 (`tt`)"));
  EXPECT_THAT(message_of("150*(t+1"), HasSubstr("at character"));
  EXPECT_THAT(message_of("t = 3"), HasSubstr("assigns a value at character 3"));
  EXPECT_THAT(message_of("1,5*t"), HasSubstr("2 values"));
  EXPECT_THAT(message_of("1/t"), HasSubstr("at t = 0"));
  EXPECT_THAT(message_of(""), HasSubstr("not a valid expression of t"));
  EXPECT_THAT(message_of("\"a\""), HasSubstr("not a valid expression of t"));
  EXPECT_THAT(message_of("t <= 1 ? 2 : 3"), testing::IsEmpty());
}

TEST(TimeFunction, CopiesAreIndependent) {
  const TimeFunction f = TimeFunction::expression("sin(t)");
  TimeFunction g = f;
  const TimeFunction h = std::move(g);
  g = TimeFunction::constant(1.0);
  EXPECT_DOUBLE_EQ(f.value(0.5), std::sin(0.5));
  EXPECT_DOUBLE_EQ(h.value(0.25), std::sin(0.25));
  EXPECT_EQ(g.value(0.0), 1.0);
}

}  // namespace
}  // namespace solidyn::math
