#pragma once
#include "solidyn/solvers/friction/contact_operator.h"

namespace solidyn::solvers::friction {

/// u := sum of left^T right r. @pre u has the size of r, and is another vector
void multiply_products(const std::vector<ContactProduct>& parts, const Eigen::VectorXd& r,
                       Eigen::VectorXd& u);

}  // namespace solidyn::solvers::friction
