#pragma once
#include <set>

#include "solidyn/forces/runs_on_track.h"
#include "solidyn/system/system.h"

namespace solidyn::analyses {

/// What hangs together with the wheelsets by joints, forces and shared nodes. Rails that move, and
/// what stands beside the track, are not of the vehicle.
std::set<bodies::BodyIndex> bodies_of_vehicle(const system::System& system,
                                              const forces::Wheelsets& wheelsets);

}  // namespace solidyn::analyses
