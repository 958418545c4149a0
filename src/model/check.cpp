#include "model/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "model/language/spelling.h"
#include "model/language/value_checker.h"

namespace solidyn::model {
namespace {

using base::SourceLocation;

bool is_name(const std::string& text) {
  const auto is_letter = [](unsigned char c) { return std::isalpha(c) || c == '_'; };
  return !text.empty() && is_letter(text[0]) &&
         std::all_of(text.begin(), text.end(),
                     [&](unsigned char c) { return is_letter(c) || std::isdigit(c) || c == '-'; });
}

class Checker {
 public:
  Checker(const std::filesystem::path& directory, Report& report)
      : report_(report), values_(directory, report) {}

  void check_table(const Value& table, const TableSpec& spec, const std::string& path,
                   const SourceLocation& where) {
    if (table.kind != Value::Kind::map) {
      report_.error(table.where,
                    fmt::format("{} is {}: expected a group of keys", named(path), shown(table)),
                    "write indented lines  key: value  below it; valid keys are " +
                        listed(keys_for(spec, ""), "and"));
      return;
    }
    const std::string type = selected_type(table, spec);
    const bool type_is_known = spec.selector.empty() || !type.empty();
    for (const Entry& entry : table.entries) {
      const KeySpec* key = spec.find(entry.key, type);
      if (key != nullptr || (!type_is_known && (key = spec.find_any(entry.key)) != nullptr)) {
        if (type_is_known || entry.key == spec.selector)
          check_value(entry.value, *key, joined(path, entry.key), entry.where);
        check_companion(table, spec, entry, *key, path);
      } else {
        report_stray_key(entry, spec, type, path);
      }
    }
    for (const KeySpec& key : spec.keys) {
      if (key.is_required && !table.find(key.key) && !table.find(key.replaced_by) &&
          !is_misspelt(key.key, table, spec, type) &&
          (key.types.empty() || (type_is_known && key.is_for(type))))
        report_missing(key, spec, type, path, where);
    }
    check_choice(table, spec, type, path, where);
  }

  void check_value(const Value& value, const KeySpec& spec, const std::string& path,
                   const SourceLocation& key_where) {
    const SourceLocation& where = value.where;
    if (value.kind == Value::Kind::null) {
      if (spec.form != Form::named_tables && spec.form != Form::named_vectors &&
          spec.form != Form::named_numbers)
        report_.error(where, fmt::format("{} has no value", path), give(spec));
      return;
    }
    switch (spec.form) {
      case Form::text:
      case Form::reference:
        values_.check_scalar(value, spec, path, where);
        break;
      case Form::path:
        values_.check_path(value, spec, path, where);
        break;
      case Form::word:
        values_.check_word(value, spec, path, where);
        break;
      case Form::words:
        values_.check_words(value, spec, path, where);
        break;
      case Form::number:
      case Form::integer:
        values_.check_number(value, spec, path, where);
        break;
      case Form::references:
        values_.check_references(value, spec, path, where);
        break;
      case Form::name_pairs:
        values_.check_name_pairs(value, spec, path, where);
        break;
      case Form::expressions:
        check_expressions(value, spec, path, where);
        break;
      case Form::vector:
        values_.check_numbers(value, spec.size, spec, path, where);
        break;
      case Form::direction:
        values_.check_direction(value, spec, path, where);
        break;
      case Form::inertia:
        values_.check_inertia(value, spec, path, where);
        break;
      case Form::matrix:
        values_.check_matrix(value, spec, path, where);
        break;
      case Form::time_function:
        check_time_function(value, spec, path, where);
        break;
      case Form::time_vector:
        check_time_vector(value, spec, path, where);
        break;
      case Form::time_table:
      case Form::points:
        check_points(value, 2, spec, path, where);
        break;
      case Form::positions:
        check_points(value, 3, spec, path, where);
        break;
      case Form::table:
        if (value.kind == Value::Kind::scalar && !spec.words.empty())
          values_.check_word(value, spec, path, where);
        else
          check_table(value, *spec.table, path, key_where);
        break;
      case Form::named_tables:
      case Form::named_vectors:
      case Form::named_numbers:
        check_named(value, spec, path, where);
        break;
      case Form::list:
        check_list(value, spec, path, where);
        break;
    }
  }

 private:
  static std::string named(const std::string& path) { return path.empty() ? "the file" : path; }

  static std::vector<std::string> keys_for(const TableSpec& spec, const std::string& type) {
    std::vector<std::string> keys;
    for (const KeySpec& key : spec.keys)
      if ((type.empty() || key.is_for(type)) &&
          std::find(keys.begin(), keys.end(), key.key) == keys.end())
        keys.push_back(key.key);
    return keys;
  }

  void report_stray_key(const Entry& entry, const TableSpec& spec, const std::string& type,
                        const std::string& path) {
    const std::string full = joined(path, entry.key);
    if (!spec.find_any(entry.key)) {
      report_.error(entry.where, fmt::format("unknown key {}", full),
                    suggestion(entry.key, keys_for(spec, type), "valid keys are"));
      return;
    }
    const std::string what = fmt::format("{} does not apply to {} {}", full, spec.selector, type);
    if (spec.ignores_keys_of_other_types)
      report_.warning(entry.where, what + " and is ignored");
    else
      report_.error(entry.where, what,
                    "remove it, or choose another " + spec.selector + "; valid keys are " +
                        listed(keys_for(spec, type), "and"));
  }

  /// Whether a stray key was taken for this one, so that one complaint does.
  static bool is_misspelt(const std::string& key, const Value& table, const TableSpec& spec,
                          const std::string& type) {
    return std::any_of(table.entries.begin(), table.entries.end(), [&](const Entry& entry) {
      return !spec.find_any(entry.key) && find_nearest(entry.key, keys_for(spec, type)) == key;
    });
  }

  void report_missing(const KeySpec& key, const TableSpec& spec, const std::string& type,
                      const std::string& path, const SourceLocation& where) {
    const std::string owner = type.empty() || key.types.empty()
                                  ? ""
                                  : fmt::format(" ({} {} needs it)", spec.selector, type);
    std::string remedy = give(key);
    if (!key.words.empty()) remedy += "; one of " + listed(key.words);
    report_.error(where, fmt::format("{} is missing{}", joined(path, key.key), owner), remedy);
  }

  void check_companion(const Value& table, const TableSpec& spec, const Entry& entry,
                       const KeySpec& key, const std::string& path) {
    if (key.needs.empty() || table.find(key.needs)) return;
    const KeySpec* other = spec.find_any(key.needs);
    report_.error(entry.where,
                  fmt::format("{} is given without `{}`", joined(path, entry.key), key.needs),
                  give(*other));
  }

  void check_choice(const Value& table, const TableSpec& spec, const std::string& type,
                    const std::string& path, const SourceLocation& where) {
    if (!spec.has_choice(type)) return;
    std::vector<const Entry*> given;
    for (const std::string& key : spec.exactly_one_of) {
      if (const Entry* entry = table.find(key)) given.push_back(entry);
      if (is_misspelt(key, table, spec, "")) return;
    }
    const std::string choice = listed(spec.exactly_one_of);
    if (given.empty() && table.entries.empty())
      report_.error(where, fmt::format("{} is empty", path), "give one of " + choice);
    else if (given.empty())
      report_.error(where, fmt::format("{} has none of {}", path, choice), "give one of them");
    else if (given.size() > 1)
      report_.error(given[1]->where,
                    fmt::format("{} has both `{}` and `{}`", path, given[0]->key, given[1]->key),
                    "give only one of " + choice);
  }

  void check_time_function(const Value& value, const KeySpec& spec, const std::string& path,
                           const SourceLocation& where) {
    if (value.kind == Value::Kind::map)
      check_table(value, time_function_grammar(), path, where);
    else if (plain_number(value))
      values_.check_finite(value, spec, path, where);
    else
      values_.check_scalar(value, spec, path, where);
  }

  void check_time_vector(const Value& value, const KeySpec& spec, const std::string& path,
                         const SourceLocation& where) {
    if (value.kind != Value::Kind::sequence)
      return values_.report_mismatch(value, spec, path, where);
    if (static_cast<int>(value.items.size()) != spec.size)
      report_.error(where,
                    fmt::format("{} is {}: expected {} components, got {}", path, shown(value),
                                spec.size, value.items.size()),
                    give(spec));
    for (std::size_t i = 0; i < value.items.size(); ++i)
      check_time_function(value.items[i], spec, fmt::format("component {} of {}", i + 1, path),
                          value.items[i].where);
  }

  void check_expressions(const Value& value, const KeySpec& spec, const std::string& path,
                         const SourceLocation& where) {
    Value scalars = value;
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      if (value.items[i].kind != Value::Kind::map) continue;
      check_table(value.items[i], time_function_grammar(),
                  fmt::format("component {} of {}", i + 1, path), value.items[i].where);
      scalars.items[i] = Value();
      scalars.items[i].kind = Value::Kind::scalar;
      scalars.items[i].text = "0";
    }
    values_.check_references(scalars, spec, path, where);
  }

  void check_points(const Value& value, int size, const KeySpec& spec, const std::string& path,
                    const SourceLocation& where) {
    if (value.kind != Value::Kind::sequence)
      return values_.report_mismatch(value, spec, path, where);
    for (std::size_t i = 0; i < value.items.size(); ++i)
      values_.check_numbers(value.items[i], size, spec, fmt::format("point {} of {}", i + 1, path),
                            value.items[i].where);
  }

  void check_named(const Value& value, const KeySpec& spec, const std::string& path,
                   const SourceLocation& where) {
    if (value.kind != Value::Kind::map) return values_.report_mismatch(value, spec, path, where);
    for (const Entry& entry : value.entries) {
      const std::string full = joined(path, entry.key);
      if (!is_name(entry.key))
        report_.error(entry.where, fmt::format("{}: `{}` is not a valid name", path, entry.key),
                      "a name starts with a letter and consists of letters, digits, _ and -");
      if (spec.form == Form::named_vectors)
        values_.check_numbers(entry.value, 3, spec, full, entry.value.where);
      else if (spec.form == Form::named_numbers)
        values_.check_finite(entry.value, spec, full, entry.value.where);
      else
        check_table(entry.value, *spec.table, full, entry.where);
    }
  }

  void check_list(const Value& value, const KeySpec& spec, const std::string& path,
                  const SourceLocation& where) {
    if (value.kind != Value::Kind::sequence)
      return values_.report_mismatch(value, spec, path, where);
    if (value.items.empty()) report_.error(where, fmt::format("{} is empty", path), give(spec));
    for (std::size_t i = 0; i < value.items.size(); ++i)
      check_table(value.items[i], *spec.table, joined(path, std::to_string(i)),
                  value.items[i].where);
  }

  Report& report_;
  ValueChecker values_;
};

}  // namespace

std::optional<double> as_number(const Value& value) {
  const std::optional<double> number = plain_number(value);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::string selected_type(const Value& table, const TableSpec& spec) {
  if (spec.selector.empty()) return "";
  const KeySpec* selector = spec.find_any(spec.selector);
  const Entry* entry = table.find(spec.selector);
  if (!entry) return selector->fallback;
  const bool is_known = entry->value.kind == Value::Kind::scalar &&
                        std::find(selector->words.begin(), selector->words.end(),
                                  entry->value.text) != selector->words.end();
  return is_known ? entry->value.text : "";
}

void check_table(const Value& value, const TableSpec& spec, const std::string& path,
                 const SourceLocation& where, const std::filesystem::path& directory,
                 Report& report) {
  Checker(directory, report).check_table(value, spec, path, where);
}

bool is_good(const Value& value, const KeySpec& spec, const std::filesystem::path& directory) {
  Report scratch;
  Checker(directory, scratch).check_value(value, spec, spec.key, value.where);
  return scratch.is_empty();
}

std::string joined(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + "." + key;
}

}  // namespace solidyn::model
