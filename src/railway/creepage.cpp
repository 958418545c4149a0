#include "solidyn/railway/creepage.h"

#include <fmt/format.h>

#include <cmath>

#include "solidyn/base/error.h"

namespace solidyn::railway {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Matrix3d contact_axes(double angle, bool is_left) {
  const double a = is_left ? angle : -angle;
  Matrix3d axes;
  axes.col(0) = Vector3d::UnitX();
  axes.col(1) = Vector3d(0.0, std::cos(a), std::sin(a));
  axes.col(2) = Vector3d(0.0, -std::sin(a), std::cos(a));
  return axes;
}

Creepages creepages(const Motion& wheel, const Motion& rail, const Vector3d& c,
                    const Matrix3d& axes, double speed) {
  if (!(speed > 0.0))
    throw base::ComputationError(fmt::format(
        "creepages are velocities over the speed along the track, which is {:g} m/s", speed));
  const Vector3d slip = axes.transpose() * (wheel.velocity_at(c) - rail.velocity_at(c)) / speed;
  return {slip.x(), slip.y(), axes.col(2).dot(wheel.w - rail.w) / speed};
}

// (axle x n) is normal to the plane of the axle and the normal's direction, in which c - centre has
// to be.
double contact_along_track(const Vector3d& centre, const Vector3d& axle, const Vector3d& c,
                           const Vector3d& normal) {
  const Vector3d across = normal.cross(axle), arm = c - centre;
  return centre.x() - (arm.y() * across.y() + arm.z() * across.z()) / across.x();
}

}  // namespace solidyn::railway
