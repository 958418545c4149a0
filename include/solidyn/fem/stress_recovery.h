#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <memory>
#include <vector>

#include "solidyn/fem/sections.h"
#include "solidyn/mesh/distributed_mesh.h"

namespace solidyn::fem {

/// A stress (xx, yy, zz, xy, yz, zx), Pa.
using Stress = Eigen::Matrix<double, 6, 1>;

/// sqrt(3 J2), Pa.
double von_mises(const Stress& sigma);

/// The three principal stresses, largest first, Pa.
Eigen::Vector3d principal_stresses(const Stress& sigma);

/// The stress whose components are given in axes A, in axes B: R_BA sigma R_BA^T.
Stress rotated(const Stress& sigma_A, const Eigen::Matrix3d& R_BA);

/// Stress of small displacements at some nodes of a linear elastic body. As in
/// SolidOperator::compute_nodal_stress(), each element's stress is fitted by a polynomial (linear;
/// trilinear of hex20) to its values at the quadrature points of the stiffness, and a node gets the
/// mean of its elements' fits, weighted with their volumes; a node between two materials has the
/// mean of both. hex8 elements have the strain of their
/// formulation: with incompatible modes that of the condensed modes too, with b_bar the mean volume
/// change. doc/stress.md.
///
/// Proved by StressRecovery.* (tests/unit/fem, tests/mpi/stress).
class StressRecovery {
 public:
  /// Collective. @param mesh must outlive this object
  /// @param nodes owned nodes of this rank (local indices), in the order of the results
  StressRecovery(const mesh::DistributedMesh& mesh, const Sections& sections,
                 std::vector<std::int32_t> nodes);
  ~StressRecovery();
  StressRecovery(StressRecovery&&) noexcept;
  StressRecovery& operator=(StressRecovery&&) noexcept;

  const std::vector<std::int32_t>& nodes() const;

  /// Collective. One stress per node and displacement field, in the mesh axes.
  /// @param U [3 n_local x n_fields] displacements, ghosts up to date, m
  /// @return [6 n_nodes x n_fields] Pa per m (or per unit of the field), six per node
  Eigen::MatrixXd compute(const Eigen::Ref<const Eigen::MatrixXd>& U) const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// Collective. The owned nodes (local indices, ascending) that are on the surface of the solids.
std::vector<std::int32_t> find_surface_nodes(const mesh::DistributedMesh& mesh);

}  // namespace solidyn::fem
