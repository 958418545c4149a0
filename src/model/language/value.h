#pragma once
#include <map>
#include <string>
#include <vector>

#include "model/language/report.h"
#include "solidyn/base/error.h"

namespace solidyn::model {

struct Entry;

/// A node of the file's tree, with the place it came from. Anchors are expanded, and tables that
/// are merged into others (`<<`) are in them.
struct Value {
  enum class Kind { null, scalar, sequence, map } kind = Kind::null;
  std::string text;        ///< scalar
  bool is_quoted = false;  ///< scalar in quotes: text, never a number
  std::string formula;     ///< what the file says where parameters were put in, for messages
  std::vector<Value> items;
  std::vector<Entry> entries;
  base::SourceLocation where;

  const Entry* find(const std::string& key) const;
  Entry* find(const std::string& key);
};

struct Entry {
  std::string key;
  base::SourceLocation where;  ///< of the key
  Value value;
};

/// Parses YAML text. Reports keys that occur twice, keys that are not plain names and merges of
/// what is not a table, and continues;
/// throws InputError where the text is not YAML, or is empty, too deep or too large.
Value parse_yaml(const std::string& text, const std::string& source, Report& report);

/// Gives the whole tree one location (a value from the command line).
void relocate(Value& value, const base::SourceLocation& where);

/// Every value of the tree as text, by path ("bodies.rod.mass"): scalars, and lists that hold no
/// tables. Numbers are written alike however the file writes them (1e-1 and 0.10 are 0.1).
std::map<std::string, std::string> flattened(const Value& root);

/// The value as a message shows it: flow style, shortened.
std::string shown(const Value& value);

}  // namespace solidyn::model
