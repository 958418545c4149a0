#pragma once
#include <fmt/format.h>

#include <algorithm>

#include "model/language/key.h"

namespace solidyn::model {

/// Appends a type's keys to those of a table: one that another type has alike becomes one key of
/// both.
void add_keys_of_type(const std::string& type, const std::vector<KeySpec>& keys, TableSpec& table);

/// Null when no row has this word.
template <class Row>
const Row* find_row(const std::vector<Row>& catalogue, const std::string& word) {
  const auto found = std::find_if(catalogue.begin(), catalogue.end(),
                                  [&](const Row& row) { return row.word == word; });
  return found == catalogue.end() ? nullptr : &*found;
}

/// The key that says which row of a catalogue: its words, each with its meaning in parentheses.
template <class Row>
Key type_key(const std::string& key, const std::vector<Row>& catalogue) {
  Words words;
  std::string meanings;
  for (const Row& row : catalogue) {
    words.push_back(row.word);
    meanings += fmt::format("{}`{}`", meanings.empty() ? "" : ", ", row.word);
    if (!row.meaning.empty()) meanings += fmt::format(" ({})", row.meaning);
  }
  return Key(key, Form::word, meanings, words[0]).among(words);
}

/// The table of a catalogue: `type` says which of the keys apply.
/// @param catalogue of rows with a word, its meaning and its keys
/// @param common keys of all types
template <class Row>
TableSpec table_of_types(const std::string& name, const std::string& meaning, const KeySpec& type,
                         const std::vector<Row>& catalogue, const std::vector<KeySpec>& common) {
  TableSpec table{name, meaning, {type}, type.key};
  table.keys.insert(table.keys.end(), common.begin(), common.end());
  for (const Row& row : catalogue) add_keys_of_type(row.word, row.keys, table);
  return table;
}

template <class Row>
TableSpec table_of_types(const std::string& name, const std::string& meaning,
                         const std::vector<Row>& catalogue, const std::vector<KeySpec>& common) {
  return table_of_types(name, meaning, type_key("type", catalogue).needed(), catalogue, common);
}

}  // namespace solidyn::model
