#pragma once
#include "solidyn/mesh/distributed_mesh.h"
#include "solidyn/simulation/bench.h"

namespace solidyn::simulation {

/// Collective. The box, or the checked mesh of a file.
mesh::DistributedMesh make_bench_mesh(MPI_Comm comm, const BenchOptions& options);

/// What tables call the mesh: its file, or "box 1 x 1 x 1".
std::string mesh_name(const BenchOptions& options);
const char* name_of(fem::SolidFormulation formulation);

/// Collective. "tet10+hex20": the types of its solid elements.
std::string element_names(const mesh::DistributedMesh& mesh);

/// Collective. Most elements on a rank over the mean.
double imbalance_of(const mesh::DistributedMesh& mesh);

/// The bounding box of a mesh: its low corner, its extents and the largest of them, m. Collective.
struct Extent {
  explicit Extent(const mesh::DistributedMesh& mesh);
  Eigen::Vector3d low, size;
  double length;
};

/// Positions of strains of some percent, turned by 120 degrees. [3 x n_local]; local, as what
/// follows
Eigen::Matrix3Xd strained_positions(const mesh::DistributedMesh& mesh, const Extent& extent);
/// Of a rigid turn.
Eigen::Matrix3Xd turned_positions(const mesh::DistributedMesh& mesh);
/// A field without symmetry that does not depend on the ranks.
Eigen::Matrix3Xd test_field(const mesh::DistributedMesh& mesh, const Extent& extent);

}  // namespace solidyn::simulation
