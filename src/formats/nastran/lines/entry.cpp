#include "formats/nastran/lines/entry.h"

#include <fmt/format.h>

#include <algorithm>

namespace solidyn::formats {

namespace {

constexpr std::size_t kLargeField = 16;

/// 1e-05 becomes 1.-5, 0.5 becomes .5: what a field holds best.
std::string to_nastran(std::string c_form) {
  std::size_t exponent = c_form.find('e');
  std::string mantissa = c_form.substr(0, exponent), power;
  if (exponent != c_form.npos) {
    power = c_form[exponent + 1] == '-' ? "-" : "+";
    exponent = c_form.find_first_not_of('0', exponent + 2);
    power += exponent == c_form.npos ? "0" : c_form.substr(exponent);
  }
  if (mantissa.find('.') == mantissa.npos) mantissa += '.';
  const std::size_t zero = mantissa[0] == '-' ? 1 : 0;
  if (mantissa.size() > zero + 2 && mantissa[zero] == '0') mantissa.erase(zero, 1);
  return mantissa + power;
}

}  // namespace

std::string nastran_real(double value) {
  std::string text = to_nastran(fmt::format("{}", value));  // the shortest that reads back
  for (int digits = 16; text.size() > kLargeField; --digits)
    text = to_nastran(fmt::format("{:.{}g}", value, digits));
  return text;
}

NastranEntry::NastranEntry(std::string& text, std::string_view name, Fields fields)
    : text_(text),
      width_(fields == Fields::large ? kLargeField : 8),
      n_per_line_(fields == Fields::large ? 4 : 8) {
  std::string first(name);
  if (fields == Fields::large) first += '*';
  first.resize(8, ' ');
  text_ += first;
}

NastranEntry& NastranEntry::add(std::string_view field) {
  if (n_ > 0 && n_ % n_per_line_ == 0) {
    text_.erase(text_.find_last_not_of(' ') + 1);
    text_ += n_per_line_ == 4 ? "\n*       " : "\n+       ";
  }
  text_ += field;
  text_.append(width_ - std::min(width_, field.size()), ' ');
  ++n_;
  return *this;
}

NastranEntry& NastranEntry::add(std::int64_t number) {
  const fmt::format_int text(number);
  return add(std::string_view(text.data(), text.size()));
}

NastranEntry::~NastranEntry() {
  text_.erase(text_.find_last_not_of(' ') + 1);
  text_ += '\n';
}

}  // namespace solidyn::formats
