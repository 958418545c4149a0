#include "model/language/value.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdlib>

namespace solidyn::model {
namespace {

using base::SourceLocation;

/// Limits that no sensible model reaches: aliases can make a small file expand without end.
constexpr int kMaxDepth = 40;
constexpr int kMaxValues = 2000000;

SourceLocation location(const YAML::Mark& mark, const std::string& source) {
  if (mark.is_null()) return {source, 0, 0};
  return {source, mark.line + 1, mark.column + 1};
}

class Converter {
 public:
  Converter(const std::string& source, Report& report) : source_(source), report_(report) {}

  Value convert(const YAML::Node& node, int depth = 0) {
    Value value;
    value.where = location(node.Mark(), source_);
    if (depth > kMaxDepth)
      throw base::InputError(fmt::format("values are nested more than {} deep", kMaxDepth),
                             "an anchor that contains itself does this", value.where);
    if (++n_values_ > kMaxValues)
      throw base::InputError(fmt::format("the file has more than {} values", kMaxValues),
                             "put large data into separate files", value.where);
    switch (node.Type()) {
      case YAML::NodeType::Undefined:
      case YAML::NodeType::Null:
        break;
      case YAML::NodeType::Scalar:
        value.kind = Value::Kind::scalar;
        value.text = node.Scalar();
        value.is_quoted = node.Tag() == "!";
        break;
      case YAML::NodeType::Sequence:
        value.kind = Value::Kind::sequence;
        for (const YAML::Node& item : node) value.items.push_back(convert(item, depth + 1));
        break;
      case YAML::NodeType::Map:
        convert_table(value, node, depth);
        break;
    }
    return value;
  }

 private:
  // Plain: in quotes it is a key like others.
  static bool is_merge(const YAML::Node& key) {
    return key.IsScalar() && key.Scalar() == "<<" && key.Tag() != "!";
  }

  void convert_table(Value& table, const YAML::Node& node, int depth) {
    table.kind = Value::Kind::map;
    std::vector<std::pair<YAML::Node, YAML::Node>> merges;
    for (const auto& pair : node)
      if (is_merge(pair.first))
        merges.emplace_back(pair.first, pair.second);
      else
        add_entry(table, pair.first, pair.second, depth);
    for (const auto& [key, content] : merges)
      if (&key == &merges[0].first)
        merge(table, key, content, depth);
      else
        report_.error(location(key.Mark(), source_), "duplicate `<<` in a group of keys",
                      "write one  <<: [*first, *second]");
  }

  /// The table's own keys stand, and of several tables the first that has a key says it.
  void merge(Value& map, const YAML::Node& key, const YAML::Node& content, int depth) {
    if (content.IsSequence()) {
      for (const YAML::Node& item : content) merge_table(map, key, item, depth + 1);
    } else {
      merge_table(map, key, content, depth);
    }
  }

  void merge_table(Value& map, const YAML::Node& key, const YAML::Node& content, int depth) {
    Value merged = convert(content, depth + 1);
    if (merged.kind != Value::Kind::map) {
      report_.error(location(key.Mark(), source_),
                    fmt::format("`<<` merges the keys of another group, not {}", shown(merged)),
                    "write  <<: *name  or  <<: [*name, *other]  for groups marked by  &name");
      return;
    }
    for (Entry& entry : merged.entries)
      if (!map.find(entry.key)) map.entries.push_back(std::move(entry));
  }

  void add_entry(Value& map, const YAML::Node& key, const YAML::Node& content, int depth) {
    const SourceLocation where = location(key.Mark(), source_);
    if (!key.IsScalar()) {
      report_.error(where, "a key is not a plain scalar", "write  name: value");
      return;
    }
    if (const Entry* first = map.find(key.Scalar())) {
      report_.error(where,
                    fmt::format("duplicate key `{}`; first given on line {}", key.Scalar(),
                                first->where.line),
                    "remove or rename one of them");
      return;
    }
    map.entries.push_back({key.Scalar(), where, convert(content, depth + 1)});
    Value& value = map.entries.back().value;
    if (value.kind == Value::Kind::null) value.where = where;
  }

  const std::string& source_;
  Report& report_;
  int n_values_ = 0;
};

}  // namespace

const Entry* Value::find(const std::string& key) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

Entry* Value::find(const std::string& key) {
  return const_cast<Entry*>(static_cast<const Value*>(this)->find(key));
}

Value parse_yaml(const std::string& text, const std::string& source, Report& report) {
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(text);
    if (documents.empty() || documents[0].IsNull())
      throw base::InputError("the file is empty", "a model starts with  solidyn: 1",
                             {source, 0, 0});
    if (documents.size() > 1)
      throw base::InputError("the file contains more than one YAML document",
                             "remove the line --- and what follows",
                             location(documents[1].Mark(), source));
    return Converter(source, report).convert(documents[0]);
  } catch (const YAML::Exception& error) {
    throw base::InputError(
        fmt::format("the file is not YAML: {}", error.msg),
        "check the indentation (spaces, no tabs), brackets and quotes here and in the line above",
        location(error.mark, source));
  }
}

void relocate(Value& value, const SourceLocation& where) {
  value.where = where;
  for (Value& item : value.items) relocate(item, where);
  for (Entry& entry : value.entries) {
    entry.where = where;
    relocate(entry.value, where);
  }
}

namespace {

std::string plain_text(const Value& value) {
  if (value.is_quoted || value.text.empty()) return value.text;
  char* end = nullptr;
  const double number = std::strtod(value.text.c_str(), &end);
  return *end == '\0' ? fmt::format("{}", number) : value.text;
}

bool holds_tables(const Value& value) {
  return value.kind == Value::Kind::map ||
         std::any_of(value.items.begin(), value.items.end(), holds_tables);
}

std::string list_text(const Value& value) {
  if (value.kind != Value::Kind::sequence) return plain_text(value);
  std::string text;
  for (const Value& item : value.items) text += (text.empty() ? "" : ", ") + list_text(item);
  return "[" + text + "]";
}

void flatten(const Value& value, const std::string& path, std::map<std::string, std::string>& all) {
  const std::string prefix = path.empty() ? "" : path + ".";
  if (!holds_tables(value)) {
    all[path] = list_text(value);
    return;
  }
  if (value.entries.empty() && value.items.empty()) all[path] = "{}";
  for (const Entry& entry : value.entries) flatten(entry.value, prefix + entry.key, all);
  for (std::size_t i = 0; i < value.items.size(); ++i)
    flatten(value.items[i], prefix + std::to_string(i), all);
}

}  // namespace

std::map<std::string, std::string> flattened(const Value& root) {
  std::map<std::string, std::string> all;
  flatten(root, "", all);
  return all;
}

std::string shown(const Value& value) {
  constexpr std::size_t kLongest = 60;
  std::string text;
  switch (value.kind) {
    case Value::Kind::null:
      return "empty";
    case Value::Kind::scalar:
      text = value.is_quoted ? "\"" + value.text + "\"" : value.text;
      if (!value.formula.empty()) text += " (" + value.formula + ")";
      break;
    case Value::Kind::sequence:
      for (const Value& item : value.items) {
        text += (text.empty() ? "[" : ", ") + shown(item);
        if (text.size() > kLongest) break;
      }
      text = text.empty() ? "[]" : text + "]";
      break;
    case Value::Kind::map:
      for (const Entry& entry : value.entries) {
        text += (text.empty() ? "{" : ", ") + entry.key + ": " + shown(entry.value);
        if (text.size() > kLongest) break;
      }
      text = text.empty() ? "{}" : text + "}";
      break;
  }
  if (text.size() > kLongest) text = text.substr(0, kLongest) + " ...";
  return text;
}

}  // namespace solidyn::model
