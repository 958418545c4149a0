#pragma once
#include <utility>
#include <vector>

namespace solidyn::solvers {

/// An edge of a graph between vertices of two owners.
using CutEdge = std::pair<int, int>;

/// Vertices without which no edge of a graph joins two owners: a vertex cover of the cut edges. Of
/// two owners it has as few vertices as any (Koenig's theorem, by a largest matching); with more,
/// pairs of owners are covered one after the other, and what the others have made needless is left
/// out, so that no vertex can be missed. Depends on nothing but the arguments, so that ranks with
/// the same edges find the same. Local. Proved by SeparatorOf.*
/// @param owner  of each vertex, or of no vertex that an edge has
/// @return ascending
std::vector<int> find_separator(const std::vector<CutEdge>& cut, const std::vector<int>& owner);

}  // namespace solidyn::solvers
