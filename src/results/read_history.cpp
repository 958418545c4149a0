#include "solidyn/results/read_history.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "solidyn/base/error.h"

namespace solidyn::results {
namespace {

using base::InputError;

const std::string kUnits = "# units: ", kTime = "time";

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream text(line);
  for (std::string field; std::getline(text, field, ',');) fields.push_back(field);
  return fields;
}

std::vector<HistoryColumn> read_header(std::istream& file, const std::string& path) {
  std::string units_line, names_line;
  std::getline(file, units_line);
  std::getline(file, names_line);
  if (units_line.rfind(kUnits, 0) != 0 || file.eof())
    throw InputError(
        fmt::format("{} is not a history file: it does not start with `{}` and a line of names",
                    path, kUnits),
        "give the history.csv in the output folder of a run");
  const std::vector<std::string> units = fields_of(units_line.substr(kUnits.size())),
                                 names = fields_of(names_line);
  if (names.empty() || names.front() != kTime || units.size() != names.size())
    throw InputError(fmt::format("{}: {} units for {} columns, of which `{}` is the first", path,
                                 units.size(), names.size(), kTime),
                     "give the history.csv in the output folder of a run");
  std::vector<HistoryColumn> columns;
  for (std::size_t i = 1; i < names.size(); ++i) columns.push_back({names[i], units[i]});
  return columns;
}

void append_row(const std::string& row, std::size_t n_numbers, const std::string& path, int line,
                std::vector<double>& numbers) {
  const char* at = row.c_str();
  for (std::size_t i = 0; i < n_numbers; ++i) {
    char* end = nullptr;
    numbers.push_back(std::strtod(at, &end));
    const char separator = i + 1 < n_numbers ? ',' : '\0';
    if (end == at || *end != separator)
      throw InputError(fmt::format("`{}` is not a row of {} numbers", row, n_numbers),
                       "the file is damaged: run the model again", {path, line, 0});
    at = end + 1;
  }
}

}  // namespace

Eigen::VectorXd History::column(const std::string& name) const {
  std::string known;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name == name) return values.col(static_cast<Eigen::Index>(i));
    known += " " + columns[i].name;
  }
  throw InputError(fmt::format("the history has no column `{}`", name),
                   known.empty() ? "add a sensor to the model" : "its columns are" + known);
}

History read_history(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw InputError(fmt::format("cannot read {}", path), "check the folder");
  History history;
  history.columns = read_header(file, path);
  const std::size_t n = 1 + history.columns.size();
  std::vector<double> numbers;
  int line = 2;
  for (std::string row; std::getline(file, row) && !file.eof();)
    append_row(row, n, path, ++line, numbers);
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const Rows> rows(numbers.data(), static_cast<Eigen::Index>(numbers.size() / n),
                                    static_cast<Eigen::Index>(n));
  history.time = rows.col(0);
  history.values = rows.rightCols(static_cast<Eigen::Index>(n) - 1);
  return history;
}

}  // namespace solidyn::results
