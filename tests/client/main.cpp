// Calls an installed Solidyn across the library's border with Eigen types of every kind: fixed ones by
// reference and by value, dynamic ones allocated on one side and freed on the other, where a layout
// that differs between library and client shows.
#include <solidyn/math/rotation.h>

#include <cmath>
#include <cstdio>

int main() {
  using namespace solidyn::math;
  const Eigen::Vector3d theta(0.3, -0.2, 0.5);
  const Eigen::Quaterniond q = exp_quaternion(theta);
  const double rotation_error = (exp_rotation(theta) - q.toRotationMatrix()).norm();
  const double log_error = (log_rotation(q) - theta).norm();
  std::printf("rotation error %.1e, logarithm error %.1e\n", rotation_error, log_error);
  return rotation_error < 1e-14 && log_error < 1e-14 ? 0 : 1;
}
