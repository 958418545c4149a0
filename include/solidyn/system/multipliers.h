#pragma once
#include "solidyn/system/system.h"

namespace solidyn::system {

/// The multipliers with which constraints balance the forces of this state as far as they can, of
/// least norm: they minimise |h + G^T lambda|, torques over the mechanism's length. Zero with
/// full-mesh bodies, whose forces come with their deformation. Proved by mpi.program_relaxation.
void estimate_multipliers(System& system, State& state);

/// Of the state's multipliers those of least norm with the same forces G^T lambda, where
/// constraints depend on others: what an implicit step finds is of least norm at the position of
/// its iteration matrix. Unchanged with full-mesh bodies. @pre and after: System::update(state)
/// Proved by mpi.program_recursive.
void shorten_multipliers(System& system, State& state);

}  // namespace solidyn::system
