#pragma once
#include <set>

#include "formats/nastran/bulk/grids.h"
#include "formats/nastran/lines/deck.h"

namespace solidyn::formats {

/// Numbers and ranges of numbers (5 THRU 9), as sets and constraints list them; a range names only
/// what there is of it. Never as long as a range. Private to the Nastran readers.
class NastranIds {
 public:
  void add(std::int32_t id) { ranges_.push_back({id, id, false}); }
  void add(std::int32_t first, std::int32_t last) { ranges_.push_back({first, last, true}); }
  void add(const NastranIds& other);
  void exclude(std::int32_t id) { excluded_.push_back(id); }
  /// Fields i.. of a card: numbers, n1 THRU n2, EXCEPT n..
  void add(const NastranCard& card, int i);

  bool empty() const { return ranges_.empty(); }
  /// Those of `sorted` (rising) that are meant, rising.
  std::vector<std::int64_t> among(const std::vector<std::int64_t>& sorted) const;
  /// Those named one by one that are not in `sorted`.
  std::vector<std::int64_t> missing(const std::vector<std::int64_t>& sorted) const;

 private:
  struct Range {
    std::int32_t first, last;
    bool is_thru;
  };
  std::vector<Range> ranges_;
  std::vector<std::int32_t> excluded_;
};

/// Sets of grids or elements: SET1, SET3 and those of case control.
class NastranSets {
 public:
  /// Takes SET1 and SET3; false for any other entry.
  bool add(const NastranCard& card);
  /// SET n = .., and what the output requests reveal about the kind of the sets.
  void add(const std::vector<NastranDeck::CaseLine>& case_control, const LineNumbers& lines,
           imported::ImportReport& report);

  enum class Kind { unknown, grids, elements };
  struct Set {
    std::string name;  ///< "SET 5"
    std::string card;  ///< "SET", "SET1", "SET3"
    std::int64_t id = 0;
    Kind kind = Kind::unknown;
    NastranIds ids;
    base::SourceLocation where;
  };
  const std::vector<Set>& sets() const { return sets_; }

 private:
  std::vector<Set> sets_;
};

/// Constraint sets that case control selects, in whichever subcase: SPC = n.
std::set<std::int32_t> selected_constraints(const std::vector<NastranDeck::CaseLine>& lines);

}  // namespace solidyn::formats
