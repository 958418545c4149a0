#pragma once
#include "solidyn/solvers/friction/method.h"

namespace solidyn::integrators {

/// Of the problems that set-valued contacts pose in steps and impacts.
struct ContactSolverOptions {
  solvers::friction::Method method = solvers::friction::Method::automatic;
  /// Of solvers::friction::ContactError::relative; 0: by the number of points, as
  /// doc/nonsmooth.md says.
  double tolerance = 0.0;
};

}  // namespace solidyn::integrators
