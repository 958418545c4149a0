#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "formats/shared/byte_order.h"

/// FORTRAN's sequential unformatted files, as Nastran's OP2 and OP4 are: each record stands between
/// two copies of its length, which is an int32 in the byte order of the machine that wrote it.
/// Private to the readers.
namespace solidyn::formats {

/// A file of several records in memory, and where in it one reads.
class FortranRecords {
 public:
  /// @param format  its name in messages, "OP2"
  FortranRecords(std::string_view bytes, std::string file, std::string format, bool is_swapped)
      : bytes_(bytes), file_(std::move(file)), format_(std::move(format)), swapped_(is_swapped) {}

  bool is_swapped() const { return swapped_; }
  bool is_at_end() const { return at_ == bytes_.size(); }
  std::size_t offset() const { return at_; }
  void seek(std::size_t offset) { at_ = offset; }
  std::size_t n_left() const { return bytes_.size() - at_; }
  const std::string& file() const { return file_; }

  /// The next record without its lengths, a view of the file.
  /// @throws base::InputError with the byte when the file ends in it or its two lengths differ
  std::string_view next();

  /// Throws InputError that names the byte; `offset` beyond the file means "at its end".
  [[noreturn]] void fail(std::size_t offset, const std::string& what) const;

 private:
  std::string_view bytes_;
  std::string file_, format_;
  bool swapped_ = false;
  std::size_t at_ = 0;
};

/// Refuses, by name, what is often found under the name of a binary file: an empty file, the
/// placeholder of Git LFS.
void refuse_placeholder(std::string_view bytes, const std::string& file);

/// Text of a file for messages and names: without trailing blanks, `?` for what cannot be printed.
std::string printable(std::string_view text);

}  // namespace solidyn::formats
