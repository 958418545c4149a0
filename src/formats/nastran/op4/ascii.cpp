#include "formats/nastran/op4/ascii.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "formats/nastran/superelement/matrix_builder.h"
#include "formats/shared/fortran_numbers.h"
#include "formats/shared/fortran_records.h"
#include "solidyn/base/error.h"

namespace solidyn::formats {
namespace {

constexpr std::size_t kIntegerWidth = 8;
constexpr std::size_t kNameAt = 4 * kIntegerWidth, kFormatAt = kNameAt + 8;

/// Lines of a text, one after the other.
class Lines : public NastranMatrixPlace {
 public:
  Lines(std::string_view bytes, std::string file) : bytes_(bytes), file_(std::move(file)) {}

  bool is_at_end() const {
    return bytes_.find_first_not_of(" \t\r\n\0", at_, 5) == std::string_view::npos;
  }
  /// Without its end. Throws at the end of the text.
  std::string_view next() {
    start_ = at_;
    if (at_ >= bytes_.size()) fail("the file ends in the middle of a matrix");
    const std::size_t end = std::min(bytes_.find('\n', at_), bytes_.size());
    at_ = end + 1;
    std::string_view line = bytes_.substr(start_, end - start_);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return line;
  }
  [[noreturn]] void fail(const std::string& what) const override {
    const auto line = 1 + std::count(bytes_.begin(), bytes_.begin() + start(), '\n');
    throw base::InputError(
        what, "the file is damaged, truncated, or not an OP4 file; write it again (OUTPUT4)",
        {file_, static_cast<int>(line), 0});
  }

 private:
  std::ptrdiff_t start() const {
    return static_cast<std::ptrdiff_t>(std::min(start_, bytes_.size()));
  }
  std::string_view bytes_;
  std::string file_;
  std::size_t at_ = 0, start_ = 0;
};

/// The number format, from the header of a matrix: `1P,5E16.9`.
struct NumberFormat {
  std::size_t n_per_line = 0, width = 0;
  int n_decimals = 0;
};

template <class T>
bool take_number(std::string_view& text, T& value) {
  const auto [last, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(last - text.data()));
  return true;
}

bool parse_format(std::string_view text, NumberFormat& format) {
  const std::size_t scale = text.find_first_of("pP");
  if (scale != std::string_view::npos) text.remove_prefix(scale + 1);
  text.remove_prefix(std::min(text.find_first_of("0123456789"), text.size()));
  if (!take_number(text, format.n_per_line) || text.empty()) return false;
  if (std::string_view("DEde").find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  if (!take_number(text, format.width) || text.empty() || text.front() != '.') return false;
  text.remove_prefix(1);
  return take_number(text, format.n_decimals) && format.n_per_line >= 1 &&
         format.n_per_line <= 100 && format.width >= 3 && format.width <= 100 &&
         format.n_decimals >= 0 && format.n_decimals <= 100;
}

class AsciiMatrix {
 public:
  explicit AsciiMatrix(Lines& lines) : lines_(lines), builder_(read_header(), lines) {}

  imported::Matrix read() {
    while (read_column()) {
    }
    lines_.next();  // the end has a number, which says nothing
    const double single = builder_.is_double() ? 0.0 : std::numeric_limits<float>::epsilon();
    return builder_.finish(std::max(std::pow(10.0, -format_.n_decimals), single));
  }

 private:
  std::int64_t integer(std::string_view line, std::size_t field) const {
    const std::size_t at = field * kIntegerWidth;
    std::int64_t value = 0;
    if (at >= line.size() || !parse_fortran_integer(line.substr(at, kIntegerWidth), value))
      lines_.fail(fmt::format("`{}` should be a number of {} columns, on the line `{}`",
                              printable(line.substr(std::min(at, line.size()), kIntegerWidth)),
                              kIntegerWidth, printable(line.substr(0, 60))));
    return value;
  }

  NastranMatrixHeader read_header() {
    const std::string_view line = lines_.next();
    NastranMatrixHeader header{integer(line, 0), integer(line, 1), integer(line, 2),
                               integer(line, 3),
                               printable(line.substr(std::min(kNameAt, line.size()), 8))};
    if (line.size() <= kFormatAt || !parse_format(line.substr(kFormatAt), format_))
      lines_.fail(fmt::format(
          "the header of matrix `{}` does not give the number format (such as 1P,5E16.9): `{}`",
          header.name, printable(line.substr(0, 80))));
    return header;
  }

  bool read_column() {
    const std::string_view line = lines_.next();
    if (!builder_.begin_column(integer(line, 0))) return false;
    const std::int64_t row = integer(line, 1), n_words = integer(line, 2);
    if (row > 0)
      add_terms(row, n_words);  // a dense column counts its numbers, not their words
    else
      add_strings(n_words);
    return true;
  }

  void add_strings(std::int64_t n_words) {
    const int words_per_real = builder_.is_double() ? 2 : 1;
    while (n_words > 0) {
      const std::string_view line = lines_.next();
      const Op4String string = builder_.is_bigmat() ? NastranMatrixBuilder::unpack_bigmat(
                                                          integer(line, 0), integer(line, 1))
                                                    : builder_.unpack(packed_head(line));
      builder_.check_cost(string, n_words);
      if (string.n_words % words_per_real != 0)
        lines_.fail(fmt::format("{} words are not a whole number of terms", string.n_words));
      add_terms(string.row, string.n_words / words_per_real);
      n_words -= string.cost;
    }
  }

  /// Stands alone in its line, and is wider than other numbers when the string is long.
  std::int64_t packed_head(std::string_view line) const {
    std::int64_t value = 0;
    if (!parse_fortran_integer(line, value))
      lines_.fail(fmt::format("`{}` should be the header of a string of terms",
                              printable(line.substr(0, 40))));
    return value;
  }

  void add_terms(std::int64_t row, std::int64_t n_numbers) {
    if (n_numbers < 0 || n_numbers % builder_.n_parts() != 0)
      lines_.fail(fmt::format("{} numbers are not a whole number of terms", n_numbers));
    builder_.begin_string(row, n_numbers / builder_.n_parts());
    double real = 0.0;
    bool has_real = false;  // of a complex term, whose parts may stand in two lines
    while (n_numbers > 0) {
      const std::string_view line = lines_.next();
      const auto n_here =
          std::min<std::int64_t>(n_numbers, static_cast<std::int64_t>(format_.n_per_line));
      for (std::int64_t i = 0; i < n_here; ++i) {
        const double number = number_at(line, static_cast<std::size_t>(i) * format_.width);
        if (builder_.is_complex() && !has_real) {
          real = number;
          has_real = true;
        } else {
          builder_.add(builder_.is_complex() ? real : number, builder_.is_complex() ? number : 0.0);
          has_real = false;
        }
      }
      refuse_rest(line, static_cast<std::size_t>(n_here) * format_.width);
      n_numbers -= n_here;
    }
  }

  void refuse_rest(std::string_view line, std::size_t at) const {
    if (line.find_first_not_of(' ', at) != std::string_view::npos)
      lines_.fail(fmt::format("found `{}` after the last number, on the line `{}`",
                              printable(line.substr(at, 60)), printable(line.substr(0, 132))));
  }

  double number_at(std::string_view line, std::size_t at) const {
    double value = 0.0;
    if (at + format_.width > line.size() ||
        !parse_fortran_real(line.substr(at, format_.width), value))
      lines_.fail(fmt::format("`{}` should be a number of {} columns, on the line `{}`",
                              printable(line.substr(std::min(at, line.size()), format_.width)),
                              format_.width, printable(line.substr(0, 132))));
    return value;
  }

  Lines& lines_;
  NumberFormat format_;
  NastranMatrixBuilder builder_;
};

}  // namespace

std::vector<imported::Matrix> read_op4_ascii(std::string_view bytes, const std::string& file) {
  Lines lines(bytes, file);
  std::vector<imported::Matrix> matrices;
  while (!lines.is_at_end()) matrices.push_back(AsciiMatrix(lines).read());
  return matrices;
}

}  // namespace solidyn::formats
