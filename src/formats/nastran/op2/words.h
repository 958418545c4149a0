#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "formats/shared/fortran_records.h"
#include "solidyn/formats/nastran/op2/op2.h"

/// Looking into the records of an OP2 file. Private to the OP2 readers.
namespace solidyn::formats {

/// The data of one record as words: integers, reals of the word's size, text.
class Op2Words {
 public:
  Op2Words(const Op2File& file, const Op2Record& record);

  std::int64_t size() const { return static_cast<std::int64_t>(data_.size() / word_bytes_); }
  /// @pre 0 <= word < size(), for all four
  std::int64_t integer(std::int64_t word) const {
    return word_bytes_ == 8 ? load<std::int64_t>(at(word), is_swapped_)
                            : load<std::int32_t>(at(word), is_swapped_);
  }
  double real(std::int64_t word) const {
    return word_bytes_ == 8 ? load<double>(at(word), is_swapped_)
                            : static_cast<double>(load<float>(at(word), is_swapped_));
  }
  /// A double, which takes two words of 4 bytes.
  double real64(std::int64_t word) const { return load<double>(at(word), is_swapped_); }
  /// Four characters, whatever the word's size.
  std::string text(std::int64_t word) const { return std::string(at(word), 4); }

 private:
  const char* at(std::int64_t word) const {
    return data_.data() + static_cast<std::size_t>(word) * word_bytes_;
  }
  std::string joined_;     // of several pieces; empty for one
  std::string_view data_;  // of joined_ or of the file
  std::size_t word_bytes_;
  bool is_swapped_;

 public:
  Op2Words(const Op2Words&) = delete;  // data_ may look into joined_
  Op2Words& operator=(const Op2Words&) = delete;
};

/// Pieces of a record as they stand in the file: the strings of a column of a matrix.
std::vector<std::string_view> op2_pieces(const Op2File& file, const Op2Record& record);

/// Throws InputError that names the byte.
[[noreturn]] void fail_op2(const Op2File& file, std::size_t offset, const std::string& what);

/// Warns when the file is not closed.
void warn_of_open_end(const Op2File& file, imported::ImportReport& report);

/// Whether a block is of a family of tables, "GEOM1" also under the names GEOM1S and GEOM1N.
bool is_op2_family(const Op2Block& block, std::string_view family);

}  // namespace solidyn::formats
