#include "profile_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "solidyn/base/error.h"

namespace solidyn::railway {
namespace {

using base::InputError;
using Eigen::Vector2d;

bool is_comment(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string::npos || std::strchr("#!%", text[first]) != nullptr;
}

// "name = value ! comment" of a Simpack file.
struct Statement {
  std::string value;
  int line = 0;
};
using Statements = std::map<std::string, Statement>;

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

double number(const std::string& file, const Statements& statements, const std::string& name,
              double otherwise) {
  const auto found = statements.find(name);
  if (found == statements.end()) return otherwise;
  return numbers_of_line(file, found->second.line, found->second.value, 1)[0];
}

void check_type(ProfileKind kind, const std::string& file, const Statements& statements) {
  const auto found = statements.find("header/type");
  if (found == statements.end()) return;
  const double type = number(file, statements, "header/type", 0.0);
  if (type == (kind == ProfileKind::wheel ? 1.0 : 0.0)) return;
  throw InputError(
      fmt::format("the file says that it is a {} profile (type = {:g}), and a {} is expected",
                  type == 1.0 ? "wheel" : "rail", type,
                  kind == ProfileKind::wheel ? "wheel" : "rail"),
      "give the wheel first, then the rail", {file, found->second.line, 0});
}

// Those of the file: shift, rotation, bounds, mirrors, in this order.
void process(const std::string& file, const Statements& statements, ProfilePoints& read) {
  const auto value = [&](const char* name, double otherwise) {
    return number(file, statements, std::string("spline/") + name, otherwise);
  };
  const Vector2d shift(value("shift.y", 0.0), value("shift.z", 0.0));
  const double angle = value("rotate", 0.0) / value("units.ang.f", 1.0);
  const Eigen::Matrix2d R = Eigen::Rotation2Dd(angle).toRotationMatrix();
  const Eigen::Array2d low(value("bound.y.min", 1.0), value("bound.z.min", 1.0)),
      high(value("bound.y.max", 0.0), value("bound.z.max", 0.0));
  const Vector2d mirror(value("mirror.y", 0.0) != 0.0 ? -1.0 : 1.0,
                        value("mirror.z", 0.0) != 0.0 ? -1.0 : 1.0);
  ProfilePoints kept;
  for (std::size_t i = 0; i < read.points.size(); ++i) {
    const Vector2d p = R * (read.points[i] + shift);
    bool is_within = true;  // a minimum above the maximum bounds nothing
    for (int k = 0; k < 2; ++k)
      if (low[k] <= high[k] && (p[k] < low[k] || p[k] > high[k])) is_within = false;
    if (!is_within) continue;
    kept.points.push_back(mirror.cwiseProduct(p));
    kept.lines.push_back(read.lines[i]);
  }
  read.points = std::move(kept.points);
  read.lines = std::move(kept.lines);
}

}  // namespace

std::vector<std::string> lines_of(const std::string& file) {
  std::ifstream stream(file);
  if (!stream)
    throw InputError(fmt::format("cannot read the file {}: {}", file, std::strerror(errno)),
                     "check its name and permissions");
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(line);
  }
  return lines;
}

std::vector<double> numbers_of_line(const std::string& file, int line, const std::string& text,
                                    std::size_t columns) {
  std::string blanks = text.substr(0, text.find('!'));
  std::replace_if(
      blanks.begin(), blanks.end(), [](char c) { return c == ',' || c == ';'; }, ' ');
  std::istringstream stream(blanks);
  std::vector<double> numbers;
  for (std::string word; stream >> word;) {
    std::size_t end = 0;
    double value = NAN;
    try {
      value = std::stod(word, &end);
    } catch (const std::exception&) {
    }
    if (end != word.size() || !std::isfinite(value))
      throw InputError(
          fmt::format("`{}` is not a finite number", word),
          "write numbers with a decimal point, separated by blanks, commas or semicolons",
          {file, line, 0});
    numbers.push_back(value);
  }
  if (numbers.size() < columns)
    throw InputError(
        fmt::format("{} numbers in this line, and {} are needed", numbers.size(), columns),
        "write one point y z in each line", {file, line, 0});
  return numbers;
}

ProfilePoints read_table_points(const std::string& file, const ProfileFileOptions& options) {
  ProfilePoints read;
  const std::vector<std::string> lines = lines_of(file);
  bool may_be_heading = true;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (is_comment(lines[i])) continue;
    const bool begins_with_letter = std::isalpha(static_cast<unsigned char>(trimmed(lines[i])[0]));
    const bool is_heading = may_be_heading && begins_with_letter;
    may_be_heading = false;
    if (is_heading) continue;
    const int line = static_cast<int>(i) + 1;
    const std::vector<double> numbers = numbers_of_line(file, line, lines[i], 2);
    const double metres = options.metres.value_or(1e-3);
    read.points.emplace_back(metres * numbers[0],
                             (options.z_is_up ? -metres : metres) * numbers[1]);
    read.lines.push_back(line);
  }
  return read;
}

ProfilePoints read_simpack_points(ProfileKind kind, const std::string& file,
                                  const ProfileFileOptions& options) {
  if (options.z_is_up)
    throw InputError(
        fmt::format("{}: z of Simpack's profiles points down, and is said to point up", file),
        "leave that out, or mirror z in the file");
  ProfilePoints read;
  Statements statements;
  std::string part;
  const std::vector<std::string> lines = lines_of(file);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const int line = static_cast<int>(i) + 1;
    if (is_comment(lines[i])) continue;
    const std::string text = trimmed(lines[i].substr(0, lines[i].find('!')));
    const std::size_t begin = text.find(".begin"), equals = text.find('=');
    if (begin != std::string::npos) {
      part = text.substr(0, begin);
    } else if (text.find(".end") != std::string::npos) {
      part = part == "point" ? "spline" : "";
    } else if (part == "point") {
      const std::vector<double> numbers = numbers_of_line(file, line, text, 2);
      read.points.emplace_back(numbers[0], numbers[1]);
      read.lines.push_back(line);
    } else if (equals != std::string::npos) {
      statements[part + "/" + trimmed(text.substr(0, equals))] = {trimmed(text.substr(equals + 1)),
                                                                  line};
    }
  }
  if (read.points.empty())
    throw InputError(
        fmt::format("{} has no points between `point.begin` and `point.end`", file),
        "check that it is a Simpack profile; a table of two columns has the extension .txt or .csv");
  check_type(kind, file, statements);
  process(file, statements, read);
  if (number(file, statements, "spline/approx.smooth", 0.0) != 0.0 && options.smoothing == 0.0)
    throw InputError("approx.smooth asks for a smoothing of Simpack's own, which is not known here",
                     "state the smoothing as the root mean square distance from the points",
                     {file, statements["spline/approx.smooth"].line, 0});
  const double metres =
      options.metres.value_or(1.0 / number(file, statements, "spline/units.len.f", 1.0));
  for (Vector2d& p : read.points) p *= metres;
  read.says_outwards = true;
  return read;
}

}  // namespace solidyn::railway
