#pragma once
#include <mpi.h>

#include "solidyn/mesh/mesh.h"

namespace solidyn::mesh {

/// One rank's part of a solid mesh. Nodes carry a new global numbering in which rank r owns the
/// contiguous range [first_owned, first_owned + n_owned) (PETSc's layout); local nodes are the
/// owned ones in that order, then the ghosts. Every solid element lives on exactly one rank; all of
/// its nodes are local there. On one rank there are no ghosts.
struct DistributedMesh {
  MPI_Comm comm = MPI_COMM_SELF;
  std::int64_t n_global_nodes = 0;
  std::int64_t n_global_elements = 0;  ///< solid elements
  std::int64_t first_owned = 0;
  std::int32_t n_owned = 0;
  Eigen::Matrix3Xd x;                   ///< [3 x n_local], m
  std::vector<std::int64_t> global;     ///< [n_local] global index of a local node
  std::vector<std::int64_t> node_tags;  ///< [n_local] number in the file
  std::vector<ElementBlock> solids;     ///< one block per type, connectivity in local node indices
  std::vector<ElementBlock> surface;  ///< boundary faces of the solids, for pictures; local indices
  std::map<std::string, NodeSet>
      sets;  ///< owned nodes only, local indices; every rank has every name
  std::int32_t n_local() const { return static_cast<std::int32_t>(global.size()); }
};

/// Collective. Partitions with METIS (on the dual graph of the solid elements, which weigh as many
/// as they have nodes; node ownership balanced) and distributes. `whole` is read on rank 0 only
/// (other ranks pass an empty Mesh) and is released as it is sent. The mesh must have passed
/// check(). Deterministic for a given number of ranks. A mesh without solids, as that of a
/// superelement's nodes, is shared evenly.
DistributedMesh distribute(MPI_Comm comm, Mesh whole);

}  // namespace solidyn::mesh
