#include "formats/calculix/frd_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "formats/shared/ascii.h"
#include "formats/shared/byte_order.h"

namespace solidyn::formats {
namespace {

constexpr const char* kWriteNumbersAgain = "the file is damaged or truncated: write it again";

std::string_view trimmed(std::string_view field) {
  while (!field.empty() && field.front() == ' ') field.remove_prefix(1);
  while (!field.empty() && field.back() == ' ') field.remove_suffix(1);
  return field;
}

}  // namespace

bool FrdLines::next() {
  if (at_ == end_) {
    line_ = file_.bytes().substr(file_.bytes().size());
    return false;
  }
  const void* newline = std::memchr(at_, '\n', n_left());
  const char* last = newline ? static_cast<const char*>(newline) : end_;
  line_ = {at_, static_cast<std::size_t>(last - at_)};
  at_ = newline ? last + 1 : end_;
  if (!line_.empty() && line_.back() == '\r') line_.remove_suffix(1);
  return true;
}

void FrdLines::skip_past_end_mark() {
  while (next())
    if (line_.substr(0, 3) == " -3")
      return;
    else if (line_.substr(0, 5) == " 9999")
      return step_back();
}

void FrdLines::skip(std::size_t n, std::size_t bytes_each) {
  if (n > n_left() / bytes_each)
    file_.fail(at_, "the file ends within a block", kWriteNumbersAgain);
  at_ += n * bytes_each;
}

void FrdLines::refuse(std::string_view found, const char* what) {
  file_.fail(found.data() ? found.data() : line_.data() + line_.size(),
             trimmed(found).empty()
                 ? fmt::format("expected {}, but the field is empty", what)
                 : fmt::format("found `{}` instead of {}", shown_text(trimmed(found)), what),
             kWriteNumbersAgain);
}

template <class T>
T FrdLines::parse(std::string_view field, const char* what) {
  std::string_view text = trimmed(field);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  T value{};
  const char* end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, value);
  // What is too small for a double is 0.
  if constexpr (std::is_same_v<T, double>)
    if (error == std::errc::result_out_of_range && last == end &&
        text.find_first_of("eE") != std::string_view::npos &&
        text[text.find_first_of("eE") + 1] == '-')
      return 0.0;
  if (text.empty() || error != std::errc() || last != end || !(value - value == T{}))
    refuse(field, what);
  return value;
}

std::int64_t FrdLines::integer(std::size_t first, std::size_t width, const char* what) {
  return parse<std::int64_t>(frd_field(line_, first, width), what);
}

std::int64_t FrdLines::integer(std::size_t first, std::size_t width, const char* what,
                               std::int64_t otherwise) {
  const std::string_view field = frd_field(line_, first, width);
  return trimmed(field).empty() ? otherwise : parse<std::int64_t>(field, what);
}

double FrdLines::real(std::size_t first, std::size_t width, const char* what) {
  const std::string_view field = frd_field(line_, first, width);
  if (field.find('.') == std::string_view::npos) refuse(field, what);  // a whole number is another
  return parse<double>(field, what);
}

// The number that begins at `first`, of a line that is too long for columns. After two digits of an
// exponent a third one belongs to it unless it begins the next number, as its digit before the
// point.
std::string_view FrdLines::wide_number(std::size_t first) {
  std::size_t at = first;
  while (at < line_.size() && line_[at] == ' ') ++at;
  while (at < line_.size() && line_[at] != 'E' && line_[at] != 'e') ++at;
  at += 2;
  for (int digit = 0; digit < 3 && at < line_.size() && is_digit(line_[at]); ++digit, ++at)
    if (digit == 2 && at + 1 < line_.size() && line_[at + 1] == '.') break;
  return frd_field(line_, first, std::min(at, line_.size()) - std::min(first, line_.size()));
}

void FrdLines::reals(std::size_t first, double* values, std::size_t n) {
  constexpr std::size_t kWidth = 12;
  const bool is_wide =
      line_.size() > first + kWidth * n && line_.find_last_not_of(' ') >= first + kWidth * n;
  for (std::size_t i = 0; i < n; ++i) {
    const std::string_view field = is_wide ? wide_number(first) : frd_field(line_, first, kWidth);
    if (trimmed(field).size() > kWidth + 1 || field.size() < kWidth)
      refuse(field, "a number of twelve columns");
    values[i] = parse<double>(field, "a number");
    first += field.size();
  }
  const std::string_view rest = frd_field(line_, first, line_.size());
  if (is_wide && !trimmed(rest).empty()) refuse(rest, "the end of the line");
}

template <class T>
T FrdLines::take() {
  if (n_left() < sizeof(T)) file_.fail(at_, "the file ends within a block", kWriteNumbersAgain);
  const T value = load<T>(at_, is_swapped_);
  at_ += sizeof(T);
  return value;
}

// The first raw number is a node's: the byte order that makes it small is that of the file.
std::int64_t FrdLines::binary_integer() {
  if (!knows_order_ && n_left() >= 4) {
    knows_order_ = true;
    is_swapped_ = load<std::uint32_t>(at_, true) < load<std::uint32_t>(at_, false);
  }
  return take<std::int32_t>();
}

void FrdLines::binary_reals(FrdFormat format, double* values, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    values[i] = format == FrdFormat::binary_double ? take<double>() : take<float>();
}

}  // namespace solidyn::formats
