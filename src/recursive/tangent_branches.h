#pragma once
#include "recursive/branch_numbers.h"

namespace solidyn::recursive {

/// What TangentSweep needs of branches that ranks take from each other.
struct TangentBranches {
  explicit TangentBranches(BranchExchange& exchange)
      : exchange(exchange), branches(exchange.shares().branches) {}

  /// Own branches, the last one first: visit(place among all, branch).
  template <class Visit>
  void visit_own_backwards(Visit&& visit) const {
    const std::vector<int>& own = exchange.own_indices();
    for (std::size_t j = own.size(); j-- > 0;) visit(own[j], branches[own[j]]);
  }
  /// Links of the trunk, and the first ones of branches that hang on it, the last one first:
  /// visit(link, place of the branch; -1: it is of the trunk).
  template <class Visit>
  void visit_knots_backwards(Visit&& visit) const {
    const std::vector<BranchExchange::Knot>& knots = exchange.knots();
    for (std::size_t j = knots.size(); j-- > 0;) visit(knots[j].link, knots[j].branch);
  }

  BranchExchange& exchange;
  const std::vector<BranchShares::Branch>& branches;
  /// Of each branch where its elimination failed (-1: nowhere), and what its first link passes on.
  BranchNumbers elimination;
  BranchNumbers forces;    ///< of a solution, what the first link passes on
  BranchNumbers solution;  ///< increments, and variations of links that all ranks ask for
  std::vector<std::vector<int>> told;  ///< of each branch these links
};

}  // namespace solidyn::recursive
