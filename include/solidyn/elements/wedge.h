#pragma once
#include <Eigen/Dense>

#include "solidyn/elements/element_type.h"

namespace solidyn::elements {

/// Shape functions on the prism {r, s >= 0, r + s <= 1} x [-1, 1] in Gmsh's node order; row a of
/// `gradients` holds dN_a/d(r,s,t), column a of `nodes` the place of node a. With L = (1 - r - s,
/// r, s):
///   N = L_a (1 + t_a t) / 2
/// Proved by the typed suites ElementContract and ShapeContract.
struct Wedge6 {
  static constexpr int n_nodes = 6;
  static constexpr ElementType type = ElementType::wedge6;
  static Eigen::Matrix<double, 3, 6> nodes();
  static Eigen::Matrix<double, 6, 1> values(const Eigen::Vector3d& rst);
  static Eigen::Matrix<double, 6, 3> gradients(const Eigen::Vector3d& rst);
};

/// Serendipity: corners N = L_a [(2 L_a - 1)(1 + t_a t) - (1 - t^2)] / 2, then the edges
/// kWedgeEdges: 2 L_i L_j (1 + t_a t) on the triangles, L_i (1 - t^2) between them.
struct Wedge15 {
  static constexpr int n_nodes = 15;
  static constexpr ElementType type = ElementType::wedge15;
  static Eigen::Matrix<double, 3, 15> nodes();
  static Eigen::Matrix<double, 15, 1> values(const Eigen::Vector3d& rst);
  static Eigen::Matrix<double, 15, 3> gradients(const Eigen::Vector3d& rst);
};

}  // namespace solidyn::elements
