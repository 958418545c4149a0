#include "formats/abaqus/deck/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace solidyn::formats {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view without_quotes(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
    return text.substr(1, text.size() - 2);
  return text;
}

/// The position of the next comma that no quotes protect, or the end.
std::size_t find_comma(std::string_view line) {
  bool is_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') is_quoted = !is_quoted;
    if (line[i] == ',' && !is_quoted) return i;
  }
  return line.size();
}

std::string without_blanks(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (char c : text)
    if (!is_blank(c)) result += c;
  return result;
}

constexpr std::size_t kLongestKeyword = 65536;
constexpr int kDeepest = 20, kMostIncluded = 1000;

}  // namespace

std::string abaqus_fold(std::string_view name) {
  std::string folded(name);
  for (char& c : folded)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return folded;
}

void split_abaqus_line(std::string_view line, std::vector<std::string_view>& items) {
  items.clear();
  for (line = trim(line); !line.empty();) {
    const std::size_t comma = find_comma(line);
    items.push_back(without_quotes(trim(line.substr(0, comma))));
    line.remove_prefix(std::min(comma + 1, line.size()));
    line = trim(line);
  }
}

const std::string* AbaqusKeyword::find(std::string_view parameter) const {
  for (const auto& [key, value] : parameters)
    if (key == parameter) return &value;
  return nullptr;
}

AbaqusSource::AbaqusSource(std::string_view bytes, std::string file, AbaqusInclude include,
                           AbaqusComplaints& complaints)
    : include_(std::move(include)), complaints_(complaints), n_bytes_(bytes.size()) {
  texts_.push_back({std::nullopt, file, bytes.data(), bytes.data() + bytes.size(), 0, 0});
  files_.push_back(std::move(file));
}

bool AbaqusSource::next_line(std::string_view& line) {
  while (!texts_.empty()) {
    Text& text = texts_.back();
    if (text.at == text.end) {
      if (texts_.size() == 1) return false;
      texts_.pop_back();
      continue;
    }
    const auto* newline = static_cast<const char*>(
        std::memchr(text.at, '\n', static_cast<std::size_t>(text.end - text.at)));
    const char* last = newline ? newline : text.end;
    line = {text.at, static_cast<std::size_t>(last - text.at)};
    text.at = newline ? newline + 1 : text.end;
    place_ = {text.file, ++text.line};
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
    if (line.empty() || (line.size() > 1 && line[0] == '*' && line[1] == '*')) continue;
    return true;
  }
  return false;
}

void AbaqusSource::read_keyword(std::string_view line, AbaqusKeyword& keyword) {
  keyword.parameters.clear();
  keyword.place = place_;
  std::string joined(trim(line));
  for (std::string_view more; !joined.empty() && joined.back() == ',' &&
                              joined.size() < kLongestKeyword && next_line(more);)
    joined.append(trim(more));
  std::string_view rest = std::string_view(joined).substr(1);
  std::size_t comma = find_comma(rest);
  keyword.name = abaqus_fold(without_blanks(rest.substr(0, comma)));
  while (comma < rest.size()) {
    rest.remove_prefix(comma + 1);
    comma = find_comma(rest);
    const std::string_view item = trim(rest.substr(0, comma));
    const std::size_t equals = std::min(item.find('='), item.size());
    std::string key = abaqus_fold(without_blanks(item.substr(0, equals)));
    const std::string_view value =
        equals < item.size() ? without_quotes(trim(item.substr(equals + 1))) : std::string_view();
    if (!key.empty()) keyword.parameters.emplace_back(std::move(key), value);
  }
}

bool AbaqusSource::find_keyword_line(std::string_view& line, bool passes_over_data) {
  while (next_line(line)) {
    if (line[0] != '*') {
      if (!passes_over_data) return true;
      continue;
    }
    AbaqusKeyword keyword;
    read_keyword(line, keyword);
    if (keyword.name != "INCLUDE") {
      waiting_ = std::move(keyword);
      return false;
    }
    const std::string* file = keyword.find("INPUT");
    if (file)
      insert(*file, keyword.place);
    else
      complaints_.add(location(keyword.place), "*INCLUDE names no file",
                      "write *INCLUDE, INPUT=file");
  }
  return false;
}

bool AbaqusSource::next_keyword(AbaqusKeyword& keyword) {
  std::string_view line;
  if (!waiting_) find_keyword_line(line, true);
  if (!waiting_) return false;
  keyword = std::move(*waiting_);
  waiting_.reset();
  return true;
}

bool AbaqusSource::next_data(std::string_view& line) {
  return !waiting_ && find_keyword_line(line, false);
}

std::size_t AbaqusSource::n_data_lines() const {
  if (texts_.empty() || waiting_) return 0;
  const Text& text = texts_.back();
  std::size_t n = 0;
  for (const char* at = text.at; at != text.end && *at != '*'; ++n) {
    const auto* newline =
        static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(text.end - at)));
    at = newline ? newline + 1 : text.end;
  }
  return n;
}

void AbaqusSource::insert(const std::string& file, AbaqusPlace at) {
  const auto is_open = [&file](const Text& text) { return text.name == file; };
  std::string reason;
  std::optional<FileBytes> file_bytes;
  if (texts_.size() > 1 && std::any_of(texts_.begin(), texts_.end(), is_open))
    reason = "it includes itself";
  else if (texts_.size() > kDeepest || ++n_included_ > kMostIncluded)
    reason = "too many nested *INCLUDEs";
  else
    file_bytes = include_(file, reason);
  if (!file_bytes) {
    complaints_.add(location(at), fmt::format("the file `{}` cannot be included: {}", file, reason),
                    "put it into the folder of the main file or below, with a path relative to it");
    return;
  }
  const std::string_view bytes = file_bytes->bytes();
  n_bytes_ += bytes.size();
  const auto index = static_cast<std::int32_t>(files_.size());
  files_.push_back(file);
  texts_.push_back(
      {std::move(file_bytes), file, bytes.data(), bytes.data() + bytes.size(), index, 0});
}

}  // namespace solidyn::formats
