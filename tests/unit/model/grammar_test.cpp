// Of every key of the grammar: its example is right, and what is not of its form or range is
// refused.
#include "solidyn/model/grammar.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "model/check.h"

namespace solidyn::model {
namespace {

const std::filesystem::path kFolder = std::filesystem::path(SOLIDYN_SOURCE_DIR) / "tests";

Value value_of(const std::string& yaml) {
  Report report;
  Value root = parse_yaml("value: " + yaml, "example", report);
  EXPECT_TRUE(report.is_empty()) << yaml;
  return root.entries.at(0).value;
}

/// Of the wrong shape for the key.
std::string wrong_shape(const KeySpec& key) {
  switch (key.form) {
    case Form::table:
    case Form::named_tables:
    case Form::named_vectors:
    case Form::named_numbers:
    case Form::time_function:
      return "[[1]]";
    default:
      return "{no_such_key: 1}";
  }
}

/// Outside the range; empty where all numbers are inside.
std::string outside(const Range& range) {
  const double beyond = std::isfinite(range.low)    ? range.low - 1.0
                        : std::isfinite(range.high) ? range.high + 1.0
                                                    : 0.0;
  return range.contains(beyond) ? "" : std::to_string(beyond);
}

/// Files that the example names are none of the tests', and formulas of parameters are evaluated
/// before a value is looked at.
bool stands_for_itself(const KeySpec& key) {
  if (key.form == Form::path || key.example.find("\"=") != std::string::npos) return false;
  return !key.table ||
         std::none_of(key.table->keys.begin(), key.table->keys.end(), [&](const KeySpec& inner) {
           return inner.form == Form::path &&
                  key.example.find(inner.key + ":") != std::string::npos;
         });
}

template <class Check>
void for_every_key(const Check& check) {
  for (const TableSpec* table : all_tables())
    for (const KeySpec& key : table->keys) {
      SCOPED_TRACE(table->name + "." + key.key);
      check(key);
    }
}

TEST(Grammar, ExampleOfEveryKeyIsGood) {
  for_every_key([](const KeySpec& key) {
    if (stands_for_itself(key))
      EXPECT_TRUE(is_good(value_of(key.example), key, kFolder)) << key.example;
  });
}

TEST(Grammar, ValueOfAnotherShapeIsRefusedForEveryKey) {
  for_every_key([](const KeySpec& key) {
    EXPECT_FALSE(is_good(value_of(wrong_shape(key)), key, kFolder)) << wrong_shape(key);
  });
}

TEST(Grammar, NumberOutsideTheRangeIsRefusedForEveryKey) {
  int n_ranges = 0;
  for_every_key([&](const KeySpec& key) {
    const std::string number = outside(key.range);
    if (number.empty() || (key.form != Form::number && key.form != Form::integer)) return;
    EXPECT_FALSE(is_good(value_of(number), key, kFolder)) << number;
    ++n_ranges;
  });
  EXPECT_GT(n_ranges, 50);
}

TEST(Grammar, WordThatIsNoneOfThemIsRefusedForEveryKey) {
  for_every_key([](const KeySpec& key) {
    if (key.form == Form::word)
      EXPECT_FALSE(is_good(value_of("none_of_these_words"), key, kFolder));
  });
}

TEST(Grammar, DefaultOfEveryKeyIsGood) {
  for_every_key([](const KeySpec& key) {
    if (!key.fallback.empty() && key.form != Form::text)
      EXPECT_TRUE(is_good(value_of(key.fallback), key, kFolder)) << key.fallback;
  });
}

}  // namespace
}  // namespace solidyn::model
