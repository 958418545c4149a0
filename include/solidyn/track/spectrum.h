#pragma once
#include <optional>
#include <string>
#include <vector>

namespace solidyn::track {

/// What a track deviates in, all lengths in m: the mean of both rails up and to the left, the left
/// rail above the right one (over a base of 1.5 m), and the rails apart from each other.
enum Channel { kVertical, kLateral, kCrossLevel, kGauge, kChannels };
const char* channel_name(Channel channel);
constexpr double kCrossLevelBase = 1.5;  ///< m

/// What the numbers of a spectrum are about. Variance is the integral of each over its own range.
enum class SpectrumConvention {
  one_sided_wavenumber,  ///< m^2/(rad/m), W = 2 pi/wavelength > 0
  two_sided_wavenumber,  ///< the same over negative wavenumbers too: half as large
  one_sided_frequency    ///< m^2/(1/m), over cycles per metre
};

/// S(W) = sum of n_i W^(2 i) / sum of d_i W^(2 i), one-sided, m^2/(rad/m).
class Spectrum {
 public:
  /// @param numerator, denominator  coefficients of even powers of the wavenumber or frequency that
  /// the convention says
  /// @throws base::InputError unless there is a denominator and the spectrum is positive somewhere
  Spectrum(std::vector<double> numerator, std::vector<double> denominator,
           SpectrumConvention convention = SpectrumConvention::one_sided_wavenumber);
  double at(double wavenumber) const;
  /// Of wavelengths between two, m^2. To roundoff.
  double variance(double shortest, double longest) const;

 private:
  std::vector<double> numerator_, denominator_;
};

/// Spectra by name: erri_low, erri_high (ERRI B176), fra_1 ... fra_6 (FRA classes). None of them
/// has gauge. Formulas and their sources: doc/theory/wheel_rail.md.
/// @return nothing for a channel that the spectrum does not have  @throws base::InputError for an
/// unknown name
std::optional<Spectrum> find_spectrum(const std::string& name, Channel channel);
const std::vector<std::string>& spectrum_names();

}  // namespace solidyn::track
