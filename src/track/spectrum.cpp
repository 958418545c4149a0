#include "solidyn/track/spectrum.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "solidyn/base/error.h"

namespace solidyn::track {
namespace {

using Coefficients = std::vector<double>;

double polynomial(const Coefficients& c, double square) {
  double sum = 0.0;
  for (auto i = c.rbegin(); i != c.rend(); ++i) sum = sum * square + *i;
  return sum;
}

// Product of (W^2 + a^2).
Coefficients poles(std::initializer_list<double> corners) {
  Coefficients product = {1.0};
  for (double corner : corners) {
    Coefficients next(product.size() + 1, 0.0);
    for (std::size_t i = 0; i < product.size(); ++i) {
      next[i] += corner * corner * product[i];
      next[i + 1] += product[i];
    }
    product = std::move(next);
  }
  return product;
}

using Formula = std::optional<Spectrum> (*)(int row, Channel channel);

// ERRI B176: W_c = 0.8246, W_r = 0.0206, W_s = 0.4380 rad/m, amplitudes in m rad. Their cross level
// is a roll angle with A_v / b^2, b = 0.75 m; as a length over 2 b it has 4 A_v.
std::optional<Spectrum> erri(int row, Channel channel) {
  constexpr std::array<std::array<double, 2>, 2> kAmplitudes = {
      {{4.032e-7, 2.119e-7}, {1.080e-6, 6.125e-7}}};
  constexpr double W_c = 0.8246, W_r = 0.0206, W_s = 0.4380;
  const auto [vertical, lateral] = kAmplitudes[static_cast<std::size_t>(row)];
  if (channel == kVertical) return Spectrum({vertical * W_c * W_c}, poles({W_r, W_c}));
  if (channel == kLateral) return Spectrum({lateral * W_c * W_c}, poles({W_r, W_c}));
  if (channel == kCrossLevel)
    return Spectrum({0.0, 4.0 * vertical * W_c * W_c}, poles({W_r, W_c, W_s}));
  return std::nullopt;
}

// FRA (AAR) classes 1 to 6: k = 0.25, W_c = 0.8245 rad/m; A_v, A_a in cm^2 rad/m, W_s in rad/m.
std::optional<Spectrum> fra(int row, Channel channel) {
  constexpr std::array<std::array<double, 3>, 6> kClasses = {{{1.2107, 3.3634, 0.6046},
                                                              {1.0181, 1.2107, 0.9308},
                                                              {0.6816, 0.4128, 0.8520},
                                                              {0.5376, 0.3027, 1.1312},
                                                              {0.2095, 0.0762, 0.8209},
                                                              {0.0339, 0.0339, 0.4380}}};
  constexpr double W_c = 0.8245, k = 0.25, m2_per_cm2 = 1e-4;
  const auto [A_v, A_a, W_s] = kClasses[static_cast<std::size_t>(row)];
  const double scale = k * m2_per_cm2 * W_c * W_c;
  if (channel == kVertical) return Spectrum({scale * A_v}, poles({0.0, W_c}));
  if (channel == kLateral) return Spectrum({scale * A_a}, poles({0.0, W_c}));
  if (channel == kCrossLevel) return Spectrum({4.0 * scale * A_v}, poles({W_c, W_s}));
  return std::nullopt;
}

struct Entry {
  const char* name;
  Formula formula;
  int row;
};
constexpr std::array<Entry, 8> kSpectra = {{{"erri_low", erri, 0},
                                            {"erri_high", erri, 1},
                                            {"fra_1", fra, 0},
                                            {"fra_2", fra, 1},
                                            {"fra_3", fra, 2},
                                            {"fra_4", fra, 3},
                                            {"fra_5", fra, 4},
                                            {"fra_6", fra, 5}}};

/// Coefficients c_i of x^(2 i), x = scale W, times a factor, as those of W^(2 i).
Coefficients rescaled(Coefficients c, double scale, double factor) {
  for (double& coefficient : c) {
    coefficient *= factor;
    factor *= scale * scale;
  }
  return c;
}

}  // namespace

const char* channel_name(Channel channel) {
  constexpr std::array<const char*, kChannels> kNames = {"vertical", "lateral", "cross_level",
                                                         "gauge"};
  return kNames[channel];
}

// S(W) dW = S_f(f) df with f = W / (2 pi).
Spectrum::Spectrum(std::vector<double> numerator, std::vector<double> denominator,
                   SpectrumConvention convention)
    : numerator_(std::move(numerator)), denominator_(std::move(denominator)) {
  if (convention == SpectrumConvention::one_sided_frequency) {
    numerator_ = rescaled(numerator_, 0.5 / M_PI, 0.5 / M_PI);
    denominator_ = rescaled(denominator_, 0.5 / M_PI, 1.0);
  } else if (convention == SpectrumConvention::two_sided_wavenumber) {
    numerator_ = rescaled(numerator_, 1.0, 2.0);
  }
  const double somewhere = at(1.0);
  if (numerator_.empty() || denominator_.empty() || !(somewhere > 0.0 && std::isfinite(somewhere)))
    throw base::InputError(
        fmt::format("the spectrum is {:g} m^2/(rad/m) at a wavelength of 2 pi m", somewhere),
        "give numerator and denominator as coefficients of 1, W^2, W^4 ..., such that it is positive");
}

double Spectrum::at(double wavenumber) const {
  const double square = wavenumber * wavenumber;
  return polynomial(numerator_, square) / polynomial(denominator_, square);
}

// Over the logarithm of W, in which rational functions are smooth on a scale of one: Gauss' five
// points on parts of a twentieth are exact to roundoff.
double Spectrum::variance(double shortest, double longest) const {
  constexpr std::array<std::array<double, 2>, 5> kPoints = {
      {{-0.9061798459386640, 0.2369268850561891},
       {-0.5384693101056831, 0.4786286704993665},
       {0.0, 0.5688888888888889},
       {0.5384693101056831, 0.4786286704993665},
       {0.9061798459386640, 0.2369268850561891}}};
  const double from = std::log(2.0 * M_PI / longest), range = std::log(longest / shortest);
  const int n = 1 + static_cast<int>(20.0 * range);
  double sum = 0.0;
  for (int i = 0; i < n; ++i)
    for (const auto& [point, weight] : kPoints) {
      const double W = std::exp(from + range * (i + 0.5 + 0.5 * point) / n);
      sum += 0.5 * range / n * weight * W * at(W);
    }
  return sum;
}

std::optional<Spectrum> find_spectrum(const std::string& name, Channel channel) {
  std::string names;
  for (const Entry& entry : kSpectra) {
    if (name == entry.name) return entry.formula(entry.row, channel);
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw base::InputError(fmt::format("unknown spectrum `{}`", name), "take one of " + names);
}

const std::vector<std::string>& spectrum_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Entry& entry : kSpectra) all.emplace_back(entry.name);
    return all;
  }();
  return names;
}

}  // namespace solidyn::track
