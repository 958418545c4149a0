#pragma once
#include <memory>

#include "solidyn/bodies/frame_pair.h"
#include "solidyn/contact/shape.h"

namespace solidyn::contact {

using Matrix3x12 = Eigen::Matrix<double, 3, 12>;
using Row12 = Eigen::Matrix<double, 1, 12>;

/// Where two shapes touch or would touch first, in W.
struct ContactPoint {
  double gap = 0.0;        ///< m; negative: penetration
  bool exists = true;      ///< else the pair has fewer points now
  Eigen::Vector3d normal;  ///< from A to B, unit
  Eigen::Vector3d point;   ///< m; of the material of both that forces act on
  /// Derivatives by the frames' variations, ordered as in bodies::FramePair. That of the gap is
  /// normal . (velocity of B at the point - velocity of A there): gaps are smallest distances.
  Matrix3x12 d_normal, d_point;
  /// Of a law's stiffness and damping: the points at which flat faces touch share out those of four
  /// corners, so that the force does not jump where they become more or fewer. Laws that know no
  /// stiffness need not look at it.
  double share = 1.0;
  Row12 d_share = Row12::Zero();
};

/// The contact points of two shapes, a fixed number of them. A point that is not there has the
/// values of one that is, but for a gap that is larger by the size of the shapes. Local; points of
/// one pose one after the other cost least.
/// Proved by tests/unit/contact/geometry_test.cpp.
class PairGeometry {
 public:
  virtual ~PairGeometry() = default;
  virtual int n_points() const = 0;
  virtual ContactPoint at(const bodies::FramePair& f, int point) const = 0;
  /// The same, where derivatives are not asked for: they may be anything.
  virtual ContactPoint without_derivatives(const bodies::FramePair& f, int point) const {
    return at(f, point);
  }
};

/// By how much edges and corners of polyhedra and boxes are rounded, relative to the smallest half
/// size of the body: points that overlap by less slide over them without a jump of the normal.
constexpr double kEdgeRounding = 1e-3;

/// The geometry of a pair, whose first shape stands in frame A, second in B; either order.
/// @throws base::InputError for a pair that there is none of (listing those there are), and for a
/// pin or ball that its bush or socket is too small for, or a polyhedron without volume
/// @param rounding of boxes, polyhedra and capsules against each other: the polygons in which faces
/// touch are smaller by as much
std::unique_ptr<PairGeometry> make_geometry(const Shape& A, const Shape& B,
                                            double rounding = kEdgeRounding);

/// @throws base::InputError where the convex hull of the points has no volume
void require_volume(const std::vector<Eigen::Vector3d>& points);

/// Sums 1/R_A + 1/R_B of the curvatures of the two surfaces where they touch, in the two principal
/// directions, 1/m, largest first; both 0 where there is no single answer (edges, lines of
/// contact, axes that may cross at any angle). Inner surfaces count negative.
Eigen::Vector2d relative_curvatures(const Shape& A, const Shape& B);

}  // namespace solidyn::contact
