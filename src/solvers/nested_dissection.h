#pragma once
#include <vector>

namespace solidyn::solvers {

/// Where each vertex of a graph comes in an order that leaves few entries in a factor, by METIS.
struct NestedDissection {
  std::vector<int> order;     ///< vertices, the first to be eliminated first
  std::vector<int> position;  ///< of each vertex in `order`
};

/// @param start [n + 1], neighbours: of vertex i those from start[i] to before start[i + 1],
/// without
///        i itself, both ways. METIS writes into both.
/// @throws base::ComputationError when METIS refuses
NestedDissection dissect(std::vector<int>& start, std::vector<int>& neighbours);

}  // namespace solidyn::solvers
