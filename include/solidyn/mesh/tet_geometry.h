#pragma once
#include <Eigen/Dense>

#include "solidyn/mesh/mesh.h"

/// Geometry of single tetrahedra, straight or with curved sides. Local, no allocation.
namespace solidyn::mesh {

/// Node positions of an element, one column per node.
using TetPositions = Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 10>;
TetPositions gather_positions(const Eigen::Matrix3Xd& x, const ElementBlock& block,
                              std::int64_t element);

/// det dx/dxi at the barycentric point l (sums to 1); six times the volume for straight sides.
double jacobian(const TetPositions& x, const Eigen::Vector4d& l);

/// Exact for tet4 and curved tet10 (the Jacobian is cubic, the rule has degree 3); signed.
double volume(const TetPositions& x);

/// The smallest Jacobian at the corners, the centroid and the four points of the degree-2 rule.
double smallest_jacobian(const TetPositions& x);

/// 3 * (inscribed radius) / (circumscribed radius) of the corners: 1 regular, 0 flat; negative when
/// inverted.
double radius_ratio(const TetPositions& x);

}  // namespace solidyn::mesh
