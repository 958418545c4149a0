#pragma once
#include <array>
#include <functional>
#include <vector>

#include "contact/manifold.h"
#include "contact/surface.h"
#include "solidyn/contact/geometry.h"

/// The ways in which shapes meet; every pair is one of them.
namespace solidyn::contact {

/// Which frame of a pair something stands in.
enum class On { A, B };

/// A point of one frame that keeps a distance from a surface of the other.
struct PointOver {
  On on;                  ///< the surface is on the other frame
  Eigen::Vector3d local;  ///< in its frame's axes, m
  double offset;          ///< of the gap, m
  double arm;             ///< from the point to where it touches, see PointsOnSurface
};
/// @param distance of y = R_S^T (c - p_S), where c is the point, from the surface
ContactPoint contact_of(const bodies::FramePair& f, const PointOver& point,
                        const std::function<Distance(const Eigen::Vector3d& y)>& distance);
/// The same without derivatives.
ContactPoint place_of(const bodies::FramePair& f, const PointOver& point,
                      const std::function<Distance(const Eigen::Vector3d& y)>& distance);

/// Points of one frame that keep a distance from a surface of the other (balls: their centres).
///   gap = distance(y) + offset,   y = R_S^T (c - p_S)
class PointsOnSurface final : public PairGeometry {
 public:
  struct Points {
    On on;                               ///< the surface is on the other frame
    std::vector<Eigen::Vector3d> local;  ///< in their frame's axes, m
    double offset;                       ///< m
    /// From a point to where it touches, along the normal away from the surface: minus the radius
    /// of a ball or pin, plus that of a bush or socket. m
    double arm;
  };
  PointsOnSurface(Points points, std::unique_ptr<Surface> surface)
      : points_(std::move(points)), surface_(std::move(surface)) {}
  int n_points() const override { return static_cast<int>(points_.local.size()); }
  ContactPoint at(const bodies::FramePair& f, int point) const override;
  ContactPoint without_derivatives(const bodies::FramePair& f, int point) const override;

 private:
  Points points_;
  std::unique_ptr<Surface> surface_;
};

/// The lowest point of each end of a cylinder over a plane:
///   gap = N . (c - p_S) - radius sqrt((1 - s^2 + eps^2) / (1 + eps^2)),   s = N . axis
/// with eps = kRounding, which makes an end that faces the plane slightly domed, so that the point
/// passes from rim to rim within a tilt of about eps instead of jumping.
class RimsOnPlane final : public PairGeometry {
 public:
  static constexpr double kRounding = 1e-3;
  RimsOnPlane(On cylinder, double radius, double half)
      : cylinder_(cylinder), radius_(radius), half_(half) {}
  int n_points() const override { return 2; }
  ContactPoint at(const bodies::FramePair& f, int point) const override;

 private:
  On cylinder_;
  double radius_, half_;
};

/// A pin in a bush touches at the two ends of their overlap, each the end of the pin, which keeps
/// its distance from the bush's axis, or that of the bush, which keeps its distance from the pin's:
/// that whose gap is smaller. Beyond the other's end a gap grows as over a mouth of radius kMouth
/// r,
///   gap = hypot(R - r - e + kMouth r, q) - kMouth r,   e: between the axes, q: beyond the end
/// so that the force of a pin that slips out falls smoothly, and shifts the pin out.
class Journal final : public PairGeometry {
 public:
  static constexpr double kMouth = 0.05;
  Journal(On on_pin, const Cylinder& pin, const Cylinder& bush);
  int n_points() const override { return 2; }
  ContactPoint at(const bodies::FramePair& f, int point) const override;

 private:
  PointsOnSurface pin_ends_, bush_ends_;
};

/// Two capsules: the closest points p_A + s a, p_B + u b of their axes, |s|, |u| <= 1,
///   (gap + r_A + r_B)^2 = min |d|^2 + eps (|a|^2 s^2 + |b|^2 u^2)
/// with eps = kCrown, which crowns them like rollers: parallel ones touch in the middle of their
/// overlap instead of anywhere along a line.
class CapsulePair final : public PairGeometry {
 public:
  static constexpr double kCrown = 1e-5;
  CapsulePair(const Capsule& A, const Capsule& B) : A_(A), B_(B) {}
  int n_points() const override { return 1; }
  ContactPoint at(const bodies::FramePair& f, int point) const override;

 private:
  Capsule A_, B_;
};

/// Two convex bodies, each a polytope with a layer of thickness `margin` around it, which rounds
/// its edges and corners; of capsules the layer is all there is. The points are those of the
/// manifold of the polytopes (contact/manifold.h), each with a distance and a normal of its own:
/// that of a corner from a face of the other, or of two edges. Slots without a point repeat that
/// with the smallest gap, with gaps larger by the size of the bodies.
class PolytopePair final : public PairGeometry {
 public:
  struct Body {
    Polytope polytope;
    double margin = 0.0;  ///< m
  };
  PolytopePair(Body A, Body B);
  int n_points() const override { return n_points_; }
  ContactPoint at(const bodies::FramePair& f, int point) const override;
  ContactPoint without_derivatives(const bodies::FramePair& f, int point) const override;

 private:
  // Of points at asked_.
  enum class Known { places, derivatives };
  struct Pose {
    Eigen::Matrix3d R_AB;
    Eigen::Vector3d p_AB;
  };
  // An edge in W, with its derivatives; `along` is a unit vector.
  struct Line {
    Eigen::Vector3d from, along;
    Matrix3x12 d_from = Matrix3x12::Zero(), d_along = Matrix3x12::Zero();
  };
  // Of the separation, in W.
  struct Direction {
    Eigen::Vector3d n;
    Matrix3x12 dn = Matrix3x12::Zero();
  };
  Direction direction(const bodies::FramePair& f, const Separation& separation) const;
  static Line line_of(const bodies::FrameMotion& f, int at, const Polytope& body, int edge);
  const ContactPoint& find(const bodies::FramePair& f, int point, Known what) const;
  void find_points(const bodies::FramePair& f, Known what) const;
  Separation separation(const Pose& pose) const;
  ContactPoint corner_over_face(const bodies::FramePair& f, On on, const Eigen::Vector3d& local,
                                int face, Known what = Known::derivatives) const;
  ContactPoint crossing(const bodies::FramePair& f, const ManifoldPoint& p, int face_A,
                        const Direction& n, Known what) const;
  ContactPoint passing(const bodies::FramePair& f, const ManifoldPoint& p, int face_A,
                       const Direction& n, const Line& a, const Line& b) const;

  Body A_, B_;
  ConvexDistance distance_;
  int n_points_;
  double size_;  // of the smaller one
  double far_;   // what gaps of slots without a point are larger by
  // Of the poses that were asked for last: laws ask for one point after the other.
  mutable Eigen::Matrix<double, 3, 8> asked_;
  mutable Known known_ = Known::places;
  mutable PlacedPolytope placed_A_, placed_B_;
  mutable std::vector<ContactPoint> points_;
};

/// A pair whose two shapes have changed places.
class ExchangedPair final : public PairGeometry {
 public:
  explicit ExchangedPair(std::unique_ptr<PairGeometry> pair) : pair_(std::move(pair)) {}
  int n_points() const override { return pair_->n_points(); }
  ContactPoint at(const bodies::FramePair& f, int point) const override;
  ContactPoint without_derivatives(const bodies::FramePair& f, int point) const override;

 private:
  std::unique_ptr<PairGeometry> pair_;
};

}  // namespace solidyn::contact
