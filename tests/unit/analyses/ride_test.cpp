#include "solidyn/analyses/ride.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solidyn/analyses/running_safety.h"
#include "solidyn/math/signal.h"

namespace solidyn::analyses {
namespace {

using Eigen::VectorXd;

VectorXd sampled(double duration, double rate, const std::function<double(double)>& f) {
  VectorXd values(std::lround(duration * rate));
  for (Eigen::Index i = 0; i < values.size(); ++i) values[i] = f(static_cast<double>(i) / rate);
  return values;
}

// ISO 2631-1 (1997), table 3: thousandths at the nominal third octaves. Its Wd of 212 at 10 Hz does
// not fit to its neighbours nor to its own formula, which gives 202.
TEST(Ride, WeightsAreThoseOfTheStandard) {
  struct Row {
    double f, Wk, Wd;
  };
  for (const Row& row :
       {Row{0.5, 418, 853}, {0.63, 459, 944}, {0.8, 477, 992}, {1, 482, 1011},    {1.25, 484, 1008},
        {1.6, 494, 968},    {2, 531, 890},    {2.5, 631, 776}, {3.15, 804, 642},  {4, 967, 512},
        {5, 1039, 409},     {6.3, 1054, 323}, {8, 1036, 253},  {10, 988, 202},    {12.5, 902, 161},
        {16, 768, 125},     {20, 636, 100},   {25, 513, 80.0}, {31.5, 405, 63.2}, {40, 314, 49.4},
        {50, 246, 38.8},    {63, 186, 29.5},  {80, 132, 21.1}}) {
    const double Wk = 1e3 * std::abs(vibration_weight(VibrationWeight::Wk, row.f)),
                 Wd = 1e3 * std::abs(vibration_weight(VibrationWeight::Wd, row.f));
    EXPECT_NEAR(Wk, row.Wk, 1e-3 * row.Wk + 0.6) << row.f;
    EXPECT_NEAR(Wd, row.Wd, 1e-3 * row.Wd + 0.6) << row.f;
  }
}

// The asymptotes of BS 6841, whose weight it is: 0.4, f/5, 1 and 16/f.
TEST(Ride, WbFollowsItsAsymptotes) {
  const auto Wb = [](double f) { return std::abs(vibration_weight(VibrationWeight::Wb, f)); };
  EXPECT_NEAR(Wb(1.0), 0.4, 0.02);
  EXPECT_NEAR(Wb(3.15), 0.63, 0.1 * 0.63 + 0.1);
  EXPECT_NEAR(Wb(8.0), 1.0, 0.07);
  EXPECT_NEAR(Wb(50.0), 16.0 / 50.0, 0.04);
}

// A sine of 2 m/s^2 at a third octave has the root mean square of its weight; block by block.
TEST(Ride, MeanComfortOfASine) {
  const double f = 10.0, rate = 400.0;
  const VectorXd a =
      sampled(40.0, rate, [&](double t) { return 2.0 * std::sin(2 * M_PI * f * t); });
  const double expected = 6.0 * std::sqrt(2.0) * std::abs(vibration_weight(VibrationWeight::Wb, f));
  const auto vertical = mean_comfort({{}, {}, a}, rate);
  ASSERT_TRUE(vertical.has_value());
  EXPECT_NEAR(vertical->index, expected, 1e-2 * expected);
  EXPECT_EQ(vertical->n_blocks, 8);
  EXPECT_FALSE(vertical->is_whole());
  EXPECT_FALSE(mean_comfort({{}, {}, a.head(100)}, rate).has_value());
}

// One line of 20 cm/s^2 at 5 Hz: W_z = (a B)^(2/6.67).
TEST(Ride, SperlingsIndexOfASine) {
  const VectorXd a =
      sampled(30.0, 200.0, [](double t) { return 1.0 + 0.2 * std::sin(10.0 * M_PI * t); });
  for (const RideDirection direction : {RideDirection::vertical, RideDirection::horizontal}) {
    const double expected = std::pow(20.0 * sperling_weight(direction, 5.0), 2.0 / 6.67);
    EXPECT_NEAR(*sperling_index(a, 200.0, direction), expected, 1e-6);
  }
}

// Sperling's first form for vertical vibration, 0.896 (a^3 F/f)^(1/10) with F = 0.325 f^2 up to 5.9
// Hz, 400/f^2 up to 20 Hz, then 1.
TEST(Ride, SperlingsWeightIsNearItsFirstForm) {
  for (const double f : {0.8, 1.0, 2.0, 5.0, 8.0, 12.0}) {
    const double F = f < 5.9 ? 0.325 * f * f : 400.0 / (f * f);
    const double first = 0.896 * std::pow(std::pow(20.0, 3) * F / f, 0.1);
    const double now = std::pow(20.0 * sperling_weight(RideDirection::vertical, f), 2.0 / 6.67);
    EXPECT_NEAR(now, first, 0.04 * first) << f;
  }
}

TEST(RunningSafety, NadalsLimit) {
  EXPECT_NEAR(nadal_limit(70.0 * M_PI / 180.0, 0.3), 1.3416, 5e-5);
}

// Of x^2 over 2 m from x: x^2 + 2 x + 4/3, less what the chords of 0.01 m are above it.
TEST(RunningSafety, SlidingMeansAreThoseOfTheWay) {
  const VectorXd way = VectorXd::LinSpaced(1001, 5.0, 15.0);
  const VectorXd means = sliding_mean(way, way.array().square(), 2.0, 0.5);
  ASSERT_EQ(means.size(), 17);
  for (Eigen::Index i = 0; i < means.size(); ++i) {
    const double x = 5.0 + 0.5 * static_cast<double>(i);
    EXPECT_NEAR(means[i], x * x + 2.0 * x + 4.0 / 3.0, 2e-5);
  }
  const SafetyValue value = safety_value(VectorXd::LinSpaced(1001, 0.0, 1.0));
  EXPECT_NEAR(value.median, 0.5, 1e-12);
  EXPECT_NEAR(value.high, 0.9985, 1e-12);
  EXPECT_TRUE(sliding_mean(way.head(3), way.head(3), 2.0, 0.5).size() == 0);
}

// Sections of 10 m whose values are 1, 2, 3 and 4: windows across a joint are of none of them.
TEST(RunningSafety, SectionsAreEvaluatedOneByOneAndTogether) {
  VectorXd means(77);
  for (Eigen::Index i = 0; i < means.size(); ++i) {
    const double from = 0.5 * static_cast<double>(i), section = std::floor(from / 10.0);
    means[i] = from + 2.0 > 10.0 * (section + 1.0) ? 1e6 : section + 1.0;
  }
  const auto all = section_values(means, 2.0, 0.5, 10.0);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->n_sections, 4);
  EXPECT_NEAR(all->mean_median, 2.5, 1e-12);
  EXPECT_NEAR(all->mean_high, 2.5, 1e-12);
  EXPECT_NEAR(all->deviation_high, std::sqrt(5.0 / 3.0), 1e-12);
  EXPECT_NEAR(all->expected(), 2.5 + 3.0 * std::sqrt(5.0 / 3.0), 1e-12);
  EXPECT_FALSE(section_values(means, 2.0, 0.5, 21.0));
  EXPECT_FALSE(section_values(means, 2.0, 0.5, 1.0));
  EXPECT_FALSE(section_values(means, 2.0, 0.5, 2.3));  // the third would have no mean
  EXPECT_TRUE(section_values(means, 2.0, 0.5, 2.5));
}

}  // namespace
}  // namespace solidyn::analyses
