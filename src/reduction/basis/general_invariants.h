#pragma once
#include <functional>

#include "reduction/eigen/multivector.h"
#include "solidyn/reduction/reduced_body.h"

namespace solidyn::reduction {

/// Mass, first moment and moments of inertia about the origin, as a mass matrix has them.
struct RigidInertia {
  double mass = 0.0;                                       ///< mean of the three directions, kg
  double anisotropy = 0.0;                                 ///< their largest difference / mass
  Eigen::Vector3d first_moment = Eigen::Vector3d::Zero();  ///< kg m
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();       ///< kg m^2
  Eigen::Vector3d centre() const { return first_moment / mass; }
};

/// Collective. @param R [rows x 6] unit translations and rotations about axes through the origin
RigidInertia find_rigid_inertia(MPI_Comm comm, const MultiVector& R, const MultiVector& M_R);

/// Collective. Inertia invariants of a mass matrix that couples directions, or has rotational and
/// generalised coordinates: velocities of the reference turn nodal translations and nothing else,
///   P_a X = e_a x (translations of X),  0 elsewhere.
/// With G_ij(a, b) = (P_a X_i)^T M (P_b X_j), where P_a X_0 is the rotation R_a itself, the
/// symmetric part of N_ij follows from G = tr N I - N^T, its skew one from X_j^T M P_a X_i. Exact
/// for M = m (x) I3, where it is compute_invariants(); else as usual for nodal masses.
/// doc/theory/imported_bodies.md.
/// @param x  [3 x k] nodes whose translations are the first 3k rows
/// @param R  [rows x 6] unit translations, and rotations about axes through the origin
/// @param X  [rows x n]
/// Proved by ReduceModes.* and ReduceMatrices.*
InertiaInvariants compute_general_invariants(MPI_Comm comm, Mat M, const Eigen::Matrix3Xd& x,
                                             const MultiVector& R, const MultiVector& X);

}  // namespace solidyn::reduction
