#include "formats/nastran/lines/order.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "formats/nastran/lines/lines.h"

namespace solidyn::formats {

namespace {

/// Whether a line opens a section of a deck.
bool is_section(std::string_view line) {
  while (!line.empty() && (line[0] == ' ' || line[0] == '\t')) line.remove_prefix(1);
  return starts_with_word(line, "CEND") || starts_with_word(line, "BEGIN");
}

/// A line with a tag in front that its predecessor does not end with.
bool is_misplaced(std::string_view text, std::string_view before) {
  if (text[0] != '+' && text[0] != '*') return false;
  const NastranLine line = take_apart(text);
  if (line.tag_before == 0) return false;
  return before.empty() || take_apart(before).tag_after != line.tag_before;
}

/// Puts blocks of lines (an entry with what follows it, or a misplaced continuation with what
/// follows that) into order.
class Sorter {
 public:
  explicit Sorter(std::string_view file) { read(file); }

  std::vector<RawLine> sorted() {
    find_blocks();
    if (far_.empty()) return {};
    std::vector<RawLine> lines;
    lines.reserve(lines_.size());
    for (const Block& block : blocks_)
      if (!block.is_far) add_with_continuations(block, lines);
    // what nothing continues stays, so that it is complained of in its place
    for (Block& block : blocks_)
      if (block.is_far && !block.is_taken) add(block, lines);
    return lines;
  }

 private:
  struct Line {
    RawLine raw;
    std::uint64_t tag_before = 0, tag_after = 0;
    bool is_misplaced = false;
  };
  struct Block {
    std::size_t first = 0, last = 0;  // line numbers, both included
    bool is_far = false, is_taken = false;
  };

  void read(std::string_view file) {
    std::string_view before;
    for (int number = 1; !file.empty(); ++number) {
      const std::string_view raw = take_raw_line(file), text = without_comment(raw);
      if (text.empty()) continue;
      Line line{{raw, number}, 0, 0, is_misplaced(text, before)};
      const NastranLine parts = take_apart(text);
      line.tag_before = parts.tag_before;
      line.tag_after = parts.tag_after;
      lines_.push_back(line);
      before = text;
    }
  }

  bool is_followed(std::size_t i) const {
    return i + 1 < lines_.size() && lines_[i + 1].tag_before == lines_[i].tag_after;
  }

  void find_blocks() {
    std::unordered_map<std::uint64_t, int> n_parents;
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (lines_[i].tag_after != 0 && !is_followed(i)) ++n_parents[lines_[i].tag_after];
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const Line& line = lines_[i];
      const bool is_far = line.is_misplaced && n_parents.count(line.tag_before);
      const bool is_entry = line.raw.text[0] != '+' && line.raw.text[0] != '*';
      if (blocks_.empty() || is_far || is_entry) blocks_.push_back({i, i, is_far, false});
      blocks_.back().last = i;
      if (is_far) far_.emplace(line.tag_before, blocks_.size() - 1);  // the first one of a tag
    }
  }

  void add(const Block& block, std::vector<RawLine>& lines) const {
    for (std::size_t i = block.first; i <= block.last; ++i) lines.push_back(lines_[i].raw);
  }

  void add_with_continuations(const Block& block, std::vector<RawLine>& lines) {
    add(block, lines);
    std::size_t last = block.last;
    for (;;) {
      const auto next = far_.find(lines_[last].tag_after);
      if (next == far_.end() || blocks_[next->second].is_taken) return;
      blocks_[next->second].is_taken = true;
      add(blocks_[next->second], lines);
      last = blocks_[next->second].last;
    }
  }

  std::vector<Line> lines_;
  std::vector<Block> blocks_;
  std::unordered_map<std::uint64_t, std::size_t> far_;  // blocks by the tag in front
};

}  // namespace

std::string_view take_raw_line(std::string_view& rest) {
  const void* end = std::memchr(rest.data(), '\n', rest.size());
  const std::size_t size = end ? static_cast<const char*>(end) - rest.data() : rest.size();
  const std::string_view line = rest.substr(0, size);
  rest.remove_prefix(std::min(size + 1, rest.size()));
  return line;
}

NastranOrder find_order(std::string_view file) {
  NastranOrder order;
  bool is_any_misplaced = false;
  std::string_view before, rest = file;
  while (!rest.empty()) {
    const std::string_view raw = take_raw_line(rest);
    if (raw.empty() || raw[0] == '$') continue;
    order.has_control = order.has_control || is_section(raw);
    if (raw[0] == '+' || raw[0] == '*') {
      const std::string_view text = without_comment(raw);
      is_any_misplaced = is_any_misplaced || is_misplaced(text, without_comment(before));
    }
    if (!without_comment(raw.substr(0, 1)).empty() || !without_comment(raw).empty()) before = raw;
  }
  if (is_any_misplaced) order.lines = Sorter(file).sorted();
  return order;
}

}  // namespace solidyn::formats
