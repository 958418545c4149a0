#include "solidyn/math/rotation_angles.h"

#include <cmath>

namespace solidyn::math {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Entries of R this small are round-off.
constexpr double kSingular = 1e-12;

// 1 where the axes i, j follow each other in the order x, y, z, x; -1 where they do not.
double sign_of(int i, int j) { return (j - i + 3) % 3 == 1 ? 1.0 : -1.0; }

}  // namespace

Matrix3d rotation_of_angles(const AngleSequence& sequence, const Vector3d& angles) {
  Matrix3d R = Matrix3d::Identity();
  for (int n = 0; n < 3; ++n) R = R * Eigen::AngleAxisd(angles[n], Vector3d::Unit(sequence[n]));
  return R;
}

// With k the axis that is neither i nor j and e the sign of (i, j, k):
//   i-j-k:  R_ik = e s2,  (R_ii, R_ij) = c2 (c3, -e s3),  (R_jk, R_kk) = c2 (-e s1, c1)
//   i-j-i:  R_ii = c2,    (R_ij, R_ik) = s2 (s3, e c3),   (R_ji, R_ki) = s2 (s1, -e c1)
// Without the third turn column j of R is that of R_i: R_jj = c1, R_kj = e s1.
Vector3d angles_of_rotation(const AngleSequence& sequence, const Matrix3d& R) {
  const int i = sequence[0], j = sequence[1], k = 3 - i - j;
  const double e = sign_of(i, j);
  const bool is_proper = sequence[2] == i;
  const double cosine = is_proper ? R(i, i) : std::hypot(R(i, i), R(i, j));
  const double sine = is_proper ? std::hypot(R(i, j), R(i, k)) : e * R(i, k);
  const double second = std::atan2(sine, cosine);
  if ((is_proper ? sine : cosine) < kSingular)
    return {std::atan2(e * R(k, j), R(j, j)), second, 0.0};
  if (is_proper)
    return {std::atan2(R(j, i), -e * R(k, i)), second, std::atan2(R(i, j), e * R(i, k))};
  return {std::atan2(-e * R(j, k), R(k, k)), second, std::atan2(-e * R(i, j), R(i, i))};
}

Eigen::Quaterniond nearest_quaternion(const Matrix3d& R, const Eigen::Quaterniond& near) {
  Eigen::Quaterniond q(R);
  if (q.dot(near) < 0.0) q.coeffs() = -q.coeffs();
  return q;
}

}  // namespace solidyn::math
