#pragma once
#include <optional>
#include <string>
#include <vector>

#include "report/blob.h"

namespace solidyn::report {

/// A table of a run: a line `# units: ...` where it has one, a line of names, rows of cells.
struct CsvTable {
  std::vector<std::string> units, names;
  std::vector<std::vector<std::string>> rows;  ///< each with as many cells as names
};

/// The rows that are whole; empty when there is no such file.
std::optional<CsvTable> read_csv(const std::string& path);

/// A number as such, null for one that is not finite, anything else as text.
Json cell_value(const std::string& cell);

/// Each row as an object by the table's names, at most `n_most` of them.
Json rows_as_objects(const CsvTable& table, std::size_t n_most);

}  // namespace solidyn::report
