#include "model/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <set>

#include "model/spelling.h"

namespace solidyn::model {
namespace {

using base::SourceLocation;

/// Reads a number the way YAML 1.2 does, infinities and not-a-numbers included.
std::optional<double> parse_number(const std::string& text) {
  static const std::set<std::string> infinities = {".inf", ".Inf", ".INF", "+.inf", "-.inf", "inf"};
  static const std::set<std::string> nans = {".nan", ".NaN", ".NAN", "nan", "NaN"};
  if (infinities.count(text)) return std::numeric_limits<double>::infinity();
  if (nans.count(text)) return std::numeric_limits<double>::quiet_NaN();
  const char* first = text.data();
  const char* last = first + text.size();
  if (first != last && *first == '+') ++first;
  double number = 0.0;
  const auto [end, code] = std::from_chars(first, last, number);
  if (end != last || first == last || !std::isfinite(number)) return {};
  if (code == std::errc::result_out_of_range) return std::numeric_limits<double>::infinity();
  return code == std::errc() ? std::optional<double>(number) : std::nullopt;
}

const char* wanted(Form form) {
  switch (form) {
    case Form::text:
      return "text";
    case Form::path:
      return "the name of a file";
    case Form::reference:
      return "a name";
    case Form::references:
      return "a list of names";
    case Form::word:
      return "a word";
    case Form::words:
      return "a list of words";
    case Form::number:
      return "a number";
    case Form::integer:
      return "a whole number";
    case Form::vector:
    case Form::direction:
      return "a list of numbers";
    case Form::inertia:
      return "three or six numbers, or three rows of three";
    case Form::time_function:
      return "a number, an expression of t or a table";
    case Form::time_vector:
      return "a list of numbers, expressions of t or tables";
    case Form::time_table:
      return "a list of points [t, value]";
    case Form::expressions:
      return "a list of numbers or expressions";
    case Form::points:
      return "a list of points [x, y]";
    case Form::matrix:
      return "a diagonal or rows of numbers";
    case Form::table:
      return "a group of keys";
    case Form::named_tables:
      return "names, each with a group of keys";
    case Form::named_vectors:
      return "names, each with three numbers";
    case Form::named_numbers:
      return "names, each with a number";
    case Form::list:
      return "a list";
  }
  return "";
}

bool is_name(const std::string& text) {
  const auto is_letter = [](unsigned char c) { return std::isalpha(c) || c == '_'; };
  return !text.empty() && is_letter(text[0]) &&
         std::all_of(text.begin(), text.end(),
                     [&](unsigned char c) { return is_letter(c) || std::isdigit(c) || c == '-'; });
}

class Checker {
 public:
  Checker(const std::filesystem::path& directory, Report& report)
      : directory_(directory), report_(report) {}

  void check_table(const Value& table, const TableSpec& spec, const std::string& path,
                   const SourceLocation& where) {
    if (table.kind != Value::Kind::map) {
      report_.error(table.where,
                    fmt::format("{} is {}: a group of keys is wanted", named(path), shown(table)),
                    "write  key: value  lines, indented, below it; the keys are " +
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
      if (key.is_required && !table.find(key.key) && !is_misspelt(key.key, table, spec, type) &&
          (key.types.empty() || (type_is_known && key.is_for(type))))
        report_missing(key, spec, type, path, where);
    }
    check_choice(table, spec, path, where);
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
        check_scalar(value, spec, path, where);
        break;
      case Form::path:
        check_path(value, spec, path, where);
        break;
      case Form::word:
        check_word(value, spec, path, where);
        break;
      case Form::words:
        check_words(value, spec, path, where);
        break;
      case Form::number:
      case Form::integer:
        check_number(value, spec, path, where);
        break;
      case Form::references:
      case Form::expressions:
        check_references(value, spec, path, where);
        break;
      case Form::vector:
        check_numbers(value, spec.size, spec, path, where);
        break;
      case Form::direction:
        check_direction(value, spec, path, where);
        break;
      case Form::inertia:
        check_inertia(value, spec, path, where);
        break;
      case Form::matrix:
        check_matrix(value, spec, path, where);
        break;
      case Form::time_function:
        check_time_function(value, spec, path, where);
        break;
      case Form::time_vector:
        check_time_vector(value, spec, path, where);
        break;
      case Form::time_table:
      case Form::points:
        check_time_table(value, spec, path, where);
        break;
      case Form::table:
        if (value.kind == Value::Kind::scalar && !spec.words.empty())
          check_word(value, spec, path, where);
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

  static std::string give(const KeySpec& spec) {
    return fmt::format("{}; for example  {}: {}", spec.meaning, spec.key, spec.example);
  }

  void report_mismatch(const Value& value, const KeySpec& spec, const std::string& path,
                       const SourceLocation& where) {
    report_.error(where,
                  fmt::format("{} is {}: {} is wanted", path, shown(value), wanted(spec.form)),
                  give(spec));
  }

  void report_stray_key(const Entry& entry, const TableSpec& spec, const std::string& type,
                        const std::string& path) {
    const std::string full = joined(path, entry.key);
    if (!spec.find_any(entry.key)) {
      report_.error(entry.where, fmt::format("unknown key {}", full),
                    suggestion(entry.key, keys_for(spec, type), "the keys here are"));
      return;
    }
    const std::string what = fmt::format("{} has no meaning for {} {}", full, spec.selector, type);
    if (spec.ignores_keys_of_other_types)
      report_.warning(entry.where, what + " and is ignored");
    else
      report_.error(entry.where, what,
                    "remove it, or choose another " + spec.selector + "; the keys here are " +
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

  void check_choice(const Value& table, const TableSpec& spec, const std::string& path,
                    const SourceLocation& where) {
    if (spec.exactly_one_of.empty()) return;
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

  bool check_scalar(const Value& value, const KeySpec& spec, const std::string& path,
                    const SourceLocation& where) {
    if (value.kind == Value::Kind::scalar && !value.text.empty()) return true;
    report_mismatch(value, spec, path, where);
    return false;
  }

  void check_path(const Value& value, const KeySpec& spec, const std::string& path,
                  const SourceLocation& where) {
    if (!check_scalar(value, spec, path, where)) return;
    const std::filesystem::path file = directory_ / value.text;
    std::error_code code;
    if (std::filesystem::is_regular_file(file, code)) return;
    const bool exists = std::filesystem::exists(file, code);
    report_.error(
        where,
        fmt::format("{}: {} `{}`", path, exists ? "not a file:" : "there is no file", value.text),
        fmt::format("names start from the model file's folder; looked for {}",
                    file.lexically_normal().string()));
  }

  void check_word(const Value& value, const KeySpec& spec, const std::string& path,
                  const SourceLocation& where) {
    if (!check_scalar(value, spec, path, where)) return;
    const auto in = [&](const std::vector<std::string>& words) {
      return std::find(words.begin(), words.end(), value.text) != words.end();
    };
    if (in(spec.words)) return;
    const std::string available = listed(spec.words);
    if (in(spec.planned))
      report_.error(where, fmt::format("{}: `{}` is not available yet", path, value.text),
                    "available: " + available);
    else
      report_.error(
          where, fmt::format("{}: unknown {} `{}`", path, spec.key, value.text),
          suggestion(value.text, spec.words, "available:") +
              (find_nearest(value.text, spec.words).empty() ? "" : " available: " + available));
  }

  void check_words(const Value& value, const KeySpec& spec, const std::string& path,
                   const SourceLocation& where) {
    if (value.kind != Value::Kind::sequence || value.items.empty())
      return report_mismatch(value, spec, path, where);
    std::set<std::string> seen;
    for (const Value& item : value.items) {
      check_word(item, spec, path, item.where);
      if (!seen.insert(item.text).second)
        report_.error(item.where, fmt::format("{} names `{}` twice", path, item.text),
                      "name each once");
    }
  }

  /// A number of any kind in the value, else a complaint.
  std::optional<double> check_finite(const Value& value, const KeySpec& spec,
                                     const std::string& path, const SourceLocation& where) {
    const bool is_plain = value.kind == Value::Kind::scalar && !value.is_quoted;
    const std::optional<double> number =
        is_plain ? parse_number(value.text) : std::optional<double>();
    if (number && std::isfinite(*number)) return number;
    if (number) {
      report_.error(where, fmt::format("{} is {}: a finite number is wanted", path, value.text),
                    give(spec));
    } else if (value.kind == Value::Kind::scalar && value.is_quoted && parse_number(value.text)) {
      report_.error(where, fmt::format("{} is the text {}: a number is wanted", path, shown(value)),
                    "remove the quotes");
    } else if (value.kind == Value::Kind::scalar && starts_with_number(value.text)) {
      report_.error(where, fmt::format("{} is {}: a number is wanted", path, shown(value)),
                    "write the number alone; units are chosen by `units:` for the whole file");
    } else {
      report_.error(where, fmt::format("{} is {}: a number is wanted", path, shown(value)),
                    give(spec));
    }
    return {};
  }

  static bool starts_with_number(const std::string& text) {
    double number = 0.0;
    return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc();
  }

  void check_number(const Value& value, const KeySpec& spec, const std::string& path,
                    const SourceLocation& where) {
    const std::optional<double> number = check_finite(value, spec, path, where);
    if (!number) return;
    if (spec.form == Form::integer && (std::floor(*number) != *number || std::abs(*number) > 2e9))
      report_mismatch(value, spec, path, where);
    else if (!spec.range.contains(*number))
      report_.error(where,
                    fmt::format("{} is {}: it must be {}", path, value.text, spec.range.text()),
                    give(spec));
  }

  bool has_size(const Value& value, int n, const char* items, const KeySpec& spec,
                const std::string& path, const SourceLocation& where) {
    const auto found = static_cast<int>(value.items.size());
    if (n == kAnySize ? found > 0 : found == n) return true;
    report_.error(where,
                  n == kAnySize ? fmt::format("{} is empty: {} are wanted", path, items)
                                : fmt::format("{} is {}: {} {} are wanted, there are {}", path,
                                              shown(value), n, items, found),
                  give(spec));
    return false;
  }

  bool check_numbers(const Value& value, int n, const KeySpec& spec, const std::string& path,
                     const SourceLocation& where) {
    if (value.kind != Value::Kind::sequence) {
      report_mismatch(value, spec, path, where);
      return false;
    }
    if (!has_size(value, n, "numbers", spec, path, where)) return false;
    bool is_good = true;
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      const std::string item = fmt::format("number {} of {}", i + 1, path);
      const auto number = check_finite(value.items[i], spec, item, value.items[i].where);
      is_good &= number.has_value();
      if (!number || spec.range.contains(*number)) continue;
      report_.error(
          value.items[i].where,
          fmt::format("{} is {}: it must be {}", item, value.items[i].text, spec.range.text()),
          give(spec));
      is_good = false;
    }
    return is_good;
  }

  void check_direction(const Value& value, const KeySpec& spec, const std::string& path,
                       const SourceLocation& where) {
    if (!check_numbers(value, 3, spec, path, where)) return;
    const bool is_zero = std::all_of(value.items.begin(), value.items.end(),
                                     [](const Value& item) { return *as_number(item) == 0.0; });
    if (is_zero)
      report_.error(where, fmt::format("{} is {}: a direction is wanted", path, shown(value)),
                    give(spec));
  }

  void check_inertia(const Value& value, const KeySpec& spec, const std::string& path,
                     const SourceLocation& where) {
    const bool has_rows = value.kind == Value::Kind::sequence && value.items.size() == 3 &&
                          std::any_of(value.items.begin(), value.items.end(), [](const Value& row) {
                            return row.kind == Value::Kind::sequence;
                          });
    if (has_rows) {
      for (std::size_t i = 0; i < 3; ++i)
        check_numbers(value.items[i], 3, spec, fmt::format("row {} of {}", i + 1, path),
                      value.items[i].where);
    } else if (value.kind == Value::Kind::sequence && value.items.size() == 6) {
      check_numbers(value, 6, spec, path, where);
    } else if (value.kind == Value::Kind::sequence && value.items.size() == 3) {
      check_numbers(value, 3, spec, path, where);
    } else {
      report_mismatch(value, spec, path, where);
    }
  }

  void check_matrix(const Value& value, const KeySpec& spec, const std::string& path,
                    const SourceLocation& where) {
    const bool has_rows = value.kind == Value::Kind::sequence &&
                          std::any_of(value.items.begin(), value.items.end(), [](const Value& row) {
                            return row.kind == Value::Kind::sequence;
                          });
    if (!has_rows) {
      check_numbers(value, spec.size, spec, path, where);
      return;
    }
    if (static_cast<int>(value.items.size()) != spec.size)
      report_.error(
          where, fmt::format("{} has {} rows: {} are wanted", path, value.items.size(), spec.size),
          give(spec));
    for (std::size_t i = 0; i < value.items.size(); ++i)
      check_numbers(value.items[i], spec.size, spec, fmt::format("row {} of {}", i + 1, path),
                    value.items[i].where);
  }

  void check_references(const Value& value, const KeySpec& spec, const std::string& path,
                        const SourceLocation& where) {
    if (value.kind != Value::Kind::sequence) return report_mismatch(value, spec, path, where);
    has_size(value, spec.size, spec.form == Form::references ? "names" : "components", spec, path,
             where);
    for (const Value& item : value.items) check_scalar(item, spec, path, item.where);
  }

  void check_time_function(const Value& value, const KeySpec& spec, const std::string& path,
                           const SourceLocation& where) {
    if (value.kind == Value::Kind::map)
      check_table(value, time_function_grammar(), path, where);
    else if (value.kind == Value::Kind::scalar && !value.is_quoted && parse_number(value.text))
      check_finite(value, spec, path, where);
    else
      check_scalar(value, spec, path, where);
  }

  void check_time_vector(const Value& value, const KeySpec& spec, const std::string& path,
                         const SourceLocation& where) {
    if (value.kind != Value::Kind::sequence) return report_mismatch(value, spec, path, where);
    if (static_cast<int>(value.items.size()) != spec.size)
      report_.error(where,
                    fmt::format("{} is {}: {} components are wanted, there are {}", path,
                                shown(value), spec.size, value.items.size()),
                    give(spec));
    for (std::size_t i = 0; i < value.items.size(); ++i)
      check_time_function(value.items[i], spec, fmt::format("component {} of {}", i + 1, path),
                          value.items[i].where);
  }

  void check_time_table(const Value& value, const KeySpec& spec, const std::string& path,
                        const SourceLocation& where) {
    if (value.kind != Value::Kind::sequence) return report_mismatch(value, spec, path, where);
    for (std::size_t i = 0; i < value.items.size(); ++i)
      check_numbers(value.items[i], 2, spec, fmt::format("point {} of {}", i + 1, path),
                    value.items[i].where);
  }

  void check_named(const Value& value, const KeySpec& spec, const std::string& path,
                   const SourceLocation& where) {
    if (value.kind != Value::Kind::map) return report_mismatch(value, spec, path, where);
    for (const Entry& entry : value.entries) {
      const std::string full = joined(path, entry.key);
      if (!is_name(entry.key))
        report_.error(entry.where, fmt::format("{}: `{}` cannot be a name", path, entry.key),
                      "a name starts with a letter and holds letters, digits, _ and -");
      if (spec.form == Form::named_vectors)
        check_numbers(entry.value, 3, spec, full, entry.value.where);
      else if (spec.form == Form::named_numbers)
        check_finite(entry.value, spec, full, entry.value.where);
      else
        check_table(entry.value, *spec.table, full, entry.where);
    }
  }

  void check_list(const Value& value, const KeySpec& spec, const std::string& path,
                  const SourceLocation& where) {
    if (value.kind != Value::Kind::sequence) return report_mismatch(value, spec, path, where);
    if (value.items.empty()) report_.error(where, fmt::format("{} is empty", path), give(spec));
    for (std::size_t i = 0; i < value.items.size(); ++i)
      check_table(value.items[i], *spec.table, joined(path, std::to_string(i)),
                  value.items[i].where);
  }

  const std::filesystem::path& directory_;
  Report& report_;
};

}  // namespace

std::optional<double> as_number(const Value& value) {
  if (value.kind != Value::Kind::scalar || value.is_quoted) return {};
  const std::optional<double> number = parse_number(value.text);
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
