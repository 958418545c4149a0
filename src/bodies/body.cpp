#include "solidyn/bodies/body.h"

#include "solidyn/math/dense.h"

namespace solidyn::bodies {

double radius_of_gyration(double mass, const Eigen::Matrix3d& inertia) {
  if (!(mass > 0.0)) return 0.0;
  return std::sqrt(std::max(0.0, math::symmetric_eigenvalues(inertia)[2]) / mass);
}

}  // namespace solidyn::bodies
