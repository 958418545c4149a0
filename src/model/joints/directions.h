#pragma once
#include <Eigen/Dense>
#include <cmath>

#include "model/places/joint_frames.h"

namespace solidyn::model {

/// 0 to 180.
inline double degrees_between(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b)) * 180.0 / M_PI;
}

inline TwoPoses with_axes(TwoPoses poses, const Eigen::Matrix3d& R_A, const Eigen::Matrix3d& R_B) {
  poses[0].R = R_A;
  poses[1].R = R_B;
  return poses;
}

}  // namespace solidyn::model
