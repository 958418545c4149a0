#include "solidyn/bodies/body.h"

namespace solidyn::bodies {

double radius_of_gyration(double mass, const Eigen::Matrix3d& inertia) {
  if (!(mass > 0.0)) return 0.0;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(inertia, Eigen::EigenvaluesOnly);
  return std::sqrt(std::max(0.0, principal.eigenvalues()[2]) / mass);
}

}  // namespace solidyn::bodies
