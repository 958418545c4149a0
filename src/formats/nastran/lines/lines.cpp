#include "formats/nastran/lines/lines.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>

#include "formats/shared/ascii.h"

namespace solidyn::formats {

namespace {

constexpr std::size_t kColumns = 80, kTagColumn = 72;

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool contains(std::string_view text, char c) {
  return !text.empty() && std::memchr(text.data(), c, text.size()) != nullptr;
}

/// Nastran's exponents in C's form: 2.9+7, 1.D+2 become 2.9e+7, 1.e+2.
std::size_t to_c_form(std::string_view text, char* c_form) {
  char* at = c_form;
  for (const char c : text) {
    const bool is_sign = c == '+' || c == '-';
    if (is_sign && at != c_form && at[-1] != 'e') *at++ = 'e';
    if (c == '+' && at == c_form) continue;
    *at++ = c == 'E' || c == 'd' || c == 'D' ? 'e' : c;
  }
  return static_cast<std::size_t>(at - c_form);
}

RealText parse(const char* first, const char* last, double& value) {
  if (first == last || is_letter(*first) || is_letter(last[-1])) return RealText::not_one;
  if (*first == '-' && first + 1 != last && is_letter(first[1])) return RealText::not_one;  // -inf
  const auto [end, error] = std::from_chars(first, last, value);
  if (end != last || error == std::errc::invalid_argument) return RealText::not_one;
  if (error == std::errc()) return RealText::good;
  const bool is_tiny = std::string_view(first, last - first).find("e-") != std::string_view::npos;
  value = 0.0;
  return is_tiny ? RealText::good : RealText::too_large;
}

/// Without the mark of a continuation: "+A" and "*A" carry the tag A.
std::uint64_t tag_of(std::string_view field) {
  if (!field.empty() && (field[0] == '+' || field[0] == '*')) field.remove_prefix(1);
  field = trimmed(field);
  return field.empty() ? 0 : card_key(field);
}

/// A lone tag such as +A, which some writers put before its place in the tenth field.
bool is_lone_tag(std::string_view field) {
  return !field.empty() && field[0] == '+' && (field.size() == 1 || field[1] > '9');
}

/// Whether fields stand between commas: the first of these is in the first ten columns then. One
/// behind is text, as of an equation (DEQATN), and so is one behind nine columns of which eight are
/// blank.
bool has_free_fields(std::string_view text) {
  constexpr std::size_t kFirstComma = 10, kName = 8;
  const std::size_t comma = text.substr(0, kFirstComma).find(',');
  return comma != text.npos && (comma <= kName || !trimmed(text.substr(0, kName)).empty());
}

/// Data and tag of fields between commas: the tag is field 10, or 6 of large fields.
void split_free(NastranLine& line, std::string_view text) {
  const std::size_t n_data = line.is_large ? 4 : 8;
  std::size_t start = std::min(text.find(',') + 1, text.size()), end = start;
  for (std::size_t i = 0;; ++i) {
    const std::size_t comma = std::min(text.find(',', end), text.size());
    const std::string_view field = trimmed(text.substr(end, comma - end));
    const bool is_last = comma == text.size();
    if (i == n_data || (is_last && is_lone_tag(field))) {
      line.data = text.substr(start, end == start ? 0 : end - 1 - start);
      line.tag_after = tag_of(field);
      line.has_excess = !is_last && text.find_first_not_of(" ,", comma) != text.npos;
      return;
    }
    if (is_last) break;
    end = comma + 1;
  }
  line.data = text.substr(start);
}

void split_columns(NastranLine& line, std::string_view text) {
  if (text.size() > 8) line.data = text.substr(8, kTagColumn - 8);
  if (text.size() > kTagColumn)
    line.tag_after = tag_of(trimmed(text.substr(kTagColumn, kColumns - kTagColumn)));
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const char *first = text.data(), *last = first + text.size();
  while (first != last && is_space(*first)) ++first;
  while (first != last && is_space(last[-1])) --last;
  return {first, static_cast<std::size_t>(last - first)};
}

bool starts_with_word(std::string_view text, std::string_view word) {
  if (text.size() < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i)
    if (std::toupper(static_cast<unsigned char>(text[i])) != word[i]) return false;
  return text.size() == word.size() || !std::isalnum(static_cast<unsigned char>(text[word.size()]));
}

RealText parse_real(std::string_view text, double& value) {
  const char *first = text.data(), *last = first + text.size();
  bool has_point = false;
  for (const char* at = first; at != last; ++at) has_point |= *at == '.' || (*at | 0x20) == 'e';
  if (has_point && parse(first, last, value) == RealText::good) return RealText::good;
  char c_form[64];
  if (text.size() > sizeof c_form / 2) return RealText::not_one;
  const std::size_t size = to_c_form(text, c_form);
  for (std::size_t i = 0; i < size; ++i) has_point |= c_form[i] == 'e';
  return has_point ? parse(c_form, c_form + size, value) : RealText::not_one;
}

void LineNumbers::enter(const std::string& file, LineNumber serial, int line) {
  segments_.push_back({serial, line, file});
}

base::SourceLocation LineNumbers::where(LineNumber serial) const {
  auto after = std::upper_bound(segments_.begin(), segments_.end(), serial,
                                [](LineNumber s, const Segment& g) { return s < g.serial; });
  if (after == segments_.begin()) return {};
  const Segment& segment = *std::prev(after);
  return {segment.file, segment.line + static_cast<int>(serial - segment.serial), 0};
}

std::string_view without_comment(std::string_view line) {
  if (!line.empty() && line[0] == '$') return {};
  if (contains(line, '$')) line = line.substr(0, line.find('$'));
  while (!line.empty() && is_space(line.back())) line.remove_suffix(1);
  return line;
}

NastranLine take_apart(std::string_view text) {
  NastranLine line;
  line.is_free = has_free_fields(text);
  const std::string_view first = trimmed(text.substr(0, line.is_free ? text.find(',') : 8));
  line.is_continuation = first.empty() || first[0] == '+' || first[0] == '*';
  line.is_large = !first.empty() && (first[0] == '*' || first.back() == '*');
  if (line.is_continuation)
    line.tag_before = tag_of(first);
  else
    line.name = line.is_large ? trimmed(first.substr(0, first.size() - 1)) : first;
  if (line.is_free)
    split_free(line, text);
  else
    split_columns(line, text);
  return line;
}

bool has_tabs(std::string_view text) {
  text = text.substr(0, kColumns);
  return contains(text, '\t') && !has_free_fields(text);
}

std::string with_columns(std::string_view text) {
  std::string columns;
  for (const char c : text) {
    if (columns.size() >= kColumns) break;  // what follows is not read
    if (c == '\t')
      columns.append(8 - columns.size() % 8, ' ');
    else
      columns.push_back(c);
  }
  return columns;
}

}  // namespace solidyn::formats
