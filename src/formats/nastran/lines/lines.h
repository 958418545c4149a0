#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "solidyn/base/error.h"

/// Lines of Nastran decks, and their fields. Private to the Nastran readers.
namespace solidyn::formats {

/// A name of at most eight characters as a number, ignoring case, for
/// switches: `case card_key("GRID"):`. Longer names have the key of their first eight characters.
constexpr std::uint64_t card_key(std::string_view name) {
  std::uint64_t key = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    const char c = i < name.size() ? name[i] : ' ';
    key = key << 8 | static_cast<unsigned char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  }
  return key;
}

std::string_view trimmed(std::string_view text);
/// Whether the text begins with `word` (upper case) in either case, and the word ends there.
bool starts_with_word(std::string_view text, std::string_view word);

enum class RealText { good, not_one, too_large };
/// A number with a decimal point or an exponent, as Nastran writes it: 2.9e+7, 2.9D+7, 2.9+7. What
/// underflows is 0.
RealText parse_real(std::string_view text, double& value);

/// Lines of all files of a deck, counted in the order of reading: four bytes per entity give its
/// place.
using LineNumber = std::uint32_t;

class LineNumbers {
 public:
  /// Lines from `serial` on are those of `file` from `line` on.
  void enter(const std::string& file, LineNumber serial, int line);
  base::SourceLocation where(LineNumber serial) const;

 private:
  struct Segment {
    LineNumber serial;
    int line;
    std::string file;
  };
  std::vector<Segment> segments_;
};

/// A line without its comment, taken apart. Views are into the file, or into what replaced it.
struct NastranLine {
  LineNumber serial = 0;
  bool is_free = false;   ///< fields between commas, else in columns
  bool is_large = false;  ///< columns of 16 characters: 4 data fields, else 8
  bool is_continuation = false;
  bool has_excess = false;  ///< more fields between commas than a line can have
  std::string_view name;    ///< of an entry's first line, without the * of large fields
  std::string_view data;    ///< between the name and the tag
  /// card_key() of what the line continues and of what continues it, without + or *; 0: nothing.
  std::uint64_t tag_before = 0, tag_after = 0;
};

/// The line without its comment and trailing blanks.
std::string_view without_comment(std::string_view line);
/// @param text  from without_comment(), not empty, without tabs unless it has commas
NastranLine take_apart(std::string_view text);

bool has_tabs(std::string_view text);  ///< that with_columns() must replace
/// Tabs advance to the next multiple of 8.
std::string with_columns(std::string_view text);

}  // namespace solidyn::formats
