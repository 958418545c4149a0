#include "formats/shared/plain_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "formats/shared/ascii.h"

namespace solidyn::formats {
namespace {

std::string without_comments(std::string_view bytes) {
  std::string text(without_mark(bytes));
  bool is_comment = false;
  for (char& c : text) {
    is_comment = c != '\n' && (is_comment || c == '#');
    if (is_comment || c == ';') c = ' ';
  }
  return text;
}

/// Letters, digits and underscores in lower case, words apart by one blank.
std::string plain_words(std::string_view text) {
  std::string words;
  for (char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (std::isalnum(u) || c == '_')
      words += static_cast<char>(std::tolower(u));
    else if (!words.empty() && words.back() != ' ')
      words += ' ';
  }
  while (!words.empty() && words.back() == ' ') words.pop_back();
  return words;
}

}  // namespace

PlainTable::PlainTable(std::string_view bytes, const std::string& name, std::string columns)
    : text_(without_comments(bytes)),
      file_(text_, name),
      cursor_(file_),
      columns_(std::move(columns)) {}

bool PlainTable::is_header() const {
  const char first = *cursor_.place();
  return std::isalpha(static_cast<unsigned char>(first)) || first == '"';
}

bool PlainTable::next_row() {
  if (!cursor_.next_line()) return false;
  if (n_rows_ == 0 && is_header()) {
    if (plain_words(cursor_.line()) != plain_words(columns_))
      file_.fail(cursor_.place(),
                 fmt::format("the columns are named `{}`", shown_text(cursor_.line())),
                 fmt::format("expected columns  {}", columns_));
    if (!cursor_.next_line()) return false;
  }
  row_ = cursor_.place();
  ++n_rows_;
  return true;
}

void PlainTable::end_row() {
  if (cursor_.has_more()) cursor_.refuse(cursor_.place(), "the end of the line");
}

void PlainTable::require_rows(const char* what) {
  if (n_rows_ == 0)
    file_.fail(nullptr, fmt::format("the file contains no {}", what),
               fmt::format("write lines  {}", columns_));
}

}  // namespace solidyn::formats
