#pragma once
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace solidyn::testing_support {

/// A row of a table of comma-separated values, by the names of its columns.
class NamedRow {
 public:
  explicit NamedRow(std::map<std::string, std::string> values) : values_(std::move(values)) {}
  const std::string& text(const std::string& name) const { return values_.at(name); }
  double operator[](const std::string& name) const { return std::stod(values_.at(name)); }

 private:
  std::map<std::string, std::string> values_;
};

inline std::vector<std::string> split_at_commas(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream stream(line);
  for (std::string word; std::getline(stream, word, ',');) {
    if (!word.empty() && word.back() == '\r') word.pop_back();
    words.push_back(word);
  }
  return words;
}

/// Rows of tests/data/<file>, whose first line without # has the names.
inline std::vector<NamedRow> read_named_columns(const std::string& file) {
  std::ifstream stream(std::string(SOLIDYN_SOURCE_DIR) + "/tests/data/" + file);
  if (!stream) throw std::runtime_error("cannot read tests/data/" + file);
  std::vector<std::string> names;
  std::vector<NamedRow> rows;
  for (std::string line; std::getline(stream, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> words = split_at_commas(line);
    if (names.empty()) {
      names = words;
      continue;
    }
    std::map<std::string, std::string> values;
    for (std::size_t i = 0; i < names.size() && i < words.size(); ++i) values[names[i]] = words[i];
    rows.emplace_back(values);
  }
  return rows;
}

}  // namespace solidyn::testing_support
