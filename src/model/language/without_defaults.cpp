#include "model/language/without_defaults.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/check.h"

namespace solidyn::model {
namespace {

// Of a number in the file's units, which comes to SI by a product.
constexpr double kSameNumber = 4.0 * std::numeric_limits<double>::epsilon();

bool is_same_number(double a, double b) {
  return std::abs(a - b) <= kSameNumber * std::max(std::abs(a), std::abs(b));
}

// Is a value of the file what a fallback, which is in SI, says?
bool is_same_value(const Value& given, const Value& fallback, double scale) {
  if (given.kind != fallback.kind || given.items.size() != fallback.items.size()) return false;
  if (given.kind == Value::Kind::sequence)
    return std::equal(given.items.begin(), given.items.end(), fallback.items.begin(),
                      [&](const Value& a, const Value& b) { return is_same_value(a, b, scale); });
  const auto a = as_number(given), b = as_number(fallback);
  if (a && b) return is_same_number(scale * *a, *b);
  return given.kind == Value::Kind::scalar && given.text == fallback.text;
}

bool is_default(const Value& value, const KeySpec& key, const Units& units) {
  if (key.fallback.empty()) return false;
  Report scratch;
  return is_same_value(value, parse_yaml(key.fallback, key.key, scratch),
                       units.scale(key.quantity));
}

// One that holds nothing but defaults says no more than none, where none is allowed.
bool may_be_left_out(const KeySpec& key) {
  return key.form == Form::table && !key.is_required && key.table->exactly_one_of.empty() &&
         std::none_of(key.table->keys.begin(), key.table->keys.end(),
                      [](const KeySpec& inner) { return inner.is_required; });
}

Value below(const Value& value, const KeySpec& key, const Units& units) {
  if (!key.table) return value;
  if (key.form == Form::table && value.kind == Value::Kind::map)
    return without_defaults(value, *key.table, units);
  Value copy = value;
  if (key.form == Form::named_tables)
    for (Entry& entry : copy.entries)
      entry.value = without_defaults(entry.value, *key.table, units);
  if (key.form == Form::list)
    for (Value& item : copy.items) item = without_defaults(item, *key.table, units);
  return copy;
}

}  // namespace

Value without_defaults(const Value& table, const TableSpec& spec, const Units& units) {
  if (table.kind != Value::Kind::map) return table;
  const std::string type = selected_type(table, spec);
  Value kept = table;
  kept.entries.clear();
  for (const Entry& entry : table.entries) {
    const KeySpec* key = spec.find(entry.key, type);
    if (!key) {
      kept.entries.push_back(entry);
      continue;
    }
    if (is_default(entry.value, *key, units)) continue;
    Value value = below(entry.value, *key, units);
    const bool is_emptied = value.entries.empty() && !entry.value.entries.empty();
    if (is_emptied && may_be_left_out(*key)) continue;
    kept.entries.push_back({entry.key, entry.where, std::move(value)});
  }
  return kept;
}

}  // namespace solidyn::model
