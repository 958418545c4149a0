#pragma once
#include "formats/shared/import_bytes.h"

/// The records of Abaqus' .fil files, binary or ASCII. Private to their reader.
namespace solidyn::formats {

/// A record: its key and its attributes, words of eight bytes that mean what their place says.
class FilRecord {
 public:
  std::int64_t key = 0;
  const char* at = nullptr;  ///< in the file

  std::size_t size() const { return words_.size(); }
  /// Integers may carry garbage in their upper half.
  std::int64_t integer(std::size_t i) const;
  double real(std::size_t i) const;
  /// Eight characters per word, without blanks at the end.
  std::string text(std::size_t first, std::size_t n = 1) const;

 private:
  friend class FilRecords;
  const char* bytes_of(std::size_t i) const { return reinterpret_cast<const char*>(&words_[i]); }

  std::vector<std::uint64_t> words_;  // as in the file
  bool is_swapped_ = false;
};

/// Walks through the records of a file.
class FilRecords {
 public:
  /// @throws base::InputError when the file is no .fil file, or its blocks are damaged
  explicit FilRecords(ImportBytes& file);

  /// The next record; false at the end of the file.
  bool next(FilRecord& record);

 private:
  bool next_binary(FilRecord& record);
  bool next_ascii(FilRecord& record);
  const char* place(std::size_t word) const;
  std::uint64_t word(std::size_t i) const;
  std::int64_t integer(std::size_t i) const;
  char take_character();
  std::uint64_t take_item();
  std::int64_t take_integer();
  double take_real();
  [[noreturn]] void fail(const char* at, std::string what);

  ImportBytes& file_;
  bool is_ascii_ = false, is_swapped_ = false;
  std::size_t n_words_ = 0, next_word_ = 0;  // binary
  const char* at_ = nullptr;                 // ASCII
  std::size_t column_ = 0;
};

}  // namespace solidyn::formats
