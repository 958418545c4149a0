#include "signals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "solidyn/base/error.h"

namespace solidyn::drivers {
namespace {

namespace po = boost::program_options;
using base::InputError;
using Eigen::Index;

// Times are written with all digits, but a run sums them up step by step.
constexpr double kSpacing = 1e-6;
// The squares of spectra are numbers too.
constexpr double kLargest = 1e150;

void refuse_unequal_steps(const Eigen::VectorXd& time, const std::string& file) {
  const double step = (time[time.size() - 1] - time[0]) / static_cast<double>(time.size() - 1);
  if (!(step > 0.0))
    throw InputError(fmt::format("the rows of {} are all at t = {:.9g} s", file, time[0]),
                     "spectra and filters need the history of a run through time");
  for (Index i = 1; i < time.size(); ++i) {
    const double here = time[i] - time[i - 1];
    if (!(std::abs(here - step) <= kSpacing * step))
      throw InputError(
          fmt::format(
              "the rows of {} are not equally spaced: the step to t = {:.9g} s is {:.9g} s, and their mean is {:.9g} s",
              file, time[i], here, step),
          "run with steps of one size, and choose with --from and --to what they were used for");
  }
}

double time_option(const Options& options, const char* name, double otherwise) {
  if (!options.has(name)) return otherwise;
  const double time = options.value<double>(name);
  if (!std::isfinite(time))
    throw InputError(fmt::format("--{} is {:g}", name, time), "give a time in s");
  return time;
}

}  // namespace

void add_time_options(Options& options) {
  options.add()("from", po::value<double>()->value_name("T"),
                "s, the first time that is used; without, all")(
      "to", po::value<double>()->value_name("T"), "s, the last one");
}

Signals read_signals(const Options& options, const std::string& file) {
  Signals signals{results::read_history(file), 0.0};
  results::History& h = signals.history;
  const double from = time_option(options, "from", -HUGE_VAL),
               to = time_option(options, "to", HUGE_VAL);
  Index first = 0, last = h.time.size();
  // Half a billionth is the roundoff of times that were summed up.
  while (first < last && h.time[first] < from - 1e-9 * std::abs(from)) ++first;
  while (last > first && h.time[last - 1] > to + 1e-9 * std::abs(to)) --last;
  const Index n = last - first;
  if (n < 2)
    throw InputError(fmt::format("{} has {} row{} between the times that are asked for", file, n,
                                 n == 1 ? "" : "s"),
                     "give a longer run, or another --from and --to");
  h.time = Eigen::VectorXd(h.time.segment(first, n));
  h.values = Eigen::MatrixXd(h.values.middleRows(first, n));
  refuse_unequal_steps(h.time, file);
  signals.rate = static_cast<double>(n - 1) / (h.time[n - 1] - h.time[0]);
  return signals;
}

const std::string& unit_of(const Signals& signals, const std::string& name) {
  signals.history.column(name);  // says so if there is none
  for (const results::HistoryColumn& column : signals.history.columns)
    if (column.name == name) return column.unit;
  return signals.history.columns.front().unit;
}

Eigen::VectorXd column_of(const Signals& signals, const std::string& name) {
  Eigen::VectorXd column = signals.history.column(name);
  for (Index i = 0; i < column.size(); ++i)
    if (!(std::abs(column[i]) <= kLargest))
      throw InputError(fmt::format("the column `{}` is {:g} at t = {:.9g} s", name, column[i],
                                   signals.history.time[i]),
                       "choose with --from and --to a time in which it is a number");
  return column;
}

Eigen::VectorXd column_in(const Signals& signals, const std::string& name,
                          const std::string& unit) {
  Eigen::VectorXd column = column_of(signals, name);
  if (unit_of(signals, name) != unit)
    throw InputError(fmt::format("the column `{}` is in {}, and one in {} is needed", name,
                                 unit_of(signals, name), unit),
                     "choose another column");
  return column;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) words.push_back(word);
  const bool ends_open = text.empty() || text.back() == ',';
  if (ends_open || std::count(words.begin(), words.end(), "") > 0)
    throw UsageError(fmt::format("the list `{}` has an empty place", text));
  return words;
}

double positive(const Options& options, const char* name) {
  const double value = options.value<double>(name);
  if (!(value > 0.0 && std::isfinite(value)))
    throw UsageError(fmt::format("--{} takes a number above 0", name));
  return value;
}

}  // namespace solidyn::drivers
