#include "formats/nastran/op4/binary.h"

#include <fmt/format.h>

#include <limits>

#include "formats/nastran/superelement/matrix_builder.h"

namespace solidyn::formats {
namespace {

/// One record as words of 4 or 8 bytes.
class Words {
 public:
  Words(std::string_view record, std::size_t word_bytes, bool is_swapped)
      : record_(record), word_bytes_(word_bytes), is_swapped_(is_swapped) {}

  std::int64_t size() const { return static_cast<std::int64_t>(record_.size() / word_bytes_); }
  std::int64_t integer(std::int64_t word) const {
    return word_bytes_ == 8 ? load<std::int64_t>(at(word), is_swapped_)
                            : load<std::int32_t>(at(word), is_swapped_);
  }
  double real(std::int64_t word, bool is_double) const {
    return is_double ? load<double>(at(word), is_swapped_) : load<float>(at(word), is_swapped_);
  }

 private:
  const char* at(std::int64_t word) const {
    return record_.data() + static_cast<std::size_t>(word) * word_bytes_;
  }
  std::string_view record_;
  std::size_t word_bytes_;
  bool is_swapped_;
};

/// The name in 8 bytes, or in two words of 8 bytes with 4 characters each.
std::string name_of(std::string_view text) {
  std::string name(text.substr(0, text.size() == 16 ? 4 : 8));
  if (text.size() == 16) name += text.substr(8, 4);
  return printable(name);
}

class BinaryMatrix : public NastranMatrixPlace {
 public:
  BinaryMatrix(FortranRecords& records, bool is_int64)
      : records_(records),
        word_bytes_(is_int64 ? 8 : 4),
        start_(records.offset()),
        builder_(read_header(), *this),
        is_double_(is_int64 || builder_.is_double()),
        words_per_real_(is_double_ && !is_int64 ? 2 : 1) {}

  imported::Matrix read() {
    while (read_column()) {
    }
    return builder_.finish(is_double_ ? std::numeric_limits<double>::epsilon()
                                      : std::numeric_limits<float>::epsilon());
  }

  [[noreturn]] void fail(const std::string& what) const override { records_.fail(start_, what); }

 private:
  Words next_record() {
    start_ = records_.offset();
    const std::string_view record = records_.next();
    if (record.size() % word_bytes_ != 0 || record.size() < 3 * word_bytes_)
      fail(fmt::format("found a record of {} bytes instead of the start of a matrix or column",
                       record.size()));
    return {record, word_bytes_, records_.is_swapped()};
  }

  NastranMatrixHeader read_header() {
    start_ = records_.offset();
    const std::string_view record = records_.next();
    if (record.size() != 6 * word_bytes_)
      fail(fmt::format("found a record of {} bytes instead of the header of a matrix",
                       record.size()));
    const Words words(record, word_bytes_, records_.is_swapped());
    return {words.integer(0), words.integer(1), words.integer(2), words.integer(3),
            name_of(record.substr(4 * word_bytes_))};
  }

  bool read_column() {
    const Words words = next_record();
    if (!builder_.begin_column(words.integer(0))) return false;
    const std::int64_t row = words.integer(1), n_words = words.integer(2);
    if (n_words != words.size() - 3)
      fail(fmt::format("a column declares {} words and contains {}", n_words, words.size() - 3));
    if (row > 0)
      add_terms(words, 3, row, n_words);
    else
      add_strings(words);
    return true;
  }

  void add_strings(const Words& words) {
    const std::int64_t n_head = builder_.is_bigmat() ? 2 : 1;
    for (std::int64_t at = 3; at < words.size();) {
      const std::int64_t n_left = words.size() - at;
      if (n_left < n_head) fail("a column ends in the header of a string");
      const Op4String string = builder_.is_bigmat() ? NastranMatrixBuilder::unpack_bigmat(
                                                          words.integer(at), words.integer(at + 1))
                                                    : builder_.unpack(words.integer(at));
      builder_.check_cost(string, n_left);
      add_terms(words, at + n_head, string.row, string.n_words);
      at += string.cost;
    }
  }

  void add_terms(const Words& words, std::int64_t at, std::int64_t row, std::int64_t n_words) {
    const std::int64_t words_per_term = words_per_real_ * builder_.n_parts();
    if (n_words % words_per_term != 0)
      fail(fmt::format("{} words are not a whole number of terms", n_words));
    const std::int64_t n_terms = n_words / words_per_term;
    builder_.begin_string(row, n_terms);
    for (std::int64_t i = 0; i < n_terms; ++i, at += words_per_term)
      builder_.add(words.real(at, is_double_),
                   builder_.is_complex() ? words.real(at + words_per_real_, is_double_) : 0.0);
  }

  FortranRecords& records_;
  std::size_t word_bytes_;
  std::size_t start_;  ///< of the current record
  NastranMatrixBuilder builder_;
  bool is_double_;  ///< with integers of 8 bytes all numbers are, whatever the type says
  std::int64_t words_per_real_;
};

}  // namespace

std::vector<imported::Matrix> read_op4_binary(FortranRecords& records, bool is_int64) {
  std::vector<imported::Matrix> matrices;
  while (!records.is_at_end()) matrices.push_back(BinaryMatrix(records, is_int64).read());
  return matrices;
}

}  // namespace solidyn::formats
