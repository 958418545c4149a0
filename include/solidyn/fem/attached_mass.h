#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <string>
#include <vector>

namespace solidyn::fem {

/// A mass that the material around some nodes carries along: a point mass of a finite element
/// model, at a node or at the reference of a rigid element.
///
/// On a node of its own (`is_at_node`, without inertia) it is added to that node's diagonal term.
/// Else every element that has one of the nodes carries an equal part of it by the affine motion of
/// its corners: with weights v, G so that sum v_a x_a = x, sum v_a = 1 and sum G_ka x_a = e_k,
/// sum G_ka = 0, the scalar mass matrix of the element grows by part * (m v v^T + G^T S G), where
/// S = tr(J) I / 2 - J are the mass's second moments. So M = m (x) I3 still holds, nothing is added
/// outside of the elements' pattern, M stays positive, and mass, centre of mass and inertia of the
/// body are exact. Negative second moments, which no real body has, count as 0.
struct AttachedMass {
  std::string name;
  double mass = 0.0;                                  ///< kg, > 0
  Eigen::Vector3d x = Eigen::Vector3d::Zero();        ///< its centre, mesh axes, m
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< J about its centre, kg m^2
  std::vector<std::int64_t> nodes;                    ///< numbers in the file, ascending
  bool is_at_node = false;                            ///< x is that of the one node
};

}  // namespace solidyn::fem
