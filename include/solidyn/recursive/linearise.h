#pragma once
#include "solidyn/system/linearisation.h"

namespace solidyn::recursive {

/// Small motions of a system in relative coordinates: what system::linearise() finds in increments
/// of bodies, with the increments of hinges and modes for x, and the rows of cut joints, of other
/// closures and of drives for constraints. M, D, K come from DynamicsDerivatives. Where the
/// coefficients are constant, at rest and in steady motion, eigenvalues and responses are those of
/// system::linearise().
/// @param axes  of free rotations, and of translations of hinges that turn too: those of the body,
/// or (world) of what carries it
/// @pre as system::linearise(), and the state satisfies the constraints
/// @throws base::InputError as find_forest(), and for set-valued contacts
/// Local. Proved by RelativeLinearisation.*
system::Linearisation linearise(system::System& system, const system::State& state,
                                system::IncrementAxes axes);

/// @pre the state moves
/// @throws base::InputError where a hinge turns with what carries it: linearise() with
/// IncrementAxes::world has its coordinates in the axes of that body, not of the world
void refuse_turning_hinges(system::System& system, const system::State& state);

}  // namespace solidyn::recursive
