#pragma once
#include <memory>

#include "solidyn/integrators/contact_event.h"
#include "solidyn/integrators/multiple_impacts.h"
#include "solidyn/solvers/preset.h"
#include "solidyn/system/system.h"

namespace solidyn::integrators {

class ContactSolver;

/// Before a step whose impulses shall be seen at its end, however many parts it is taken in. Local.
void forget_impulses(system::System& system, system::State& state);

/// Which contacts of a state with consistent positions, velocities and joints are closed, impacts
/// of those that approach, accelerations and forces: without them the forces of the first steps
/// swing (page D07 of the reference problems). Local.
/// @throws base::ComputationError where no forces or impulses satisfy the laws
ContactReport start_contacts(system::System& system, system::State& state, double regularization,
                             solvers::Preset preset,
                             MultipleImpacts multiple = MultipleImpacts::simultaneous,
                             std::shared_ptr<ContactSolver> solver = nullptr);

}  // namespace solidyn::integrators
