#include "solidyn/base/error.h"

#include <fmt/format.h>

namespace solidyn::base {
namespace {

std::string join(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!text.empty()) text += '\n';
    text += format(diagnostic);
  }
  return text;
}

std::string indented(const std::string& text) {
  std::string out = "\n  ";
  for (char c : text) {
    out += c;
    if (c == '\n') out += "  ";
  }
  return out;
}

}  // namespace

std::string format(const Diagnostic& diagnostic, const char* severity) {
  std::string prefix;
  const SourceLocation& where = diagnostic.where;
  if (!where.file.empty()) prefix += where.file + ":";
  if (where.line > 0) prefix += fmt::format("{}:", where.line);
  if (where.column > 0) prefix += fmt::format("{}:", where.column);
  if (!prefix.empty()) prefix += " ";
  std::string text = fmt::format("{}{}: {}", prefix, severity, diagnostic.what);
  if (!diagnostic.remedy.empty()) text += indented(diagnostic.remedy);
  return text;
}

InputError::InputError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(join(diagnostics)), diagnostics_(std::move(diagnostics)) {}

InputError::InputError(std::string what, std::string remedy, SourceLocation where)
    : InputError(std::vector<Diagnostic>{{std::move(where), std::move(what), std::move(remedy)}}) {}

}  // namespace solidyn::base
