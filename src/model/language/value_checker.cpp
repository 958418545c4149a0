#include "model/language/value_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>

#include "model/check.h"
#include "model/language/spelling.h"

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
  if (last - first > 1 && first[0] == '+' && first[1] != '-') ++first;
  double number = 0.0;
  const auto [end, code] = std::from_chars(first, last, number);
  if (end != last || first == last || !std::isfinite(number)) return {};
  if (code == std::errc::result_out_of_range)
    return std::strtod(text.c_str(), nullptr);  // 0, or infinity
  return code == std::errc() ? std::optional<double>(number) : std::nullopt;
}

bool starts_with_number(const std::string& text) {
  double number = 0.0;
  return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc();
}

const char* wanted(Form form) {
  switch (form) {
    case Form::text:
      return "text";
    case Form::path:
      return "a file name";
    case Form::reference:
      return "a name";
    case Form::references:
      return "a list of names";
    case Form::name_pairs:
      return "a list of pairs of names";
    case Form::word:
      return "a word";
    case Form::words:
      return "a list of words";
    case Form::number:
      return "a number";
    case Form::integer:
      return "an integer";
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
      return "a list of numbers, expressions or tables";
    case Form::points:
      return "a list of points [x, y]";
    case Form::positions:
      return "a list of points [x, y, z]";
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

}  // namespace

std::string give(const KeySpec& spec) {
  return fmt::format("{}; for example  {}: {}", spec.meaning, spec.key, spec.example);
}

std::optional<double> plain_number(const Value& value) {
  if (value.kind != Value::Kind::scalar || value.is_quoted) return {};
  return parse_number(value.text);
}

void ValueChecker::report_mismatch(const Value& value, const KeySpec& spec, const std::string& path,
                                   const SourceLocation& where) {
  report_.error(where, fmt::format("{} is {}: expected {}", path, shown(value), wanted(spec.form)),
                give(spec));
}

bool ValueChecker::check_scalar(const Value& value, const KeySpec& spec, const std::string& path,
                                const SourceLocation& where) {
  if (value.kind == Value::Kind::scalar && !value.text.empty()) return true;
  report_mismatch(value, spec, path, where);
  return false;
}

void ValueChecker::check_path(const Value& value, const KeySpec& spec, const std::string& path,
                              const SourceLocation& where) {
  if (!check_scalar(value, spec, path, where)) return;
  const std::filesystem::path file = directory_ / value.text;
  std::error_code code;
  if (std::filesystem::is_regular_file(file, code)) return;
  const bool exists = std::filesystem::exists(file, code);
  report_.error(
      where,
      fmt::format("{}: {} `{}`", path, exists ? "not a file:" : "there is no file", value.text),
      fmt::format("paths are relative to the folder of the model file; looked for {}",
                  file.lexically_normal().string()));
}

void ValueChecker::check_word(const Value& value, const KeySpec& spec, const std::string& path,
                              const SourceLocation& where) {
  if (!check_scalar(value, spec, path, where)) return;
  const auto in = [&](const std::vector<std::string>& words) {
    return std::find(words.begin(), words.end(), value.text) != words.end();
  };
  if (in(spec.words)) return;
  const std::string available = listed(spec.words);
  if (in(spec.planned))
    report_.error(where, fmt::format("{}: `{}` is not yet implemented", path, value.text),
                  "available: " + available);
  else
    report_.error(
        where, fmt::format("{}: unknown {} `{}`", path, spec.key, value.text),
        suggestion(value.text, spec.words, "available:") +
            (find_nearest(value.text, spec.words).empty() ? "" : " available: " + available));
}

void ValueChecker::check_words(const Value& value, const KeySpec& spec, const std::string& path,
                               const SourceLocation& where) {
  const bool may_be_empty = spec.fallback == "[]";
  if (value.kind != Value::Kind::sequence || (value.items.empty() && !may_be_empty))
    return report_mismatch(value, spec, path, where);
  std::set<std::string> seen;
  for (const Value& item : value.items) {
    check_word(item, spec, path, item.where);
    if (!seen.insert(item.text).second)
      report_.error(item.where, fmt::format("{} names `{}` twice", path, item.text),
                    "list each once");
  }
}

std::optional<double> ValueChecker::check_finite(const Value& value, const KeySpec& spec,
                                                 const std::string& path,
                                                 const SourceLocation& where) {
  const std::optional<double> number = plain_number(value);
  if (number && std::isfinite(*number)) return number;
  if (number) {
    report_.error(where, fmt::format("{} is {}: expected a finite number", path, shown(value)),
                  give(spec));
  } else if (value.kind == Value::Kind::scalar && value.is_quoted && parse_number(value.text)) {
    report_.error(where, fmt::format("{} is the text {}: expected a number", path, shown(value)),
                  "remove the quotes");
  } else if (value.kind == Value::Kind::scalar && starts_with_number(value.text)) {
    report_.error(where, fmt::format("{} is {}: expected a number", path, shown(value)),
                  "write only the number; units are set by `units:` for the whole file");
  } else {
    report_.error(where, fmt::format("{} is {}: expected a number", path, shown(value)),
                  give(spec));
  }
  return {};
}

void ValueChecker::check_number(const Value& value, const KeySpec& spec, const std::string& path,
                                const SourceLocation& where) {
  const std::optional<double> number = check_finite(value, spec, path, where);
  if (!number) return;
  if (spec.form == Form::integer && (std::floor(*number) != *number || std::abs(*number) > 2e9))
    report_mismatch(value, spec, path, where);
  else if (!spec.range.contains(*number))
    report_.error(where,
                  fmt::format("{} is {}: it must be {}", path, shown(value), spec.range.text()),
                  give(spec));
}

bool ValueChecker::has_size(const Value& value, int n, const char* items, const KeySpec& spec,
                            const std::string& path, const SourceLocation& where) {
  const auto found = static_cast<int>(value.items.size());
  if (n == kAnySize ? found > 0 : found == n) return true;
  report_.error(where,
                n == kAnySize ? fmt::format("{} is empty: expected {}", path, items)
                              : fmt::format("{} is {}: expected {} {}, got {}", path, shown(value),
                                            n, items, found),
                give(spec));
  return false;
}

bool ValueChecker::check_numbers(const Value& value, int n, const KeySpec& spec,
                                 const std::string& path, const SourceLocation& where) {
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
        fmt::format("{} is {}: it must be {}", item, shown(value.items[i]), spec.range.text()),
        give(spec));
    is_good = false;
  }
  return is_good;
}

void ValueChecker::check_direction(const Value& value, const KeySpec& spec, const std::string& path,
                                   const SourceLocation& where) {
  if (!check_numbers(value, 3, spec, path, where)) return;
  const bool is_zero = std::all_of(value.items.begin(), value.items.end(),
                                   [](const Value& item) { return *as_number(item) == 0.0; });
  if (is_zero)
    report_.error(where, fmt::format("{} is {}: expected a direction", path, shown(value)),
                  give(spec));
}

void ValueChecker::check_inertia(const Value& value, const KeySpec& spec, const std::string& path,
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

void ValueChecker::check_matrix(const Value& value, const KeySpec& spec, const std::string& path,
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
    report_.error(where,
                  fmt::format("{} has {} rows: expected {}", path, value.items.size(), spec.size),
                  give(spec));
  for (std::size_t i = 0; i < value.items.size(); ++i)
    check_numbers(value.items[i], spec.size, spec, fmt::format("row {} of {}", i + 1, path),
                  value.items[i].where);
}

void ValueChecker::check_references(const Value& value, const KeySpec& spec,
                                    const std::string& path, const SourceLocation& where) {
  if (value.kind != Value::Kind::sequence) return report_mismatch(value, spec, path, where);
  has_size(value, spec.size, spec.form == Form::references ? "names" : "components", spec, path,
           where);
  for (const Value& item : value.items) check_scalar(item, spec, path, item.where);
}

void ValueChecker::check_name_pairs(const Value& value, const KeySpec& spec,
                                    const std::string& path, const SourceLocation& where) {
  if (value.kind != Value::Kind::sequence) return report_mismatch(value, spec, path, where);
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    const Value& pair = value.items[i];
    const std::string item = fmt::format("pair {} of {}", i + 1, path);
    if (pair.kind != Value::Kind::sequence || pair.items.size() != 2)
      report_.error(pair.where, fmt::format("{} is {}: expected two names", item, shown(pair)),
                    give(spec));
    else
      for (const Value& name : pair.items) check_scalar(name, spec, item, name.where);
  }
}

}  // namespace solidyn::model
