#pragma once
#include "solidyn/system/system.h"

namespace solidyn::system {

/// G v - nu of all constraints. @param[out] nu  if wanted
/// @pre System::update(state), and G is that of `state`: compute_constraints() or
/// compute_residual(). @post System::update_accelerations()
Eigen::VectorXd velocity_violation(System& system, const State& state,
                                   Eigen::VectorXd* nu = nullptr);

}  // namespace solidyn::system
