#pragma once
#include "solidyn/base/error.h"
#include "solidyn/system/independent_rows.h"

namespace solidyn::system {

struct AccelerationOptions {
  /// Baumgarte's stabilisation, 1/s: a violation e of a position-level constraint obeys
  /// dde + 2 alpha de + beta^2 e = 0, one of velocity level de + alpha e = 0.
  double baumgarte_alpha = 0.0, baumgarte_beta = 0.0;
  double regularization = 0.0;  ///< 0, or redundancy_regularization() for dependent constraints
  /// Instead of that, away from positions that satisfy the constraints: multipliers of rows that
  /// are left out are zero.
  IndependentRows rows = IndependentRows();
};

/// Friction in joints leaves the accelerations without a solution (jamming, Painleve).
class JammedError : public base::ComputationError {
 public:
  using base::ComputationError::ComputationError;
};

/// Adds to state.a, state.lambda (and the nodal accelerations) what solves the index-1 equations at
/// state.t, q and v:
///   [M G^T; G -epsilon][a; lambda] = [-h; gamma - 2 alpha (G v - nu) - beta^2 Phi]   P-SOLID (1)
/// where refinement removes the effect of epsilon: started from lambda = 0, the multipliers are
/// those of minimum norm. Collective with full-mesh bodies; leaves kinematics() at `state`.
/// @param solver has System::set_pattern(); holds the factors of the matrix afterwards
/// @return the number of linear solves
/// @throws base::ComputationError when the system is singular; JammedError
int solve_acceleration_equations(System& system, State& state, const AccelerationOptions& options,
                                 solvers::LinearSolver& solver);

}  // namespace solidyn::system
