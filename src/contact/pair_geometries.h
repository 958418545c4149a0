#pragma once
#include <vector>

#include "contact/surface.h"
#include "solidyn/contact/geometry.h"

/// The ways in which shapes meet; every pair is one of them.
namespace solidyn::contact {

/// Which frame of a pair something stands in.
enum class On { A, B };

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

}  // namespace solidyn::contact
