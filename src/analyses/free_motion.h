#pragma once
#include <string>

#include "solidyn/system/system.h"

namespace solidyn::analyses {

/// Collective. "\n  <body> can move freely along (1, 0, 0): hold it ..." when the tangent of a
/// system at rest says that a motion meets no resistance at this state; else, or where the system
/// is too large to be looked at as a dense matrix, empty.
/// Proved by StaticsErrors.*.
std::string describe_free_motion(system::System& system, const system::State& state);

}  // namespace solidyn::analyses
