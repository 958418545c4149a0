#pragma once
#include <Eigen/Dense>

namespace solidyn::bodies {

/// The rotation R that is nearest to F, max tr(R^T F), by the singular value decomposition.
inline Eigen::Matrix3d nearest_rotation(const Eigen::Matrix3d& F) {
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Matrix3d R = svd.matrixU() * svd.matrixV().transpose();
  if (R.determinant() > 0.0) return R;
  const Eigen::Vector3d sign(1.0, 1.0, -1.0);
  return svd.matrixU() * sign.asDiagonal() * svd.matrixV().transpose();
}

}  // namespace solidyn::bodies
