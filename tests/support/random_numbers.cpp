#include "random_numbers.h"

namespace solidyn::testing_support {

double random_number(std::mt19937& generator) {
  return std::uniform_real_distribution<double>(-1.0, 1.0)(generator);
}

Eigen::VectorXd random_vector(std::mt19937& generator, int n, double scale) {
  Eigen::VectorXd v(n);
  for (int i = 0; i < n; ++i) v[i] = scale * random_number(generator);
  return v;
}

Eigen::Quaterniond random_rotation(std::mt19937& generator) {
  return math::exp_quaternion(random_vector(generator, 3, 2.0));
}

}  // namespace solidyn::testing_support
