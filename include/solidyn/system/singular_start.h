#pragma once
#include <string>

#include "solidyn/system/initial_conditions.h"

namespace solidyn::system {

/// The constraints that depend on each other at `start` (Phi = 0), but not at positions near it
/// that the joints allow, and the drives there are: a mechanism drawn in a singular position. Else
/// empty; also with full-mesh bodies. Where joints allow no finite motion, what depends on others
/// is redundant. Leaves the system's kinematics at `start`. @param here find_redundancy() there
/// Proved by robustness.program_singular.
std::string find_singular_start(System& system, const State& start, const Redundancy& here,
                                double tolerance);

}  // namespace solidyn::system
