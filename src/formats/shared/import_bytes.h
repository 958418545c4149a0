#pragma once
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "formats/shared/ascii.h"
#include "solidyn/base/error.h"
#include "solidyn/imported/import_report.h"

/// What readers of results and matrices share: the places in a file's bytes, and what is wrong
/// with them. Private to these readers.
namespace solidyn::formats {

/// The bytes of a file under a reader. Complaints are collected, and thrown together once there are
/// twenty, or when the reader cannot go on.
class ImportBytes {
 public:
  enum class Kind { text, binary };
  ImportBytes(std::string_view bytes, std::string name, Kind kind = Kind::text)
      : bytes_(bytes), name_(std::move(name)), kind_(kind) {}

  std::string_view bytes() const { return bytes_; }
  const std::string& name() const { return name_; }
  /// From now on places are given by byte: the file turned out not to be text.
  void become_binary() { kind_ = Kind::binary; }
  const char* begin() const { return bytes_.data(); }
  const char* end() const { return bytes_.data() + bytes_.size(); }

  /// With the line of `at`, or its byte in a binary file; null: the file as a whole.
  base::Diagnostic diagnose(const char* at, std::string what, std::string remedy) const;
  void complain(const char* at, std::string what, std::string remedy);
  [[noreturn]] void fail(const char* at, std::string what, std::string remedy);
  void throw_if_any() const;

 private:
  static constexpr std::size_t kMost = 20;
  std::string_view bytes_;
  std::string name_;
  Kind kind_;
  std::vector<base::Diagnostic> complaints_;
};

/// Refuses what is no data at all: nothing, or the pointer that Git LFS leaves in its place.
void refuse_empty(ImportBytes& file, const char* expected);

/// Warns when the last line of a text has no end, as where a file was cut off within a number.
void warn_of_open_end(const ImportBytes& file, imported::ImportReport& report);

/// Goes through a text, line by line and number by number. Blanks and commas separate numbers.
class LineCursor {
 public:
  explicit LineCursor(ImportBytes& file) : file_(file), next_(file.begin()), end_(file.end()) {}

  /// Moves to the next line that holds something; false at the end of the file.
  bool next_line();
  /// The line, without its end.
  std::string_view line() const { return {line_, static_cast<std::size_t>(line_end_ - line_)}; }
  const char* place() const { return at_; }

  /// Is there something more in this line?
  bool has_more() {
    while (at_ != line_end_ && is_separator(*at_)) ++at_;
    return at_ != line_end_;
  }
  std::int64_t integer() { return number<std::int64_t>("an integer"); }
  double real() {
    const char* first = at_;
    const double value = number<double>("a number");
    // Rejects inf and nan (as letters) and overflow.
    if (!(value - value == 0.0)) refuse(first, "a finite number");
    return value;
  }
  /// Complains about the item at `at`, and gives up reading the file.
  [[noreturn]] void refuse(const char* at, const char* expected);

 private:
  static bool is_separator(char c) { return c == ' ' || c == ',' || c == '\t' || c == '\r'; }

  template <class T>
  T number(const char* expected) {
    if (!has_more()) refuse(at_, expected);
    const char* first = after_plus(at_, line_end_);
    T value{};
    const auto [last, error] = std::from_chars(first, line_end_, value);
    if (error == std::errc() && (last == line_end_ || is_separator(*last))) {
      at_ = last;
      return value;
    }
    return static_cast<T>(unusual_number(expected, std::is_integral_v<T>));
  }
  // Fortran's 1.5D+03 and 1.5-103, and numbers too small for a double; else refuses.
  double unusual_number(const char* expected, bool is_integer);

  ImportBytes& file_;
  const char* next_;
  const char* end_;
  const char* line_ = nullptr;
  const char* line_end_ = nullptr;
  const char* at_ = nullptr;
};

/// `text` as it may be shown: at most 40 characters, without what no terminal prints.
std::string shown_text(std::string_view text);

}  // namespace solidyn::formats
