// Calls an installed Solidyn across the library's border with Eigen types of every kind: fixed ones
// by reference and by value, dynamic ones allocated on one side and freed on the other, where a
// layout that differs between library and client shows.
#include <solidyn/base/hdf5.h>
#include <solidyn/math/rotation.h>

#include <cstdio>

int main() {
  using namespace solidyn;
  const Eigen::Vector3d theta(0.3, -0.2, 0.5);
  const Eigen::Quaterniond q = math::exp_quaternion(theta);
  const double rotation_error = (math::exp_rotation(theta) - q.toRotationMatrix()).norm();
  const double log_error = (math::log_rotation(q) - theta).norm();

  const Eigen::MatrixXd written = Eigen::MatrixXd::Random(5, 7);
  base::H5File file = base::create_hdf5("client.h5");
  base::write_dataset(file, "matrix", written);
  const Eigen::MatrixXd read = base::read_matrix(file, "matrix");

  std::printf("rotation error %.1e, logarithm error %.1e, matrix error %.1e\n", rotation_error,
              log_error, (read - written).norm());
  return rotation_error < 1e-14 && log_error < 1e-14 && read == written ? 0 : 1;
}
