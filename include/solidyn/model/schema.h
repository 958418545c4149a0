#pragma once
#include <string>

/// What the grammar (model/grammar.h) generates for people and editors.
namespace solidyn::model {

/// JSON Schema (draft 2020-12) of the model file, indented, with a newline at the end. What it
/// cannot say (names that refer to something, files that exist) only the parser checks.
/// doc/solidyn.schema.json is this text (proved by Schema.ShippedFileIsUpToDate).
std::string json_schema();

/// The tables of keys of doc/model_file.md, in Markdown.
std::string key_tables();

}  // namespace solidyn::model
