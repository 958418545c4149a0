#include "formats/nastran/lines/sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace solidyn::formats {

namespace {

using CaseLine = NastranDeck::CaseLine;

/// Words and numbers of a line of case control; "=", "," and brackets separate.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  constexpr const char* kSeparators = " \t,=";
  for (std::size_t at = text.find_first_not_of(kSeparators); at != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(kSeparators, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(kSeparators, end);
  }
  return words;
}

bool to_label(std::string_view word, std::int32_t& value) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc() && end == word.data() + word.size() && value > 0;
}

/// Numbers behind "SET n =". False when a word is not understood.
bool parse_ids(const std::vector<std::string_view>& words, NastranIds& ids) {
  std::int32_t last = 0, thru_end = 0;
  bool is_except = false;
  for (std::size_t i = 2; i < words.size(); ++i) {
    if (words[i] == "EXCEPT") {
      is_except = true;
    } else if (words[i] == "THRU") {
      if (i + 1 == words.size() || last == 0 || !to_label(words[i + 1], thru_end)) return false;
      ids.add(last, thru_end);
      ++i;
    } else if (std::int32_t id = 0; to_label(words[i], id)) {
      if (is_except && id <= thru_end) {
        ids.exclude(id);
        continue;
      }
      is_except = false;
      last = id;
      const bool is_range = i + 1 < words.size() && words[i + 1] == "THRU";
      if (!is_range) ids.add(id);
    } else {
      return false;
    }
  }
  return true;
}

NastranSets::Kind kind_of_request(std::string_view text) {
  for (const char* word :
       {"DISP", "VECTOR", "VELO", "ACCE", "SVEC", "SPCF", "MPCF", "OLOAD", "GPF"})
    if (text.substr(0, std::string_view(word).size()) == word) return NastranSets::Kind::grids;
  for (const char* word : {"STRE", "STRA", "FORCE", "ELFO", "ELST", "ESE", "EKE"})
    if (text.substr(0, std::string_view(word).size()) == word) return NastranSets::Kind::elements;
  return NastranSets::Kind::unknown;
}

}  // namespace

void NastranIds::add(const NastranIds& other) {
  ranges_.insert(ranges_.end(), other.ranges_.begin(), other.ranges_.end());
  excluded_.insert(excluded_.end(), other.excluded_.begin(), other.excluded_.end());
}

void NastranIds::add(const NastranCard& card, int i) {
  for (; i <= card.n_fields(); ++i) {
    if (card.is_blank(i)) continue;
    if (card.is_word(i)) card.fail(i, "a number", "write numbers and ranges n1 THRU n2");
    const std::int32_t first = card.label(i);
    const bool is_range =
        i + 2 <= card.n_fields() && card.is_word(i + 1) && card.word(i + 1) == "THRU";
    if (!is_range) {
      add(first);
      continue;
    }
    const std::int32_t last = card.label(i + 2);
    if (last < first) card.fail(i + 2, fmt::format("a number from {} on", first));
    add(first, last);
    i += 2;
    if (card.is_word(i + 1) && card.word(i + 1) == "EXCEPT")
      for (++i; card.is_integer(i + 1) && card.label(i + 1) <= last; ++i)
        exclude(card.label(i + 1));
  }
}

std::vector<std::int64_t> NastranIds::among(const std::vector<std::int64_t>& sorted) const {
  std::vector<Range> ranges = ranges_;
  std::sort(ranges.begin(), ranges.end(),
            [](const Range& a, const Range& b) { return a.first < b.first; });
  std::vector<std::int32_t> excluded = excluded_;
  std::sort(excluded.begin(), excluded.end());
  std::vector<std::int64_t> found;
  auto at = sorted.begin();
  for (const Range& range : ranges) {
    at = std::lower_bound(at, sorted.end(), range.first);  // ranges may overlap: never back
    for (; at != sorted.end() && *at <= range.last; ++at)
      if (!std::binary_search(excluded.begin(), excluded.end(), *at)) found.push_back(*at);
  }
  return found;
}

std::vector<std::int64_t> NastranIds::missing(const std::vector<std::int64_t>& sorted) const {
  std::vector<std::int64_t> missing;
  for (const Range& range : ranges_)
    if (!range.is_thru && !std::binary_search(sorted.begin(), sorted.end(), range.first))
      missing.push_back(range.first);
  return missing;
}

bool NastranSets::add(const NastranCard& card) {
  const bool is_set1 = card.key() == card_key("SET1");
  if (!is_set1 && card.key() != card_key("SET3")) return false;
  Set set;
  set.card = card.name();
  set.id = card.label(1);
  set.where = card.where();
  int first = 2;
  if (!is_set1) {
    const std::string kind = card.word(2);
    set.kind = kind == "GRID" || kind == "POINT"     ? Kind::grids
               : kind == "ELEM" || kind == "ELEMENT" ? Kind::elements
                                                     : Kind::unknown;
    first = 3;
    if (set.kind == Kind::unknown) return false;  // of properties
  } else if (card.is_word(2) && card.word(2) == "SKIN") {
    return false;
  }
  set.ids.add(card, first);
  sets_.push_back(std::move(set));
  return true;
}

void NastranSets::add(const std::vector<CaseLine>& case_control, const LineNumbers& lines,
                      imported::ImportReport& report) {
  std::vector<Set> sets;
  std::map<std::int64_t, Kind> kinds;
  for (const CaseLine& line : case_control) {
    const std::vector<std::string_view> words = words_of(line.text);
    std::int32_t id = 0;
    if (words.size() >= 2 && !to_label(words[0] == "SET" ? words[1] : words.back(), id)) continue;
    if (words.size() >= 2 && kind_of_request(line.text) != Kind::unknown)
      kinds[id] = kind_of_request(line.text);
    if (words.size() < 3 || words[0] != "SET" || words[2] == "ALL") continue;
    Set set;
    set.card = "SET";
    set.id = id;
    set.where = lines.where(line.serial);
    if (parse_ids(words, set.ids))
      sets.push_back(std::move(set));
    else
      report.warnings.push_back({set.where,
                                 fmt::format("SET {} is not a list of numbers and is ignored", id),
                                 ""});  // of frequencies or times, as a rule
  }
  for (Set& set : sets) set.kind = kinds.count(set.id) ? kinds[set.id] : Kind::unknown;
  sets.insert(sets.end(), sets_.begin(), sets_.end());
  sets_ = std::move(sets);
  std::map<std::int64_t, int> n_of_id;
  for (Set& set : sets_) {
    const int n = ++n_of_id[set.id];
    set.name =
        n == 1 ? fmt::format("SET {}", set.id) : fmt::format("{} {} ({})", set.card, set.id, n);
  }
}

std::set<std::int32_t> selected_constraints(const std::vector<CaseLine>& lines) {
  std::set<std::int32_t> selected;
  for (const CaseLine& line : lines) {
    const std::vector<std::string_view> words = words_of(line.text);
    std::int32_t id = 0;
    if (words.size() == 2 && words[0] == "SPC" && to_label(words[1], id)) selected.insert(id);
  }
  return selected;
}

}  // namespace solidyn::formats
