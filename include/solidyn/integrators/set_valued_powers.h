#pragma once
#include "solidyn/system/system.h"

namespace solidyn::integrators {

/// What the laws of set-valued contacts and joints do, of each island, W. With u the relative
/// velocities of points, of a surface that moves against it, r the forces: what drives such a
/// surface is no part of it.
struct SetValuedPowers {
  Eigen::VectorXd whole;     ///< r . u; its normal part is 0 but for what a step misses of the laws
  Eigen::VectorXd friction;  ///< -r_T . u_T: what friction takes
};

/// @pre System::update() of a state that has their forces. Local.
SetValuedPowers set_valued_powers(const system::System& system);

}  // namespace solidyn::integrators
