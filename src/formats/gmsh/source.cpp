#include "formats/gmsh/source.h"

#include <fmt/format.h>

namespace solidyn::formats {

void GmshFile::fail(const char* at, std::string what, std::string remedy) const {
  if (is_binary) {
    what += fmt::format(" (byte {})", at - bytes.data());
    throw base::InputError(std::move(what), std::move(remedy), {name, 0, 0});
  }
  const int line = 1 + static_cast<int>(std::count(bytes.data(), at, '\n'));
  throw base::InputError(std::move(what), std::move(remedy), {name, line, 0});
}

void TextSource::fail_token(const char* expected) const {
  if (at_ == end_) fail(at_, fmt::format("the section ends before {}", expected));
  const char* last = std::find_if(at_, std::min(end_, at_ + 40), is_space);
  std::string token;
  for (char c : std::string_view(at_, last - at_)) token += c >= ' ' && c <= '~' ? c : '?';
  fail(at_, fmt::format("found `{}` instead of {}", token, expected));
}

std::int64_t BinarySource::text_size() {
  std::int64_t value = 0;
  const auto [last, error] = std::from_chars(at_, end_, value);
  const char* newline = std::find(last, end_, '\n');
  if (error != std::errc() || newline == end_) fail(at_, "the section's count is missing");
  at_ = newline + 1;
  return value;
}

}  // namespace solidyn::formats
