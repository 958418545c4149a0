#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <set>

#include "solidyn/base/error.h"
#include "solidyn/simulation/sweep.h"

namespace solidyn::simulation {
namespace {

using base::InputError;

constexpr std::size_t kMostRuns = 100000;

// Parts between separators that are not within brackets or quotes: those belong to one value, as in
// [0, 1] or  "if(t < 1, 2, 3)".
std::vector<std::string> split_outside_brackets(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  int depth = 0;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote) {
      if (c == quote) quote = 0;
      continue;
    }
    if (c == '"' || c == '\'') quote = c;
    if (c == '[' || c == '{' || c == '(') ++depth;
    if (c == ']' || c == '}' || c == ')') --depth;
    if (c != separator || depth > 0) continue;
    parts.push_back(text.substr(start, i - start));
    start = i + 1;
  }
  parts.push_back(text.substr(start));
  return parts;
}

bool read_number(const std::string& text, double& value) {
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  return result.ec == std::errc() && result.ptr == end && std::isfinite(value);
}

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw InputError(
      fmt::format("--sweep {}: {}", text, why),
      "write  --sweep PATH=1,2,4  (a list),  PATH=1:2:5  (five values from 1 to 2)  or  PATH=log:1:100:3  (1, 10, 100)");
}

// from:to:count
std::vector<std::string> range(const std::string& text, const std::vector<std::string>& parts,
                               bool is_logarithmic) {
  double from = 0.0, to = 0.0, count = 0.0;
  if (parts.size() != 3 || !read_number(parts[0], from) || !read_number(parts[1], to) ||
      !read_number(parts[2], count))
    refuse(text, "a range consists of a first value, a last value and the number of values");
  if (!(count >= 2.0 && count <= kMostRuns) || count != std::floor(count))
    refuse(text, fmt::format("a range cannot have {} values", parts[2]));
  if (is_logarithmic && !(from * to > 0.0))
    refuse(text, "a logarithmic range must not contain zero");
  std::vector<std::string> values;
  const int n = static_cast<int>(count);
  for (int i = 0; i < n; ++i) {
    const double s = static_cast<double>(i) / (n - 1);
    const double value = is_logarithmic ? from * std::pow(to / from, s) : from + s * (to - from);
    values.push_back(fmt::format("{}", i == n - 1 ? to : value));
  }
  return values;
}

}  // namespace

SweepParameter parse_sweep_parameter(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) refuse(text, "the path and `=` are missing");
  SweepParameter parameter;
  parameter.path = text.substr(0, equals);
  std::string values = text.substr(equals + 1);
  const bool is_logarithmic = values.rfind("log:", 0) == 0;
  if (is_logarithmic) values = values.substr(4);
  const std::vector<std::string> bounds = split_outside_brackets(values, ':'),
                                 list = split_outside_brackets(values, ',');
  // Other colons are of the values themselves, as in  t < 1 ? 0 : t
  double first = 0.0;
  const bool is_range =
      is_logarithmic || (bounds.size() > 1 && list.size() == 1 && read_number(bounds[0], first));
  parameter.values = is_range ? range(text, bounds, is_logarithmic) : list;
  for (const std::string& value : parameter.values)
    if (value.empty()) refuse(text, "a value is missing");
  return parameter;
}

std::string SweepPoint::shown(const std::vector<SweepParameter>& parameters) const {
  std::string text;
  for (const std::string& one : overrides(parameters)) text += (text.empty() ? "" : ", ") + one;
  return text;
}

std::vector<std::string> SweepPoint::overrides(
    const std::vector<SweepParameter>& parameters) const {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    list.push_back(parameters[i].path + "=" + values[i]);
  return list;
}

std::vector<SweepPoint> sweep_points(const std::vector<SweepParameter>& parameters) {
  std::set<std::string> paths;
  std::vector<SweepPoint> points(1);
  for (const SweepParameter& parameter : parameters) {
    if (!paths.insert(parameter.path).second)
      throw InputError(fmt::format("--sweep {}: duplicate path", parameter.path),
                       "give all its values in one --sweep");
    std::vector<SweepPoint> product;
    if (points.size() * parameter.values.size() > kMostRuns)
      throw InputError(fmt::format("--sweep: more than {} runs", kMostRuns),
                       "use fewer values, or several sweeps");
    for (const SweepPoint& point : points)
      for (const std::string& value : parameter.values) {
        product.push_back(point);
        product.back().values.push_back(value);
      }
    points = std::move(product);
  }
  return points;
}

}  // namespace solidyn::simulation
