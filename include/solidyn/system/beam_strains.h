#pragma once
#include "solidyn/bodies/beam_body.h"
#include "solidyn/system/system.h"

namespace solidyn::system {

/// Adds the strains of element `e` as unknowns, with the constraints that tie them to its nodes:
/// the elastic forces of an element whose strains are `unknown`. The beam is in the system.
/// @param driven stretch, twist and curvatures that are functions of time, beyond the undeformed
/// ones; per length but for the stretch. They have no stress but the constraint's multipliers.
/// @return index of the constraint
/// @pre constant torsion where the system is to move: an inner strain has no acceleration
ConstraintIndex add_strain_unknowns(System& system, const bodies::BeamBody& beam, int e,
                                    const bodies::Prestrain::Laws& driven = {});

}  // namespace solidyn::system
