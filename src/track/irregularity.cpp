#include "solidyn/track/irregularity.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <complex>
#include <random>

#include "solidyn/base/error.h"

namespace solidyn::track {
namespace {

// Each is evaluated at each place.
constexpr int kMostWaves = 1000000;
constexpr double kLargest = 0.2;  // m, root mean square of a channel: no train runs on more
// Of the sum, in the shortest wave.
constexpr double kSamplesOfShortest = 16.0;
constexpr double kMostSamples = 5e6;
// Waves times samples that are summed before a run, for some seconds; beyond, at the places that it
// comes to.
constexpr double kMostTerms = 4e9;

// A product of two, and their sum.
Deviation times(const Deviation& a, const Deviation& b) {
  return {a.value * b.value, a.first * b.value + a.value * b.first,
          a.second * b.value + 2.0 * a.first * b.first + a.value * b.second};
}
Deviation plus(const Deviation& a, double share, const Deviation& b) {
  return {a.value + share * b.value, a.first + share * b.first, a.second + share * b.second};
}

/// From 0 at s = 0 to 1 at s = length by the quintic whose first two derivatives vanish at both
/// ends.
Deviation quintic_step(double s, double length) {
  if (s >= length) return {1.0, 0.0, 0.0};
  if (s <= 0.0) return {0.0, 0.0, 0.0};
  const double x = s / length;
  return {x * x * x * (10.0 + x * (-15.0 + 6.0 * x)), 30.0 * x * x * (1.0 - x) * (1.0 - x) / length,
          60.0 * x * (1.0 - x) * (1.0 - 2.0 * x) / (length * length)};
}

void check(const SynthesisOptions& o) {
  std::vector<base::Diagnostic> wrong;
  const bool has_band = o.shortest > 0.0 && o.longest > o.shortest && std::isfinite(o.longest);
  if (!has_band)
    wrong.push_back(
        {{},
         "irregularities by a spectrum need a band of wavelengths" +
             (o.shortest == 0.0 && o.longest == 0.0
                  ? std::string()
                  : fmt::format("; this one is from {:g} to {:g} m", o.shortest, o.longest)),
         "give the shortest and the longest wavelength in m, for example [3, 70]"});
  if (!o.seed)
    wrong.push_back({{},
                     "irregularities by a spectrum need a seed, so that the run can be repeated",
                     "give a whole number, for example  seed: 1"});
  if (o.n_waves < 1 || o.n_waves > kMostWaves)
    wrong.push_back({{},
                     fmt::format("irregularities have {} waves", o.n_waves),
                     fmt::format("give 1 to {}, for example 1000", kMostWaves)});
  if (!(o.fade_in >= 0.0))
    wrong.push_back(
        {{}, fmt::format("the irregularities fade in over {:g} m", o.fade_in), "give 0 or more"});
  if (!wrong.empty()) throw base::InputError(wrong);
}

// A power cannot be negative, as a fraction of polynomials may be.
double amplitude_of(const Spectrum& spectrum, double wavenumber, double step) {
  const double power = spectrum.at(wavenumber);
  if (!(power >= 0.0 && std::isfinite(power)))
    throw base::InputError(
        fmt::format("the spectrum is {:g} m^2/(rad/m) at a wavelength of {:.4g} m, in the band",
                    power, 2.0 * M_PI / wavenumber),
        "give coefficients of numerator and denominator with which it is positive, or another band");
  return std::sqrt(2.0 * power * step);
}

}  // namespace

WaveSum::WaveSum(const Spectrum& spectrum, double shortest, double longest,
                 const std::vector<double>& phases) {
  const auto n = static_cast<double>(phases.size());
  const double from = 2.0 * M_PI / longest, to = 2.0 * M_PI / shortest;
  step_ = (to - from) / n;
  first_ = from + 0.5 * step_;
  for (std::size_t k = 0; k < phases.size(); ++k) {
    const double amplitude = amplitude_of(spectrum, first_ + step_ * static_cast<double>(k), step_);
    cosine_.push_back(amplitude * std::cos(phases[k]));
    sine_.push_back(amplitude * std::sin(phases[k]));
  }
}

// The wavenumbers are equidistant: each wave is the one before, turned by dW s. Renewed by sine and
// cosine now and then, as roundoff of the turns adds up.
Deviation WaveSum::at(double s) const {
  constexpr std::size_t kRenewal = 64;
  const double cos_step = std::cos(step_ * s), sin_step = std::sin(step_ * s);
  Deviation sum;
  double c = 0.0, n = 0.0;
  for (std::size_t k = 0; k < cosine_.size(); ++k) {
    const double W = first_ + step_ * static_cast<double>(k);
    if (k % kRenewal == 0) {
      c = std::cos(W * s);
      n = std::sin(W * s);
    }
    const double value = cosine_[k] * c - sine_[k] * n, quarter = cosine_[k] * n + sine_[k] * c;
    sum.value += value;
    sum.first -= W * quarter;
    sum.second -= W * W * value;
    const double next = c * cos_step - n * sin_step;
    n = n * cos_step + c * sin_step;
    c = next;
  }
  return sum;
}

// Each wave is turned by its own angle from one place to the next; so many at a time that all of
// them stay where they are quickly reached.
std::vector<Deviation> WaveSum::samples(double step, std::size_t n, double from) const {
  constexpr std::size_t kRenewal = 1024;  // roundoff of the turns adds up
  constexpr Eigen::Index kBlock = 64;
  using Block = Eigen::Array<double, Eigen::Dynamic, 1, 0, kBlock, 1>;
  const auto n_waves = static_cast<Eigen::Index>(cosine_.size());
  std::vector<Deviation> samples(n);
  for (Eigen::Index at = 0; at < n_waves; at += kBlock) {
    const Eigen::Index m = std::min(kBlock, n_waves - at);
    const Eigen::Map<const Eigen::ArrayXd> a(cosine_.data() + at, m), b(sine_.data() + at, m);
    const Block W =
        first_ + step_ * (Block::LinSpaced(m, 0.0, static_cast<double>(m - 1)) + double(at));
    const Block c = (W * step).cos(), d = (W * step).sin(), squares = W.square();
    Block value(m), quarter(m), turned(m);
    for (std::size_t i = 0; i < n; ++i) {
      if (i % kRenewal == 0) {
        const Block angle = W * (from + step * static_cast<double>(i));
        const Block cosine = angle.cos(), sine = angle.sin();
        value = a * cosine - b * sine;
        quarter = a * sine + b * cosine;
      }
      samples[i].value += value.sum();
      samples[i].first -= (W * quarter).sum();
      samples[i].second -= (squares * value).sum();
      turned = value * c - quarter * d;
      quarter = quarter * c + value * d;
      value = turned;
    }
  }
  return samples;
}

// Hermite's quintic: with x from 0 to 1, z = z_0 + z_0' x + z_0''/2 x^2 + x^3 (a + b x + c x^2).
Deviation SampledDeviation::at(double s) const {
  const auto i = std::min(static_cast<std::size_t>(s / step_), points_.size() - 2);
  const Deviation &p = points_[i], &q = points_[i + 1];
  const double h = step_, x = s / h - static_cast<double>(i);
  const double p_1 = h * p.first, p_2 = h * h * p.second, q_1 = h * q.first, q_2 = h * h * q.second;
  const double value = q.value - p.value - p_1 - 0.5 * p_2, slope = q_1 - p_1 - p_2,
               bend = q_2 - p_2;
  const double a = 10.0 * value - 4.0 * slope + 0.5 * bend, b = -15.0 * value + 7.0 * slope - bend,
               c = 6.0 * value - 3.0 * slope + 0.5 * bend;
  return {p.value + x * (p_1 + x * (0.5 * p_2 + x * (a + x * (b + x * c)))),
          (p_1 + x * (p_2 + x * (3.0 * a + x * (4.0 * b + 5.0 * x * c)))) / h,
          (p_2 + x * (6.0 * a + x * (12.0 * b + 20.0 * x * c))) / (h * h)};
}

double WaveSum::variance() const {
  double sum = 0.0;
  for (std::size_t k = 0; k < cosine_.size(); ++k)
    sum += 0.5 * (cosine_[k] * cosine_[k] + sine_[k] * sine_[k]);
  return sum;
}

double WaveSum::period() const { return 2.0 * M_PI / step_; }

// The generator's numbers are the same everywhere; those of the library's distributions are not.
std::vector<double> random_phases(std::uint64_t seed, Channel channel, std::size_t n_waves) {
  std::seed_seq sequence{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
                         static_cast<std::uint32_t>(channel)};
  std::mt19937_64 generator(sequence);
  std::vector<double> phases(n_waves);
  for (double& phase : phases)
    phase = 2.0 * M_PI * std::ldexp(static_cast<double>(generator() >> 11), -53);
  return phases;
}

Irregularities::Irregularities(std::array<Function, kChannels> functions, double fade_in)
    : functions_(std::move(functions)), fade_in_(fade_in) {}

Deviation Irregularities::grown(double s, const Deviation& whole) const {
  if (s < from_) return {};
  return fade_in_ > 0.0 ? times(quintic_step(s - from_, fade_in_), whole) : whole;
}

Deviation Irregularities::at(Channel channel, double s) const {
  const Function& function = functions_[channel];
  if (!function || s < from_) return {};
  return grown(s, function(s));
}

std::vector<Deviation> Irregularities::samples(Channel channel, double step, std::size_t n,
                                               double from) const {
  const bool is_fast = samplers_[channel] != nullptr;
  std::vector<Deviation> samples =
      is_fast ? samplers_[channel](step, n, from) : std::vector<Deviation>(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double s = from + step * static_cast<double>(i);
    samples[i] = is_fast ? grown(s, samples[i]) : at(channel, s);
  }
  return samples;
}

Deviation Irregularities::vertical(bool is_left, double s) const {
  return plus(at(kVertical, s), is_left ? 0.5 : -0.5, at(kCrossLevel, s));
}

Deviation Irregularities::lateral(bool is_left, double s) const {
  return plus(at(kLateral, s), is_left ? 0.5 : -0.5, at(kGauge, s));
}

Irregularities synthesise(const std::array<std::optional<Spectrum>, kChannels>& spectra,
                          const SynthesisOptions& options, double length,
                          std::vector<std::string>* warnings) {
  check(options);
  std::array<Irregularities::Function, kChannels> functions;
  std::array<Irregularities::Sampler, kChannels> samplers;
  double period = 0.0;
  for (int k = 0; k < kChannels; ++k) {
    if (!spectra[static_cast<std::size_t>(k)]) continue;
    const auto channel = static_cast<Channel>(k);
    const WaveSum sum(
        *spectra[channel], options.shortest, options.longest,
        random_phases(*options.seed, channel, static_cast<std::size_t>(options.n_waves)));
    if (!(sum.variance() <= kLargest * kLargest))
      throw base::InputError(
          fmt::format("the {} irregularities have a root mean square of {:.3g} m",
                      channel_name(channel), std::sqrt(sum.variance())),
          "give the coefficients of the spectrum in SI units, as of its convention");
    period = sum.period();
    const auto waves = [sum](double s) { return sum.at(s); };
    const double step = options.shortest / kSamplesOfShortest;
    if (!(length / step < kMostSamples && length / step * options.n_waves < kMostTerms)) {
      functions[channel] = waves;
      samplers[channel] = [sum](double by, std::size_t n, double from) {
        return sum.samples(by, n, from);
      };
      continue;
    }
    const SampledDeviation sampled(sum.samples(step, static_cast<std::size_t>(length / step) + 2),
                                   step);
    functions[channel] = [sampled, waves](double s) {
      return sampled.covers(s) ? sampled.at(s) : waves(s);
    };
  }
  if (warnings && period > 0.0 && length > period) {
    const double needed = std::ceil(options.n_waves * length / period);
    warnings->push_back(fmt::format(
        "{} waves of the irregularities repeat after {:.5g} m, and the run is {:.5g} m long: {}",
        options.n_waves, period, length,
        needed <= kMostWaves
            ? fmt::format("take {:.0f} waves or more", needed)
            : fmt::format("take up to {} waves, a shorter track, or a narrower band", kMostWaves)));
  }
  Irregularities all(std::move(functions), options.fade_in);
  for (int k = 0; k < kChannels; ++k)
    all.set_sampler(static_cast<Channel>(k), std::move(samplers[static_cast<std::size_t>(k)]));
  return all;
}

}  // namespace solidyn::track
