#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>

#include "solidyn/base/error.h"
#include "solidyn/track/irregularity.h"

namespace solidyn::track {
namespace {

using base::InputError;

struct Table {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;
  std::vector<int> lines;
};

std::vector<std::string> words_of(std::string line) {
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == ',' || c == ';' || c == '\r'; }, ' ');
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

double number_of(const std::string& word, const base::SourceLocation& where) {
  std::size_t end = 0;
  double value = NAN;
  try {
    value = std::stod(word, &end);
  } catch (const std::exception&) {
  }
  if (end != word.size() || !std::isfinite(value))
    throw InputError(fmt::format("`{}` is not a finite number", word), "write numbers in metres",
                     where);
  return value;
}

Table read_table(const std::string& file) {
  std::ifstream stream(file);
  if (!stream)
    throw InputError(
        fmt::format("cannot read the irregularities {}: {}", file, std::strerror(errno)),
        "check the name and permissions of the file");
  Table table;
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    const std::vector<std::string> words = words_of(line);
    if (words.empty() || words[0][0] == '#') continue;
    if (table.names.empty()) {
      table.names = words;
      table.columns.resize(words.size());
      continue;
    }
    if (words.size() != table.names.size())
      throw InputError(fmt::format("{} numbers in this line, and {} columns have names",
                                   words.size(), table.names.size()),
                       "give each row a number for each column", {file, number, 0});
    for (std::size_t i = 0; i < words.size(); ++i)
      table.columns[i].push_back(number_of(words[i], {file, number, 0}));
    table.lines.push_back(number);
  }
  return table;
}

/// How a column takes part in the channels.
using Shares = std::array<double, kChannels>;
const std::map<std::string, Shares>& known_columns() {
  static const std::map<std::string, Shares> columns = {
      {"vertical", {1, 0, 0, 0}},        {"lateral", {0, 1, 0, 0}},
      {"cross_level", {0, 0, 1, 0}},     {"gauge", {0, 0, 0, 1}},
      {"left_vertical", {0.5, 0, 1, 0}}, {"right_vertical", {0.5, 0, -1, 0}},
      {"left_lateral", {0, 0.5, 0, 1}},  {"right_lateral", {0, 0.5, 0, -1}}};
  return columns;
}

void check_names(const std::string& file, const Table& table) {
  if (table.names.size() < 2 || table.names[0] != "s")
    throw InputError(fmt::format("{}: the first line has to name the columns, s first", file),
                     "for example  s,vertical,lateral,cross_level,gauge");
  bool has_rail = false, has_channel = false;
  for (std::size_t i = 1; i < table.names.size(); ++i) {
    const std::string& name = table.names[i];
    if (known_columns().count(name) == 0)
      throw InputError(
          fmt::format("{}: unknown column `{}`", file, name),
          "use vertical, lateral, cross_level and gauge, or left_vertical, right_vertical, left_lateral and right_lateral");
    if (std::count(table.names.begin(), table.names.end(), name) > 1)
      throw InputError(fmt::format("{}: the column `{}` is there twice", file, name),
                       "remove one of them");
    const bool is_of_rail = name.rfind("left_", 0) == 0 || name.rfind("right_", 0) == 0;
    (is_of_rail ? has_rail : has_channel) = true;
    const std::string other = name[0] == 'l' ? "right" + name.substr(4) : "left" + name.substr(5);
    if (is_of_rail && std::count(table.names.begin(), table.names.end(), other) == 0)
      throw InputError(fmt::format("{}: there is a column `{}` and none `{}`", file, name, other),
                       "give both rails");
  }
  if (has_rail && has_channel)
    throw InputError(fmt::format("{}: columns of single rails and of both together", file),
                     "give either the one or the other");
}

void check_rows(const std::string& file, const Table& table, double length) {
  const std::vector<double>& s = table.columns[0];
  if (s.size() < 4)
    throw InputError(fmt::format("{} has {} rows, and 4 or more are needed", file, s.size()),
                     "give more rows");
  std::vector<double> steps;
  for (std::size_t i = 1; i < s.size(); ++i) {
    if (!(s[i] > s[i - 1]))
      throw InputError(
          fmt::format("s = {:g} m follows s = {:g} m: rows have to be in increasing order", s[i],
                      s[i - 1]),
          "sort the rows by s", {file, table.lines[i], 0});
    steps.push_back(s[i] - s[i - 1]);
  }
  std::vector<double> sorted = steps;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2),
                   sorted.end());
  const double usual = sorted[sorted.size() / 2];
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps[i] > 3.0 * usual)
      throw InputError(
          fmt::format(
              "the irregularities have a gap: {:g} m from s = {:g} m, where rows are {:g} m apart elsewhere",
              steps[i], s[i], usual),
          "fill the gap", {file, table.lines[i + 1], 0});
  constexpr double kRoundoff = 1e-6;
  if (s.front() > kRoundoff || s.back() < length - kRoundoff)
    throw InputError(fmt::format("{} goes from s = {:g} to {:g} m, and the run from 0 to {:g} m",
                                 file, s.front(), s.back(), length),
                     "give irregularities over the whole run, or make it shorter");
}

Irregularities::Function spline(const std::vector<double>& s, std::vector<double> values) {
  using math::TimeFunction;
  TimeFunction::Ends ends;
  ends.kind = TimeFunction::Ends::Kind::not_a_knot;
  const TimeFunction function =
      TimeFunction::table(s, std::move(values), TimeFunction::Interpolation::cubic, ends);
  return [function](double x) {
    const TimeFunction::Values v = function.evaluate(x);
    return Deviation{v.value, v.first, v.second};
  };
}

// So many at a time that waves are summed up fast, and rows need little memory. False, with errno,
// where it cannot be written.
bool write_rows(const std::string& file, const Irregularities& irregularities, double length,
                double step, const std::function<void()>& look_up) {
  constexpr int kBlock = 8192;
  std::ofstream stream(file);
  stream
      << "# deviations of a track, m: both rails' mean up and to the left, left above right rail, apart\ns";
  for (int k = 0; k < kChannels; ++k) stream << ',' << channel_name(static_cast<Channel>(k));
  stream << '\n';
  const int n = std::max(1, static_cast<int>(std::ceil(length / step - 1e-9)));
  for (int first = 0; first <= n && stream; first += kBlock) {
    if (look_up) look_up();
    const int rows = std::min(kBlock, n + 1 - first);
    std::array<std::vector<Deviation>, kChannels> channels;
    for (int k = 0; k < kChannels; ++k)
      channels[static_cast<std::size_t>(k)] = irregularities.samples(
          static_cast<Channel>(k), length / n, static_cast<std::size_t>(rows), length * first / n);
    for (int i = 0; i < rows; ++i) {
      stream << fmt::format("{:.17g}", length * (first + i) / n);
      for (const std::vector<Deviation>& channel : channels)
        stream << fmt::format(",{:.17g}", channel[static_cast<std::size_t>(i)].value);
      stream << '\n';
    }
  }
  stream.flush();
  return static_cast<bool>(stream);
}

}  // namespace

void write_irregularities(const std::string& file, const Irregularities& irregularities,
                          double length, double step, const std::function<void()>& look_up) {
  constexpr double kMostRows = 1e8;
  if (!(length > 0.0 && step > 0.0 && length / step < kMostRows))
    throw InputError(
        fmt::format("irregularities over {:g} m cannot be written each {:g} m", length, step),
        "give a length and a step above 0, and fewer than 1e8 rows");
  if (!write_rows(file, irregularities, length, step, look_up))
    throw InputError(
        fmt::format("cannot write the irregularities {}: {}", file, std::strerror(errno)),
        "check its folder and its permissions");
}

Irregularities read_irregularities(const std::string& file, double length, double fade_in) {
  if (!(fade_in >= 0.0))
    throw InputError(fmt::format("the irregularities fade in over {:g} m", fade_in),
                     "give 0 or more");
  const Table table = read_table(file);
  if (table.names.empty())
    throw InputError(file + " is empty", "give a line of names, s first, then rows");
  check_names(file, table);
  check_rows(file, table, length);
  std::array<Irregularities::Function, kChannels> functions;
  for (std::size_t channel = 0; channel < kChannels; ++channel) {
    std::vector<double> sum(table.lines.size(), 0.0);
    bool is_there = false;
    for (std::size_t column = 1; column < table.names.size(); ++column) {
      const double share = known_columns().at(table.names[column])[channel];
      if (share == 0.0) continue;
      is_there = true;
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += share * table.columns[column][i];
    }
    if (is_there) functions[channel] = spline(table.columns[0], std::move(sum));
  }
  return Irregularities(std::move(functions), fade_in);
}

}  // namespace solidyn::track
