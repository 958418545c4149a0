#pragma once
#include <numeric>
#include <vector>

#include "solidyn/base/mpi.h"

namespace solidyn::base {

/// Collective. Rank 0 receives everybody's values in the order of ranks; others get an empty
/// vector.
template <class T>
std::vector<T> gather_on_first(MPI_Comm comm, const std::vector<T>& mine, MPI_Datatype type) {
  const int n = static_cast<int>(mine.size());
  std::vector<int> counts(size(comm)), starts(size(comm) + 1, 0);
  MPI_Gather(&n, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, comm);
  std::partial_sum(counts.begin(), counts.end(), starts.begin() + 1);
  std::vector<T> all(rank(comm) == 0 ? starts.back() : 0);
  MPI_Gatherv(mine.data(), n, type, all.data(), counts.data(), starts.data(), type, 0, comm);
  return all;
}

}  // namespace solidyn::base
