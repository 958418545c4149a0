#pragma once
#include <Eigen/Dense>

#include "solidyn/elements/element_type.h"

namespace solidyn::elements {

/// Points and weights on a reference shape. All weights are positive and sum to its volume.
struct Quadrature {
  Eigen::Matrix3Xd points;  ///< [3 x n] r, s, t
  Eigen::VectorXd weights;  ///< [n]
};

/// Rules on the tetrahedron {r, s, t >= 0, r + s + t <= 1}. The cheapest one here that integrates
/// polynomials of total degree `degree` exactly:
///   1: centroid; 2: four points; 5: fourteen points (Walkington 2000), all three symmetric in the
///   corners; any other: Stroud's conical product of Gauss-Jacobi rules, ceil((degree+1)/2)^3
///   points.
/// Proved by QuadratureDegree.IntegratesMonomialsExactly.
Quadrature make_tetrahedron_rule(int degree);

/// Rules on the cube [-1, 1]^3, exact for polynomials of degree `degree` in each of r, s, t:
/// Gauss-Legendre with n = ceil((degree+1)/2) points along each. Proved as above.
Quadrature make_hexahedron_rule(int degree);

/// Rules on the prism {r, s >= 0, r + s <= 1} x [-1, 1], exact for polynomials of total degree
/// `degree` in r, s times degree `degree` in t: a rule of the triangle (1: centroid; 2: three
/// points; 4: six points, Strang and Fix 1973; else a conical product) times Gauss-Legendre.
/// Proved as above.
Quadrature make_wedge_rule(int degree);

/// Rules on the pyramid with the base [-1, 1]^2 and the apex (0, 0, 1), exact for polynomials of
/// degree `degree` in each of r / (1 - t), s / (1 - t), t, hence for those of total degree `degree`
/// in r, s, t and for products of rational shape functions: n^3 points, Gauss-Legendre in the first
/// two, Gauss-Jacobi for the weight (1 - t)^2 in t. No point on the apex. Proved as above.
Quadrature make_pyramid_rule(int degree);

/// The rule of degree `degree` on the reference shape of a solid element.
Quadrature make_rule(ElementType type, int degree);
template <class Element>
Quadrature make_rule(int degree) {
  return make_rule(Element::type, degree);
}

/// The degree with which stiffness and internal forces are integrated. It makes the nodal forces of
/// a constant stress, int grad N dV, exact for elements of any admissible shape, curved ones too
/// (the patch test), and the stiffness exact for elements with a constant Jacobian; no spurious
/// zero-energy motions. Points: tet4 1, tet10 14, hex8 8, hex20 27, wedge6 6, wedge15 18,
/// pyramid5 8, pyramid13 27. Proved by ElementContract.ConstantStressGivesExactForces and
/// ElementContract.HasSixZeroEnergyMotionsOnly.
int stiffness_degree(ElementType type);

/// Of hex20 with Hex20Integration::reduced: 2 x 2 x 2 points.
constexpr int kReducedHex20Degree = 3;

/// The degree with which the mass matrix is integrated: exact for elements with straight edges;
/// mass and first moments are exact for curved ones too.
int mass_degree(ElementType type);

}  // namespace solidyn::elements
