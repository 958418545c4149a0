#pragma once
#include <memory>

#include "solidyn/bodies/frame_pair.h"
#include "solidyn/contact/shape.h"

namespace solidyn::contact {

using Matrix3x12 = Eigen::Matrix<double, 3, 12>;

/// Where two shapes touch or would touch first, in W.
struct ContactPoint {
  double gap = 0.0;        ///< m; negative: penetration
  Eigen::Vector3d normal;  ///< from A to B, unit
  Eigen::Vector3d point;   ///< m; of the material of both that forces act on
  /// Derivatives by the frames' variations, ordered as in bodies::FramePair. That of the gap is
  /// normal . (velocity of B at the point - velocity of A there): gaps are smallest distances.
  Matrix3x12 d_normal, d_point;
};

/// The contact points of two shapes, a fixed number of them. Local.
/// Proved by tests/unit/contact/geometry_test.cpp.
class PairGeometry {
 public:
  virtual ~PairGeometry() = default;
  virtual int n_points() const = 0;
  virtual ContactPoint at(const bodies::FramePair& f, int point) const = 0;
};

/// The geometry of a pair, whose first shape stands in frame A, second in B; either order.
/// @throws base::InputError for a pair that there is none of (listing those there are), and for a
/// pin or ball that its bush or socket is too small for
std::unique_ptr<PairGeometry> make_geometry(const Shape& A, const Shape& B);

/// Sums 1/R_A + 1/R_B of the curvatures of the two surfaces where they touch, in the two principal
/// directions, 1/m, largest first; both 0 where there is no single answer (edges, lines of
/// contact, axes that may cross at any angle). Inner surfaces count negative.
Eigen::Vector2d relative_curvatures(const Shape& A, const Shape& B);

}  // namespace solidyn::contact
