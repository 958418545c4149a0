#pragma once
#include <Eigen/Dense>

#include "solidyn/elements/hexahedron.h"
#include "solidyn/elements/pyramid.h"
#include "solidyn/elements/tetrahedron.h"
#include "solidyn/elements/wedge.h"
#include "solidyn/fem/material.h"

namespace solidyn::fem {

template <class Element>
using ElementNodes = Eigen::Matrix<double, 3, Element::n_nodes>;
template <class Element>
using ElementStiffness = Eigen::Matrix<double, 3 * Element::n_nodes, 3 * Element::n_nodes>;
template <class Element>
using ElementMass = Eigen::Matrix<double, Element::n_nodes, Element::n_nodes>;
template <class Element>
using ElementLumpedMass = Eigen::Matrix<double, Element::n_nodes, 1>;

/// K = int B^T C B dV of an isoparametric solid element; dofs are node by node, x, y, z.
///   K_ab = lambda G_ab + mu G_ab^T + mu tr(G_ab) I,   G_ab = int grad N_a grad N_b^T dV
/// of an isotropic material, K_ab(i, j) = sum C_ikjl G_ab(k, l) of any.
/// Straight tetrahedra (constant Jacobian) use the rule that is exact: degree 0 for tet4, 2 for
/// tet10. Of other elements the integrand is rational and no rule is exact; what must be exact is
/// the force of a constant stress, int grad N_a dV (the patch test): see stiffness_degree().
/// @param x [3 x n] node positions, m     @param[out] K [3n x 3n], N/m
/// @return the smallest Jacobian determinant met; K is meaningless unless it is positive.
/// Local, no allocation, no throw. Proved by ElementContract.*.
template <class Element>
double compute_stiffness(const ElementNodes<Element>& x, const Elasticity& material,
                         ElementStiffness<Element>& K);

/// How the stiffness of 20-node hexahedra is integrated.
enum class Hex20Integration {
  full,  ///< 3 x 3 x 3 points: see elements::stiffness_degree()
  /// 2 x 2 x 2 points (Abaqus C3D20R, Nastran's default CHEXA20): softer, and not blind to curved
  /// or distorted sides as the full rule is. An element alone has six motions without energy more
  /// than the rigid ones, a row of n single elements n + 1; meshes with two elements across
  /// have none. The patch test is passed by elements with straight sides.
  reduced
};

/// compute_stiffness() with a choice of points.
/// Proved by Hex20Reduced.* and CalculixBlocks.*.
double compute_hex20_stiffness(const ElementNodes<elements::Hex20>& x, const Elasticity& material,
                               Hex20Integration integration, ElementStiffness<elements::Hex20>& K);

/// Scalar consistent mass m_ab = density int N_a N_b dV; the element's mass matrix is m (x) I3.
/// Exact for elements with straight edges; tetrahedra by a closed form, else mass_degree().
/// @param[out] m [n x n], kg
template <class Element>
void compute_mass(const ElementNodes<Element>& x, double density, ElementMass<Element>& m);

/// Diagonal mass by the rule of Hinton, Rock and Zienkiewicz (1976): the diagonal of the consistent
/// mass, scaled so that the element's mass is kept. Positive always; row sums are not: the tet10's
/// corners would get -1/20 of the mass each. For tet4 both give a quarter.
template <class Element>
ElementLumpedMass<Element> make_lumped_mass(const ElementMass<Element>& m);

/// Strain (xx, yy, zz, 2xy, 2yz, 2zx) at the reference point `rst` for nodal displacements u [3 x
/// n].
template <class Element>
Eigen::Matrix<double, 6, 1> strain(const ElementNodes<Element>& x, const ElementNodes<Element>& u,
                                   const Eigen::Vector3d& rst);

/// Cauchy stress (xx, yy, zz, xy, yz, zx), Pa, of a strain in the order above.
Eigen::Matrix<double, 6, 1> stress(const Elasticity& material,
                                   const Eigen::Matrix<double, 6, 1>& strain);

}  // namespace solidyn::fem
