#pragma once
#include <vector>

#include "solidyn/recursive/tree.h"

namespace solidyn::recursive {

/// Where the sweeps solve for the multipliers of closures. The rows of a closure go inwards with
/// the links that they are about until one carries all of these; behind its hinge nothing further
/// inwards is needed to find their multipliers, and they end there. Loops that are local then cost
/// as much each, however many there are. Rows that see the ground end there.
///
/// What ends behind the same hinge is solved for in groups, those with fewest neighbours first;
/// `coupled` are the closures that end later and that the group's equations have in them. Rows that
/// are looked at, and satisfied by nothing, go to the ground and end nowhere: what all others leave
/// of their mobility is what the system has there.
/// Local. Proved by ClosureOrder.*
class ClosureOrder {
 public:
  struct Closure {
    std::vector<int> links;
    bool sees_ground = false;
    bool is_looked_at = false;  ///< its rows are no equations
  };
  struct Group {
    std::vector<int> closures, coupled;
    std::vector<int> inside, beside, between;  ///< blocks: closures x closures, closures x coupled,
                                               ///< coupled x coupled
  };

  ClosureOrder(const std::vector<Link>& links, const std::vector<Closure>& closures);

  /// Closures whose rows go through the hinge of a link, in the order in which they end.
  const std::vector<int>& through(int link) const { return through_[link]; }
  /// Blocks of all pairs of them, [n x n] by rows.
  const std::vector<int>& pairs(int link) const { return pairs_[link]; }
  /// Groups that end behind the hinge of a link, from first to last; of the ground `link` is -1.
  int first_group(int link) const { return ends_[link + 1].first; }
  int last_group(int link) const { return ends_[link + 1].second; }
  const std::vector<Group>& groups() const { return groups_; }
  /// Whether the rows of a closure end behind the hinge of this link.
  bool ends_at(int closure, int link) const { return end_of_[closure] == link; }

  /// Pairs of closures that have something in common, the one that ends first first.
  const std::vector<std::pair<int, int>>& blocks() const { return blocks_; }
  /// Whether `a` comes before `b` in that order.
  bool is_before(int a, int b) const { return place_[a] < place_[b]; }

 private:
  void find_groups(int link, std::vector<std::vector<int>>& neighbours);

  std::vector<std::vector<int>> through_, pairs_;
  std::vector<std::pair<int, int>> ends_;  // by link + 1
  std::vector<Group> groups_;
  std::vector<int> end_of_, place_;
  int n_placed_ = 0;
  std::vector<std::vector<int>> ending_;  // closures, by link + 1
  std::vector<std::pair<int, int>> blocks_;
};

/// The rows of closures where the sweeps have them.
struct ClosureRows {
  struct AtLink {  ///< those through its hinge
    std::vector<int> rows;
    std::vector<int> of_parent;  ///< place among the rows of the parent; -1: there is none
    std::vector<char> goes_on;   ///< does not end behind the hinge
  };
  struct OfGroup {
    std::vector<int> rows, coupled;
    std::vector<int> places, coupled_places;  ///< of these among the rows at the link
  };
  std::vector<AtLink> links;
  std::vector<OfGroup> groups;
  std::vector<int> first;  ///< row of each closure, then their number

  ClosureRows() = default;
  /// @param n_rows  of each closure
  ClosureRows(const std::vector<Link>& links, const ClosureOrder& order,
              const std::vector<int>& n_rows);
  int size() const { return first.back(); }
  int size_of(int closure) const { return first[closure + 1] - first[closure]; }
  std::vector<int> of(const std::vector<int>& closures) const;
  /// Calls each(block, first row, first column, whether it is the transposed block) for all pairs
  /// of two lists of closures, whose blocks are `ids`.
  template <class Each>
  void for_each_block(const ClosureOrder& order, const std::vector<int>& ids,
                      const std::vector<int>& rows, const std::vector<int>& columns,
                      const Each& each) const {
    std::size_t id = 0;
    int row = 0;
    for (const int i : rows) {
      int column = 0;
      for (const int j : columns) {
        each(ids[id], row, column, order.blocks()[ids[id]].first != i);
        ++id;
        column += size_of(j);
      }
      row += size_of(i);
    }
  }
};

}  // namespace solidyn::recursive
