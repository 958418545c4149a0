#pragma once
#include "reduction/eigen/multivector.h"
#include "solidyn/fem/sections.h"
#include "solidyn/mesh/distributed_mesh.h"

namespace solidyn::reduction {

/// The six rigid motions of points x [3 x n]: translations along x, y, z, then small rotations
/// about x, y, z through `center`. [3n x 6]
MultiVector make_rigid_motions(const Eigen::Matrix3Xd& x, const Eigen::Vector3d& center);

/// Collective. Centre of mass of nodes x with their (lumped) masses.
Eigen::Vector3d center_of_mass(MPI_Comm comm, const Eigen::Matrix3Xd& x,
                               const Eigen::VectorXd& mass);

/// Collective. An upper bound of the lowest elastic eigenvalue omega^2 [rad^2/s^2] of the free
/// body: Ritz's method with all displacement fields quadratic in x, y, z. Needs moments of the
/// mass, and of several materials those of their stiffness, only. It sets the shift of the
/// eigenproblem on the body's own scale; it need not be close.
/// @param mass [n_owned] kg   @param of  whether elements alone have it, or points do too
enum class MassOf { elements, elements_and_points };
double estimate_lowest_eigenvalue(const mesh::DistributedMesh& mesh, const Eigen::VectorXd& mass,
                                  const fem::Sections& sections, MassOf of = MassOf::elements);

}  // namespace solidyn::reduction
