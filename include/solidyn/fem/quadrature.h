#pragma once
#include <Eigen/Dense>

namespace solidyn::fem {

/// A rule on the reference tetrahedron {r, s, t >= 0, r + s + t <= 1}. All weights are positive and
/// sum to its volume, 1/6.
struct Quadrature {
  Eigen::Matrix3Xd points;  ///< [3 x n] r, s, t
  Eigen::VectorXd weights;  ///< [n]
};

/// The cheapest rule here that integrates polynomials of total degree `degree` exactly:
///   1: centroid; 2: four points; 5: fourteen points (Walkington 2000), all three symmetric in the
///   corners; any other: Stroud's conical product of Gauss-Jacobi rules, ceil((degree+1)/2)^3
///   points.
/// Proved by Quadrature.IntegratesMonomialsExactly.
Quadrature make_tetrahedron_rule(int degree);

}  // namespace solidyn::fem
