#include "solidyn/materials/axes.h"

#include <cmath>

namespace solidyn::materials {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Matrix3d Axes::at(const Vector3d& x) const {
  if (kind == Kind::rectangular) return R * turn;
  const Vector3d local = R.transpose() * (x - origin);
  const double azimuth = std::atan2(local[1], local[0]);
  const Vector3d outward(std::cos(azimuth), std::sin(azimuth), 0.0);
  const Vector3d around(-std::sin(azimuth), std::cos(azimuth), 0.0);
  Matrix3d axes;
  if (kind == Kind::cylindrical) {
    axes << outward, around, Vector3d::UnitZ();
  } else {
    const double polar = std::atan2(std::hypot(local[0], local[1]), local[2]);
    const double s = std::sin(polar), c = std::cos(polar);
    axes << s * outward + c * Vector3d::UnitZ(), c * outward - s * Vector3d::UnitZ(), around;
  }
  return R * axes * turn;
}

}  // namespace solidyn::materials
