#pragma once
#include "solidyn/system/system.h"

namespace solidyn::system {

/// The multipliers with which constraints balance the forces of this state as far as they can, of
/// least norm: they minimise |h + G^T lambda|, torques over the mechanism's length. Zero with
/// full-mesh bodies, whose forces come with their deformation. Proved by mpi.program_relaxation.
void estimate_multipliers(System& system, State& state);

}  // namespace solidyn::system
