#include "model/language/point_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "solidyn/base/error.h"
#include "solidyn/base/lfs_pointer.h"

namespace solidyn::model {
namespace {

constexpr const char* kUnits = "# units:";
/// Of UTF-8, as spreadsheets write it in front of the first line.
constexpr const char* kMark = "\xEF\xBB\xBF";

/// All numbers of a line; empty where anything else stands in it.
std::vector<double> numbers_in(std::string line) {
  for (char& c : line)
    if (c == ',' || c == ';' || c == '\t' || c == '\r') c = ' ';
  std::vector<double> numbers;
  const char* at = line.c_str();
  for (;;) {
    while (*at == ' ') ++at;
    if (*at == '\0') return numbers;
    char* end = nullptr;
    numbers.push_back(std::strtod(at, &end));
    if (end == at || (*end != ' ' && *end != '\0')) return {};
    at = end;
  }
}

bool is_blank(const std::string& line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  return first == std::string::npos || line[first] == '#';
}

/// Words between commas, semicolons or tabs, or, where there are none, between blanks; without the
/// blanks and quotation marks around them.
std::vector<std::string> words_in(const std::string& line) {
  const bool has_marks = line.find_first_of(",;\t") != std::string::npos;
  const std::string separators = has_marks ? ",;\t" : " ";
  constexpr const char* kAround = " \t\r\"'";
  std::vector<std::string> words;
  for (std::size_t from = 0; from <= line.size();) {
    const std::size_t to = std::min(line.find_first_of(separators, from), line.size());
    std::string word = line.substr(from, to - from);
    word.erase(0, std::min(word.find_first_not_of(kAround), word.size()));
    word.erase(word.find_last_not_of(kAround) + 1);
    if (has_marks || !word.empty()) words.push_back(std::move(word));
    from = to + 1;
  }
  return words;
}

/// A line that begins so is a row, right or wrong, and names no columns.
bool begins_with_number(const std::string& line) {
  const std::vector<std::string> words = words_in(line.substr(line.find_first_not_of(" \t")));
  return !numbers_in(words.at(0)).empty();
}

void add_row(const std::vector<double>& row, int number, const std::string& line,
             const std::filesystem::path& file, PointFile& points) {
  if (points.columns.empty()) points.columns.resize(row.size());
  if (row.empty() || row.size() < 2 || row.size() != points.columns.size())
    throw base::InputError(
        fmt::format("line {} of `{}` is `{}`, not {}", number, file.string(), line,
                    points.columns.size() < 3 ? "two numbers"
                                              : fmt::format("{} numbers", points.columns.size())),
        "write t and value on each line, for example  0.5, 1.2  or the same number of columns on every line");
  for (std::size_t i = 0; i < row.size(); ++i) points.columns[i].push_back(row[i]);
}

}  // namespace

PointFile read_point_file(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream)
    throw base::InputError(fmt::format("cannot read `{}`", file.string()), "check its permissions");
  base::refuse_lfs_pointer(file.string());
  PointFile points;
  std::string line;
  bool may_be_names = true;
  for (int number = 1; std::getline(stream, line); ++number) {
    if (number == 1 && line.rfind(kMark, 0) == 0) line.erase(0, 3);
    if (line.rfind(kUnits, 0) == 0 && points.columns.empty())
      points.units = words_in(line.substr(std::string(kUnits).size()));
    if (is_blank(line)) continue;
    const std::vector<double> numbers = numbers_in(line);
    if (numbers.empty() && may_be_names && !begins_with_number(line))
      points.names = words_in(line);
    else
      add_row(numbers, number, line, file, points);
    may_be_names = false;
  }
  const auto fits = [&](std::vector<std::string>& words) {
    if (words.size() != points.columns.size()) words.clear();
  };
  fits(points.names);
  fits(points.units);
  return points;
}

}  // namespace solidyn::model
