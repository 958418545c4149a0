#include "formats/nastran/lines/deck.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <filesystem>

#include "formats/shared/ascii.h"
#include "formats/shared/file_bytes.h"

namespace solidyn::formats {

namespace {

constexpr int kMostIncludes = 10000;  // files that include each other many times over

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return result;
}

void refuse_binary(const NastranSource& source) {
  const std::string_view start = source.bytes.substr(0, 4096);
  if (start.find('\0') == start.npos) return;
  throw base::InputError("the file is binary, not a Nastran deck or punch file",
                         "give the bulk data (.bdf, .dat, .nas) here; results are .op2 or .pch",
                         {source.name, 0, 0});
}

bool is_below(const std::filesystem::path& path, const std::filesystem::path& folder) {
  const auto relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

}  // namespace

NastranSource open_nastran(const std::string& path) {
  auto file = std::make_shared<FileBytes>(path);
  const std::string_view bytes = file->bytes();
  return {path, std::move(file), bytes};
}

NastranInclude include_below(const std::string& deck) {
  return [deck](const std::string& path, const std::string& from) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    const fs::path top = fs::absolute(fs::path(deck), ignored).lexically_normal().parent_path();
    if (fs::path(path).is_absolute())
      throw base::InputError(
          fmt::format("INCLUDE '{}' names an absolute path", path),
          "put the file into the folder of the deck and include it by a relative path");
    for (const fs::path& folder : {fs::path(from).parent_path(), fs::path(deck).parent_path()}) {
      const fs::path file = folder / path;
      if (!fs::is_regular_file(file, ignored)) continue;
      if (!is_below(fs::absolute(file, ignored).lexically_normal(), top))
        throw base::InputError(
            fmt::format("INCLUDE '{}' is outside the folder of the deck {}", path, top.string()),
            "put the file into the folder of the deck or a subfolder");
      return open_nastran(file.string());
    }
    throw base::InputError(fmt::format("INCLUDE '{}' names no file", path),
                           "paths are relative to the including file or to the main deck");
  };
}

NastranSource refuse_include(const std::string& path, const std::string&) {
  throw base::InputError(fmt::format("INCLUDE '{}' cannot be followed here", path),
                         "read the deck from its file");
}

NastranDeck::NastranDeck(NastranSource main, NastranInclude include)
    : include_(std::move(include)) {
  refuse_binary(main);
  const NastranOrder order = find_order(main.bytes);
  if (order.has_control) section_ = Section::executive;
  open(std::move(main), order);
}

void NastranDeck::fail(LineNumber serial, std::string what, std::string remedy) const {
  throw base::InputError(std::move(what), std::move(remedy), lines_.where(serial));
}

void NastranDeck::open(NastranSource source, const NastranOrder& order) {
  const std::string_view rest = without_mark(source.bytes);
  holders_.push_back(source.holder);
  lines_.enter(source.name, serial_ + 1, 1);
  open_.push_back({std::move(source), rest, 0, order.lines, 0});
}

bool NastranDeck::take_line(std::string_view& raw) {
  while (!open_.empty()) {
    Open& file = open_.back();
    const bool is_ordered = !file.order.empty();
    if (is_ordered ? file.n_ordered < file.order.size() : !file.rest.empty()) {
      if (serial_ == UINT32_MAX) fail(serial_, "the deck has more than 2^32 lines", "split it");
      ++serial_;
      const int number = is_ordered ? file.order[file.n_ordered].number : file.line + 1;
      if (number != file.line + 1) lines_.enter(file.source.name, serial_, number);
      raw = is_ordered ? file.order[file.n_ordered++].text : take_raw_line(file.rest);
      file.line = number;
      return true;
    }
    open_.pop_back();
    if (!open_.empty()) lines_.enter(open_.back().source.name, serial_ + 1, open_.back().line + 1);
  }
  return false;
}

void NastranDeck::note_name(std::string_view comment) {
  const std::string_view rest = trimmed(comment.substr(5));  // behind $NAME
  const std::size_t card_end = std::min(rest.find(' '), rest.size());
  const std::string_view number = trimmed(rest.substr(card_end));
  std::int64_t id = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), id);
  const std::string_view name = trimmed(number.substr(end - number.data()));
  if (error == std::errc() && !name.empty())
    names_.push_back({upper(rest.substr(0, card_end)), id, std::string(name)});
}

bool NastranDeck::is_control(std::string_view text) {
  const bool may_be = section_ != Section::bulk || std::strchr("IEBieb", text[0]) != nullptr;
  if (!may_be) return false;
  const std::string_view word = section_ == Section::bulk ? text : trimmed(text);
  if (starts_with_word(word, "INCLUDE")) {
    follow_include(word);
    return true;
  }
  if (starts_with_word(word, "BEGIN")) {
    section_ = Section::bulk;
    ++n_bulk_sections_;
    return true;
  }
  if (section_ == Section::bulk) {
    has_enddata_ = starts_with_word(word, "ENDDATA");
    if (has_enddata_) open_.clear();
    return has_enddata_;
  }
  handle_control(word);
  return true;
}

void NastranDeck::handle_control(std::string_view text) {
  if (section_ == Section::case_control)
    keep_case_line(text);
  else if (starts_with_word(text, "CEND"))
    section_ = Section::case_control;
}

void NastranDeck::keep_case_line(std::string_view text) {
  if (case_line_continues_)
    case_control_.back().text += upper(text);
  else
    case_control_.push_back({upper(text), serial_});
  case_line_continues_ = text.back() == ',';
}

std::string NastranDeck::include_path(std::string_view text) {
  text = trimmed(text.substr(7));  // behind INCLUDE
  const LineNumber serial = serial_;
  if (text.empty() || (text[0] != '\'' && text[0] != '"'))
    return std::string(text.substr(0, text.find_first_of(" \t")));
  const char quote = text[0];
  std::string path;
  text.remove_prefix(1);
  for (;;) {
    const std::size_t end = text.find(quote);
    path += trimmed(text.substr(0, end));
    if (end != text.npos) return path;
    if (path.size() > 4096 || !take_line(text))
      fail(serial, "the path of an INCLUDE has no closing quote", "close it");
  }
}

void NastranDeck::follow_include(std::string_view text) {
  const LineNumber serial = serial_;
  const std::string path = include_path(text);
  if (++n_includes_ > kMostIncludes)
    fail(serial, fmt::format("more than {} INCLUDEs", kMostIncludes),
         "check that files are not included repeatedly");
  try {
    NastranSource source = include_(path, open_.empty() ? std::string() : open_.back().source.name);
    for (const Open& file : open_)
      if (file.source.name == source.name)
        throw base::InputError(fmt::format("INCLUDE '{}' includes itself", path),
                               "remove one INCLUDE of the cycle");
    refuse_binary(source);
    const NastranOrder order = find_order(source.bytes);
    open(std::move(source), order);
  } catch (const base::InputError& error) {
    const base::Diagnostic& complaint = error.diagnostics().front();
    fail(serial, complaint.what, complaint.remedy);
  }
}

bool NastranDeck::read_line() {
  line_.reset();
  std::string_view raw;
  while (take_line(raw)) {
    if (!raw.empty() && raw[0] == '$' && starts_with_word(raw.substr(1), "NAME")) note_name(raw);
    std::string_view text = without_comment(raw);
    if (text.empty() || is_control(text)) continue;
    if (has_tabs(text)) text = expanded_.emplace_back(with_columns(text));
    line_ = take_apart(text);
    line_->serial = serial_;
    return true;
  }
  return false;
}

/// An error behind a card must not lose the card: it is thrown by the next call.
bool NastranDeck::read_ahead() {
  try {
    return read_line();
  } catch (const base::InputError& error) {
    delayed_ = error;
    return false;
  }
}

void NastranDeck::check_name(const NastranLine& line) const {
  const std::string_view name = line.name.substr(0, 40);
  if (line.is_continuation)
    fail(line.serial, "a continuation without a parent entry",
         "put it after the entry whose last field contains its label");
  if (name[0] == '=')
    fail(line.serial,
         fmt::format("`{}` repeats the preceding entry; replication is not supported", name),
         "write the entries in full (as preprocessors export them)");
  const bool is_name = std::isalpha(static_cast<unsigned char>(name[0])) && name.size() <= 8 &&
                       std::all_of(name.begin(), name.end(),
                                   [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  if (!is_name)
    fail(line.serial, fmt::format("`{}` is not the name of a bulk data entry", name),
         "names are in columns 1 to 8, or before the first comma");
}

void NastranDeck::gather(NastranCard& card) {
  std::uint64_t tag = line_->tag_after;
  while (read_ahead() && line_->is_continuation) {
    if (tag != 0 && line_->tag_before != 0 && tag != line_->tag_before) return;
    card.append(*line_);
    tag = line_->tag_after;
  }
}

/// Behind a bad line: its continuations would be complained of again.
void NastranDeck::skip_entry() {
  while (read_ahead() && line_->is_continuation) {
  }
}

bool NastranDeck::next(NastranCard& card) {
  while (expanded_.size() > 1) expanded_.pop_front();  // the last may be that of line_
  if (delayed_) {
    const base::InputError error = *delayed_;
    delayed_.reset();
    throw error;
  }
  if (!line_ && !read_line()) return false;
  const NastranLine line = *line_;
  try {
    check_name(line);
    card.start(line, lines_);
    gather(card);
  } catch (const base::InputError&) {
    skip_entry();
    throw;
  }
  card.finish();
  return true;
}

}  // namespace solidyn::formats
