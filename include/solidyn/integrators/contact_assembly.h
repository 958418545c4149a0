#pragma once
#include "solidyn/solvers/preset.h"
#include "solidyn/system/system.h"

namespace solidyn::integrators {

/// Moves what overlaps in set-valued contacts apart, and joints that are beyond a stop back to it:
/// gaps that are negative become zero. The move is the smallest one in the metric of the masses
/// that the joints allow; stiff bodies keep their shape. Where no such move is found, positions
/// stay as they are, and start_contacts() says what overlaps. Local.
/// @pre Phi = 0; no body keeps all nodes of a mesh
void separate_overlaps(system::System& system, system::State& state, double regularization,
                       solvers::Preset preset);

}  // namespace solidyn::integrators
