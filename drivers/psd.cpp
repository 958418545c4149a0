// solidyn psd HISTORY: power spectral densities of columns of a history.
//
//   solidyn psd out/history.csv --columns P_acceleration_y --segment 5 --speed 19.44
#include <fmt/format.h>
#include <petsc.h>

#include <cmath>
#include <iostream>
#include <map>

#include "command.h"
#include "signals.h"
#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/petsc.h"
#include "solidyn/math/signal.h"

namespace solidyn::drivers {
namespace {

namespace po = boost::program_options;
using base::InputError;
using Eigen::Index;

const std::map<std::string, math::Window> kWindows = {{"hann", math::Window::hann},
                                                      {"hamming", math::Window::hamming},
                                                      {"blackman", math::Window::blackman},
                                                      {"rectangular", math::Window::rectangular}};

struct PsdRequest {
  std::vector<std::string> columns;
  math::WelchOptions welch;
  std::string window;
  double low = 0.0, high = HUGE_VAL;  ///< Hz
  std::optional<double> speed;        ///< m/s
  std::optional<double> segment;      ///< s
};

void set_band(const std::string& text, PsdRequest& r) {
  const std::vector<std::string> words = words_of(text);
  std::size_t ends[2] = {0, 0};
  try {
    if (words.size() == 2) {
      r.low = std::stod(words[0], &ends[0]);
      r.high = std::stod(words[1], &ends[1]);
    }
  } catch (const std::exception&) {
    ends[0] = 0;
  }
  if (words.size() != 2 || ends[0] != words[0].size() || ends[1] != words[1].size() ||
      !(r.low >= 0.0 && r.high > r.low && std::isfinite(r.high)))
    throw UsageError(
        fmt::format("--band takes two frequencies LOW,HIGH in Hz, and not `{}`", text));
}

PsdRequest psd_request(const Options& options) {
  PsdRequest r;
  if (options.has("columns")) r.columns = words_of(options.text("columns"));
  r.window = options.text("window");
  const auto window = kWindows.find(r.window);
  if (window == kWindows.end())
    throw UsageError(fmt::format(
        "--window takes hann, hamming, blackman or rectangular, and not `{}`", r.window));
  r.welch.window = window->second;
  r.welch.overlap = options.value<double>("overlap");
  if (!(r.welch.overlap >= 0.0 && r.welch.overlap <= 0.95))
    throw UsageError("--overlap takes a share from 0 to 0.95");
  r.welch.keeps_mean = options.has("keep-mean");
  if (options.has("speed")) r.speed = positive(options, "speed");
  if (options.has("segment")) r.segment = positive(options, "segment");
  if (options.has("band")) set_band(options.text("band"), r);
  return r;
}

/// What depends on the signal: all columns, and the samples of a segment.
void fit(const Signals& signals, PsdRequest& r) {
  if (r.columns.empty())
    for (const results::HistoryColumn& column : signals.history.columns)
      r.columns.push_back(column.name);
  if (r.columns.empty()) throw InputError("the history has no columns", "add sensors to the model");
  const auto n = static_cast<double>(signals.history.time.size());
  const double duration = n / signals.rate, seconds = r.segment.value_or(duration / 8.0),
               samples = std::round(seconds * signals.rate), highest = 0.5 * signals.rate;
  std::vector<base::Diagnostic> wrong;
  if (samples > n)
    wrong.push_back({{},
                     fmt::format("a segment of {:g} s is longer than the signal, which has {:g} s",
                                 seconds, duration),
                     "give a shorter --segment, or a longer run"});
  if (samples < 8.0)
    wrong.push_back({{},
                     fmt::format("a segment of {:g} s has {:g} samples, too few for a spectrum",
                                 seconds, samples),
                     "give a longer --segment"});
  if (std::isfinite(r.high) && r.high > highest * (1.0 + 1e-9))
    wrong.push_back(
        {{},
         fmt::format(
             "the band ends at {:g} Hz, and {:g} rows a second have frequencies up to {:g} Hz",
             r.high, signals.rate, highest),
         "give a lower band, or write rows of the history more often"});
  const double line = signals.rate / samples;
  if (samples >= 8.0 && std::floor(r.high / line) < std::ceil(r.low / line))
    wrong.push_back(
        {{},
         fmt::format("the band from {:g} to {:g} Hz has no line: they are {:.4g} Hz apart", r.low,
                     r.high, line),
         "give a wider --band, or a longer --segment"});
  if (!wrong.empty()) throw InputError(wrong);
  r.welch.segment = static_cast<Index>(samples);
}

std::string table_of(const Signals& signals, const PsdRequest& r) {
  std::vector<math::SpectralDensity> all;
  for (const std::string& name : r.columns)
    all.push_back(math::welch(column_of(signals, name), signals.rate, r.welch));
  const math::SpectralDensity& first = all.front();
  std::string units = "# units: Hz", names = "frequency", rms;
  if (r.speed) {
    units += ",m";
    names += ",wavelength";
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string& unit = unit_of(signals, r.columns[i]);
    units += fmt::format(",({})^2/Hz", unit);
    names += "," + r.columns[i];
    rms += fmt::format("# rms of {}: {:.6g} {}\n", r.columns[i],
                       all[i].rms(r.low, std::min(r.high, signals.rate)), unit);
  }
  std::string text =
      units + "\n" + names + "\n" +
      fmt::format("# {} segments of {} samples at {:g} Hz, window {}, overlap {:g}\n",
                  first.n_segments, r.welch.segment, signals.rate, r.window, r.welch.overlap) +
      rms;
  for (Index k = 0; k < first.frequency.size(); ++k) {
    const double f = first.frequency[k];
    if (f < r.low || f > r.high) continue;
    text += fmt::format("{:.9g}", f);
    if (r.speed) text += fmt::format(",{:.9g}", f > 0.0 ? *r.speed / f : HUGE_VAL);
    for (const math::SpectralDensity& density : all)
      text += fmt::format(",{:.9g}", density.density[k]);
    text += "\n";
  }
  return text;
}

}  // namespace

int psd_command(const Arguments& arguments) {
  Options options(
      "solidyn psd HISTORY [options]",
      "Prints one-sided power spectral densities of columns of a history.csv by Welch's method, and the root mean squares of the band. Rows have to be equally spaced.",
      "solidyn psd out/history.csv --columns tip_y --segment 2 --band 0.5,100");
  options.add_positional("HISTORY", "history.csv of a run");
  options.add()("columns", po::value<std::string>()->value_name("A,B"),
                "names of columns; without, all")(
      "segment", po::value<double>()->value_name("S"),
      "s, length of a segment: lines are 1/S apart; without, an eighth of the signal")(
      "overlap", po::value<double>()->default_value(0.5, "0.5")->value_name("SHARE"),
      "of neighbouring segments")(
      "window", po::value<std::string>()->default_value("hann")->value_name("NAME"),
      "hann, hamming, blackman or rectangular")("keep-mean",
                                                "do not subtract the mean of each segment")(
      "band", po::value<std::string>()->value_name("LOW,HIGH"), "Hz, of what is printed")(
      "speed", po::value<double>()->value_name("V"),
      "m/s, also print the wavelength on a track, V/f");
  add_time_options(options);
  if (!options.parse(arguments)) return kDone;
  PsdRequest request = psd_request(options);
  return run_with_petsc(arguments.petsc, [&] {
    const Signals signals = read_signals(options, options.text("HISTORY"));
    fit(signals, request);
    const std::string text = table_of(signals, request);
    if (base::rank(PETSC_COMM_WORLD) == 0) std::cout << text << std::flush;
    base::warn_of_unused_petsc_options();
  });
}

}  // namespace solidyn::drivers
