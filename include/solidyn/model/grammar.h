#pragma once
#include <limits>
#include <string>
#include <vector>

/// The grammar of the model file: every key, declared once. The parser checks against these tables,
/// and the JSON Schema and the manual's key tables are made from them (model/schema.h).
namespace solidyn::model {

/// What a number measures: powers of the file's units, and the SI unit in words.
struct Quantity {
  const char* si = "";  ///< "" for a pure number
  int length = 0, mass = 0, time = 0, angle = 0, force = 0;
};

/// The numbers that a key accepts. Limits are 0 or belong to pure numbers, so that no unit enters.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_is_allowed = true, high_is_allowed = true;
  bool contains(double number) const;
  std::string text() const;  ///< "> 0", ">= 0 and <= 1"; "" when everything is allowed
};

/// The shape of a key's value.
enum class Form {
  text,
  path,        ///< of a file that exists, from the model file's folder
  reference,   ///< the name of something else in the file
  references,  ///< `size` such names, or any number of them
  name_pairs,  ///< [[name, name], ...]
  word,        ///< one of `words`
  words,       ///< a list of some of `words`, each at most once
  number,
  integer,
  vector,         ///< `size` numbers, or any number of them
  direction,      ///< three numbers, not all zero
  inertia,        ///< 3 or 6 numbers or three rows of three
  time_function,  ///< number, expression of t, or {table, interpolation}
  time_vector,    ///< `size` such functions
  expressions,    ///< `size` numbers or expressions of t and sensors
  time_table,     ///< [[t, value], ...]
  points,         ///< [[x, y], ...]
  positions,      ///< [[x, y, z], ...]
  matrix,         ///< `size` numbers, the diagonal, or `size` rows of as many
  table,          ///< nested keys; or one of `words`, where there are any
  named_tables,   ///< name: nested keys
  named_vectors,  ///< name: three numbers
  named_numbers,  ///< name: number
  list            ///< - nested keys
};

struct TableSpec;

/// KeySpec::size of a list with one item or more.
constexpr int kAnySize = 0;

struct KeySpec {
  std::string key;
  Form form = Form::text;
  std::string meaning;  ///< one sentence for the manual
  std::string example;  ///< a value, as the remedy of an error shows it
  Quantity quantity = {};
  Range range = {};
  std::string fallback = {};            ///< default as YAML text, in SI; "" for none
  bool is_required = false;             ///< within `types`
  std::string replaced_by = {};         ///< a key that makes this one dispensable
  std::vector<std::string> types = {};  ///< values of the selector with this key; empty: all
  std::vector<std::string> words = {};
  std::vector<std::string> planned = {};  ///< words known but not available yet
  int size = 3;
  const TableSpec* table = nullptr;
  std::string needs = {};  ///< another key of the table that must be given with this one

  bool is_for(const std::string& type) const;
};

struct TableSpec {
  std::string name;     ///< "body", "joint" ...: in messages, the schema and the manual
  std::string meaning;  ///< for the manual
  std::vector<KeySpec> keys;
  std::string selector = {};  ///< the key whose value selects which other keys apply; "" for none
  /// Keys of another selector value are ignored with a warning, so that `type` can be changed
  /// alone; otherwise they are errors.
  bool ignores_keys_of_other_types = false;
  std::vector<std::string> exactly_one_of = {};  ///< for types that have these keys

  /// The key's declaration for a value of the selector; null when there is none.
  const KeySpec* find(const std::string& key, const std::string& type) const;
  /// Whether exactly one of `exactly_one_of` is asked for with a value of the selector.
  bool has_choice(const std::string& type) const;
  /// The key's declaration for any value of the selector.
  const KeySpec* find_any(const std::string& key) const;
};

/// The whole file.
const TableSpec& model_grammar();

/// {table, interpolation} of a time function.
const TableSpec& time_function_grammar();

/// Every table, each once, in the order of the manual.
std::vector<const TableSpec*> all_tables();

}  // namespace solidyn::model
