#pragma once
#include <Eigen/Dense>

#include "solidyn/mesh/mesh.h"

/// Geometry of single solid elements, straight or with curved sides. The number of nodes tells the
/// type. Local, no allocation.
namespace solidyn::mesh {

/// Node positions of an element, one column per node.
using ElementPositions = Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 20>;
ElementPositions gather_positions(const Eigen::Matrix3Xd& x, const ElementBlock& block,
                                  std::int64_t element);

/// det d(x,y,z)/d(r,s,t) at a point of the reference element, see fem/tetrahedron.h, hexahedron.h,
/// wedge.h, pyramid.h. Six times the volume of a tet4, an eighth of that of a brick.
double jacobian(const ElementPositions& x, const Eigen::Vector3d& rst);

/// Signed; exact for curved elements too (a rule of elements::stiffness_degree).
double volume(const ElementPositions& x);

/// int x dV, m^4; exact for straight edges.
Eigen::Vector3d first_moment(const ElementPositions& x);

/// The smallest Jacobian where it must be positive: at the quadrature points of the stiffness.
/// Elsewhere, as at the corners of a much distorted hexahedron, it may be negative.
double smallest_jacobian(const ElementPositions& x);

/// The smallest Jacobian at the nodes, but for a pyramid's apex, where it is zero. Where it is not
/// positive and smallest_jacobian() is, the element can be integrated, though not trusted there.
double smallest_jacobian_at_nodes(const ElementPositions& x);

/// How good the corners' shape is: 1 regular, 0 flat, negative inverted. Tetrahedra: the radius
/// ratio, 3 * (inscribed radius) / (circumscribed radius). Others: the scaled Jacobian, the least
/// over the corners (but the apex) of the triple product of the unit vectors along their three
/// edges, relative to that of the element with equal edges.
double quality(const ElementPositions& x);

}  // namespace solidyn::mesh
