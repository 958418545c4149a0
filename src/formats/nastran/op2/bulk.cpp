#include "formats/nastran/op2/bulk.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "formats/nastran/op2/words.h"

namespace solidyn::formats {
namespace {

/// The three words that begin a record of a geometry table and identify its entries.
using EntryKey = std::array<std::int64_t, 3>;
constexpr std::int64_t kEndOfTable = 65535;
constexpr int kKeyWords = 3;

/// Writes entries in free field, eight fields to a line.
class BulkText {
 public:
  BulkText& entry(const char* name) {
    if (text_.size() > 0) text_.push_back('\n');
    append(name);
    n_fields_ = 0;
    return *this;
  }
  BulkText& integer(std::int64_t value) {
    next_field();
    fmt::format_to(std::back_inserter(text_), "{}", value);
    return *this;
  }
  BulkText& integer_or_blank(std::int64_t value) { return value == 0 ? blank() : integer(value); }
  BulkText& real(double value) {  // always with its decimal point
    next_field();
    fmt::format_to(std::back_inserter(text_), "{:#.17g}", value);
    return *this;
  }
  BulkText& word(const char* value) {
    next_field();
    append(value);
    return *this;
  }
  BulkText& blank() {
    next_field();
    return *this;
  }
  std::string finish() {
    if (text_.size() > 0) text_.push_back('\n');
    return fmt::to_string(text_);
  }

 private:
  void append(std::string_view text) { text_.append(text.data(), text.data() + text.size()); }
  void next_field() {
    if (n_fields_ > 0 && n_fields_ % 8 == 0) text_.push_back('\n');
    text_.push_back(',');
    ++n_fields_;
  }
  fmt::memory_buffer text_;
  int n_fields_ = 0;
};

/// Calls f(key, words, record) for the records of all tables of a family.
template <class F>
void for_each_entries(const Op2File& file, std::string_view family, const F& f) {
  for (const Op2Block& block : file.blocks()) {
    if (!is_op2_family(block, family)) continue;
    for (const Op2Record& record : block.records) {
      const Op2Words words(file, record);
      if (words.size() < kKeyWords) continue;
      const EntryKey key = {words.integer(0), words.integer(1), words.integer(2)};
      if (key[0] != kEndOfTable) f(key, words, record);
    }
  }
}

std::int64_t count_rows(const Op2File& file, const Op2Words& words, const Op2Record& record,
                        std::int64_t row_words, const char* what) {
  if ((words.size() - kKeyWords) % row_words != 0)
    fail_op2(file, record.offset,
             fmt::format("{} words are not a whole number of {} of {} words",
                         words.size() - kKeyWords, what, row_words));
  return (words.size() - kKeyWords) / row_words;
}

void require_finite(const Op2File& file, std::size_t offset, double value, const char* what) {
  if (!std::isfinite(value))
    fail_op2(file, offset, fmt::format("a value of {} is not finite", what));
}

// --- coordinate systems ---------------------------------------------------------------------

struct FrameLayout {
  EntryKey key;
  const char* name;
  bool is_by_grids;  // cid, type, 1, three grids; else cid, type, 2, rid, nine reals
};
constexpr FrameLayout kFrames[] = {
    {{1701, 17, 6}, "CORD1C", true},  {{1801, 18, 5}, "CORD1R", true},
    {{1901, 19, 7}, "CORD1S", true},  {{2001, 20, 9}, "CORD2C", false},
    {{2101, 21, 8}, "CORD2R", false}, {{2201, 22, 10}, "CORD2S", false}};

void put_frames(const Op2File& file, BulkText& text, std::set<std::int64_t>& ids) {
  for_each_entries(
      file, "GEOM1", [&](const EntryKey& key, const Op2Words& words, const Op2Record& record) {
        for (const FrameLayout& layout : kFrames) {
          if (layout.key != key) continue;
          const int row_words = layout.is_by_grids ? 6 : 13;
          const std::int64_t n = count_rows(file, words, record, row_words, layout.name);
          for (std::int64_t i = 0, at = kKeyWords; i < n; ++i, at += row_words) {
            if (!ids.insert(words.integer(at)).second) continue;
            text.entry(layout.name).integer(words.integer(at));
            for (int word = 3; word < row_words; ++word) {
              if (layout.is_by_grids || word == 3)
                text.integer(words.integer(at + word));
              else
                text.real(words.real(at + word));
            }
          }
        }
      });
}

/// One system of CSTM: origin, and axes as columns, in basic coordinates.
void put_frame(const Op2File& file, std::size_t offset, std::int64_t id, std::int64_t type,
               const std::array<double, 12>& values, BulkText& text) {
  const Eigen::Vector3d origin(values[0], values[1], values[2]);
  Eigen::Matrix3d R;
  for (std::size_t i = 0; i < 9; ++i)
    R(static_cast<Eigen::Index>(i / 3), static_cast<Eigen::Index>(i % 3)) = values[3 + i];
  const bool is_rotation = origin.allFinite() && R.allFinite() &&
                           (R.transpose() * R).isIdentity(1e-4) && R.determinant() > 0.0;
  if (type < 1 || type > 3 || !is_rotation)
    fail_op2(file, offset,
             fmt::format("coordinate system {} in CSTM has the type {} or no right-handed axes", id,
                         type));
  const char* names[] = {"CORD2R", "CORD2C", "CORD2S"};
  text.entry(names[type - 1]).integer(id).integer(0);
  for (const Eigen::Vector3d& point :
       {origin, Eigen::Vector3d(origin + R.col(2)), Eigen::Vector3d(origin + R.col(0))})
    for (double coordinate : point) text.real(coordinate);
}

/// CSTM, for systems that GEOM1 does not define: rows of 14 words (number, type, 12 reals), or
/// rows of 4 integers of which the last points into a second record of doubles.
void put_transformations(const Op2File& file, BulkText& text, std::set<std::int64_t>& ids) {
  for (const Op2Block& block : file.blocks()) {
    if (!is_op2_family(block, "CSTM") || block.records.empty()) continue;
    const Op2Record& record = block.records.front();
    const Op2Words words(file, record);
    const bool has_doubles = block.records.size() > 1;
    const Op2Words doubles(file, block.records.back());
    const std::int64_t double_words = file.word_bytes() == 8 ? 1 : 2;
    const std::int64_t row_words = has_doubles ? 4 : 14;
    for (std::int64_t at = 0; at + row_words <= words.size(); at += row_words) {
      if (!ids.insert(words.integer(at)).second) continue;
      const std::int64_t first = has_doubles ? words.integer(at + 3) - 1 : 0;
      if (first < 0 || first > doubles.size() || (first + 12) * double_words > doubles.size())
        if (has_doubles)
          fail_op2(file, record.offset,
                   fmt::format("CSTM assigns to system {} the position {} of {}", words.integer(at),
                               first + 1, doubles.size()));
      std::array<double, 12> values{};
      for (std::int64_t i = 0; i < 12; ++i)
        values[static_cast<std::size_t>(i)] =
            has_doubles ? doubles.real64((first + i) * double_words) : words.real(at + 2 + i);
      put_frame(file, record.offset, words.integer(at), words.integer(at + 1), values, text);
    }
  }
}

// --- grids ----------------------------------------------------------------------------------

/// Writes grids, with the coordinate systems that are known.
struct GridText {
  const Op2File& file;
  BulkText text;
  std::set<std::int64_t> frames;                   ///< that the file defines
  std::map<std::int64_t, std::int64_t> undefined;  ///< systems used as CD, and by how many grids
};

void put_grid(GridText& grids, std::size_t offset, std::int64_t id, std::int64_t cp,
              const std::array<double, 3>& x, std::int64_t cd) {
  grids.text.entry("GRID").integer(id).integer_or_blank(cp);
  for (double coordinate : x) {
    require_finite(grids.file, offset, coordinate, "a grid");
    grids.text.real(coordinate);
  }
  const bool is_defined = cd <= 0 || grids.frames.count(cd) > 0;
  if (!is_defined) ++grids.undefined[cd];
  grids.text.integer_or_blank(is_defined && cd > 0 ? cd : 0);  // -1: a fluid's point
}

/// External numbers in internal order, from EQEXIN's first record; empty when there is none.
std::vector<std::int64_t> internal_order(const Op2File& file) {
  for (const Op2Block& block : file.blocks()) {
    if (!is_op2_family(block, "EQEXIN") || block.records.empty()) continue;
    const Op2Words words(file, block.records.front());
    std::vector<std::int64_t> ids(static_cast<std::size_t>(words.size() / 2), 0);
    for (std::int64_t at = 0; at + 1 < words.size(); at += 2) {
      const std::int64_t place = words.integer(at + 1);
      if (place < 1 || place > words.size() / 2)
        fail_op2(file, block.records.front().offset,
                 fmt::format("EQEXIN assigns to point {} the position {} of {}", words.integer(at),
                             place, words.size() / 2));
      ids[static_cast<std::size_t>(place - 1)] = words.integer(at);
    }
    return ids;
  }
  return {};
}

/// Rows (cd, x, y, z) in internal order; cd = -1 is a scalar point.
bool put_short_bgpdt(const Op2Words& words, std::size_t offset, GridText& grids) {
  const auto ids = internal_order(grids.file);
  if (static_cast<std::int64_t>(ids.size()) * 4 != words.size()) return false;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::int64_t at = static_cast<std::int64_t>(i) * 4, cd = words.integer(at);
    if (cd < 0) continue;
    put_grid(grids, offset, ids[i], 0, {words.real(at + 1), words.real(at + 2), words.real(at + 3)},
             cd);
  }
  return true;
}

/// Rows (cd, SIL, external number, code, ps, 0, x, y, z) with doubles; code 61 is a grid.
void put_long_bgpdt(const Op2Words& words, std::int64_t row_words, std::size_t offset,
                    GridText& grids) {
  constexpr std::int64_t kGrid = 61, kCode = 3, kId = 2, kX = 6;
  const std::int64_t double_words = (row_words - kX) / 3;
  for (std::int64_t at = 0; at + row_words <= words.size(); at += row_words) {
    if (words.integer(at + kCode) != kGrid) continue;
    put_grid(grids, offset, words.integer(at + kId), 0,
             {words.real64(at + kX), words.real64(at + kX + double_words),
              words.real64(at + kX + 2 * double_words)},
             words.integer(at));
  }
}

/// False when there is no BGPDT that can be understood.
bool put_bgpdt(GridText& grids) {
  const Op2File& file = grids.file;
  for (const Op2Block& block : file.blocks()) {
    if (!is_op2_family(block, "BGPDT") || block.records.empty()) continue;
    const Op2Record& record = block.records.front();
    const Op2Words words(file, record);
    const std::int64_t n_points = block.trailer[1];
    const std::int64_t row_words =
        n_points > 0 && words.size() % n_points == 0 ? words.size() / n_points : 0;
    if (row_words == 4) return put_short_bgpdt(words, record.offset, grids);
    if (row_words != (file.word_bytes() == 4 ? 12 : 9)) continue;
    put_long_bgpdt(words, row_words, record.offset, grids);
    return true;
  }
  return false;
}

/// Entries GRID: id, cp, x, y, z, cd, ps, seid; with words of 4 bytes the coordinates may be
/// doubles, as the third word of the key states.
void put_geom1(GridText& grids) {
  const Op2File& file = grids.file;
  for_each_entries(file, "GEOM1",
                   [&](const EntryKey& key, const Op2Words& words, const Op2Record& record) {
                     if (key[0] != 4501 || key[1] != 45) return;
                     const bool has_doubles = file.word_bytes() == 4 && key[2] != 1;
                     const int row_words = has_doubles ? 11 : 8, x_words = has_doubles ? 2 : 1;
                     const std::int64_t n = count_rows(file, words, record, row_words, "GRID");
                     for (std::int64_t i = 0, at = kKeyWords; i < n; ++i, at += row_words) {
                       std::array<double, 3> x{};
                       for (int c = 0; c < 3; ++c)
                         x[static_cast<std::size_t>(c)] =
                             has_doubles ? words.real64(at + 2 + 2 * c) : words.real(at + 2 + c);
                       put_grid(grids, record.offset, words.integer(at), words.integer(at + 1), x,
                                words.integer(at + 2 + 3 * x_words));
                     }
                   });
}

// --- elements, properties, materials ----------------------------------------------------------

struct SolidLayout {
  EntryKey key;
  const char* name;
  int n_grids;
};
constexpr SolidLayout kSolids[] = {{{5508, 55, 217}, "CTETRA", 10},
                                   {{4108, 41, 280}, "CPENTA", 15},
                                   {{7308, 73, 253}, "CHEXA", 20}};

bool put_solids(const Op2File& file, const EntryKey& key, const Op2Words& words,
                const Op2Record& record, BulkText& text) {
  const auto layout = std::find_if(std::begin(kSolids), std::end(kSolids),
                                   [&](const SolidLayout& l) { return l.key == key; });
  if (layout == std::end(kSolids)) return false;
  const int row_words = 2 + layout->n_grids;
  const std::int64_t n = count_rows(file, words, record, row_words, layout->name);
  for (std::int64_t i = 0, at = kKeyWords; i < n; ++i, at += row_words) {
    text.entry(layout->name);
    int n_fields = row_words;
    while (n_fields > 2 && words.integer(at + n_fields - 1) == 0) --n_fields;
    for (int word = 0; word < n_fields; ++word) text.integer_or_blank(words.integer(at + word));
  }
  return true;
}

bool put_point_masses(const Op2File& file, const EntryKey& key, const Op2Words& words,
                      const Op2Record& record, BulkText& text) {
  constexpr int kRow = 13;  // eid, grid, cid, mass, offset, inertia
  if (key != EntryKey{1501, 15, 64}) return false;
  const std::int64_t n = count_rows(file, words, record, kRow, "CONM2");
  for (std::int64_t i = 0, at = kKeyWords; i < n; ++i, at += kRow) {
    text.entry("CONM2").integer(words.integer(at)).integer(words.integer(at + 1));
    text.integer_or_blank(words.integer(at + 2));
    for (int word = 3; word < kRow; ++word) {
      require_finite(file, record.offset, words.real(at + word), "CONM2");
      if (word == 7) text.blank();
      text.real(words.real(at + word));
    }
  }
  return true;
}

bool put_properties(const Op2File& file, const EntryKey& key, const Op2Words& words,
                    const Op2Record& record, BulkText& text) {
  constexpr int kRow = 7;  // pid, mid, cordm, in, stress, isop, fctn
  if (key != EntryKey{2402, 24, 281}) return false;
  const std::int64_t n = count_rows(file, words, record, kRow, "PSOLID");
  for (std::int64_t i = 0, at = kKeyWords; i < n; ++i, at += kRow) {
    text.entry("PSOLID").integer(words.integer(at)).integer(words.integer(at + 1)).blank();
    text.integer_or_blank(words.integer(at + 3)).blank().integer_or_blank(words.integer(at + 5));
    const std::string function = words.text(at + 6);
    if (function == "PFLU" || function == "FFLU")
      text.word(function == "PFLU" ? "PFLUID" : "FFLUID");
  }
  return true;
}

bool put_materials(const Op2File& file, const EntryKey& key, const Op2Words& words,
                   const Op2Record& record, BulkText& text) {
  constexpr int kRow = 12;  // mid, e, g, nu, rho, ..
  if (key != EntryKey{103, 1, 77}) return false;
  const std::int64_t n = count_rows(file, words, record, kRow, "MAT1");
  for (std::int64_t i = 0, at = kKeyWords; i < n; ++i, at += kRow) {
    const double e = words.real(at + 1), g = words.real(at + 2), nu = words.real(at + 3);
    for (int word = 1; word < 5; ++word)
      require_finite(file, record.offset, words.real(at + word), "MAT1");
    // Nastran has filled in the third of E, G, nu; G follows from the other two
    text.entry("MAT1").integer(words.integer(at));
    if (e != 0.0) {
      text.real(e).blank().real(nu);
    } else {
      text.blank().real(g).real(nu);
    }
    text.real(words.real(at + 4));
  }
  return true;
}

}  // namespace

std::string op2_grids_as_bulk(const Op2File& file, imported::ImportReport& report) {
  BulkText frames;
  GridText grids{file, {}, {}, {}};
  put_frames(file, frames, grids.frames);
  put_transformations(file, frames, grids.frames);
  if (!put_bgpdt(grids)) put_geom1(grids);
  std::string text = grids.text.finish();
  if (text.empty()) return text;
  for (const auto& [cd, n] : grids.undefined)
    report.warnings.push_back(
        {{file.name(), 0, 0},
         fmt::format(
             "{} grids have the output coordinate system {}, which the file does not define", n,
             cd),
         "give the bulk data file too: components at these grids are not in the basic system"});
  return frames.finish() + text;
}

std::string op2_elements_as_bulk(const Op2File& file, imported::ImportReport& report) {
  BulkText text;
  for (const char* family : {"GEOM2", "EPT", "MPT"})
    for_each_entries(
        file, family, [&](const EntryKey& key, const Op2Words& words, const Op2Record& record) {
          if (!put_solids(file, key, words, record, text) &&
              !put_point_masses(file, key, words, record, text) &&
              !put_properties(file, key, words, record, text) &&
              !put_materials(file, key, words, record, text) && words.size() > kKeyWords)
            ++report.skipped[fmt::format("{} ({},{},{})", family, key[0], key[1], key[2])];
        });
  return text.finish();
}

}  // namespace solidyn::formats
