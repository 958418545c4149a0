#include "report/csv_table.h"

#include <cmath>
#include <cstdlib>
#include <fstream>

namespace solidyn::report {
namespace {

const std::string kUnitsLine = "# units: ";

// Cells in quotation marks may hold commas, and "" for a quotation mark.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool is_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (is_quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"')
      cells.back() += line[++i];
    else if (c == '"')
      is_quoted = !is_quoted;
    else if (c == ',' && !is_quoted)
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return cells;
}

}  // namespace

std::optional<CsvTable> read_csv(const std::string& path) {
  std::ifstream file(path);
  if (!file) return {};
  CsvTable table;
  std::string line;
  while (std::getline(file, line) && !file.eof()) {
    if (table.names.empty() && line.rfind(kUnitsLine, 0) == 0) {
      table.units = cells_of(line.substr(kUnitsLine.size()));
    } else if (table.names.empty()) {
      table.names = cells_of(line);
    } else if (std::vector<std::string> cells = cells_of(line);
               cells.size() == table.names.size()) {
      table.rows.push_back(std::move(cells));
    }
  }
  table.units.resize(table.names.size());
  return table;
}

Json cell_value(const std::string& cell) {
  char* end = nullptr;
  const double number = std::strtod(cell.c_str(), &end);
  if (cell.empty() || *end != '\0') return cell;
  if (!std::isfinite(number)) return nullptr;
  return number;
}

Json rows_as_objects(const CsvTable& table, std::size_t n_most) {
  Json rows = Json::array();
  for (std::size_t r = 0; r < std::min(n_most, table.rows.size()); ++r) {
    Json row = Json::object();
    for (std::size_t i = 0; i < table.names.size(); ++i)
      row[table.names[i]] = cell_value(table.rows[r][i]);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace solidyn::report
