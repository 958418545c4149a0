#include "solidyn/math/signal.h"

#include <gtest/gtest.h>

#include <cmath>

namespace solidyn::math {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

VectorXd test_signal() {
  VectorXd x(200);
  for (Index i = 0; i < x.size(); ++i) {
    const auto t = static_cast<double>(i);
    x[i] =
        std::sin(0.7 * t) + 0.3 * std::cos(2.1 * t) + static_cast<double>((i * 7919) % 101) / 101.0;
  }
  return x;
}

// scipy.signal.welch 1.10.1 (fs=50, detrend constant): first, second, at a third, the last two.
TEST(Signal, WelchIsThatOfScipy) {
  struct Row {
    Window window;
    Index segment;
    double overlap;
    double values[5];
    double last_frequency;
  };
  for (const Row& row : {Row{Window::hann,
                             64,
                             0.5,
                             {0.000245352309447642, 0.000781126518232385, 0.00393900804651807,
                              0.000388636357440233, 0.000198867828780379},
                             25.0},
                         Row{Window::blackman,
                             45,
                             0.25,
                             {0.000810887824939002, 0.00164401629931435, 0.00325124907342068,
                              0.000184802182397528, 0.000143017209990952},
                             24.4444444444444},
                         Row{Window::rectangular,
                             200,
                             0.0,
                             {0.0, 0.000374689968278211, 0.00128950183125901, 0.000870385130039196,
                              4.39324296507876e-08},
                             25.0},
                         Row{Window::hamming,
                             64,
                             0.75,
                             {0.000171608544126915, 0.000658151136255158, 0.00236009066105761,
                              0.000273779431289692, 0.000187446440979919},
                             25.0}}) {
    WelchOptions options;
    options.segment = row.segment;
    options.overlap = row.overlap;
    options.window = row.window;
    const SpectralDensity found = welch(test_signal(), 50.0, options);
    const Index n = found.density.size();
    ASSERT_EQ(n, row.segment / 2 + 1);
    const Index at[5] = {0, 1, n / 3, n - 2, n - 1};
    for (int k = 0; k < 5; ++k)
      EXPECT_NEAR(found.density[at[k]], row.values[k], 1e-12 * row.values[k] + 1e-18)
          << row.segment << " " << k;
    EXPECT_NEAR(found.frequency[n - 1], row.last_frequency, 1e-12);
  }
}

// The mean square of the whole band is that of the signal without its mean.
TEST(Signal, DensityHasTheMeanSquare) {
  const VectorXd x = test_signal();
  WelchOptions options;
  options.segment = x.size();
  options.window = Window::rectangular;
  const SpectralDensity density = welch(x, 50.0, options);
  const double expected = std::sqrt((x.array() - x.mean()).square().mean());
  EXPECT_NEAR(density.rms(0.0, 25.0), expected, 1e-12);
  EXPECT_NEAR(std::hypot(density.rms(0.0, 7.3), density.rms(7.3, 25.0)), expected, 1e-12);
}

// Of a sine after the start.
TEST(Signal, ButterworthFiltersHaveTheirResponse) {
  const double rate = 1000.0, f = 12.0;
  VectorXd x(4000);
  for (Index i = 0; i < x.size(); ++i)
    x[i] = std::sin(2 * M_PI * f * static_cast<double>(i) / rate);
  for (const double limit : {6.0, 12.0, 40.0}) {
    const double low = 1.0 / std::sqrt(1.0 + std::pow(f / limit, 8)),
                 high = 1.0 / std::sqrt(1.0 + std::pow(limit / f, 8));
    EXPECT_NEAR(std::abs(butterworth_low_pass(limit, 4)(f)), low, 1e-12);
    EXPECT_NEAR(std::abs(butterworth_high_pass(limit, 4)(f)), high, 1e-12);
    const VectorXd y = filtered(x, rate, butterworth_low_pass(limit, 4)).tail(1500);
    EXPECT_NEAR(y.maxCoeff(), low, 2e-3);
    EXPECT_NEAR(y.minCoeff(), -low, 2e-3);
  }
}

// A low pass begins at rest and follows a step with its own overshoot, none of it before the step.
TEST(Signal, FiltersAreCausal) {
  VectorXd step = VectorXd::Zero(2000);
  step.tail(1000).setOnes();
  const VectorXd y = filtered(step, 1000.0, butterworth_low_pass(20.0, 2));
  EXPECT_LT(y.head(950).cwiseAbs().maxCoeff(), 1e-3);
  EXPECT_NEAR(y.maxCoeff(), 1.0 + std::exp(-M_PI), 2e-3);
}

TEST(Signal, PercentilesAreLinearBetweenValues) {
  EXPECT_DOUBLE_EQ(percentile({3.0, 1.0, 2.0}, 0.5), 2.0);
  EXPECT_DOUBLE_EQ(percentile({3.0, 1.0, 2.0}, 0.75), 2.5);
  EXPECT_DOUBLE_EQ(percentile({3.0, 1.0}, 1.0), 3.0);
}

}  // namespace
}  // namespace solidyn::math
