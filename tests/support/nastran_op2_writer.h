#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace solidyn::testing_support {

/// A word of an OP2 file. Reals have the size of a word, doubles always 8 bytes, text 4 characters.
struct Op2Word {
  enum class Kind { integer, real, real64, text } kind = Kind::integer;
  std::int64_t integer = 0;
  double real = 0.0;
  std::string text;

  Op2Word(int value) : integer(value) {}           // NOLINT: so that lists of numbers read well
  Op2Word(std::int64_t value) : integer(value) {}  // NOLINT
  Op2Word(double value) : kind(Kind::real), real(value) {}      // NOLINT
  Op2Word(const char* value) : kind(Kind::text), text(value) {  // NOLINT
    text.resize(4, ' ');
  }
  static Op2Word real64(double value) {
    Op2Word word(value);
    word.kind = Kind::real64;
    return word;
  }
};
using Op2Words = std::vector<Op2Word>;

/// Writes OP2 files of every kind, as Nastran's documentation describes them: either byte order,
/// words of 4 or 8 bytes.
class Op2Writer {
 public:
  /// @param is_swapped  the other byte order than this machine's
  explicit Op2Writer(int word_bytes = 4, bool is_swapped = false)
      : word_bytes_(word_bytes), is_swapped_(is_swapped) {}

  void label() {
    key(3), record({10, 19, 15});
    key(7), record({"NAST", "RAN ", "FORT", " TAP", "E ID", " COD", "E - "});
    key(2), record({"XXXX", "XXXX"});
    key(-1), key(0);
  }
  /// The label of MSC's versions from 2014 on: the version takes eight words.
  void long_label() {
    key(3), record({10, 19, 15});
    key(7), record({"NAST", "RAN ", "FORT", " TAP", "E ID", " COD", "E - "});
    key(8), record({"XXXX", "XXXX", "2014", "0   ", "0   ", 0, "    ", "    "});
    key(-1), key(0);
  }
  /// From now on names of blocks take six words.
  void use_long_names() { n_name_words_ = 6; }
  /// A block whose header has another name than its announcement.
  /// @param name, header  eight characters at most
  void begin_renamed(const std::string& name, const std::string& header,
                     const std::vector<std::int64_t>& trailer = {}) {
    key(static_cast<std::int64_t>(n_name_words_)), record(name_words(name));
    key(-1), key(7);
    Op2Words words;
    for (std::size_t i = 0; i < 7; ++i) words.emplace_back(i < trailer.size() ? trailer[i] : 0);
    record(words);
    next_ = -2;
    begin_record(0);
    piece(name_words(header));
  }
  void begin_block(const std::string& name, const std::vector<std::int64_t>& trailer = {}) {
    begin_renamed(name, name, trailer);
  }
  void table_record(const Op2Words& words) {
    begin_record(0);
    piece(words);
  }
  /// The same in two pieces, as long records come.
  void table_record(const Op2Words& first, const Op2Words& second) {
    begin_record(0);
    piece(first), piece(second);
  }
  /// A column of a matrix: strings of (row from 1, terms).
  void column(const std::vector<std::pair<int, Op2Words>>& strings) {
    begin_record(1);
    for (const auto& [row, terms] : strings) {
      Op2Words words = {row};
      words.insert(words.end(), terms.begin(), terms.end());
      piece(words);
    }
  }
  void end_block() { begin_record(0), key(0); }
  void end_file() { key(0); }
  const std::string& bytes() const { return bytes_; }
  int word_bytes() const { return word_bytes_; }

 private:
  Op2Words name_words(std::string name) const {
    name.resize(4 * n_name_words_, ' ');
    Op2Words words;
    for (std::size_t i = 0; i < n_name_words_; ++i)
      words.emplace_back(name.substr(4 * i, 4).c_str());
    return words;
  }
  void begin_record(int type) { key(next_--), key(1), key(type); }
  void piece(const Op2Words& words) {
    key(static_cast<std::int64_t>(words.size()));
    record(words);
  }
  void key(std::int64_t value) { record({value}); }

  void record(const Op2Words& words) {
    std::string data;
    std::swap(data, bytes_);
    for (const Op2Word& word : words) put(word);
    std::swap(data, bytes_);
    put_number(static_cast<std::int32_t>(data.size()));
    bytes_ += data;
    put_number(static_cast<std::int32_t>(data.size()));
  }
  void put(const Op2Word& word) {
    switch (word.kind) {
      case Op2Word::Kind::integer:
        word_bytes_ == 8 ? put_number(word.integer)
                         : put_number(static_cast<std::int32_t>(word.integer));
        break;
      case Op2Word::Kind::real:
        word_bytes_ == 8 ? put_number(word.real) : put_number(static_cast<float>(word.real));
        break;
      case Op2Word::Kind::real64:
        put_number(word.real);
        break;
      case Op2Word::Kind::text:
        bytes_ += word.text + std::string(word_bytes_ - 4, ' ');
        break;
    }
  }
  template <class T>
  void put_number(T value) {
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    if (is_swapped_) std::reverse(raw, raw + sizeof(T));
    bytes_.append(raw, sizeof(T));
  }

  int word_bytes_;
  std::size_t n_name_words_ = 2;
  bool is_swapped_;
  std::int64_t next_ = -2;
  std::string bytes_;
};

}  // namespace solidyn::testing_support
