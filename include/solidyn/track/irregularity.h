#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "solidyn/math/time_function.h"
#include "solidyn/track/spectrum.h"

namespace solidyn::track {

/// A deviation at a place, with its derivatives by s.
struct Deviation {
  double value = 0.0, first = 0.0, second = 0.0;  ///< m, -, 1/m
};

/// A function that is twice continuously differentiable, by its values and derivatives at
/// equidistant points: the polynomial of degree 5 between two of them. Of a wave of length L, with
/// points L/16 apart, the value is within 1e-7 of the amplitude, the slope within 2e-6.
class SampledDeviation {
 public:
  /// @param points  from s = 0 on, two or more   @param step m
  SampledDeviation(std::vector<Deviation> points, double step)
      : step_(step), points_(std::move(points)) {}
  /// @pre covers(s)
  Deviation at(double s) const;
  bool covers(double s) const {
    return s >= 0.0 && s <= step_ * static_cast<double>(points_.size() - 1);
  }

 private:
  double step_ = 1.0;
  std::vector<Deviation> points_;
};

/// Sum of n waves whose wavenumbers lie in the middles of equal parts of a band:
///   z(s) = sum of sqrt(2 S(W_k) dW) cos(W_k s + p_k)
class WaveSum {
 public:
  /// @param phases  p_k, rad, as many as waves
  /// @throws base::InputError for a spectrum that is negative in the band
  WaveSum(const Spectrum& spectrum, double shortest, double longest,
          const std::vector<double>& phases);
  Deviation at(double s) const;
  /// The same at n places from `from` on, much faster. @param step, from  m
  std::vector<Deviation> samples(double step, std::size_t n, double from = 0.0) const;
  /// The mean square over a common period, whatever the phases.
  double variance() const;
  /// After so many metres the sum repeats, up to phases.
  double period() const;

 private:
  double first_ = 0.0, step_ = 0.0;    ///< wavenumbers, rad/m
  std::vector<double> cosine_, sine_;  ///< amplitude times cos p_k, sin p_k
};

/// Phases that a seed gives, the same on all machines. @param channel  channels of one seed are
/// independent
std::vector<double> random_phases(std::uint64_t seed, Channel channel, std::size_t n_waves);

/// Irregularities that a spectrum gives.
struct SynthesisOptions {
  double shortest = 0.0, longest = 0.0;  ///< band of wavelengths, m: needed
  std::optional<std::uint64_t> seed;     ///< needed
  int n_waves = 1000;
  double fade_in = 20.0;  ///< m, from where they begin; 0 for none
};

/// Both rails' deviations from the track's design, twice continuously differentiable.
class Irregularities {
 public:
  using Function = std::function<Deviation(double)>;
  /// The same at n places from `from` on, `step` apart.
  using Sampler = std::function<std::vector<Deviation>(double step, std::size_t n, double from)>;
  /// None.
  Irregularities() = default;
  /// @param functions  by channel, an empty one is zero  @param fade_in m: a quintic step over
  /// which all grow from s = 0
  Irregularities(std::array<Function, kChannels> functions, double fade_in);
  /// None before s = `from`, m, where the fade-in begins. Without a fade-in they begin by a jump.
  void begin_at(double from) { from_ = from; }
  /// A faster way to many places than the function of the channel, with the same values.
  void set_sampler(Channel channel, Sampler sampler) { samplers_[channel] = std::move(sampler); }

  Deviation at(Channel channel, double s) const;
  /// The same at n places from `from` on. @param step, from  m
  std::vector<Deviation> samples(Channel channel, double step, std::size_t n, double from) const;
  /// Of one rail, up and to the left: mean and half of cross level and gauge.
  Deviation vertical(bool is_left, double s) const;
  Deviation lateral(bool is_left, double s) const;

 private:
  // With the fade-in.
  Deviation grown(double s, const Deviation& whole) const;

  std::array<Function, kChannels> functions_;
  std::array<Sampler, kChannels> samplers_;
  double fade_in_ = 0.0, from_ = 0.0;
};

/// By one named or own spectrum per channel, as SampledDeviation over `length`, and beyond as the
/// sum of waves itself. @param warnings  a run that is longer than the period, if `length` is
/// @throws base::InputError without band, seed or waves: all complaints
Irregularities synthesise(const std::array<std::optional<Spectrum>, kChannels>& spectra,
                          const SynthesisOptions& options, double length,
                          std::vector<std::string>* warnings = nullptr);

/// Channels sampled from 0 to `length` as a table of comma-separated values with s in the first
/// column, m. @throws base::InputError for lengths and steps that are not positive, or a file that
/// cannot be written
/// @param look_up  called every few thousand rows; what it throws ends the writing
void write_irregularities(const std::string& file, const Irregularities& irregularities,
                          double length, double step, const std::function<void()>& look_up = {});

/// Reads such a table: a line of names `s` and of channels, or of both rails' (left_vertical,
/// right_vertical, left_lateral, right_lateral), then numbers in m; between rows by cubic splines.
/// Lines that begin with # are comments.
/// @param length  of the run, m, which it has to reach
/// @throws base::InputError for a file that cannot be read, unknown columns, unsorted rows, gaps,
/// or one that is too short
Irregularities read_irregularities(const std::string& file, double length, double fade_in);

}  // namespace solidyn::track
