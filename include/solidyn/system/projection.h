#pragma once
#include "solidyn/system/independent_rows.h"

namespace solidyn::system {

struct ProjectionOptions {
  double tolerance = 1e-12;     ///< of |Phi|, m or rad, and of |G v - nu|, down to round-off
  IndependentRows rows;         ///< that are enforced; the others follow
  double regularization = 0.0;  ///< instead of a choice of rows, see redundancy_regularization()
};

/// The positions and velocities nearest to those of `state` in the mass metric that satisfy the
/// constraints at its time:
///   min dq^T M dq,  Phi(q exp(dq), t) = 0;    then  min dv^T M dv,  G (v + dv) = nu
///   [M G^T; G 0][dq; mu] = [0; -Phi],  [M G^T; G 0][dv; mu] = [0; nu - G v]
/// by Newton's method. Rows of velocity level leave positions as they are along them. It changes
/// neither momentum in directions that constraints do not resist, nor what is consistent.
/// Not with full-mesh bodies. Leaves kinematics() at `state`. Unit quaternions stay so.
/// @param solver has System::set_pattern(); holds factors of the matrix afterwards
/// @return the number of linear solves
/// @throws base::ComputationError when no position nearby satisfies the constraints, or no
/// velocity, rows that are left out included; `state` is then unchanged. Proved by Projection.*
int project_onto_constraints(System& system, State& state, const ProjectionOptions& options,
                             solvers::LinearSolver& solver);

}  // namespace solidyn::system
