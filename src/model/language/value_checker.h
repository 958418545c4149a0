#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "model/language/report.h"
#include "model/language/value.h"
#include "solidyn/model/grammar.h"

namespace solidyn::model {

/// What YAML 1.2 reads as a number, infinities and not-a-numbers included; empty for anything else.
std::optional<double> plain_number(const Value& value);

/// "what it means; for example  key: value".
std::string give(const KeySpec& spec);

/// Complains of values that hold no other keys: their shapes, ranges and words, and files that do
/// not exist. @param path "bodies.rod.mesh", for messages
class ValueChecker {
 public:
  ValueChecker(const std::filesystem::path& directory, Report& report)
      : directory_(directory), report_(report) {}

  void report_mismatch(const Value& value, const KeySpec& spec, const std::string& path,
                       const base::SourceLocation& where);
  bool check_scalar(const Value& value, const KeySpec& spec, const std::string& path,
                    const base::SourceLocation& where);
  void check_path(const Value& value, const KeySpec& spec, const std::string& path,
                  const base::SourceLocation& where);
  void check_word(const Value& value, const KeySpec& spec, const std::string& path,
                  const base::SourceLocation& where);
  void check_words(const Value& value, const KeySpec& spec, const std::string& path,
                   const base::SourceLocation& where);
  /// A number of any kind in the value, else a complaint.
  std::optional<double> check_finite(const Value& value, const KeySpec& spec,
                                     const std::string& path, const base::SourceLocation& where);
  void check_number(const Value& value, const KeySpec& spec, const std::string& path,
                    const base::SourceLocation& where);
  bool check_numbers(const Value& value, int n, const KeySpec& spec, const std::string& path,
                     const base::SourceLocation& where);
  void check_direction(const Value& value, const KeySpec& spec, const std::string& path,
                       const base::SourceLocation& where);
  void check_inertia(const Value& value, const KeySpec& spec, const std::string& path,
                     const base::SourceLocation& where);
  void check_matrix(const Value& value, const KeySpec& spec, const std::string& path,
                    const base::SourceLocation& where);
  void check_references(const Value& value, const KeySpec& spec, const std::string& path,
                        const base::SourceLocation& where);
  void check_name_pairs(const Value& value, const KeySpec& spec, const std::string& path,
                        const base::SourceLocation& where);

 private:
  bool has_size(const Value& value, int n, const char* items, const KeySpec& spec,
                const std::string& path, const base::SourceLocation& where);

  const std::filesystem::path& directory_;
  Report& report_;
};

}  // namespace solidyn::model
