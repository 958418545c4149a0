#pragma once
#include "recursive/branch_numbers.h"

namespace solidyn::recursive {

/// What TangentSweep needs of branches that ranks take from each other.
struct TangentBranches {
  explicit TangentBranches(BranchExchange& exchange)
      : exchange(exchange), branches(exchange.shares().branches) {}

  BranchExchange& exchange;
  const std::vector<BranchShares::Branch>& branches;
  /// Of each branch where its elimination failed (-1: nowhere), and what its first link passes on.
  BranchNumbers elimination;
  BranchNumbers forces;    ///< of a solution, what the first link passes on
  BranchNumbers solution;  ///< increments, and variations of links that all ranks ask for
  std::vector<std::vector<int>> told;  ///< of each branch these links
};

}  // namespace solidyn::recursive
