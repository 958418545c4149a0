#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "model/language/report.h"
#include "model/language/value.h"
#include "solidyn/model/grammar.h"

namespace solidyn::model {

/// A finite number written as YAML writes one; empty for anything else.
std::optional<double> as_number(const Value& value);

/// The word of the table's selector, its default, or "" when it is missing or unknown.
std::string selected_type(const Value& table, const TableSpec& spec);

/// Reports all errors in the table that follow from the grammar alone: unknown, missing and
/// misplaced keys, shapes, types, ranges, words, files that do not exist. Not: names that refer to
/// nothing.
/// @param path   "bodies.rod", for messages      @param where  of the table's name
void check_table(const Value& value, const TableSpec& spec, const std::string& path,
                 const base::SourceLocation& where, const std::filesystem::path& directory,
                 Report& report);

/// Whether check_table finds nothing to complain about in this value.
bool is_good(const Value& value, const KeySpec& spec, const std::filesystem::path& directory);

/// "bodies" + "rod" -> "bodies.rod".
std::string joined(const std::string& path, const std::string& key);

}  // namespace solidyn::model
