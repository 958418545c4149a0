#pragma once
#include <mpi.h>

#include <vector>

#include "solidyn/base/mpi.h"

namespace solidyn::mesh {

/// Collective. All ranks' items (plain values), rank by rank.
template <class Item>
std::vector<Item> gather_items(MPI_Comm comm, const std::vector<Item>& mine) {
  std::vector<int> n_bytes(base::size(comm)), offsets(base::size(comm), 0);
  const int n_mine = static_cast<int>(mine.size() * sizeof(Item));
  MPI_Allgather(&n_mine, 1, MPI_INT, n_bytes.data(), 1, MPI_INT, comm);
  for (std::size_t r = 1; r < offsets.size(); ++r) offsets[r] = offsets[r - 1] + n_bytes[r - 1];
  std::vector<Item> all((offsets.back() + n_bytes.back()) / sizeof(Item));
  MPI_Allgatherv(mine.data(), n_mine, MPI_BYTE, all.data(), n_bytes.data(), offsets.data(),
                 MPI_BYTE, comm);
  return all;
}

}  // namespace solidyn::mesh
