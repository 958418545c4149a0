#pragma once
#include <vector>

#include "solidyn/base/mpi.h"

namespace solidyn::reduction {

/// Collective. Rank 0 sends every rank its own values. @param parts [n_ranks], read on rank 0 only
template <class T>
std::vector<T> scatter_from_first(MPI_Comm comm, const std::vector<std::vector<T>>& parts,
                                  MPI_Datatype type) {
  const int n_ranks = base::size(comm);
  const bool sends = base::rank(comm) == 0;
  std::vector<int> counts(n_ranks), starts(n_ranks + 1, 0);
  std::vector<T> all;
  if (sends) {
    for (int r = 0; r < n_ranks; ++r) {
      counts[r] = static_cast<int>(parts[r].size());
      starts[r + 1] = starts[r] + counts[r];
    }
    all.reserve(starts[n_ranks]);
    for (const std::vector<T>& part : parts) all.insert(all.end(), part.begin(), part.end());
  }
  int n = 0;
  MPI_Scatter(counts.data(), 1, MPI_INT, &n, 1, MPI_INT, 0, comm);
  std::vector<T> mine(n);
  MPI_Scatterv(all.data(), counts.data(), starts.data(), type, mine.data(), n, type, 0, comm);
  return mine;
}

}  // namespace solidyn::reduction
