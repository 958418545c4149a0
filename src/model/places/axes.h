#pragma once
#include <Eigen/Dense>
#include <cmath>
#include <optional>

namespace solidyn::model {

/// Axes in W with z along `axis` and x along the part of `reference` normal to it, or any; those of
/// the world without an axis.
inline Eigen::Matrix3d axes_along(const std::optional<Eigen::Vector3d>& axis,
                                  const std::optional<Eigen::Vector3d>& reference) {
  using Eigen::Vector3d;
  if (!axis) return Eigen::Matrix3d::Identity();
  const Vector3d z = axis->normalized();
  Vector3d x = reference ? *reference : Vector3d(Vector3d::Unit(std::abs(z.x()) < 0.9 ? 0 : 1));
  x = (x - z * z.dot(x)).normalized();
  Eigen::Matrix3d R;
  R << x, z.cross(x), z;
  return R;
}

}  // namespace solidyn::model
