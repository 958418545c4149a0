#include "solidyn/model/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "solidyn/model/grammar.h"

namespace solidyn::model {
namespace {

using Json = nlohmann::ordered_json;

std::string anchor(const TableSpec& table) {
  std::string text = table.name;
  std::replace(text.begin(), text.end(), ' ', '_');
  return text;
}

Json reference(const TableSpec& table) { return {{"$ref", "#/$defs/" + anchor(table)}}; }

/// Or a formula of parameters in its place.
Json or_formula(const Json& number) {
  return {{"anyOf", {number, Json{{"$ref", "#/$defs/formula"}}}}};
}

Json formula_schema() {
  return {{"type", "string"},
          {"pattern", "^="},
          {"description", "A number as a formula of `parameters`: \"=length/2\"."}};
}

Json list_of(int n, const Json& item) {
  if (n == kAnySize) return {{"type", "array"}, {"items", item}, {"minItems", 1}};
  return {{"type", "array"}, {"items", item}, {"minItems", n}, {"maxItems", n}};
}

/// Names of the user's: letters, digits, _ and -.
Json named(const Json& item) {
  return {{"type", {"object", "null"}},
          {"propertyNames", {{"pattern", "^[A-Za-z_][A-Za-z0-9_-]*$"}}},
          {"additionalProperties", item}};
}

Json number_schema(const KeySpec& key) {
  Json schema = {{"type", key.form == Form::integer ? "integer" : "number"}};
  if (std::isfinite(key.range.low))
    schema[key.range.low_is_allowed ? "minimum" : "exclusiveMinimum"] = key.range.low;
  if (std::isfinite(key.range.high))
    schema[key.range.high_is_allowed ? "maximum" : "exclusiveMaximum"] = key.range.high;
  return or_formula(schema);
}

Json inertia_schema() {
  const Json number = or_formula({{"type", "number"}});
  return {{"anyOf", {list_of(3, number), list_of(6, number), list_of(3, list_of(3, number))}}};
}

// YAML reads the words true and false as what JSON has apart from words.
Json enumeration(const std::vector<std::string>& words) {
  Json values = words;
  for (const bool value : {false, true})
    if (std::find(words.begin(), words.end(), value ? "true" : "false") != words.end())
      values.push_back(value);
  return {{"enum", values}};
}

Json value_schema(const KeySpec& key) {
  const Json number = or_formula({{"type", "number"}});
  Json text = {{"type", "string"}};
  switch (key.form) {
    case Form::text:
      return {{"type", {"string", "number", "boolean"}}};
    case Form::path:
    case Form::reference:
      return text;
    case Form::references:
      return list_of(key.size, text);
    case Form::word:
      return enumeration(key.words);
    case Form::words:
      return {{"type", "array"},
              {"items", enumeration(key.words)},
              {"minItems", key.fallback == "[]" ? 0 : 1},
              {"uniqueItems", true}};
    case Form::number:
    case Form::integer:
      return number_schema(key);
    case Form::vector:
      return list_of(key.size, number);
    case Form::direction:
      return list_of(3, number);
    case Form::inertia:
      return inertia_schema();
    case Form::time_function:
      return {{"anyOf", {number, text, reference(time_function_grammar())}}};
    case Form::time_vector:
      return list_of(key.size, {{"anyOf", {number, text, reference(time_function_grammar())}}});
    case Form::expressions:
      return list_of(key.size, {{"anyOf", {number, text, reference(time_function_grammar())}}});
    case Form::matrix:
      return {{"anyOf", {list_of(key.size, number), list_of(key.size, list_of(key.size, number))}}};
    case Form::points:
    case Form::time_table:
      return {{"type", "array"}, {"items", list_of(2, number)}, {"minItems", 2}};
    case Form::positions:
      return {{"type", "array"}, {"items", list_of(3, number)}, {"minItems", 2}};
    case Form::name_pairs:
      return {{"type", "array"}, {"items", list_of(2, text)}};
    case Form::table:
      if (key.words.empty()) return reference(*key.table);
      return {{"anyOf", {enumeration(key.words), reference(*key.table)}}};
    case Form::named_tables:
      return named(reference(*key.table));
    case Form::named_vectors:
      return named(list_of(3, number));
    case Form::named_numbers:
      return named(number);
    case Form::list:
      return {{"type", "array"}, {"items", reference(*key.table)}, {"minItems", 1}};
  }
  return {};
}

std::string range_text(const KeySpec& key) {
  std::string text = key.range.text();
  if (key.range.low == key.range.high) text = fmt::format("{:g}", key.range.low);
  return text;
}

Json described(const KeySpec& key) {
  Json schema = value_schema(key);
  std::string text = key.meaning;
  if (key.quantity.si[0]) text += fmt::format(" [{}]", key.quantity.si);
  if (!key.fallback.empty()) text += fmt::format("; default {}", key.fallback);
  schema["description"] = text;
  return schema;
}

bool has_several(const TableSpec& table, const std::string& key) {
  return std::count_if(table.keys.begin(), table.keys.end(),
                       [&](const KeySpec& spec) { return spec.key == key; }) > 1;
}

Json either_of(const std::string& key, const std::string& other) {
  return {{"anyOf", {{{"required", {key}}}, {{"required", {other}}}}}};
}

Json choice_schema(const TableSpec& table) {
  Json choices = Json::array();
  for (const std::string& key : table.exactly_one_of)
    choices.push_back({{"required", Json::array({key})}});
  return choices;
}

/// What holds only for one word of the selector: required keys, keys with a meaning of their own,
/// and keys that must not be there.
Json rules_of_type(const TableSpec& table, const std::string& type) {
  Json required = Json::array(), properties = Json::object(), choices = Json::array();
  for (const KeySpec& key : table.keys) {
    if (!key.types.empty() && key.is_for(type)) {
      if (key.is_required && key.replaced_by.empty()) required.push_back(key.key);
      if (key.is_required && !key.replaced_by.empty())
        choices.push_back(either_of(key.key, key.replaced_by));
      if (has_several(table, key.key)) properties[key.key] = described(key);
    }
    if (!table.find(key.key, type) && !table.ignores_keys_of_other_types)
      properties[key.key] = false;
  }
  Json rules = Json::object();
  if (!required.empty()) rules["required"] = required;
  if (!properties.empty()) rules["properties"] = properties;
  if (!choices.empty()) rules["allOf"] = choices;
  if (!table.has_choice("") && table.has_choice(type)) rules["oneOf"] = choice_schema(table);
  return rules;
}

Json table_schema(const TableSpec& table) {
  Json schema = {{"type", "object"}, {"description", table.meaning}};
  Json properties = Json::object(), required = Json::array(), companions = Json::object();
  for (const KeySpec& key : table.keys) {
    properties[key.key] = has_several(table, key.key) ? Json::object() : described(key);
    if (key.is_required && key.types.empty()) {
      if (key.replaced_by.empty())
        required.push_back(key.key);
      else
        schema["allOf"].push_back(either_of(key.key, key.replaced_by));
    }
    if (!key.needs.empty()) companions[key.key] = Json::array({key.needs});
  }
  schema["properties"] = properties;
  schema["additionalProperties"] = false;
  if (!required.empty()) schema["required"] = required;
  if (!companions.empty()) schema["dependentRequired"] = companions;
  if (table.has_choice("")) schema["oneOf"] = choice_schema(table);
  if (table.selector.empty()) return schema;
  const KeySpec& selector = *table.find_any(table.selector);
  for (const std::string& type : selector.words) {
    const Json rules = rules_of_type(table, type);
    if (rules.empty()) continue;
    Json condition = {{"properties", {{table.selector, {{"const", type}}}}}};
    if (type != selector.fallback) condition["required"] = Json::array({table.selector});
    schema["allOf"].push_back({{"if", condition}, {"then", rules}});
  }
  return schema;
}

const char* form_text(const KeySpec& key) {
  switch (key.form) {
    case Form::text:
      return "text";
    case Form::path:
      return "file";
    case Form::reference:
      return "name";
    case Form::references:
      return "names";
    case Form::name_pairs:
      return "pairs of names";
    case Form::word:
      return "word";
    case Form::words:
      return "words";
    case Form::number:
      return "number";
    case Form::integer:
      return "integer";
    case Form::vector:
    case Form::direction:
      return "numbers";
    case Form::inertia:
      return "3, 6 or 3 x 3 numbers";
    case Form::time_function:
      return "number, expression of t or table";
    case Form::time_vector:
      return "numbers, expressions of t or tables";
    case Form::time_table:
    case Form::points:
      return "points";
    case Form::positions:
      return "points [x, y, z]";
    case Form::expressions:
      return "numbers, expressions of t and sensors, or tables";
    case Form::matrix:
      return "numbers, or as many rows of them";
    case Form::table:
      return "keys";
    case Form::named_tables:
      return "name: keys";
    case Form::named_vectors:
      return "name: 3 numbers";
    case Form::named_numbers:
      return "name: number";
    case Form::list:
      return "list of keys";
  }
  return "";
}

std::string value_text(const KeySpec& key) {
  std::string text = form_text(key);
  if (key.form == Form::vector || key.form == Form::direction || key.form == Form::references ||
      key.form == Form::matrix || key.form == Form::expressions || key.form == Form::time_vector)
    text = key.size == kAnySize ? "list of " + text : fmt::format("{} {}", key.size, text);
  if (key.form == Form::direction) text += ", not all zero";
  if (!key.words.empty()) {
    std::string words;
    for (const std::string& word : key.words)
      words += fmt::format("{}`{}`", words.empty() ? "" : ", ", word);
    text = key.form == Form::table   ? words + " or keys"
           : key.form == Form::words ? "list of " + words
                                     : words;
  }
  if (key.table) text += fmt::format(" ([{0}](#{1}))", key.table->name, anchor(*key.table));
  if (key.form == Form::time_function || key.form == Form::time_vector)
    text += fmt::format(" ([{0}](#{1}))", time_function_grammar().name,
                        anchor(time_function_grammar()));
  if (!range_text(key).empty()) text += ", " + range_text(key);
  return text;
}

std::string for_types(const KeySpec& key) {
  std::string text;
  for (const std::string& type : key.types) text += (text.empty() ? "" : ", ") + type;
  return text;
}

std::string row(const TableSpec& table, const KeySpec& key) {
  std::string text =
      fmt::format("| `{}` | {} | {} | {} | ", key.key, value_text(key), key.quantity.si,
                  !key.replaced_by.empty() ? "required without `" + key.replaced_by + "`"
                  : key.is_required        ? "required"
                  : key.fallback.empty()   ? ""
                                           : "`" + key.fallback + "`");
  if (!table.selector.empty()) text += for_types(key) + " | ";
  return text + key.meaning + " |\n";
}

}  // namespace

std::string json_schema() {
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "Solidyn model file"}};
  Json tables = Json::object();
  for (const TableSpec* table : all_tables())
    if (table != &model_grammar()) tables[anchor(*table)] = table_schema(*table);
  schema.update(table_schema(model_grammar()));
  tables["formula"] = formula_schema();
  schema["$defs"] = tables;
  return schema.dump(2) + "\n";
}

std::string key_tables() {
  std::string text;
  for (const TableSpec* table : all_tables()) {
    const bool has_types = !table->selector.empty();
    text += fmt::format("### <a id=\"{}\"></a>{}\n\n{}\n\n", anchor(*table), table->name,
                        table->meaning);
    text += has_types ? fmt::format("| key | value | SI unit | default | for {} | meaning |\n",
                                    table->selector)
                      : "| key | value | SI unit | default | meaning |\n";
    text +=
        has_types ? "| --- | --- | --- | --- | --- | --- |\n" : "| --- | --- | --- | --- | --- |\n";
    for (const KeySpec& key : table->keys) text += row(*table, key);
    text += "\n";
  }
  return text;
}

}  // namespace solidyn::model
