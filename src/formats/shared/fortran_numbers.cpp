#include "formats/shared/fortran_numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace solidyn::formats {
namespace {

/// Without blanks around it, and without a leading plus, which from_chars does not take.
std::string_view bare(std::string_view field) {
  while (!field.empty() && field.front() == ' ') field.remove_prefix(1);
  while (!field.empty() && field.back() == ' ') field.remove_suffix(1);
  if (field.size() > 1 && field.front() == '+' && field[1] != '-') field.remove_prefix(1);
  return field;
}

template <class T>
bool parse_whole(const char* first, const char* last, T& value) {
  const auto [end, error] = std::from_chars(first, last, value);
  return error == std::errc() && end == last;
}

/// The same number with an E before its exponent.
bool parse_other_exponent(std::string_view text, double& value) {
  std::array<char, 64> buffer{};
  if (text.size() + 1 > buffer.size()) return false;
  const std::size_t mark = text.find_first_of("DdEe+-", 1);
  if (mark == std::string_view::npos) return false;
  char* out = std::copy_n(text.begin(), mark, buffer.begin());
  *out++ = 'E';
  const bool has_letter = text[mark] != '+' && text[mark] != '-';
  out = std::copy(text.begin() + static_cast<std::ptrdiff_t>(mark) + (has_letter ? 1 : 0),
                  text.end(), out);
  return parse_whole(buffer.data(), out, value);
}

}  // namespace

bool parse_fortran_real(std::string_view field, double& value) {
  const std::string_view text = bare(field);
  if (text.empty()) return false;
  if (!parse_whole(text.data(), text.data() + text.size(), value) &&
      !parse_other_exponent(text, value))
    return false;
  return std::isfinite(value);
}

bool parse_fortran_integer(std::string_view field, std::int64_t& value) {
  const std::string_view text = bare(field);
  return !text.empty() && parse_whole(text.data(), text.data() + text.size(), value);
}

}  // namespace solidyn::formats
