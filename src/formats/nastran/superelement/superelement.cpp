#include "solidyn/formats/nastran/superelement/superelement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <set>

#include "formats/nastran/bulk/grids.h"
#include "formats/nastran/lines/deck.h"
#include "formats/shared/file_bytes.h"
#include "formats/shared/import_bytes.h"
#include "solidyn/formats/nastran/op4/op4.h"

namespace solidyn::formats {
namespace {

using imported::Dof;

constexpr std::size_t kMostListed = 10;
constexpr std::int64_t kMostInRanges = 1000000;  // a line of text can name 2^31

/// The rows of a point: its components, or "" for a scalar point.
struct PointRows {
  std::int64_t point = 0;
  std::string components;
};

/// The same of points from `first` to `last`.
struct RangeRows {
  std::int64_t first = 0, last = 0;
  std::string components;
  int line = 0;
};

/// What one bulk data file says of a superelement.
class SuperelementDeck {
 public:
  SuperelementDeck(const NamedBytes& file, imported::ImportReport& report)
      : name_(file.name), deck_(NastranSource{file.name, {}, file.bytes}, refuse_include) {
    Complaints complaints;
    for (bool is_at_end = false; !is_at_end;) {
      try {
        NastranCard card;
        is_at_end = !deck_.next(card);
        if (!is_at_end) take(card, report);
      } catch (const base::InputError& error) {
        complaints.add(error);
      }
    }
    grids_.finish(deck_.lines(), complaints, report);
    if (deck_.n_bulk_sections() > 1)
      complaints.add({{name_, 0, 0},
                      "the file contains several BEGIN sections, of several superelements",
                      "keep only the superelement that you need"});
    complaints.throw_if_any();
  }

  const std::vector<PointRows>& extrn() const { return extrn_; }
  bool has_sets() const { return !sets_.empty(); }
  /// The rows of ASET, BSET, CSET and QSET, one by one.
  std::vector<PointRows> sets() const {
    std::vector<PointRows> rows;
    std::int64_t n_in_ranges = 0;
    for (const RangeRows& range : sets_) {
      if (range.last > range.first) n_in_ranges += range.last - range.first + 1;
      if (n_in_ranges > kMostInRanges)
        throw base::InputError(fmt::format("ranges contain more than {} points", kMostInRanges),
                               "list only the points of the superelement", {name_, range.line, 0});
      for (std::int64_t point = range.first; point <= range.last; ++point)
        rows.push_back({point, range.components});
    }
    return rows;
  }
  const std::string& name() const { return name_; }

  /// Places a grid and gives it its axes; false when the file does not have it.
  bool place(std::int64_t tag, imported::MatrixModel& model) {
    const std::int32_t grid = grids_.find(tag);
    if (grid < 0) return false;
    model.nodes.emplace(tag, grids_.x(grid));
    return true;
  }
  void add_axes(imported::MatrixModel& model) {
    Complaints complaints;
    grids_.for_each_axes(
        [&](std::int32_t grid, const Eigen::Matrix3d& R) {
          const std::int64_t tag = grids_.tags()[static_cast<std::size_t>(grid)];
          if (model.nodes.count(tag)) model.node_axes.emplace(tag, R);
        },
        complaints);
    complaints.throw_if_any();
  }

 private:
  void take(const NastranCard& card, imported::ImportReport& report) {
    if (grids_.add(card)) return;
    switch (card.key()) {
      case card_key("EXTRN"):
        for_each_pair(card, [&](std::int64_t point, std::string components) {
          extrn_.push_back({point, std::move(components)});
        });
        return;
      case card_key("ASET"):
      case card_key("BSET"):
      case card_key("CSET"):
      case card_key("QSET"):
        for_each_pair(card, [&](std::int64_t point, std::string components) {
          sets_.push_back({point, point, std::move(components), 0});
        });
        return;
      case card_key("ASET1"):
      case card_key("BSET1"):
      case card_key("CSET1"):
      case card_key("QSET1"):
        return take_list(card);
      default:
        ++report.skipped[card.name()];
    }
  }

  template <class Take>
  static void for_each_pair(const NastranCard& card, const Take& take) {
    for (int field = 1; field <= card.n_fields(); field += 2)
      if (!card.is_blank(field)) take(card.label(field), card.components(field + 1));
  }

  void take_list(const NastranCard& card) {
    const std::string components = card.components(1);
    if (card.is_word(3) && card.word(3) == "THRU") {
      const std::int64_t first = card.label(2), last = card.label(4);
      if (last < first)
        card.fail(4, fmt::format("{} THRU {} is not a valid range of points", first, last));
      sets_.push_back({first, last, components, card.where().line});
      return;
    }
    for (int field = 2; field <= card.n_fields(); ++field)
      if (!card.is_blank(field))
        sets_.push_back({card.label(field), card.label(field), components, 0});
  }

  std::string name_;
  NastranDeck deck_;
  NastranGrids grids_;
  std::vector<PointRows> extrn_;
  std::vector<RangeRows> sets_;  // many wide ranges may stand there, which EXTRN makes needless
};

using Decks = std::vector<std::unique_ptr<SuperelementDeck>>;

/// Sorted and joined: an a-set is in the order of its points, which may be named in several
/// entries.
std::vector<PointRows> in_order(std::vector<PointRows> rows) {
  std::stable_sort(rows.begin(), rows.end(),
                   [](const PointRows& a, const PointRows& b) { return a.point < b.point; });
  std::vector<PointRows> joined;
  for (PointRows& row : rows) {
    if (joined.empty() || joined.back().point != row.point) {
      joined.push_back(std::move(row));
      continue;
    }
    std::string& components = joined.back().components;
    components += row.components;
    std::sort(components.begin(), components.end());
    components.erase(std::unique(components.begin(), components.end()), components.end());
  }
  return joined;
}

std::vector<PointRows> find_rows(const Decks& decks, imported::ImportReport& report) {
  for (const auto& deck : decks)
    if (!deck->extrn().empty()) return deck->extrn();
  for (const auto& deck : decks) {
    if (!deck->has_sets()) continue;
    report.warnings.push_back(
        {{deck->name(), 0, 0},
         "there is no EXTRN entry: rows are assumed to be those of ASET, BSET, CSET and QSET in ascending order of their points",
         "give the .pch file of EXTSEOUT(.., EXTBULK) too, if the model was resequenced"});
    return in_order(deck->sets());
  }
  throw base::InputError("no file lists the degrees of freedom of the matrix rows (EXTRN, or ASET)",
                         "give the .pch file written by EXTSEOUT(.., EXTBULK)",
                         {decks.front()->name(), 0, 0});
}

std::vector<Dof> make_dofs(const std::vector<PointRows>& rows, const std::string& file) {
  std::vector<Dof> dofs;
  std::set<std::int64_t> points;
  for (const PointRows& row : rows) {
    if (!points.insert(row.point).second)
      throw base::InputError(fmt::format("point {} is listed twice among the rows", row.point),
                             "list each point once, with all its components", {file, 0, 0});
    if (row.components.empty()) dofs.push_back({row.point, 0});
    for (const char component : row.components) dofs.push_back({row.point, component - '0'});
  }
  return dofs;
}

void place_grids(const Decks& decks, imported::MatrixModel& model) {
  std::vector<std::int64_t> missing;
  for (const Dof& dof : model.dofs) {
    if (dof.component == 0 || model.nodes.count(dof.node)) continue;
    const bool is_placed = std::any_of(
        decks.begin(), decks.end(), [&](const auto& deck) { return deck->place(dof.node, model); });
    if (!is_placed && (missing.empty() || missing.back() != dof.node)) missing.push_back(dof.node);
  }
  if (!missing.empty()) {
    const std::size_t n = missing.size();
    missing.resize(std::min(n, kMostListed));
    throw base::InputError(fmt::format("{} grids of the superelement are not defined: {}{}", n,
                                       fmt::join(missing, ", "), n > kMostListed ? ", .." : ""),
                           "give the file with their GRID entries (.asm or .pch)",
                           {decks.front()->name(), 0, 0});
  }
  for (const auto& deck : decks) deck->add_axes(model);
}

bool is_op4(const std::string& name) {
  const std::string ending = name.size() < 4 ? "" : name.substr(name.size() - 4);
  return ending == ".op4" || ending == ".OP4";
}

}  // namespace

imported::MatrixModel parse_nastran_superelement(const std::vector<NamedBytes>& files) {
  std::vector<imported::Matrix> matrices;
  std::string op4;
  Decks decks;
  imported::ImportReport report;
  for (const NamedBytes& file : files) {
    if (!is_op4(file.name)) {
      decks.push_back(std::make_unique<SuperelementDeck>(file, report));
      warn_of_open_end(ImportBytes(file.bytes, file.name), report);
      continue;
    }
    for (imported::Matrix& matrix : parse_op4(file.bytes, file.name))
      matrices.push_back(std::move(matrix));
    op4 = file.name;
  }
  if (op4.empty() || decks.empty())
    throw base::InputError(
        fmt::format("a superelement needs {}", op4.empty() ? "an .op4 file with its matrices"
                                                           : "a .pch file that lists its rows"),
        "give the .op4 file of EXTSEOUT(.., MATOP4) and the .pch file of EXTBULK",
        {files.empty() ? std::string() : files.front().name, 0, 0});
  const auto rows = find_rows(decks, report);
  auto model = make_matrix_model(std::move(matrices), make_dofs(rows, decks.front()->name()), op4);
  model.format = "Nastran superelement";
  model.report.warnings.insert(model.report.warnings.end(), report.warnings.begin(),
                               report.warnings.end());
  model.report.skipped = std::move(report.skipped);
  place_grids(decks, model);
  return model;
}

imported::MatrixModel read_nastran_superelement(const std::vector<std::string>& paths) {
  std::vector<FileBytes> bytes;
  std::vector<NamedBytes> files;
  bytes.reserve(paths.size());
  files.reserve(paths.size());
  for (const std::string& path : paths) {
    bytes.emplace_back(path);
    files.push_back({bytes.back().bytes(), path});
  }
  return parse_nastran_superelement(files);
}

}  // namespace solidyn::formats
