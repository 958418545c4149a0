#pragma once

/// Kinds of characters in files, whatever the locale.
namespace solidyn::formats {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

}  // namespace solidyn::formats
