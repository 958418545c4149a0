#pragma once
#include <array>

#include "solidyn/mesh/mesh_slices.h"

namespace solidyn::mesh {

/// A box of any size that no rank holds as a whole: the regular meshes of make_box(), in another
/// numbering, with the sets x_min, x_max, y_min, y_max, z_min, z_max (dimension 2) and body (3).
struct LargeBox {
  ElementType type = ElementType::tet10;  ///< tet4 or tet10 (six per cell), hex8 or hex20 (one)
  std::int64_t nx = 1, ny = 1, nz = 1;    ///< cells
  Eigen::Vector3d size = Eigen::Vector3d::Ones();    ///< m
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();  ///< the corner of least coordinates, m

  std::int64_t n_nodes() const;
  std::int64_t n_elements() const;
};

/// The coarsest box of cells that are about cubes with at least `n_dofs` unknowns (three per node).
/// Local. @throws base::InputError for another type, a size that is not positive, n_dofs < 1
LargeBox make_large_box(ElementType type, const Eigen::Vector3d& size, std::int64_t n_dofs);

/// Local. This rank's slice. @throws base::InputError for another type or counts below one
MeshSlices make_box_slices(MPI_Comm comm, const LargeBox& box);

/// Collective. The box distributed: each rank gets a brick of cells, the ranks a grid with the
/// least area between them; along a curve when there is no such grid (fewer cells than ranks).
/// Proved by LargeBox.* in tests/mpi/large_box.
DistributedMesh make_distributed_box(MPI_Comm comm, const LargeBox& box);

/// The ranks along x, y, z of that grid; zeros when there is none. Local.
std::array<int, 3> find_rank_grid(const LargeBox& box, int n_ranks);

}  // namespace solidyn::mesh
