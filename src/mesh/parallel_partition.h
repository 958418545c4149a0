#pragma once
#include "mesh/face_match.h"

namespace solidyn::mesh {

/// Collective. The part of each solid that this rank holds; as many parts as ranks. Deterministic.
std::vector<std::int32_t> partition_graph(MPI_Comm comm, const MeshSlices& slices,
                                          const FaceMatch& faces);
std::vector<std::int32_t> partition_curve(MPI_Comm comm, const MeshSlices& slices);

/// Place of a point of the unit cube along a Hilbert curve through 2^20 cells in each direction.
std::uint64_t hilbert_key(const Eigen::Vector3d& point);

}  // namespace solidyn::mesh
