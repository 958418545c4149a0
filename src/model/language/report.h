#pragma once
#include <string>
#include <vector>

#include "solidyn/base/error.h"

namespace solidyn::model {

/// Collects every complaint about a model, so that the user sees them together.
class Report {
 public:
  void error(const base::SourceLocation& where, std::string what, std::string remedy = {});
  void warning(const base::SourceLocation& where, std::string what, std::string remedy = {});

  /// No errors so far; there may be warnings.
  bool is_empty() const { return errors_.empty(); }

  /// Throws one InputError with all errors, in the order of the file.
  void throw_if_any() const;
  std::vector<base::Diagnostic> warnings() const;

 private:
  std::vector<base::Diagnostic> errors_, warnings_;
};

}  // namespace solidyn::model
