#pragma once
#include <vector>

#include "solidyn/mesh/mesh.h"

namespace solidyn::mesh {

/// A quadrature point of a face (tri3, tri6, quad4, quad8) with the values of the shape functions
/// and their derivatives by the face's coordinates r, s there.
struct FacePoint {
  double weight = 0.0;
  Eigen::VectorXd N;                            ///< [n_nodes(type)]
  Eigen::Matrix<double, Eigen::Dynamic, 2> dN;  ///< [n_nodes(type) x 2]
};

/// The rule on a face: seven points (Radon, degree five) on triangles, three by three of Gauss on
/// quadrilaterals. tri3, tri6: r, s >= 0, r + s <= 1; quad4, quad8: the square [-1, 1]^2.
/// With the tangents t_r = sum x_a dN_a/dr, t_s of the face's nodes x_a, t_r x t_s dr ds is the
/// outward area vector of a boundary face. Local. Proved by FaceRule.*.
const std::vector<FacePoint>& face_rule(ElementType type);

}  // namespace solidyn::mesh
