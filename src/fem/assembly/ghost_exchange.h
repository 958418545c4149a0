#pragma once
#include <mpi.h>

#include <Eigen/Dense>
#include <cstdint>
#include <vector>

#include "solidyn/mesh/distributed_mesh.h"

namespace solidyn::fem {

/// What moves between the ghosts of a rank and their owners. Ghosts are sorted by global index, so
/// those of one owner are contiguous and need no packing. Messages are added in the order of ranks,
/// whenever they come: sums do not depend on timing.
class GhostExchange {
 public:
  /// Collective.
  explicit GhostExchange(const mesh::DistributedMesh& mesh);

  /// Collective. Owners' values to ghosts. @param[in,out] x [3 x n_local]
  void update(Eigen::Ref<Eigen::Matrix3Xd> x) const;

  /// Collective. Ghosts' values are added to their owners' and set to zero. @param[in,out] f
  void add_to_owners(Eigen::Ref<Eigen::Matrix3Xd> f) const;

  /// The two halves of add_to_owners(), for work between them that leaves the ghosts of f alone.
  void begin_add_to_owners(Eigen::Ref<Eigen::Matrix3Xd> f) const;
  void end_add_to_owners(Eigen::Ref<Eigen::Matrix3Xd> f) const;

  std::size_t bytes() const;
  /// Ranks that hold ghosts of this one's nodes, or own its ghosts.
  int n_neighbours() const { return static_cast<int>(neighbours_.size()); }

 private:
  struct Neighbour {
    int rank = 0;
    std::int32_t first_ghost = 0, n_ghosts = 0;  ///< local columns that it owns
    std::vector<std::int32_t> mirrors;           ///< owned columns that are its ghosts
    mutable Eigen::Matrix3Xd buffer;             ///< [3 x mirrors]
  };

  void wait() const;

  MPI_Comm comm_;
  std::int32_t n_local_ = 0;
  std::vector<Neighbour> neighbours_;
  mutable std::vector<MPI_Request> requests_;  ///< of the exchange under way
};

/// Indices from all ranks: those of rank r from start[r] on.
struct Received {
  std::vector<std::int64_t> values;
  std::vector<int> start;  ///< [n_ranks + 1]
};

/// Collective. Sends one vector to each rank.
Received exchange_indices(MPI_Comm comm, const std::vector<std::vector<std::int64_t>>& send);

/// Collective. first_owned of every rank.
std::vector<std::int64_t> gather_first_owned(const mesh::DistributedMesh& mesh);

/// The rank that owns a global node.
int find_owner(const std::vector<std::int64_t>& first_owned, std::int64_t global);

}  // namespace solidyn::fem
