#pragma once
#include <Eigen/Dense>
#include <Eigen/Geometry>

#include "report/blob.h"

namespace solidyn::report {

/// Poses over the pictures are [7 x T]: x y z, quaternion w x y z, body to world.
inline Eigen::Quaterniond rotation_of(const Eigen::MatrixXd& poses, Eigen::Index t) {
  return Eigen::Quaterniond(poses(3, t), poses(4, t), poses(5, t), poses(6, t)).normalized();
}
inline Eigen::Vector3d origin_of(const Eigen::MatrixXd& poses, Eigen::Index t) {
  return poses.col(t).head<3>();
}

/// The same, each quaternion on the side of the one before.
inline Eigen::MatrixXd on_one_side(Eigen::MatrixXd poses) {
  for (Eigen::Index t = 1; t < poses.cols(); ++t)
    if (poses.col(t).tail<4>().dot(poses.col(t - 1).tail<4>()) < 0.0)
      poses.col(t).tail<4>() *= -1.0;
  return poses;
}

inline Json list(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }
inline Json list(const Eigen::Quaterniond& q) { return {q.w(), q.x(), q.y(), q.z()}; }

}  // namespace solidyn::report
