#pragma once
#include <Eigen/Dense>
#include <complex>
#include <functional>
#include <string>
#include <vector>

namespace solidyn::math {

/// Windows of a segment, periodic: the first value that is left out would be the first one again.
enum class Window { rectangular, hann, hamming, blackman };
Eigen::VectorXd window_values(Window window, Eigen::Index n);

struct WelchOptions {
  Eigen::Index segment = 0;  ///< samples in a segment
  double overlap = 0.5;      ///< of neighbours, share of the segment, 0 to below 1
  Window window = Window::hann;
  bool keeps_mean = false;  ///< else the mean of each segment is subtracted
};

/// One-sided: its integral over the frequencies is the mean square.
struct SpectralDensity {
  Eigen::VectorXd frequency;  ///< Hz, from 0 to half the rate
  Eigen::VectorXd density;    ///< unit^2/Hz
  Eigen::Index n_segments = 0;
  /// Root mean square of the part between two frequencies, in which lines count by their share of
  /// the band.
  double rms(double from, double to) const;
};

/// Power spectral density as the mean of windowed periodograms (Welch 1967); samples after the last
/// whole segment are left out.
/// @param rate Hz   @pre 2 <= segment <= size of the signal
/// Proved by Signal.WelchIsThatOfScipy.
SpectralDensity welch(const Eigen::Ref<const Eigen::VectorXd>& signal, double rate,
                      const WelchOptions& options);

/// A filter by its answer to exp(2 pi i f t) at the frequency f, Hz.
using Response = std::function<std::complex<double>(double frequency)>;

/// The signal through a filter, which is at rest before it begins: by a discrete Fourier transform
/// with as many zeros behind the signal as it is long.
Eigen::VectorXd filtered(const Eigen::Ref<const Eigen::VectorXd>& signal, double rate,
                         const Response& response);

/// Of Butterworth's filters of an order, attenuated by 3 dB at the limit, Hz.
Response butterworth_low_pass(double limit, int order);
Response butterworth_high_pass(double limit, int order);

/// The value below which a share of the values lies, 0 to 1, linear between them.
/// @pre values are not empty
double percentile(std::vector<double> values, double share);

}  // namespace solidyn::math
