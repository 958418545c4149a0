#pragma once
#include <Eigen/Dense>

#include "solidyn/elements/element_type.h"

namespace solidyn::elements {

/// Rational shape functions of Bedrosian (Int. J. Numer. Methods Eng. 35, 1992) on the pyramid with
/// the base [-1, 1]^2 at t = 0 and the apex (0, 0, 1), in Gmsh's node order; row a of `gradients`
/// holds dN_a/d(r,s,t), column a of `nodes` the place of node a. With d = 1 - t, a = r / d and
/// b = s / d (a box in a, b, t):
///   N = d (1 + r_i a)(1 + s_i b) / 4 at the base, t at the apex
/// In a, b, d all functions and gradients are polynomials, which make_pyramid_rule integrates
/// exactly. At the apex a and b have no value and gradients depend on the direction of approach;
/// there a = b = 0 is taken, the limit along the axis. No point of the rules lies there.
/// Proved by the typed suites ElementContract and ShapeContract.
struct Pyramid5 {
  static constexpr int n_nodes = 5;
  static constexpr ElementType type = ElementType::pyramid5;
  static Eigen::Matrix<double, 3, 5> nodes();
  static Eigen::Matrix<double, 5, 1> values(const Eigen::Vector3d& rst);
  static Eigen::Matrix<double, 5, 3> gradients(const Eigen::Vector3d& rst);
};

/// Quadratic, with P_i the functions of Pyramid5: corners (r_i r + s_i s - 1) P_i, apex t (2t - 1),
/// then the edges kPyramidEdges: 4 t P_i where they rise, else (d^2 - r^2)(1 + s_i b) / 2 or
/// the same with r and s exchanged. They contain all quadratic polynomials.
struct Pyramid13 {
  static constexpr int n_nodes = 13;
  static constexpr ElementType type = ElementType::pyramid13;
  static Eigen::Matrix<double, 3, 13> nodes();
  static Eigen::Matrix<double, 13, 1> values(const Eigen::Vector3d& rst);
  static Eigen::Matrix<double, 13, 3> gradients(const Eigen::Vector3d& rst);
};

}  // namespace solidyn::elements
