#pragma once
#include <Eigen/Dense>

/// Distances from simple bodies, with two derivatives.
namespace solidyn::contact {

/// A distance function at a point y: its value, gradient (unit) and second derivative, in the axes
/// of y. Values are continuous everywhere; gradients where the value is positive, and within a body
/// up to where another part of its surface is as near.
struct Distance {
  double value = 0.0;
  Eigen::Vector3d gradient = Eigen::Vector3d::UnitZ();
  Eigen::Matrix3d curvature = Eigen::Matrix3d::Zero();
};

/// Of what a point keeps its distance. m
class Surface {
 public:
  virtual ~Surface() = default;
  virtual Distance at(const Eigen::Vector3d& y) const = 0;
};

/// z.
class HalfSpace final : public Surface {
 public:
  Distance at(const Eigen::Vector3d& y) const override;
};

/// |y|, or -|y|: a ball about the centre inside whose socket a point moves.
class FromCentre final : public Surface {
 public:
  explicit FromCentre(double sign) : sign_(sign) {}
  Distance at(const Eigen::Vector3d& y) const override;

 private:
  double sign_;
};

/// From the segment |z| <= half of the z axis.
class FromSegment final : public Surface {
 public:
  explicit FromSegment(double half) : half_(half) {}
  Distance at(const Eigen::Vector3d& y) const override;

 private:
  double half_;
};

/// From a solid cylinder about the z axis; within it minus the distance to its surface.
class FromCylinder final : public Surface {
 public:
  FromCylinder(double radius, double half) : radius_(radius), half_(half) {}
  Distance at(const Eigen::Vector3d& y) const override;

 private:
  double radius_, half_;
};

/// From a body with a bore about the z axis, whose ends are faces that go on outwards for ever;
/// within the body minus the distance to its surface.
class FromBore final : public Surface {
 public:
  FromBore(double radius, double half) : radius_(radius), half_(half) {}
  Distance at(const Eigen::Vector3d& y) const override;

 private:
  double radius_, half_;
};

/// From a solid box about the origin; within it minus the distance to its surface.
class FromBox final : public Surface {
 public:
  explicit FromBox(const Eigen::Vector3d& half) : half_(half) {}
  Distance at(const Eigen::Vector3d& y) const override;

 private:
  Eigen::Vector3d half_;
};

}  // namespace solidyn::contact
