// Akima's spline, and laws that are integrated twice.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "solidyn/math/time_function.h"

namespace solidyn::math {
namespace {

using Interpolation = TimeFunction::Interpolation;

// The data of Akima's paper (1970), which is flat and then rises.
TEST(AkimaSpline, HasTheSlopesOfThePaperAndDoesNotOvershoot) {
  const std::vector<double> t = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const std::vector<double> y = {10, 10, 10, 10, 10, 10, 10.5, 15, 50, 60, 85};
  const TimeFunction f = TimeFunction::table(t, y, Interpolation::akima);
  for (std::size_t i = 0; i < t.size(); ++i) EXPECT_NEAR(f.value(t[i]), y[i], 1e-13);
  // secants: ..., m(4,5) = 0, m(5,6) = 0.5, m(6,7) = 4.5, m(7,8) = 35, m(8,9) = 10, m(9,10) = 25
  EXPECT_EQ(f.first_derivative(4.0), 0.0);
  EXPECT_EQ(f.first_derivative(5.0), 0.0);
  EXPECT_NEAR(f.first_derivative(6.0), ((35 - 4.5) * 0.5 + 0.5 * 4.5) / (35 - 4.5 + 0.5), 1e-13);
  EXPECT_NEAR(f.first_derivative(8.0), ((25 - 10) * 35.0 + (35 - 4.5) * 10.0) / (15 + 30.5), 1e-12);
  for (double at = 0.0; at < 5.0; at += 0.1) EXPECT_NEAR(f.value(at), 10.0, 1e-13) << at;
}

TEST(AkimaSpline, ReproducesAParabolaOnEvenTimesAndGoesOnStraight) {
  std::vector<double> t, y;
  for (int i = 0; i < 6; ++i) {
    t.push_back(0.5 * i);
    y.push_back(1.0 - t.back() + 3.0 * t.back() * t.back());
  }
  const TimeFunction f = TimeFunction::table(t, y, Interpolation::akima);
  for (double at : {0.1, 1.2, 2.4}) {
    EXPECT_NEAR(f.value(at), 1.0 - at + 3.0 * at * at, 1e-13);
    EXPECT_NEAR(f.first_derivative(at), 6.0 * at - 1.0, 1e-12);
    EXPECT_NEAR(f.second_derivative(at), 6.0, 1e-12);
  }
  EXPECT_NEAR(f.value(3.0), y.back() + 0.5 * 14.0, 1e-12);  // slope 6 * 2.5 - 1
  EXPECT_EQ(f.second_derivative(3.0), 0.0);
}

TEST(AkimaSpline, OfTwoPointsIsAStraightLine) {
  const TimeFunction f = TimeFunction::table({1.0, 3.0}, {2.0, 8.0}, Interpolation::akima);
  EXPECT_NEAR(f.value(2.5), 6.5, 1e-14);
  EXPECT_NEAR(f.first_derivative(2.5), 3.0, 1e-14);
}

TEST(TwiceIntegrated, IsTheIntegralOfSmoothLaws) {
  const TimeFunction f =
      TimeFunction::twice_integrated(TimeFunction::expression("sin(3*t) + exp(-t)"), 0.4, -1.5);
  for (double t : {0.0, 0.01, 0.05, 0.37, 1.0, 7.3}) {
    const double rate = -1.5 + (1.0 - std::cos(3.0 * t)) / 3.0 + 1.0 - std::exp(-t);
    const double value =
        0.4 - 1.5 * t + (t - std::sin(3.0 * t) / 3.0) / 3.0 + t - 1.0 + std::exp(-t);
    EXPECT_NEAR(f.value(t), value, 2e-12) << t;
    EXPECT_NEAR(f.first_derivative(t), rate, 2e-12) << t;
    EXPECT_DOUBLE_EQ(f.second_derivative(t), std::sin(3.0 * t) + std::exp(-t));
  }
}

// Corners between the panels' ends, and a jump.
TEST(TwiceIntegrated, FollowsCornersAndJumps) {
  const TimeFunction corners = TimeFunction::twice_integrated(
      TimeFunction::table({0.0, 0.013, 0.113, 0.5}, {0.0, 2.0, 2.0, 0.0}, Interpolation::linear),
      0.0, 0.0);
  EXPECT_NEAR(corners.first_derivative(0.5), 0.013 + 0.2 + 0.387, 1e-12);
  const TimeFunction jump =
      TimeFunction::twice_integrated(TimeFunction::expression("t < 0.0317 ? 6 : 0"), 0.0, 0.0);
  EXPECT_NEAR(jump.first_derivative(1.0), 6.0 * 0.0317, 1e-12);
  EXPECT_NEAR(jump.value(1.0), 6.0 * 0.0317 * (1.0 - 0.5 * 0.0317), 1e-12);
}

// At once, and close to a panel's end too: constraints would contradict their own derivatives.
TEST(TwiceIntegrated, TurnsWithTheLawWhereverThatJumps) {
  for (const double jump : {0.505, 0.5099999, 0.0049, 0.00999}) {
    const std::string law = fmt::format("t > {} ? 50 : 0", jump);
    const TimeFunction f = TimeFunction::twice_integrated(TimeFunction::expression(law), 0.0, 0.0);
    for (const double later : {1e-9, 1e-7, 1e-5, 1e-3, 0.1})
      EXPECT_NEAR(f.first_derivative(jump + later), 50.0 * later, 1e-12) << jump << " " << later;
  }
}

TEST(TwiceIntegrated, EndsWhereRoundOffHidesTheLaw) {
  const TimeFunction f =
      TimeFunction::twice_integrated(TimeFunction::expression("cos(1e5*t)"), 0.0, 0.0);
  EXPECT_NEAR(f.first_derivative(0.5), std::sin(5e4) / 1e5, 1e-12);
}

TEST(TwiceIntegrated, DoesNotDependOnWhatWasAskedBefore) {
  const auto make = [] {
    return TimeFunction::twice_integrated(TimeFunction::expression("cos(40*t^2)"), 0.0, 1.0);
  };
  const TimeFunction asked = make();
  for (double t = 0.0; t < 2.0; t += 0.013) asked.value(t);
  EXPECT_EQ(asked.value(1.777), make().value(1.777));
  EXPECT_EQ(TimeFunction(asked).value(1.777), make().value(1.777));
}

}  // namespace
}  // namespace solidyn::math
