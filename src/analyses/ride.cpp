#include "solidyn/analyses/ride.h"

#include <cmath>

#include "solidyn/math/signal.h"

namespace solidyn::analyses {
namespace {

using Complex = std::complex<double>;
using Eigen::VectorXd;

constexpr double kBlock = 5.0;                          // s
constexpr double kLowestOfWz = 0.5, kHighestOfWz = 40;  // Hz

/// Frequencies in Hz, and quality factors; without a step where f5 is zero.
struct WeightParameters {
  double f3, f4, Q4, f5, Q5, f6, Q6, gain;
};

WeightParameters parameters_of(VibrationWeight weight) {
  switch (weight) {
    case VibrationWeight::Wk:
      return {12.5, 12.5, 0.63, 2.37, 0.91, 3.35, 0.91, 1.0};
    case VibrationWeight::Wd:
      return {2.0, 2.0, 0.63, 0.0, 0.0, 0.0, 0.0, 1.0};
    case VibrationWeight::Wb:
      return {16.0, 16.0, 0.63, 2.5, 0.8, 4.0, 0.8, 1.024};  // K = 0.4 = 1.024 (2.5 / 4)^2
  }
  return {};
}

Complex second_order(double frequency, double corner, double quality) {
  const Complex x(0.0, frequency / corner);
  return 1.0 + x / quality + x * x;
}

bool is_long_enough(Eigen::Index n, double rate) {
  return static_cast<double>(n) >= kBlock * rate * (1.0 - 1e-9);
}

}  // namespace

Complex vibration_weight(VibrationWeight weight, double frequency) {
  constexpr double kLow = 0.4, kHigh = 100.0;
  if (frequency == 0.0) return 0.0;
  const WeightParameters p = parameters_of(weight);
  const Complex high_pass = math::butterworth_high_pass(kLow, 2)(frequency),
                low_pass = math::butterworth_low_pass(kHigh, 2)(frequency);
  const Complex transition = Complex(1.0, frequency / p.f3) / second_order(frequency, p.f4, p.Q4);
  Complex step = p.gain;
  if (p.f5 > 0.0)
    step *= second_order(frequency, p.f5, p.Q5) / second_order(frequency, p.f6, p.Q6) *
            (p.f5 * p.f5) / (p.f6 * p.f6);
  return high_pass * low_pass * transition * step;
}

std::vector<double> weighted_rms(const Eigen::Ref<const VectorXd>& acceleration, double rate,
                                 VibrationWeight weight, double block) {
  const VectorXd weighted =
      math::filtered(acceleration.array() - acceleration.mean(), rate,
                     [weight](double f) { return vibration_weight(weight, f); });
  const auto n = static_cast<Eigen::Index>(std::lround(block * rate));
  std::vector<double> result;
  for (Eigen::Index start = 0; n > 0 && start + n <= weighted.size(); start += n)
    result.push_back(std::sqrt(weighted.segment(start, n).squaredNorm() / static_cast<double>(n)));
  return result;
}

std::optional<MeanComfort> mean_comfort(const FloorAccelerations& a, double rate) {
  MeanComfort comfort;
  double sum = 0.0;
  const auto add = [&](const VectorXd& signal, VibrationWeight weight) {
    if (!is_long_enough(signal.size(), rate)) return;
    const std::vector<double> blocks = weighted_rms(signal, rate, weight, kBlock);
    comfort.n_blocks = static_cast<int>(blocks.size());
    sum += std::pow(math::percentile(blocks, 0.95), 2);
  };
  add(a.longitudinal, VibrationWeight::Wd);
  add(a.lateral, VibrationWeight::Wd);
  add(a.vertical, VibrationWeight::Wb);
  if (comfort.n_blocks == 0) return std::nullopt;
  comfort.index = 6.0 * std::sqrt(sum);
  return comfort;
}

// B = k sqrt((1.911 f^2 + (0.25 f^2)^2) / ((1 - 0.277 f^2)^2 + (1.563 f - 0.0368 f^3)^2))
double sperling_weight(RideDirection direction, double f) {
  const double k = direction == RideDirection::vertical ? 0.588 : 0.737, square = f * f;
  return k * std::sqrt((1.911 * square + std::pow(0.25 * square, 2)) /
                       (std::pow(1.0 - 0.277 * square, 2) +
                        std::pow(1.563 * f - 0.0368 * square * f, 2)));
}

std::optional<double> sperling_index(const Eigen::Ref<const VectorXd>& acceleration, double rate,
                                     RideDirection direction) {
  if (!is_long_enough(acceleration.size(), rate)) return std::nullopt;
  math::WelchOptions options;
  options.segment = std::min<Eigen::Index>(acceleration.size(), std::lround(kBlock * rate));
  options.overlap = 0.0;
  options.window = math::Window::rectangular;
  const math::SpectralDensity spectrum = math::welch(acceleration, rate, options);
  const double df = spectrum.frequency[1];
  constexpr double kCentimetres = 100.0;
  double sum = 0.0;
  for (Eigen::Index i = 0; i < spectrum.frequency.size(); ++i) {
    const double f = spectrum.frequency[i];
    if (f < kLowestOfWz || f > kHighestOfWz) continue;
    const double amplitude = kCentimetres * std::sqrt(2.0 * spectrum.density[i] * df);
    sum += std::pow(amplitude * sperling_weight(direction, f), 20.0 / 6.67);
  }
  return std::pow(sum, 0.1);
}

}  // namespace solidyn::analyses
