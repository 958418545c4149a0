#pragma once
#include "solidyn/system/system.h"

namespace solidyn::integrators {

/// W, that the friction of set-valued contacts and joints takes: -r_T . u_T of all points, u_T
/// against surfaces that move. @pre System::update() of a state that has their forces. Local.
double friction_power(const system::System& system);

}  // namespace solidyn::integrators
