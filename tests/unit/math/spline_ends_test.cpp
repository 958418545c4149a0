// What a spline does at its ends, tables that repeat, and functions of several variables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/math/function_of_variables.h"

namespace solidyn::math {
namespace {

using Interpolation = TimeFunction::Interpolation;
using Ends = TimeFunction::Ends;

const std::vector<double> kTimes = {-1.0, -0.4, 0.3, 0.5, 1.7, 2.0};

double cubic(double t) { return 1.0 - 2.0 * t + 0.5 * t * t + 0.7 * t * t * t; }
double slope_of_cubic(double t) { return -2.0 + t + 2.1 * t * t; }

TimeFunction through_cubic(const std::vector<double>& times, const Ends& ends) {
  std::vector<double> values;
  for (double t : times) values.push_back(cubic(t));
  return TimeFunction::table(times, values, Interpolation::cubic, ends);
}

// A cubic has no knots, and known slopes: both kinds of ends give it back, the natural ones do not.
TEST(SplineEnds, NotAKnotAndClampedReproduceACubic) {
  const TimeFunction not_a_knot = through_cubic(kTimes, {Ends::Kind::not_a_knot});
  const TimeFunction clamped =
      through_cubic(kTimes, {Ends::Kind::clamped, slope_of_cubic(-1.0), slope_of_cubic(2.0)});
  const TimeFunction natural = through_cubic(kTimes, {});
  for (double t : {-0.9, -0.1, 0.4, 1.0, 1.95}) {
    EXPECT_NEAR(not_a_knot.value(t), cubic(t), 1e-13) << t;
    EXPECT_NEAR(clamped.value(t), cubic(t), 1e-13) << t;
    EXPECT_NEAR(not_a_knot.second_derivative(t), 1.0 + 4.2 * t, 1e-11) << t;
  }
  EXPECT_GT(std::abs(natural.first_derivative(2.0) - slope_of_cubic(2.0)), 0.1);
  EXPECT_NEAR(clamped.value(3.0), cubic(2.0) + slope_of_cubic(2.0), 1e-12);
}

TEST(SplineEnds, NotAKnotOfFewPointsIsAParabolaOrALine) {
  const auto f = [](std::vector<double> t) {
    std::vector<double> y;
    for (double at : t) y.push_back(1.0 + at - 3.0 * at * at);
    return TimeFunction::table(t, y, Interpolation::cubic, {Ends::Kind::not_a_knot});
  };
  EXPECT_NEAR(f({0.0, 1.0, 3.0}).value(2.0), -9.0, 1e-13);
  EXPECT_NEAR(f({0.0, 2.0}).value(1.0), -4.0, 1e-13);
  EXPECT_NEAR(f({0.0, 0.5, 2.0, 3.0}).value(1.0), -1.0, 1e-13);
}

TEST(SplineEnds, PeriodicTablesRepeatWithoutACorner) {
  std::vector<double> t, y;
  for (int i = 0; i <= 40; ++i) {
    t.push_back(1.0 + 2.0 * M_PI * i / 40.0);
    y.push_back(std::sin(t.back()));
  }
  const double period = 2.0 * M_PI;
  for (Interpolation kind : {Interpolation::cubic, Interpolation::akima, Interpolation::linear}) {
    const TimeFunction f = TimeFunction::table(t, y, kind, {Ends::Kind::periodic});
    for (double at : {0.3, 1.0, 4.0, 7.0})
      for (int turn : {-3, 0, 2})
        EXPECT_NEAR(f.value(at + turn * period), std::sin(at), 4e-3) << at << " " << turn;
    if (kind == Interpolation::linear) continue;
    EXPECT_NEAR(f.first_derivative(1.0 - 1e-9), f.first_derivative(1.0 + 1e-9), 1e-6);
  }
  const TimeFunction f = TimeFunction::table(t, y, Interpolation::cubic, {Ends::Kind::periodic});
  EXPECT_NEAR(f.second_derivative(1.0 - 1e-9), f.second_derivative(1.0 + 1e-9), 1e-6);
  EXPECT_NEAR(f.value(1.0 + 7.3 * period), std::sin(1.0 + 7.3 * period), 2e-6);
}

TEST(SplineEnds, AreRefusedWhereTheyCannotBe) {
  const auto table = [](Interpolation kind, Ends::Kind ends, std::vector<double> y) {
    return [=] { TimeFunction::table({0.0, 1.0, 2.0}, y, kind, {ends}); };
  };
  EXPECT_THROW(table(Interpolation::linear, Ends::Kind::clamped, {0, 1, 0})(), base::InputError);
  EXPECT_THROW(table(Interpolation::akima, Ends::Kind::not_a_knot, {0, 1, 0})(), base::InputError);
  EXPECT_THROW(table(Interpolation::cubic, Ends::Kind::periodic, {0, 1, 0.5})(), base::InputError);
  EXPECT_THROW(TimeFunction::table({0, 1}, {1, 1}, Interpolation::cubic, {Ends::Kind::periodic}),
               base::InputError);
}

// By parts of a period and whole ones.
TEST(PeriodicCurve, IntegralIsExact) {
  const Curve curve({0.5, 1.0, 2.0, 2.5}, {0.0, 2.0, -1.0, 0.0}, Interpolation::linear,
                    {Ends::Kind::periodic});
  // Over one period: 0.5 + (4/3 - 1/6)... = trapezoids 0.5*0.5*2 + 0.5*(2 - 1) - 0.5*0.5*1
  const double of_period = 0.5 + 0.5 - 0.25;
  EXPECT_NEAR(curve.integral(2.0 * 4.0) - curve.integral(0.0), 4.0 * of_period, 1e-13);
  EXPECT_NEAR(curve.integral(-2.0), -of_period, 1e-13);
  for (double x : {-5.3, -0.2, 0.7, 3.1}) {
    const double h = 1e-6;
    EXPECT_NEAR((curve.integral(x + h) - curve.integral(x - h)) / (2.0 * h), curve.value(x), 1e-8);
  }
}

TEST(FunctionOfVariables, IsAFormulaOrACurveInItsUnits) {
  const FunctionOfVariables formula = Expression("a*b^2", {"a", "b"});
  const double at[] = {3.0, 2.0};
  EXPECT_EQ(formula.value(at), 12.0);
  EXPECT_NEAR(formula.derivative(at, 1), 12.0, 1e-7);
  EXPECT_TRUE(formula.uses(0));
  const FunctionOfVariables curve = FunctionOfVariables::Over{
      Curve({0.0, 1.0, 2.0}, {0.0, 10.0, 40.0}, Interpolation::linear), 1, "b", 0.75, 5.0};
  EXPECT_FALSE(curve.uses(0));
  EXPECT_TRUE(curve.uses(1));
  EXPECT_NEAR(curve.value(at), 25.0 / 5.0, 1e-13);
  EXPECT_NEAR(curve.derivative(at, 1), 30.0 * 0.75 / 5.0, 1e-13);
  EXPECT_EQ(curve.derivative(at, 0), 0.0);
  EXPECT_EQ(curve.name_of(1), "b");
}

}  // namespace
}  // namespace solidyn::math
