#include "model/language/report.h"

#include <algorithm>
#include <tuple>

namespace solidyn::model {
namespace {

std::vector<base::Diagnostic> in_file_order(std::vector<base::Diagnostic> diagnostics) {
  std::stable_sort(diagnostics.begin(), diagnostics.end(),
                   [](const base::Diagnostic& a, const base::Diagnostic& b) {
                     return std::tie(a.where.line, a.where.column) <
                            std::tie(b.where.line, b.where.column);
                   });
  return diagnostics;
}

}  // namespace

void Report::error(const base::SourceLocation& where, std::string what, std::string remedy) {
  errors_.push_back({where, std::move(what), std::move(remedy)});
}

void Report::warning(const base::SourceLocation& where, std::string what, std::string remedy) {
  warnings_.push_back({where, std::move(what), std::move(remedy)});
}

void Report::throw_if_any() const {
  if (!errors_.empty()) throw base::InputError(in_file_order(errors_));
}

std::vector<base::Diagnostic> Report::warnings() const { return in_file_order(warnings_); }

}  // namespace solidyn::model
