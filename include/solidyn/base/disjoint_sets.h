#pragma once
#include <numeric>
#include <vector>

namespace solidyn::base {

/// Sets of the numbers 0 ... n - 1, each by itself at first, that are joined. Local.
/// Proved by DisjointSets.*
template <class Int = int>
class DisjointSets {
 public:
  DisjointSets() = default;
  explicit DisjointSets(std::size_t n) : parent_(n) {
    std::iota(parent_.begin(), parent_.end(), Int{0});
  }
  /// One number of the set of `i`, the same for all of them; that of `b` after join(a, b).
  Int root(Int i) const {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(Int a, Int b) { parent_[root(a)] = root(b); }

 private:
  mutable std::vector<Int> parent_;  // ways to the root become shorter as they are gone
};

}  // namespace solidyn::base
