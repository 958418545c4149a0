#pragma once
#include <string>

#include "solidyn/system/initial_conditions.h"

namespace solidyn::system {

/// The constraints that depend on each other at `start` (Phi = 0), but not at positions near it
/// that the joints allow, and the drives there are: a mechanism drawn in a singular position. Else
/// empty. Leaves the system's kinematics at `start`. @param here find_redundancy() there
/// Proved by robustness.program_singular.
std::string find_singular_start(System& system, const State& start, const Redundancy& here,
                                double tolerance);

/// The constraints that depend on each other at `start` and forbid to second order a motion that
/// they allow to first order: bars that are pinned in a line between two walls. They yield like a
/// mechanism at first, and may hold the forces that this takes only by ones without bound. Else
/// empty. @pre find_singular_start() found nothing  Otherwise as that.
std::string find_shaky_start(System& system, const State& start, const Redundancy& here);

}  // namespace solidyn::system
