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

/// Those rows of G, in order, that do not depend on rows before them, at a position that satisfies
/// them. @param G  by increments of the same size
std::vector<int> independent_rows(const Eigen::MatrixXd& G);

/// @throws base::InputError where a system has contacts, stops or clutches that relative
/// coordinates cannot have
void refuse_set_valued_contacts(const system::System& system);

}  // namespace solidyn::recursive
