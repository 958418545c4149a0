#pragma once
#include <Eigen/Dense>

#include "solidyn/elements/element_type.h"

namespace solidyn::elements {

/// Shape functions on the cube [-1, 1]^3 in Gmsh's node order; row a of `gradients` holds
/// dN_a/d(r,s,t), column a of `nodes` the place of node a. Proved by the typed suites
/// ElementContract and ShapeContract.
struct Hex8 {
  static constexpr int n_nodes = 8;
  static constexpr ElementType type = ElementType::hex8;
  static Eigen::Matrix<double, 3, 8> nodes();
  /// Trilinear: N = (1 + r_a r)(1 + s_a s)(1 + t_a t) / 8.
  static Eigen::Matrix<double, 8, 1> values(const Eigen::Vector3d& rst);
  static Eigen::Matrix<double, 8, 3> gradients(const Eigen::Vector3d& rst);
};

/// Serendipity: corners N = (1 + r_a r)(1 + s_a s)(1 + t_a t)(r_a r + s_a s + t_a t - 2) / 8, then
/// the edges kHexEdges; where r_a = 0, N = (1 - r^2)(1 + s_a s)(1 + t_a t) / 4.
struct Hex20 {
  static constexpr int n_nodes = 20;
  static constexpr ElementType type = ElementType::hex20;
  static Eigen::Matrix<double, 3, 20> nodes();
  static Eigen::Matrix<double, 20, 1> values(const Eigen::Vector3d& rst);
  static Eigen::Matrix<double, 20, 3> gradients(const Eigen::Vector3d& rst);
};

}  // namespace solidyn::elements
