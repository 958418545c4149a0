#pragma once
#include <string_view>
#include <vector>

/// The order in which the lines of a Nastran file are to be read. Private to the Nastran readers.
namespace solidyn::formats {

/// A line of a file as it stands there, without its end.
struct RawLine {
  std::string_view text;
  int number = 0;  ///< from 1
};

/// Takes lines from the front of `rest`.
/// @pre rest is not empty
std::string_view take_raw_line(std::string_view& rest);

struct NastranOrder {
  /// The file has executive or case control before its bulk data.
  bool has_control = false;
  /// All lines with every continuation behind the line that it continues; empty when they stand so
  /// in the file already, as nearly always.
  std::vector<RawLine> lines;
};

/// Finds continuations that old decks put far from their entries: a line `+A` whose predecessor
/// ends with another tag, where some other line ends with +A.
NastranOrder find_order(std::string_view file);

}  // namespace solidyn::formats
