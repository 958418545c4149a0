#include "formats/nastran/lines/cards.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "formats/shared/ascii.h"

namespace solidyn::formats {

namespace {

constexpr const char* kCheckColumns =
    "check the columns of the entry: small fields have 8 characters, large fields 16";

bool parse_integer(std::string_view text, std::int64_t& value) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  if (text.empty() || (text[0] != '-' && !is_digit(text[0]))) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::string NastranCard::name() const {
  std::string name(name_.substr(0, 16));
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

bool NastranCard::is_integer(int i) const {
  std::int64_t value = 0;
  return parse_integer(field(i), value);
}

bool NastranCard::is_word(int i) const { return !is_blank(i) && is_letter(field(i)[0]); }

std::string NastranCard::word(int i) const {
  std::string word(field(i).substr(0, 64));
  for (char& c : word) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return word;
}

std::int64_t NastranCard::integer(int i) const {
  std::int64_t value = 0;
  if (!parse_integer(field(i), value)) fail(i, "an integer", kCheckColumns);
  return value;
}

std::int32_t NastranCard::label(int i) const {
  const std::int64_t value = integer(i);
  if (value < 1 || value >= INT32_MAX) fail(i, "a number from 1 to 2147483646");
  return static_cast<std::int32_t>(value);
}

double NastranCard::real(int i) const {
  double value = 0.0;
  const RealText number = parse_real(field(i), value);
  if (number == RealText::too_large) fail(i, "a number that fits in double precision");
  if (number == RealText::not_one || !std::isfinite(value))
    fail(i, "a real number, with a decimal point", kCheckColumns);
  return value;
}

std::string NastranCard::components(int i) const {
  std::string digits(field(i).substr(0, 16));
  if (digits == "0") return {};
  std::sort(digits.begin(), digits.end());
  const bool is_good =
      std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '1' && c <= '6'; }) &&
      std::adjacent_find(digits.begin(), digits.end()) == digits.end();
  if (!is_good) fail(i, "components (digits 1 to 6, no duplicates)");
  return digits;
}

void NastranCard::fail(std::string what, std::string remedy) const {
  throw base::InputError(fmt::format("{}: {}", name(), what), std::move(remedy), where());
}

void NastranCard::fail(int i, const std::string& expected, std::string remedy) const {
  const std::string_view text = field(i);
  // Nastran counts fields per line, from 1 with the name
  const std::string place =
      i <= 8 ? fmt::format("field {}", i + 1)
             : fmt::format("field {} of its continuation {}", (i - 1) % 8 + 2, (i - 1) / 8);
  if (!text.empty() && (text[0] == '=' || text[0] == '*'))
    fail(fmt::format("{} is `{}`, which repeats the preceding entry; replication is not supported",
                     place, text.substr(0, 40)),
         "write the entries in full (as preprocessors export them)");
  fail(text.empty() ? fmt::format("{} is blank instead of {}", place, expected)
                    : fmt::format("{} is `{}` instead of {}", place, text.substr(0, 40), expected),
       std::move(remedy));
}

void NastranCard::start(const NastranLine& line, const LineNumbers& lines) {
  key_ = card_key(line.name);
  name_ = line.name;
  serial_ = line.serial;
  lines_ = &lines;
  fields_.clear();
  append(line);
}

void NastranCard::append(const NastranLine& line) {
  const std::size_t n_data = line.is_large ? 4 : 8, width = line.is_large ? 16 : 8;
  // a large line fills half a row; a small line after it begins a new row
  fields_.resize((fields_.size() + n_data - 1) / n_data * n_data);
  const std::size_t end = fields_.size() + n_data;
  if (line.has_excess && !is("DEQATN"))  // an equation has as many commas as it likes
    fail("a line has more than ten fields between commas",
         "continue the entry on a new line that starts with a comma");
  for (std::size_t start = 0; start < line.data.size();) {
    const std::size_t stop = line.is_free ? std::min(line.data.find(',', start), line.data.size())
                                          : std::min(start + width, line.data.size());
    fields_.push_back(trimmed(line.data.substr(start, stop - start)));
    start = line.is_free ? stop + 1 : stop;
  }
  fields_.resize(end);
}

void NastranCard::finish() {
  while (!fields_.empty() && fields_.back().empty()) fields_.pop_back();
}

}  // namespace solidyn::formats
