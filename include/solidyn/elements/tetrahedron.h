#pragma once
#include <Eigen/Dense>

#include "solidyn/elements/element_type.h"

namespace solidyn::elements {

/// Shape functions on the reference tetrahedron with corners (0,0,0), (1,0,0), (0,1,0), (0,0,1), in
/// Gmsh's node order. Row a of `gradients` holds dN_a/d(r,s,t),
/// column a of `nodes` the place of node a. Proved by the typed suites
/// ElementContract and ShapeContract.
struct Tet4 {
  static constexpr int n_nodes = 4;
  static constexpr ElementType type = ElementType::tet4;
  static Eigen::Matrix<double, 3, 4> nodes();
  static Eigen::Matrix<double, 4, 1> values(const Eigen::Vector3d& rst);
  static Eigen::Matrix<double, 4, 3> gradients(const Eigen::Vector3d& rst);
};

/// Quadratic: corners N = L(2L - 1), then the edges 01, 12, 02, 03, 23, 13 with N = 4 L_i L_j.
struct Tet10 {
  static constexpr int n_nodes = 10;
  static constexpr ElementType type = ElementType::tet10;
  static constexpr int edges[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {2, 3}, {1, 3}};
  static Eigen::Matrix<double, 3, 10> nodes();
  static Eigen::Matrix<double, 10, 1> values(const Eigen::Vector3d& rst);
  static Eigen::Matrix<double, 10, 3> gradients(const Eigen::Vector3d& rst);
};

}  // namespace solidyn::elements
