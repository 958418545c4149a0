#pragma once
#include <Eigen/Dense>

/// Rotations: exponential, logarithm and tangent of SO(3). Conventions: R_WB turns components in B
/// into components in W; increments are right (body-frame) increments, R -> R exp(skew(d)).
namespace solidyn::math {

/// skew(a) b = a x b.
inline Eigen::Matrix3d skew(const Eigen::Vector3d& a) {
  Eigen::Matrix3d s;
  s << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
  return s;
}

/// The vector a with skew(a) = (S - S^T)/2.
inline Eigen::Vector3d unskew(const Eigen::Matrix3d& s) {
  return 0.5 * Eigen::Vector3d(s(2, 1) - s(1, 2), s(0, 2) - s(2, 0), s(1, 0) - s(0, 1));
}

/// With Q = sum m y z^T: the vector sum m y x z.
inline Eigen::Vector3d cross_of(const Eigen::Matrix3d& Q) {
  return {Q(1, 2) - Q(2, 1), Q(2, 0) - Q(0, 2), Q(0, 1) - Q(1, 0)};
}

/// exp(skew(theta)) as a unit quaternion (w, x, y, z). Accurate to round-off for every angle.
Eigen::Quaterniond exp_quaternion(const Eigen::Vector3d& theta);

/// exp(skew(theta)) as a matrix (Rodrigues).
Eigen::Matrix3d exp_rotation(const Eigen::Vector3d& theta);

/// The rotation vector of a rotation, angle in [0, pi].
Eigen::Vector3d log_rotation(const Eigen::Quaterniond& q);
Eigen::Vector3d log_rotation(const Eigen::Matrix3d& R);

/// Right tangent T of the exponential: with R(t) = exp(skew(theta(t))), the angular velocity in
/// body axes is w = T(theta) dtheta/dt.  T = I - (1-cos)/phi^2 skew + (phi-sin)/phi^3 skew^2.
Eigen::Matrix3d right_tangent(const Eigen::Vector3d& theta);

/// Inverse of right_tangent; |theta| < 2 pi.
Eigen::Matrix3d right_tangent_inverse(const Eigen::Vector3d& theta);

/// d/dtheta [ T(theta) a ] for constant a: the 3 x 3 matrix D with d(T a) = D dtheta.
Eigen::Matrix3d right_tangent_derivative(const Eigen::Vector3d& theta, const Eigen::Vector3d& a);

/// d/dtheta [ T(theta)^T a ] for constant a.
Eigen::Matrix3d right_tangent_transpose_derivative(const Eigen::Vector3d& theta,
                                                   const Eigen::Vector3d& a);

}  // namespace solidyn::math
