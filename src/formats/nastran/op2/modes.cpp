#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "formats/nastran/op2/grids.h"
#include "formats/nastran/op2/words.h"
#include "solidyn/base/error.h"
#include "solidyn/formats/nastran/op2/op2.h"

namespace solidyn::formats {
namespace {

using imported::ImportedMode;
using imported::ModalData;

// Words of the record before each table of results, from 0.
constexpr int kApproach = 0, kTableCode = 1, kSubcase = 3, kMode = 4, kEigenvalue = 5,
              kImaginary = 6, kFormat = 8, kWordsPerPoint = 9, kLeastIdent = 10;
constexpr int kReal = 2, kComplex = 9;  // approaches that give eigenvectors
constexpr int kMostApproaches = 12;
constexpr int kDisplacement = 1, kEigenvector = 7;  // table codes
constexpr int kMagnitudePhase = 3;                  // format
constexpr int kGridPoint = 1;                       // type of a row
constexpr int kRealWords = 8, kComplexWords = 14;   // of a row

/// Two records: what the table is, and its rows.
struct ModeTable {
  const Op2Block* block = nullptr;
  const Op2Record *ident = nullptr, *data = nullptr;
  int approach = 0, subcase = 0, mode = 0, n_words = 0;
  double eigenvalue = 0.0, imaginary = 0.0;
  bool has_phases = false;

  bool is_of_same_group(const ModeTable& other) const {
    return block == other.block && approach == other.approach && subcase == other.subcase;
  }
};

bool may_hold_vectors(const Op2Block& block) {
  if (block.is_matrix()) return false;
  for (const std::string& name : {block.name, block.header_name}) {
    const std::size_t start = !name.empty() && (name[0] == 'B' || name[0] == 'R') ? 1 : 0;
    if (name.compare(start, 3, "OUG") == 0 || name.compare(start, 4, "OPHI") == 0) return true;
  }
  return false;
}

bool is_in_basic_axes(const Op2Block& block) {
  return block.name[0] == 'B' || (!block.header_name.empty() && block.header_name[0] == 'B');
}

/// Whether a record begins a table of results of modes, whichever they are.
bool is_of_modes(const Op2File& file, const Op2Record& record) {
  const Op2Words ident(file, record);
  if (ident.size() < kLeastIdent) return false;
  const std::int64_t approach = ident.integer(kApproach) / 10;
  return approach == kReal || approach == kComplex;
}

/// False when the two records are no eigenvector.
bool read_ident(const Op2File& file, const Op2Block& block, std::size_t record, ModeTable& table) {
  const Op2Words ident(file, block.records[record]);
  if (ident.size() < kLeastIdent) return false;
  const std::int64_t approach = ident.integer(kApproach) / 10, code = ident.integer(kTableCode);
  if (approach < 1 || approach > kMostApproaches)
    fail_op2(file, block.records[record].offset,
             fmt::format("block {} contains results of approach code {}; expected 1 to {}",
                         block.name, approach, kMostApproaches));
  if ((approach != kReal && approach != kComplex) ||
      (code % 1000 != kEigenvector && code % 1000 != kDisplacement))
    return false;
  if (code / 1000 % 4 >= 2)  // 0: real, 1: complex, then the same sorted by points
    fail_op2(
        file, block.records[record].offset,
        fmt::format("block {} is sorted by points (SORT2); modes must be sorted by mode (SORT1)",
                    block.name));
  table = {&block,
           &block.records[record],
           &block.records[record + 1],
           static_cast<int>(approach),
           static_cast<int>(ident.integer(kSubcase)),
           static_cast<int>(ident.integer(kMode)),
           static_cast<int>(ident.integer(kWordsPerPoint)),
           ident.real(kEigenvalue),
           approach == kComplex ? ident.real(kImaginary) : 0.0,
           ident.integer(kFormat) == kMagnitudePhase};
  return true;
}

std::vector<ModeTable> find_tables(const Op2File& file) {
  std::vector<ModeTable> tables;
  for (const Op2Block& block : file.blocks()) {
    if (!may_hold_vectors(block)) continue;
    const std::size_t n_before = tables.size();
    const Op2Record* other = nullptr;
    for (std::size_t record = 0; record + 1 < block.records.size(); record += 2) {
      ModeTable table;
      if (read_ident(file, block, record, table))
        tables.push_back(table);
      else if (is_of_modes(file, block.records[record]))
        other = &block.records[record];
    }
    if (other && tables.size() > n_before)
      fail_op2(file, other->offset,
               fmt::format("block {} contains eigenvectors, and a table that is not one of modes",
                           block.name));
  }
  return tables;
}

void refuse_repeated_modes(const Op2File& file, const std::vector<ModeTable>& tables) {
  std::set<int> numbers;
  for (const ModeTable& table : tables)
    if (!numbers.insert(table.mode).second)
      fail_op2(file, table.ident->offset,
               fmt::format("mode {} of subcase {} is defined twice", table.mode, table.subcase));
}

/// Those of the wanted subcase, of the first block that has some; others are named.
std::vector<ModeTable> choose(const Op2File& file, const std::vector<ModeTable>& tables,
                              int subcase, imported::ImportReport& report) {
  const auto first = std::find_if(tables.begin(), tables.end(), [&](const ModeTable& table) {
    return subcase == 0 || table.subcase == subcase;
  });
  if (first == tables.end())
    throw base::InputError(fmt::format("the file contains no eigenvectors of subcase {}", subcase),
                           fmt::format("it contains those of subcase {}", tables.front().subcase),
                           {file.name(), 0, 0});
  std::vector<ModeTable> chosen;
  std::vector<std::string> others;
  for (const ModeTable& table : tables) {
    if (table.is_of_same_group(*first)) {
      chosen.push_back(table);
      continue;
    }
    const std::string other =
        fmt::format("subcase {} in block {}", table.subcase, table.block->name);
    if (others.empty() || others.back() != other) others.push_back(other);
  }
  refuse_repeated_modes(file, chosen);
  if (others.size() > 10) others.resize(10);
  if (!others.empty())
    report.warnings.push_back(
        {{file.name(), 0, 0},
         fmt::format("modes of subcase {} in block {} are used; others available: {}",
                     first->subcase, first->block->name, fmt::join(others, ", ")),
         "choose another subcase if necessary"});
  return chosen;
}

[[noreturn]] void refuse_without_modes(const Op2File& file) {
  std::vector<std::string> names;
  for (const Op2Block& block : file.blocks())
    if (names.size() < 20) names.push_back(block.name);
  throw base::InputError(
      fmt::format("the file contains no eigenvectors; its blocks are {}", fmt::join(names, ", ")),
      "request DISPLACEMENT(PLOT)=ALL or VECTOR(PLOT)=ALL in SOL 103, with PARAM,POST,-1",
      {file.name(), 0, 0});
}

/// Fills the vectors of all modes.
class VectorReader {
 public:
  VectorReader(const Op2File& file, const std::vector<ModeTable>& tables, ModalData& modes)
      : file_(file), tables_(tables), modes_(modes) {}

  void read() {
    check_sizes();
    take_points();
    allocate();
    for (std::size_t mode = 0; mode < tables_.size(); ++mode)
      read_mode(tables_[mode], static_cast<Eigen::Index>(mode));
  }

 private:
  /// Before anything is allocated: all modes have the rows of the first.
  void check_sizes() const {
    for (const ModeTable& table : tables_) {
      const ModeTable& first = tables_.front();
      if (table.n_words != kRealWords && table.n_words != kComplexWords)
        fail_op2(file_, table.ident->offset,
                 fmt::format("rows of mode {} have {} words; expected 8 (real) or 14 (complex)",
                             table.mode, table.n_words));
      if ((table.approach == kComplex) != (table.n_words == kComplexWords))
        fail_op2(file_, table.ident->offset,
                 fmt::format("mode {} is {}, but its rows have {} words", table.mode,
                             table.approach == kComplex ? "complex" : "real", table.n_words));
      if (table.data->n_bytes != first.data->n_bytes || table.n_words != first.n_words)
        fail_op2(file_, table.data->offset,
                 fmt::format("mode {} has different points than mode {}", table.mode, first.mode));
      const auto row_bytes =
          static_cast<std::size_t>(table.n_words) * static_cast<std::size_t>(file_.word_bytes());
      if (table.data->n_bytes % row_bytes != 0)
        fail_op2(file_, table.data->offset,
                 fmt::format("{} bytes are not a whole number of rows", table.data->n_bytes));
    }
  }

  void take_points() {
    const ModeTable& first = tables_.front();
    const Op2Words words(file_, *first.data);
    for (std::int64_t at = 0; at < words.size(); at += first.n_words) {
      const std::int64_t point = words.integer(at) / 10;  // the rest is the output device
      const bool is_grid = words.integer(at + 1) == kGridPoint;
      points_.push_back({words.integer(at), words.integer(at + 1)});
      if (is_grid)
        modes_.node_tags.push_back(point);
      else
        ++modes_.report.skipped["scalar points"];
    }
    check_unique(first);
  }

  void check_unique(const ModeTable& first) const {
    auto tags = modes_.node_tags;
    std::sort(tags.begin(), tags.end());
    const auto twice = std::adjacent_find(tags.begin(), tags.end());
    if (twice != tags.end() || (!tags.empty() && tags.front() < 1))
      fail_op2(file_, first.data->offset,
               fmt::format("grid {} appears twice in mode {}, or has an invalid number",
                           twice != tags.end() ? *twice : tags.front(), first.mode));
  }

  void allocate() {
    const auto rows = 3 * static_cast<Eigen::Index>(modes_.node_tags.size());
    const auto columns = static_cast<Eigen::Index>(tables_.size());
    modes_.translations.setZero(rows, columns);
    modes_.rotations.setZero(rows, columns);
    modes_.is_complex = tables_.front().n_words == kComplexWords;
    if (!modes_.is_complex) return;
    modes_.imaginary_translations.setZero(rows, columns);
    modes_.imaginary_rotations.setZero(rows, columns);
  }

  void read_mode(const ModeTable& table, Eigen::Index mode) {
    const Op2Words words(file_, *table.data);
    Eigen::Index node = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const std::int64_t at = static_cast<std::int64_t>(i) * table.n_words;
      if (words.integer(at) != points_[i].id || words.integer(at + 1) != points_[i].type)
        fail_op2(file_, table.data->offset,
                 fmt::format("mode {} has a different point in row {} than the first mode",
                             table.mode, i + 1));
      if (points_[i].type != kGridPoint) continue;
      for (int c = 0; c < 6; ++c)
        take_component(table, words, at + 2 + c, 3 * node + c % 3, c, mode);
      ++node;
    }
  }

  void take_component(const ModeTable& table, const Op2Words& words, std::int64_t at,
                      Eigen::Index row, int component, Eigen::Index mode) {
    double real = words.real(at), imaginary = modes_.is_complex ? words.real(at + 6) : 0.0;
    if (!std::isfinite(real) || !std::isfinite(imaginary))
      fail_op2(file_, table.data->offset,
               fmt::format("component {} of grid {} in mode {} is not finite", component + 1,
                           modes_.node_tags[static_cast<std::size_t>(row / 3)], table.mode));
    if (modes_.is_complex && table.has_phases) {
      const double phase = imaginary * std::acos(-1.0) / 180.0;
      imaginary = real * std::sin(phase);
      real *= std::cos(phase);
    }
    (component < 3 ? modes_.translations : modes_.rotations)(row, mode) = real;
    if (modes_.is_complex)
      (component < 3 ? modes_.imaginary_translations : modes_.imaginary_rotations)(row, mode) =
          imaginary;
  }

  struct Point {
    std::int64_t id = 0, type = 0;
  };
  const Op2File& file_;
  const std::vector<ModeTable>& tables_;
  ModalData& modes_;
  std::vector<Point> points_;
};

void drop_zero_rotations(ModalData& modes) {
  if (!modes.rotations.isZero(0.0) || !modes.imaginary_rotations.isZero(0.0)) return;
  const Eigen::Index n_modes = modes.rotations.cols();
  modes.rotations.resize(0, n_modes);
  if (modes.is_complex) modes.imaginary_rotations.resize(0, n_modes);
}

/// Numbers of one mode that stand in two places; those of rigid modes are roundoff.
bool differ(double a, double b) {
  constexpr double kDigits = 1e-4, kRigid = 1.0;
  return !(std::abs(a - b) <= kDigits * std::max(std::abs(a), std::abs(b)) + kRigid);
}

/// Rows of the table of real eigenvalues: mode, order, eigenvalue, rad/s, Hz, mass, stiffness.
void take_eigenvalues(const Op2File& file, int subcase, ModalData& modes) {
  constexpr int kRow = 7, kRowEigenvalue = 2, kRowMass = 5;
  for (const Op2Block& block : file.blocks()) {
    if (!is_op2_family(block, "LAMA")) continue;
    for (std::size_t record = 0; record + 1 < block.records.size(); record += 2) {
      const Op2Words ident(file, block.records[record]), rows(file, block.records[record + 1]);
      const bool is_wanted = ident.size() > kSubcase &&
                             (ident.integer(kSubcase) == subcase || ident.integer(kSubcase) == 0);
      if (!is_wanted || rows.size() % kRow != 0) continue;
      std::map<std::int64_t, std::int64_t> row_of_mode;
      for (std::int64_t at = 0; at < rows.size(); at += kRow)
        if (!row_of_mode.emplace(rows.integer(at), at).second)
          fail_op2(file, block.records[record + 1].offset,
                   fmt::format("mode {} appears twice in LAMA", rows.integer(at)));
      for (ImportedMode& mode : modes.modes) {
        const auto row = row_of_mode.find(mode.number);
        if (row == row_of_mode.end()) continue;
        const double eigenvalue = rows.real(row->second + kRowEigenvalue);
        if (differ(eigenvalue, mode.eigenvalue))
          fail_op2(file, block.records[record + 1].offset,
                   fmt::format("mode {} has the eigenvalue {:g} in LAMA and {:g} before its vector",
                               mode.number, eigenvalue, mode.eigenvalue));
        mode.eigenvalue = eigenvalue;
        mode.generalized_mass = rows.real(row->second + kRowMass);
        if (!std::isfinite(mode.eigenvalue) || !std::isfinite(mode.generalized_mass))
          fail_op2(file, block.records[record + 1].offset,
                   fmt::format("a value of mode {} in LAMA is not finite", mode.number));
      }
      return;
    }
  }
}

void take_coordinates(const Op2File& file, ModalData& modes) {
  Op2Grids grids(file, modes.report);
  if (grids.empty()) return;
  modes.x.resize(3, static_cast<Eigen::Index>(modes.node_tags.size()));
  for (std::size_t i = 0; i < modes.node_tags.size(); ++i) {
    const auto x = grids.find(modes.node_tags[i]);
    if (!x) {
      modes.report.warnings.push_back(
          {{file.name(), 0, 0},
           fmt::format(
               "grid {} of the eigenvectors is not among the grids of the file: its coordinates are ignored",
               modes.node_tags[i]),
           "give the bulk data file too"});
      modes.x.resize(3, 0);
      break;
    }
    modes.x.col(static_cast<Eigen::Index>(i)) = *x;
  }
  if (!modes.has_basic_axes) modes.node_axes = grids.axes();
}

}  // namespace

bool has_op2_modes(const Op2File& file) { return !find_tables(file).empty(); }

ModalData read_op2_modes(const Op2File& file, int subcase) {
  const auto all = find_tables(file);
  if (all.empty()) refuse_without_modes(file);
  ModalData modes;
  modes.source = file.name();
  modes.format = "Nastran OP2";
  const auto tables = choose(file, all, subcase, modes.report);
  modes.has_basic_axes = is_in_basic_axes(*tables.front().block);
  VectorReader(file, tables, modes).read();
  drop_zero_rotations(modes);
  modes.modes.reserve(tables.size());
  for (const ModeTable& table : tables) {
    if (!std::isfinite(table.eigenvalue) || !std::isfinite(table.imaginary))
      fail_op2(file, table.ident->offset,
               fmt::format("the eigenvalue of mode {} is not finite", table.mode));
    modes.modes.push_back({table.mode, table.eigenvalue, table.imaginary, 0.0, table.subcase});
  }
  if (!modes.is_complex) take_eigenvalues(file, tables.front().subcase, modes);
  modes.precision = file.word_bytes() == 8 ? std::numeric_limits<double>::epsilon()
                                           : std::numeric_limits<float>::epsilon();
  take_coordinates(file, modes);
  warn_of_open_end(file, modes.report);
  return modes;
}

}  // namespace solidyn::formats
