#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/nastran/lines/lines.h"

/// Entries ("cards") of Nastran's bulk data: their fields, and the numbers in them. The deck
/// (nastran_deck.h) hands them out one by one. Private to the Nastran readers.
namespace solidyn::formats {

/// One entry with its continuations put together. Data fields count from 1 and leave out the
/// entry's name and the continuation tags: GRID's ID is field 1, its X1 field 3; the second line of
/// a small-field entry begins with field 9. A field beyond the end is blank.
/// Numbers are read strictly, since a real number in an integer field (or the reverse) usually
/// means shifted columns: all accessors throw InputError with place, entry and field.
class NastranCard {
 public:
  std::uint64_t key() const { return key_; }
  bool is(const char* name) const { return key_ == card_key(name); }
  std::string name() const;

  /// Trailing blank fields do not count.
  int n_fields() const { return static_cast<int>(fields_.size()); }
  std::string_view field(int i) const {
    return i <= n_fields() ? fields_[i - 1] : std::string_view();
  }
  bool is_blank(int i) const { return field(i).empty(); }
  bool is_integer(int i) const;
  bool is_word(int i) const;      ///< begins with a letter
  std::string word(int i) const;  ///< upper case

  std::int64_t integer(int i) const;
  std::int64_t integer(int i, std::int64_t if_blank) const {
    return is_blank(i) ? if_blank : integer(i);
  }
  /// A number of an entity: 1 .. 2^31 - 2.
  std::int32_t label(int i) const;
  std::int32_t label(int i, std::int32_t if_blank) const {
    return is_blank(i) ? if_blank : label(i);
  }
  /// With a decimal point, and an exponent with E, D or nothing: 2.9+7. Finite.
  double real(int i) const;
  double real(int i, double if_blank) const { return is_blank(i) ? if_blank : real(i); }
  /// "123": digits of 1 to 6, none twice; in rising order. "0" and blank give "".
  std::string components(int i) const;

  base::SourceLocation where() const { return lines_->where(serial_); }
  LineNumber serial() const { return serial_; }
  [[noreturn]] void fail(std::string what, std::string remedy) const;
  [[noreturn]] void fail(int i, const std::string& what, std::string remedy = {}) const;

 private:
  friend class NastranDeck;
  void start(const NastranLine& line, const LineNumbers& lines);
  void append(const NastranLine& line);
  void finish();  // drops trailing blanks

  std::uint64_t key_ = 0;
  std::string_view name_;
  std::vector<std::string_view> fields_;
  const LineNumbers* lines_ = nullptr;
  LineNumber serial_ = 0;
};

}  // namespace solidyn::formats
