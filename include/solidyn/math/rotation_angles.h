#pragma once
#include <Eigen/Dense>
#include <array>

/// A rotation by three angles about axes of the turning frame, and by a quaternion without jumps.
namespace solidyn::math {

/// The axes, 0..2 for x, y, z, in order: {0, 1, 2} are Cardan angles x-y-z, {2, 0, 2} Euler's
/// z-x-z. Neighbours differ.
using AngleSequence = std::array<int, 3>;

/// R = R_i(a_1) R_j(a_2) R_k(a_3), each turn about an axis of the frame as the turns before it have
/// left it. rad
Eigen::Matrix3d rotation_of_angles(const AngleSequence& sequence, const Eigen::Vector3d& angles);

/// Inverse of rotation_of_angles(): the first and the third angle in (-pi, pi], the second in
/// [-pi/2, pi/2], or in [0, pi] where the first and the third axis are one. At the ends of that
/// range (closer than 1e-12) only the sum or the difference of the others is determined: the third
/// is 0.
Eigen::Vector3d angles_of_rotation(const AngleSequence& sequence, const Eigen::Matrix3d& R);

/// The one of the two unit quaternions of a rotation that is nearer to `near`.
Eigen::Quaterniond nearest_quaternion(const Eigen::Matrix3d& R, const Eigen::Quaterniond& near);

}  // namespace solidyn::math
