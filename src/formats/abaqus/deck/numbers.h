#pragma once
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "formats/shared/ascii.h"

/// Numbers of Abaqus data lines. Private to the reader.
namespace solidyn::formats::abaqus {

enum class Item { value, blank, end, bad };

/// Walks along a data line of numbers, without a copy of it: node and element lines are most of a
/// file.
class NumberLine {
 public:
  explicit NumberLine(std::string_view line) : at_(line.data()), end_(at_ + line.size()) {}

  /// The next item, 0 for a blank one; `end` behind the last.
  template <class T>
  Item next(T& value) {
    value = 0;
    skip_blanks();
    if (at_ == end_) return Item::end;
    if (*at_ == ',') {
      ++at_;
      return Item::blank;
    }
    const char* first = after_plus(at_, end_);
    const auto [last, error] = std::from_chars(first, end_, value);
    if (error != std::errc()) return Item::bad;
    at_ = last;
    if (at_ != end_ && (*at_ == 'D' || *at_ == 'd') && !take_exponent(first, value))
      return Item::bad;
    skip_blanks();
    if (at_ == end_) return Item::value;
    if (*at_ != ',') return Item::bad;
    ++at_;
    return Item::value;
  }

  bool is_at_end() {
    skip_blanks();
    return at_ == end_;
  }

 private:
  void skip_blanks() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t')) ++at_;
  }
  /// FORTRAN's 1.5D+3.
  template <class T>
  bool take_exponent(const char* first, T& value) {
    char text[64];
    std::size_t n = 0;
    for (const char* c = first; c != end_ && *c != ',' && *c != ' ' && n < sizeof(text); ++c, ++n)
      text[n] = *c == 'D' || *c == 'd' ? 'e' : *c;
    const auto [last, error] = std::from_chars(text, text + n, value);
    at_ = first + (last - text);
    return error == std::errc() && last == text + n;
  }

  const char* at_;
  const char* end_;
};

/// A whole item as a number.
template <class T>
bool parse_number(std::string_view item, T& value) {
  NumberLine line(item);
  return line.next(value) == Item::value && line.is_at_end();
}

}  // namespace solidyn::formats::abaqus
