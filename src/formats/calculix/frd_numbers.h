#pragma once
#include "formats/shared/import_bytes.h"

/// Lines, columns and raw numbers of .frd files. Private to their reader.
namespace solidyn::formats {

enum class FrdFormat { short_text = 0, long_text = 1, binary_float = 2, binary_double = 3 };

inline bool is_binary(FrdFormat format) { return format >= FrdFormat::binary_float; }

/// Columns of a line, counted from 0; shorter or empty where the line ends.
inline std::string_view frd_field(std::string_view line, std::size_t first, std::size_t width) {
  return first < line.size() ? line.substr(first, width) : std::string_view();
}

/// Walks through the file: lines of text with numbers in fixed columns, and raw numbers between
/// them.
class FrdLines {
 public:
  explicit FrdLines(ImportBytes& file) : file_(file), at_(file.begin()), end_(file.end()) {}

  bool next();  ///< to the next line; false at the end of the file, where line() is empty
  std::string_view line() const { return line_; }
  /// The next next() finds the same line again.
  void step_back() { at_ = line_.data(); }
  const char* here() const { return at_; }
  std::size_t n_left() const { return static_cast<std::size_t>(end_ - at_); }
  /// Behind the next line that begins with ` -3`, or to the end of the file.
  void skip_past_end_mark();
  void skip(std::size_t n, std::size_t bytes_each);

  /// Of columns of this line. @throws base::InputError; blank columns are an error too, unless
  /// `otherwise` is given
  std::int64_t integer(std::size_t first, std::size_t width, const char* what);
  std::int64_t integer(std::size_t first, std::size_t width, const char* what,
                       std::int64_t otherwise);
  double real(std::size_t first, std::size_t width, const char* what);
  /// A node or element number, in the columns behind ` -1`.
  std::int64_t label(std::size_t width) { return integer(3, width, "a number"); }
  /// `n` numbers of 12 columns, of 13 where a negative number has an exponent of three digits.
  void reals(std::size_t first, double* values, std::size_t n);

  std::int64_t binary_integer();
  void binary_reals(FrdFormat format, double* values, std::size_t n);

 private:
  [[noreturn]] void refuse(std::string_view found, const char* what);
  template <class T>
  T parse(std::string_view field, const char* what);
  std::string_view wide_number(std::size_t first);
  template <class T>
  T take();

  ImportBytes& file_;
  const char* at_;
  const char* end_;
  std::string_view line_;
  bool is_swapped_ = false, knows_order_ = false;
};

}  // namespace solidyn::formats
