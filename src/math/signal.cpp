#include "solidyn/math/signal.h"

#include <algorithm>
#include <cmath>
#include <unsupported/Eigen/FFT>

namespace solidyn::math {

using Eigen::Index;
using Eigen::VectorXcd;
using Eigen::VectorXd;
using Complex = std::complex<double>;

VectorXd window_values(Window window, Index n) {
  VectorXd values(n);
  for (Index i = 0; i < n; ++i) {
    const double turn = 2.0 * M_PI * static_cast<double>(i) / static_cast<double>(n);
    switch (window) {
      case Window::rectangular:
        values[i] = 1.0;
        break;
      case Window::hann:
        values[i] = 0.5 - 0.5 * std::cos(turn);
        break;
      case Window::hamming:
        values[i] = 0.54 - 0.46 * std::cos(turn);
        break;
      case Window::blackman:
        values[i] = 0.42 - 0.5 * std::cos(turn) + 0.08 * std::cos(2.0 * turn);
        break;
    }
  }
  return values;
}

double SpectralDensity::rms(double from, double to) const {
  if (frequency.size() < 2) return 0.0;
  const double df = frequency[1] - frequency[0];
  double square = 0.0;
  for (Index i = 0; i < frequency.size(); ++i) {
    const double low = std::max(from, std::max(0.0, frequency[i] - 0.5 * df)),
                 high = std::min(to, frequency[i] + 0.5 * df);
    // The line at zero and the last one have half a band, and the whole of their power.
    const double band = i == 0 || i + 1 == frequency.size() ? 0.5 * df : df;
    if (high > low) square += density[i] * df * std::min(1.0, (high - low) / band);
  }
  return std::sqrt(square);
}

SpectralDensity welch(const Eigen::Ref<const VectorXd>& signal, double rate,
                      const WelchOptions& options) {
  const Index n = options.segment;
  const Index step =
      std::max<Index>(1, n - static_cast<Index>(options.overlap * static_cast<double>(n)));
  const VectorXd window = window_values(options.window, n);
  Eigen::FFT<double> fft;
  const Index lines = n / 2 + 1;
  SpectralDensity result;
  result.density = VectorXd::Zero(lines);
  result.frequency =
      VectorXd::LinSpaced(lines, 0.0, static_cast<double>(n / 2)) * (rate / static_cast<double>(n));
  for (Index start = 0; start + n <= signal.size(); start += step) {
    VectorXd segment = signal.segment(start, n);
    if (!options.keeps_mean) segment.array() -= segment.mean();
    segment = segment.cwiseProduct(window);
    VectorXcd spectrum;
    fft.fwd(spectrum, segment);
    result.density += spectrum.head(lines).cwiseAbs2();
    ++result.n_segments;
  }
  result.density *= 1.0 / (static_cast<double>(result.n_segments) * rate * window.squaredNorm());
  // Negative frequencies; zero has none, nor has half the rate.
  const Index last = n % 2 == 0 ? lines - 1 : lines;
  result.density.segment(1, last - 1) *= 2.0;
  return result;
}

VectorXd filtered(const Eigen::Ref<const VectorXd>& signal, double rate, const Response& response) {
  Index n = 2;
  while (n < 2 * signal.size()) n *= 2;
  VectorXd padded = VectorXd::Zero(n);
  padded.head(signal.size()) = signal;
  Eigen::FFT<double> fft;
  VectorXcd spectrum;
  fft.fwd(spectrum, padded);
  for (Index i = 0; i <= n / 2; ++i) {
    spectrum[i] *= response(rate * static_cast<double>(i) / static_cast<double>(n));
    if (i == n / 2) spectrum[i] = spectrum[i].real();
    if (i > 0 && i < n / 2) spectrum[n - i] = std::conj(spectrum[i]);
  }
  VectorXd result;
  fft.inv(result, spectrum);
  return result.head(signal.size());
}

// Poles of 1 / product of (s - p_k) at the angles pi (2 k + n + 1) / (2 n).
Response butterworth_low_pass(double limit, int order) {
  return [limit, order](double frequency) {
    Complex value = 1.0;
    for (int k = 0; k < order; ++k)
      value /= Complex(0.0, frequency / limit) -
               std::polar(1.0, M_PI * (2 * k + order + 1) / (2.0 * order));
    return value;
  };
}

Response butterworth_high_pass(double limit, int order) {
  const Response low_pass = butterworth_low_pass(limit, order);
  return [limit, low_pass](double frequency) {
    return frequency == 0.0 ? Complex(0.0) : std::conj(low_pass(limit * limit / frequency));
  };
}

double percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const double at = share * static_cast<double>(values.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(at), values.size() - 1);
  const std::size_t next = std::min(i + 1, values.size() - 1);
  return values[i] + (at - static_cast<double>(i)) * (values[next] - values[i]);
}

}  // namespace solidyn::math
