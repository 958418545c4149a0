#include "formats/shared/import_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "solidyn/base/lfs_pointer.h"

namespace solidyn::formats {
std::string shown_text(std::string_view text) {
  std::string shown;
  for (char c : text.substr(0, 40)) shown += c >= ' ' && c <= '~' ? c : '?';
  return shown;
}

base::Diagnostic ImportBytes::diagnose(const char* at, std::string what, std::string remedy) const {
  int line = 0;
  if (at && kind_ == Kind::binary) what += fmt::format(" (byte {})", at - begin());
  if (at && kind_ == Kind::text) line = 1 + static_cast<int>(std::count(begin(), at, '\n'));
  return {{name_, line, 0}, std::move(what), std::move(remedy)};
}

void ImportBytes::complain(const char* at, std::string what, std::string remedy) {
  complaints_.push_back(diagnose(at, std::move(what), std::move(remedy)));
  if (complaints_.size() >= kMost) throw_if_any();
}

void ImportBytes::fail(const char* at, std::string what, std::string remedy) {
  complaints_.push_back(diagnose(at, std::move(what), std::move(remedy)));
  throw base::InputError(complaints_);
}

void ImportBytes::throw_if_any() const {
  if (!complaints_.empty()) throw base::InputError(complaints_);
}

void refuse_empty(ImportBytes& file, const char* expected) {
  if (file.bytes().empty())
    file.fail(nullptr, "the file is empty", fmt::format("give {}", expected));
  base::refuse_lfs_pointer(file.bytes(), file.name());
}

void warn_of_open_end(const ImportBytes& file, imported::ImportReport& report) {
  if (file.bytes().empty() || file.bytes().back() == '\n') return;
  report.warnings.push_back(file.diagnose(
      file.end(), "the last line does not end with a line break",
      "if the file is truncated there, its last number may be incomplete: check it, or write the file again"));
}

bool LineCursor::next_line() {
  while (next_ != end_) {
    line_ = at_ = next_;
    const void* newline = std::memchr(next_, '\n', static_cast<std::size_t>(end_ - next_));
    line_end_ = newline ? static_cast<const char*>(newline) : end_;
    next_ = newline ? line_end_ + 1 : end_;
    if (has_more()) return true;
  }
  line_ = line_end_ = at_ = end_;
  return false;
}

double LineCursor::unusual_number(const char* expected, bool is_integer) {
  const char* first = at_;
  const char* last = std::find_if(at_, line_end_, is_separator);
  const auto size = static_cast<std::size_t>(last - first);
  char text[48];
  if (is_integer || size + 2 > sizeof text) refuse(first, expected);
  char* out = text;
  bool has_exponent = false;
  for (const char* c = first; c != last; ++c) {
    const bool is_letter = *c == 'D' || *c == 'd' || *c == 'E' || *c == 'e';
    const bool is_sign = (*c == '+' || *c == '-') && c != first && !has_exponent;
    if (is_letter || is_sign) *out++ = 'e';
    if (!is_letter && !(c == first && *c == '+')) *out++ = *c;
    has_exponent |= is_letter || is_sign;
  }
  // "e+" is understood by strtod only, which also makes 0 of what is too small.
  *out = '\0';
  char* end = nullptr;
  const bool is_plain = std::strspn(text, "+-.0123456789e") == std::strlen(text);
  const double value = is_plain ? std::strtod(text, &end) : 0.0;
  if (!is_plain || end == text || *end != '\0' || !std::isfinite(value)) refuse(first, expected);
  at_ = last;
  return value;
}

void LineCursor::refuse(const char* at, const char* expected) {
  while (at != line_end_ && is_separator(*at)) ++at;
  const char* last = std::find_if(at, line_end_, is_separator);
  const std::string found = shown_text({at, static_cast<std::size_t>(last - at)});
  file_.fail(std::min(at, line_end_),
             found.empty() ? fmt::format("the line ends before {}", expected)
                           : fmt::format("found `{}` instead of {}", found, expected),
             "the file is damaged, truncated, or of another format: write it again");
}

}  // namespace solidyn::formats
