#pragma once
#include "solidyn/system/initial_conditions.h"

namespace solidyn::analyses {

/// For motions that drives alone determine.
/// @pre G is that of a state of which `redundancy` is
/// @throws base::InputError naming a body that deforms, or how many motions are left free, and
/// which bodies make them
void require_kinematics(const system::System& system, const system::Redundancy& redundancy);

/// Collective. For inverse dynamics, in which bodies deform as forces ask for: the drives determine
/// how they move. @throws base::InputError likewise
void require_driven_bodies(system::System& system, const system::State& state);

}  // namespace solidyn::analyses
