#include "formats/abaqus/fil/records.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "formats/shared/byte_order.h"

namespace solidyn::formats {
namespace {

// Blocks of 512 words between markers of four bytes, each with the length of the block.
constexpr std::size_t kWords = 512, kMarker = 4, kBlock = 8 * kWords + 2 * kMarker;
constexpr std::size_t kAsciiColumns = 80;  // of a line of an ASCII file

// An integer stands in the lower half of its word.
std::int32_t lower_half(std::uint64_t word) {
  return static_cast<std::int32_t>(word & 0xffffffffU);
}

template <class T>
std::uint64_t as_word(T value) {
  static_assert(sizeof value == 8);
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof word);
  return word;
}

}  // namespace

std::int64_t FilRecord::integer(std::size_t i) const {
  return lower_half(load<std::uint64_t>(bytes_of(i), is_swapped_));
}

double FilRecord::real(std::size_t i) const { return load<double>(bytes_of(i), is_swapped_); }

std::string FilRecord::text(std::size_t first, std::size_t n) const {
  std::string text;
  for (std::size_t i = first; i < std::min(first + n, words_.size()); ++i)
    text.append(bytes_of(i), 8);
  text.erase(text.find_last_not_of(std::string_view(" \0", 2)) + 1);
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ') c = '?';
  return text;
}

FilRecords::FilRecords(ImportBytes& file) : file_(file), at_(file.begin()) {
  refuse_empty(file, "an Abaqus results file (.fil)");
  const std::string_view bytes = file.bytes();
  is_ascii_ = bytes[0] == '*';
  if (is_ascii_) return;
  file.become_binary();
  const std::size_t n_blocks = bytes.size() / kBlock;
  is_swapped_ = bytes.size() >= kMarker && load<std::uint32_t>(bytes.data(), false) != 8 * kWords;
  if (bytes.size() < kMarker || load<std::uint32_t>(bytes.data(), is_swapped_) != 8 * kWords)
    file.fail(nullptr, "the file is not an Abaqus results file (.fil)",
              "a binary file starts with the 4-byte number 4096, an ASCII file with `*`");
  if (bytes.size() % kBlock != 0)
    file.fail(bytes.data() + n_blocks * kBlock,
              fmt::format("the last block has only {} of {} bytes", bytes.size() % kBlock, kBlock),
              "the file is truncated: copy or write it again");
  for (std::size_t b = 0; b < n_blocks; ++b)
    for (std::size_t at : {b * kBlock, (b + 1) * kBlock - kMarker})
      if (load<std::uint32_t>(bytes.data() + at, is_swapped_) != 8 * kWords)
        file.fail(bytes.data() + at, "a block marker is damaged",
                  "copy the file again, in binary mode");
  n_words_ = n_blocks * kWords;
}

void FilRecords::fail(const char* at, std::string what) {
  file_.fail(at, std::move(what), "the file is damaged: copy or write it again");
}

bool FilRecords::next(FilRecord& record) {
  return is_ascii_ ? next_ascii(record) : next_binary(record);
}

const char* FilRecords::place(std::size_t word) const {
  return file_.begin() + word / kWords * kBlock + kMarker + word % kWords * 8;
}

std::uint64_t FilRecords::word(std::size_t i) const { return load<std::uint64_t>(place(i), false); }

std::int64_t FilRecords::integer(std::size_t i) const {
  return lower_half(load<std::uint64_t>(place(i), is_swapped_));
}

bool FilRecords::next_binary(FilRecord& record) {
  // Zeros may fill a block.
  while (next_word_ < n_words_ && word(next_word_) == 0) ++next_word_;
  if (next_word_ == n_words_) return false;
  record.at = place(next_word_);
  const std::int64_t length = integer(next_word_);
  if (length < 2) fail(record.at, fmt::format("a record has the length {}", length));
  const auto size = static_cast<std::size_t>(length);
  if (size > n_words_ - next_word_)
    fail(record.at, fmt::format("a record of {} words extends beyond the end of the file", length));
  record.key = integer(next_word_ + 1);
  record.words_.clear();
  record.words_.reserve(size);
  for (std::size_t i = 2; i < size; ++i) record.words_.push_back(word(next_word_ + i));
  record.is_swapped_ = is_swapped_;
  next_word_ += size;
  return true;
}

// The next character of a record, which runs on from line to line. Blanks at the end of a line may
// have been taken away.
char FilRecords::take_character() {
  const auto is_line_end = [&] { return at_ == file_.end() || *at_ == '\n' || *at_ == '\r'; };
  if (is_line_end() && column_ >= kAsciiColumns) {
    while (at_ != file_.end() && *at_ == '\r') ++at_;
    if (at_ != file_.end() && *at_ == '\n') ++at_;
    column_ = 0;
  }
  if (at_ == file_.end() && (column_ == 0 || column_ >= kAsciiColumns))
    fail(at_, "the file ends within a record");
  ++column_;
  return is_line_end() ? ' ' : *at_++;
}

// `I 3101`: two columns with the number of digits, then these.
std::int64_t FilRecords::take_integer() {
  const char* at = at_;
  char text[100];
  const char tens = take_character(), ones = take_character();
  const bool is_count = (tens == ' ' || (tens >= '0' && tens <= '9')) && ones >= '0' && ones <= '9';
  const int n = is_count ? (tens == ' ' ? 0 : 10 * (tens - '0')) + ones - '0' : 0;
  for (int i = 0; i < n; ++i) text[i] = take_character();
  std::int64_t value = 0;
  const auto [last, error] = std::from_chars(text, text + n, value);
  if (n == 0 || error != std::errc() || last != text + n) fail(at, "an integer cannot be read");
  return value;
}

// `D 1.000000000000000D+01`: 22 columns.
double FilRecords::take_real() {
  constexpr int kWidth = 22;
  const char* at = at_;
  char text[kWidth + 1];
  char* last = text;
  bool has_exponent = false;
  for (int i = 0; i < kWidth; ++i) {
    const char c = take_character();
    const bool is_letter = c == 'D' || c == 'E' || c == 'd' || c == 'e';
    const bool is_bare = !is_letter && !has_exponent && last != text && (c == '+' || c == '-');
    if (is_letter || is_bare) *last++ = 'e';
    if (!is_letter && c != ' ' && !(c == '+' && (last == text || last[-1] == 'e'))) *last++ = c;
    has_exponent |= is_letter || is_bare;
    if (last >= text + kWidth) break;
  }
  double value = 0.0;
  const auto [end, error] = std::from_chars(text, last, value);
  const char* exponent = std::find(text, last, 'e');
  if (error == std::errc::result_out_of_range && end == last && exponent + 1 < last &&
      exponent[1] == '-')
    return 0.0;
  if (last == text || error != std::errc() || end != last) fail(at, "a number cannot be read");
  return value;
}

std::uint64_t FilRecords::take_item() {
  const char* at = at_;
  switch (take_character()) {
    case 'I':
      return as_word(take_integer());
    case 'D':
    case 'E':
      return as_word(take_real());
    case 'A': {
      char text[8];
      for (char& c : text) c = take_character();
      return load<std::uint64_t>(text, false);
    }
    default:
      if (at_ == file_.end()) fail(at, "the file ends within a record");
      fail(at, "expected an item `I`, `D` or `A`");
  }
}

bool FilRecords::next_ascii(FilRecord& record) {
  for (; at_ != file_.end() && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r'); ++at_)
    column_ = *at_ == '\n' ? 0 : column_ + (*at_ == ' ');
  if (at_ == file_.end()) return false;
  record.at = at_;
  if (take_character() != '*') fail(record.at, "expected a record, which starts with `*`");
  if (take_character() != 'I') fail(record.at, "the length of a record is missing");
  const std::int64_t length = take_integer();
  if (length < 2) fail(record.at, fmt::format("a record has the length {}", length));
  record.words_.clear();
  record.is_swapped_ = false;
  record.key = static_cast<std::int64_t>(take_item());
  for (std::int64_t i = 2; i < length; ++i) record.words_.push_back(take_item());
  return true;
}

}  // namespace solidyn::formats
