#pragma once
#include <set>

#include "solidyn/forces/runs_on_track.h"
#include "solidyn/system/state.h"
#include "solidyn/system/system.h"

namespace solidyn::analyses {

/// What hangs together with the wheelsets by joints, forces and shared nodes. Rails that move, and
/// what stands beside the track, are not of the vehicle.
std::set<bodies::BodyIndex> bodies_of_vehicle(const system::System& system,
                                              const forces::Wheelsets& wheelsets);

/// The one motion of a vehicle that runs with `speed` (m/s), as its first wheelset has it.
/// @pre System::update(), at least one wheelset
/// @throws base::ComputationError where the track changes along the vehicle
forces::RunningMotion common_motion(const system::System& system,
                                    const forces::Wheelsets& wheelsets, double speed);

/// @throws base::InputError where rails under a wheelset are not where the design puts them: their
/// height and slope there would be taken for those of all the way
void refuse_irregular_track(const system::System& system, const forces::Wheelsets& wheelsets,
                            double speed);

/// @throws base::ComputationError where a wheelset is off its rails, or a constraint does not allow
/// the state's velocities
void refuse_what_does_not_run(system::System& system, const forces::Wheelsets& wheelsets,
                              const system::State& state, double speed);

}  // namespace solidyn::analyses
