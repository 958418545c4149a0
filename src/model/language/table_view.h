#pragma once
#include <Eigen/Dense>
#include <array>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/check.h"
#include "model/language/report.h"
#include "model/language/value.h"
#include "solidyn/model/units.h"

namespace solidyn::model {

/// What reading needs beside the tree. Borrowed; lives in load.cpp.
struct Context {
  Units units;
  const std::filesystem::path& directory;
  Report& report;
  /// Files with values that belong to the model, by the path of the key: "joints.drive.angle.file".
  std::map<std::string, std::filesystem::path> data_files = {};
};

/// A table of the file read through its grammar: numbers in SI, defaults filled in. A key whose
/// value is missing or wrong (check_table has said so) reads as its default or as zero, so that the
/// reading continues to the next mistake; `is_good` shows whether a further check of the value
/// makes sense.
class TableView {
 public:
  TableView(const Value& value, const TableSpec& spec, std::string path,
            const base::SourceLocation& where, Context& context);

  bool has(const std::string& key) const { return entry(key) != nullptr; }
  bool has_any(std::initializer_list<const char*> keys) const;
  bool is_good(const std::string& key) const;  ///< given, and right by the grammar
  const std::string& type() const { return type_; }
  const std::string& path() const { return path_; }
  std::string path(const std::string& key) const { return joined(path_, key); }
  const base::SourceLocation& where() const { return where_; }
  /// Of the key's value, or of the table when the key is not there.
  base::SourceLocation where(const std::string& key) const;
  const Value* find(const std::string& key) const;

  double number(const std::string& key) const;
  int integer(const std::string& key) const;
  std::string text(const std::string& key) const;
  std::vector<double> numbers(const std::string& key) const;  ///< `size` of the key
  Eigen::Vector3d vector(const std::string& key) const;
  Eigen::Vector3d direction(const std::string& key) const;  ///< unit; z axis when not good
  std::vector<std::string> texts(const std::string& key) const;
  std::vector<std::array<std::string, 2>> name_pairs(const std::string& key) const;

  /// The nested table; an empty one when the key is not there.
  TableView table(const std::string& key) const;
  /// The tables (or list entries) below the key, with their names (or numbers from 0).
  std::vector<std::pair<std::string, TableView>> tables(const std::string& key) const;

  Form form(const std::string& key) const { return spec(key).form; }
  double scale(const std::string& key) const;    ///< file's unit to SI
  const char* si(const std::string& key) const;  ///< the SI unit; "" of a pure number
  Context& context() const { return *context_; }
  Report& report() const { return context_->report; }

 private:
  const Entry* entry(const std::string& key) const;
  const KeySpec& spec(const std::string& key) const;
  const Value* good_value(const std::string& key) const;

  const Value* value_;
  const TableSpec* spec_;
  std::string path_, type_;
  base::SourceLocation where_;
  Context* context_;
};

}  // namespace solidyn::model
