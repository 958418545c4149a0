#include "surface.h"

#include <algorithm>
#include <cmath>

namespace solidyn::contact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Closer to a centre or an axis than this, m, directions are not defined: x is taken.
constexpr double kNowhere = 1e-15;

// |d|, of a vector d that moves with y in the directions of `free` (1) and not in the others (0).
Distance length_of(const Vector3d& d, const Vector3d& free) {
  const double length = d.norm();
  if (length < kNowhere) return {0.0, Vector3d::UnitX(), Matrix3d::Zero()};
  const Vector3d m = d / length;
  const Matrix3d mask = free.asDiagonal();
  return {length, m, (mask - m * m.transpose()) / length};
}

// The distance from the z axis.
Distance from_axis(const Vector3d& y) {
  return length_of(Vector3d(y.x(), y.y(), 0.0), Vector3d(1.0, 1.0, 0.0));
}

Distance along_z(const Vector3d& y, double half) {
  Distance d;
  d.value = std::abs(y.z()) - half;
  d.gradient = Vector3d(0.0, 0.0, std::copysign(1.0, y.z()));
  return d;
}

Distance minus(const Distance& d) { return {-d.value, -d.gradient, -d.curvature}; }

// sqrt(r^2 + z^2) of two distances with normal gradients: that from an edge.
Distance from_edge(const Distance& r, const Distance& z) {
  const double value = std::hypot(r.value, z.value);
  if (value < kNowhere) return z;
  const Vector3d m = (r.value * r.gradient + z.value * z.gradient) / value;
  const Matrix3d section =
      r.gradient * r.gradient.transpose() + z.gradient * z.gradient.transpose();
  return {value, m,
          (section - m * m.transpose() + r.value * r.curvature + z.value * z.curvature) / value};
}

// From the body that is within both surfaces.
Distance from_either(const Distance& r, const Distance& z) {
  if (r.value > 0.0 && z.value > 0.0) return from_edge(r, z);
  return r.value > z.value ? r : z;
}

}  // namespace

Distance HalfSpace::at(const Vector3d& y) const {
  return {y.z(), Vector3d::UnitZ(), Matrix3d::Zero()};
}

Distance FromCentre::at(const Vector3d& y) const {
  const Distance d = length_of(y, Vector3d::Ones());
  return sign_ > 0.0 ? d : minus(d);
}

Distance FromSegment::at(const Vector3d& y) const {
  if (std::abs(y.z()) <= half_) return from_axis(y);
  return length_of(y - Vector3d(0.0, 0.0, std::copysign(half_, y.z())), Vector3d::Ones());
}

Distance FromCylinder::at(const Vector3d& y) const {
  Distance side = from_axis(y);
  side.value -= radius_;
  const Distance cap = along_z(y, half_);
  return from_either(side, cap);
}

Distance FromBore::at(const Vector3d& y) const {
  Distance wall = minus(from_axis(y));
  wall.value += radius_;
  return from_either(wall, along_z(y, half_));
}

Distance FromBox::at(const Vector3d& y) const {
  const Vector3d beyond = y - y.cwiseMax(-half_).cwiseMin(half_);
  if (!beyond.isZero(0.0))
    return length_of(beyond, (beyond.array() != 0.0).cast<double>().matrix());
  int face = 0;
  Distance d;
  d.value = (y.cwiseAbs() - half_).maxCoeff(&face);
  d.gradient = std::copysign(1.0, y[face]) * Vector3d::Unit(face);
  return d;
}

}  // namespace solidyn::contact
