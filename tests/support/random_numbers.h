#pragma once
#include <Eigen/Dense>
#include <random>

#include "solidyn/math/rotation.h"

namespace solidyn::testing_support {

double random_number(std::mt19937& generator);  ///< between -1 and 1
Eigen::VectorXd random_vector(std::mt19937& generator, int n, double scale = 1.0);
Eigen::Quaterniond random_rotation(std::mt19937& generator);

}  // namespace solidyn::testing_support
