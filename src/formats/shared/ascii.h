#pragma once
#include <string_view>

/// Kinds of characters in files, whatever the locale.
namespace solidyn::formats {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

/// Behind a plus in front of a number, which std::from_chars does not take; not of one in front of
/// another sign.
inline const char* after_plus(const char* at, const char* end) {
  return end - at > 1 && at[0] == '+' && at[1] != '-' ? at + 1 : at;
}
/// Without the mark of UTF-8 that spreadsheets and editors put in front of a text.
inline std::string_view without_mark(std::string_view text) {
  return text.substr(0, 3) == "\xEF\xBB\xBF" ? text.substr(3) : text;
}

}  // namespace solidyn::formats
