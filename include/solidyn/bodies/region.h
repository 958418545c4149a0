#pragma once
#include <Eigen/Dense>
#include <vector>

namespace solidyn::bodies {

/// World vectors of a region of a body on absolute coordinates, linear in the body's ports q_e:
/// its position p and vectors s_j that turn with it. A virtual body V that follows the region sees
/// them (joints/tied_axes.h).
struct RegionVectors {
  Eigen::Vector3d p_ref = Eigen::Vector3d::Zero();  ///< of the undeformed mesh, in its axes, m
  Eigen::Matrix3Xd Psi_p;                           ///< [3 x n_e]: p = p_ref + Psi_p q_e
  /// [3 x m] principal directions of the region in mesh axes, m = 2 or 3, as long as the standard
  /// deviation of its nodes along them
  Eigen::Matrix3Xd axes;
  Eigen::Matrix3Xd s_ref;               ///< [3 x m] of the undeformed mesh, in its axes
  std::vector<Eigen::Matrix3Xd> Psi_s;  ///< [m] of [3 x n_e]: s_j = s_ref_j + Psi_s[j] q_e
};

}  // namespace solidyn::bodies
