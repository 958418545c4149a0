#pragma once
#include <Eigen/Dense>
#include <string>
#include <variant>
#include <vector>

/// Contact between simple shapes that stand in frames (doc/theory/contact.md).
namespace solidyn::contact {

/// Which side of a round surface is touched: that of a ball or shaft, or that of a socket or bush.
enum class Side { outer, inner };

/// About the frame's origin. A radius of 0 is a point. m
struct Sphere {
  double radius = 0.0;
  Side side = Side::outer;
};
/// z = 0 of the frame, with the material below and the normal along z.
struct Plane {};
/// Along the frame's z, about its origin. m. With an inner surface: a tube open at both ends.
struct Cylinder {
  double radius = 0.0, length = 0.0;
  Side side = Side::outer;
};
/// A cylinder of `length` along the frame's z with half-spheres at its ends. m
struct Capsule {
  double radius = 0.0, length = 0.0;
};
/// About the frame's origin, edges along its axes. m
struct Box {
  Eigen::Vector3d size = Eigen::Vector3d::Zero();
};

/// The convex hull of points, in the frame's axes. m
struct Polyhedron {
  std::vector<Eigen::Vector3d> points;
};

using Shape = std::variant<Sphere, Plane, Cylinder, Capsule, Box, Polyhedron>;

/// "sphere", "hollow sphere", "plane" ... for messages.
std::string name(const Shape& shape);

}  // namespace solidyn::contact
