#pragma once
#include "solidyn/system/initial_conditions.h"

namespace solidyn::system {

/// Deforms the flexible bodies of a start so that their elastic coordinates are in equilibrium with
/// loads and inertia forces, and nothing rings that is not meant to:
///   M a + h + G^T lambda = 0,  Phi = 0,  G a = gamma,   with elastic velocities and accelerations
///   0
/// The accelerations are those of a mechanism whose flexible bodies move as rigid ones in the shape
/// that is sought; the motions that the constraints then leave free keep where they are. Newton's
/// method. Velocities go with the bodies as rigid fields, so that angular velocities stay as given.
/// Collective. @pre positions and velocities are consistent, `redundancy` is theirs
/// @throws base::ComputationError where no such shape is near: motions that buckle bodies or turn
/// faster than they can hold. Proved by mpi.program_statics_then_dynamics.
/// @return false where the shape is known to be unstable: beyond buckling, or a critical speed. Not
/// looked at with full-mesh bodies, nor with more than 600 unknowns.
bool deform_quasi_statically(System& system, State& state, const Redundancy& redundancy);

/// As make_velocities_consistent(), of velocities that bodies have brought from another shape, and
/// which nobody has given: says nothing of what would deform superelements and beams.
void make_carried_velocities_consistent(System& system, State& state, double tolerance);

/// Whether there is a shape to find.
bool has_flexible_bodies(const System& system);

/// Collective. The motions, as velocities [n_v x n], in which flexible bodies keep their shape and
/// that the constraints leave free. @pre as of deform_quasi_statically()
Eigen::MatrixXd shape_keeping_motions(System& system, const State& state);

}  // namespace solidyn::system
