#include <fmt/format.h>

#include "formats/shared/file_bytes.h"
#include "formats/shared/fortran_records.h"
#include "solidyn/base/error.h"
#include "solidyn/formats/nastran/op2/op2.h"

namespace solidyn::formats {

/// Walks over the keys and records of a file and notes where the blocks are.
class Op2Walker {
 public:
  explicit Op2Walker(Op2File& file)
      : file_(file), records_(file.bytes_, file.name_, "OP2", find_byte_order(file)) {
    file.is_swapped_ = records_.is_swapped();
    file.word_bytes_ = load<std::int32_t>(file.bytes_.data(), records_.is_swapped());
  }

  void walk() {
    while (!records_.is_at_end()) {
      const std::size_t offset = records_.offset();
      const std::int64_t key = read_key();
      file_.is_closed_ = key == 0;
      if (key == 3) {
        read_label();
      } else if (key == 2 || (key > 3 && key <= kMostNameWords)) {
        read_block(offset, static_cast<std::size_t>(key));
      } else if (key != 0) {  // 0 closes a file, and another may follow
        records_.fail(offset,
                      fmt::format("found the key {} instead of the start of a data block", key));
      }
    }
    if (file_.blocks_.empty()) records_.fail(0, "the file contains no data block");
  }

 private:
  /// The first record is a key: its length is the size of a word.
  static bool find_byte_order(const Op2File& file) {
    for (const bool is_swapped : {false, true}) {
      if (file.bytes_.size() < 4) break;
      const auto length = load<std::int32_t>(file.bytes_.data(), is_swapped);
      if (length == 4 || length == 8) return is_swapped;
    }
    if (file.bytes_.substr(0, 15) == "X 0123456789ABC")
      throw base::InputError("this is a formatted (text) OUTPUT2 file",
                             "write it in binary form: ASSIGN OUTPUT2 .. FORM=UNFORMATTED",
                             {file.name_, 1, 0});
    throw base::InputError("this is not an OP2 file: its first record has neither 4 nor 8 bytes",
                           "give a file written by Nastran OUTPUT2 (PARAM,POST,-1)",
                           {file.name_, 0, 0});
  }

  std::int64_t read_key() {
    const std::size_t offset = records_.offset();
    const std::string_view record = records_.next();
    if (record.size() != word_bytes())
      records_.fail(offset,
                    fmt::format("found a record of {} bytes instead of a key", record.size()));
    return integer(record, 0);
  }

  void expect_key(std::int64_t expected) {
    const std::size_t offset = records_.offset();
    const std::int64_t key = read_key();
    if (key != expected)
      records_.fail(offset, fmt::format("found the key {} instead of {}", key, expected));
  }

  std::string_view read_words(std::size_t n_words) {
    const std::size_t offset = records_.offset();
    const std::string_view record = records_.next();
    if (record.size() != n_words * word_bytes())
      records_.fail(offset, fmt::format("found a record of {} bytes instead of one of {} bytes",
                                        record.size(), n_words * word_bytes()));
    return record;
  }

  std::size_t word_bytes() const { return static_cast<std::size_t>(file_.word_bytes_); }
  std::int64_t integer(std::string_view record, std::size_t word) const {
    const char* at = record.data() + word * word_bytes();
    return word_bytes() == 8 ? load<std::int64_t>(at, records_.is_swapped())
                             : load<std::int32_t>(at, records_.is_swapped());
  }
  static constexpr std::int64_t kMostNameWords = 16;

  /// Eight characters in the first two words, of which words of 8 bytes use the first half.
  std::string name_of(std::string_view record) const {
    std::string name;
    for (std::size_t word = 0; word < 2 && (word + 1) * word_bytes() <= record.size(); ++word)
      name += record.substr(word * word_bytes(), 4);
    return printable(name);
  }

  void read_label() {
    const std::string_view date = read_words(3);
    for (std::size_t i = 0; i < 3; ++i) file_.date_[i] = static_cast<int>(integer(date, i));
    expect_key(7);
    read_words(7);  // NASTRAN FORT TAPE ID CODE -
    file_.version_ = name_of(read_words(read_name_size()));
    expect_key(-1);
    expect_key(0);
  }

  /// The key before a name. Versions of MSC from 2014 on write theirs in six or eight words.
  std::size_t read_name_size() {
    const std::size_t offset = records_.offset();
    const std::int64_t key = read_key();
    if (key < 2 || key > kMostNameWords)
      records_.fail(offset, fmt::format("found the key {} instead of the start of a name", key));
    return static_cast<std::size_t>(key);
  }

  void read_block(std::size_t offset, std::size_t n_name_words) {
    Op2Block block;
    block.offset = offset;
    block.name = name_of(read_words(n_name_words));
    expect_key(-1);
    expect_key(7);
    const std::string_view trailer = read_words(7);
    for (std::size_t i = 0; i < 7; ++i) block.trailer[i] = integer(trailer, i);
    expect_key(-2);
    std::int64_t next = read_record(block, -2);
    for (std::int64_t number = -3; next != 0; --number) next = read_record(block, number, next);
    block.records.erase(block.records.begin());  // the header
    file_.blocks_.push_back(std::move(block));
  }

  std::int64_t read_record(Op2Block& block, std::int64_t number, std::int64_t key) {
    if (key != number)
      records_.fail(records_.offset(),
                    fmt::format("record {} of block {} has the key {}; expected {}", -number,
                                block.name, key, number));
    return read_record(block, number);
  }

  /// All pieces of a record; the key behind it: of the next record, or 0 at the block's end.
  std::int64_t read_record(Op2Block& block, std::int64_t number) {
    expect_key(1);
    Op2Record record;
    record.is_column = read_key() != 0;
    record.offset = records_.offset();
    std::int64_t key = read_key();
    for (; key > 0; key = read_key()) {
      const std::size_t offset = records_.offset();
      const std::string_view piece = records_.next();
      const std::size_t n_bytes = piece.size();
      // The number of the first row of a string may not be counted, and numbers of two words may
      // count as one.
      const auto n_words = static_cast<std::int64_t>(n_bytes / word_bytes());
      if (n_words < key || n_bytes % word_bytes() != 0)
        records_.fail(
            offset,
            fmt::format(
                "a record of block {} has {} bytes, but the preceding key declares {} words",
                block.name, n_bytes, key));
      if (number == -2 && record.n_bytes == 0) block.header_name = name_of(piece);
      record.n_bytes += n_bytes;
    }
    if (key != 0 || record.n_bytes > 0 || number == -2) block.records.push_back(record);
    return key;
  }

  Op2File& file_;
  FortranRecords records_;
};

Op2File::Op2File(const std::string& path) : name_(path) {
  const auto file = std::make_shared<const FileBytes>(path);
  bytes_ = file->bytes();
  holder_ = file;
  walk();
}

Op2File::Op2File(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {
  walk();
}

void Op2File::walk() {
  refuse_placeholder(bytes_, name_);
  Op2Walker(*this).walk();
}

const Op2Block* Op2File::find(const std::string& name) const {
  for (const Op2Block& block : blocks_)
    if (block.name == name || block.header_name == name) return &block;
  return nullptr;
}

bool Op2File::is_big_endian() const {
  const std::uint16_t one = 1;
  return load<std::uint8_t>(reinterpret_cast<const char*>(&one), false) == (is_swapped_ ? 1 : 0);
}

}  // namespace solidyn::formats
