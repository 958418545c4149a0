#include "solidyn/system/velocity_violation.h"

namespace solidyn::system {

Eigen::VectorXd velocity_violation(System& system, const State& state, Eigen::VectorXd* nu) {
  Eigen::VectorXd demanded, gamma, Gv;
  system.update_accelerations();
  system.compute_rates(state, demanded, gamma);
  system.multiply_G(state.v, Gv);
  if (nu) *nu = demanded;
  return Gv - demanded;
}

}  // namespace solidyn::system
