#include "model/point_file.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>

#include "solidyn/base/error.h"
#include "solidyn/base/lfs_pointer.h"

namespace solidyn::model {
namespace {

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

}  // namespace

Points read_points(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream)
    throw base::InputError(fmt::format("`{}` cannot be read", file.string()),
                           "check its permissions");
  base::refuse_lfs_pointer(file.string());
  Points points;
  std::string line;
  bool may_be_names = true;
  for (int number = 1; std::getline(stream, line); ++number) {
    if (is_blank(line)) continue;
    const std::vector<double> numbers = numbers_in(line);
    if (numbers.empty() && may_be_names) {
      may_be_names = false;
      continue;
    }
    may_be_names = false;
    if (numbers.size() != 2)
      throw base::InputError(
          fmt::format("line {} of `{}` is `{}`, not two numbers", number, file.string(), line),
          "write t and value in each line, for example  0.5, 1.2");
    points.times.push_back(numbers[0]);
    points.values.push_back(numbers[1]);
  }
  return points;
}

}  // namespace solidyn::model
