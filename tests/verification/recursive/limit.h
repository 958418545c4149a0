#pragma once
#include <memory>

#include "mechanisms.h"
#include "solidyn/integrators/petsc_ts.h"
#include "solidyn/system/independent_rows.h"
#include "solidyn/system/scales.h"

/// What motions in relative coordinates are compared with.
namespace solidyn::testing_support {

/// Explicit steps of order eight in relative coordinates, to 1e-11 of each.
inline system::State limit(system::System& system, double duration) {
  integrators::PetscTsOptions options;
  options.type = integrators::PetscTsOptions::Type::rk;
  options.relative_tolerance = options.absolute_tolerance = 1e-11;
  options.is_relative = true;
  options.dependent_rows =
      find_redundancy(system, increment_weights(system, characteristic_length(system))).rows;
  return run_petsc_ts(system, duration, options);
}

/// Of positions and of velocities, the largest each. Of two quaternions that say the same there is
/// none.
inline double difference(const system::State& a, const system::State& b) {
  return (a.q.cwiseAbs() - b.q.cwiseAbs()).lpNorm<Eigen::Infinity>() +
         (a.v - b.v).lpNorm<Eigen::Infinity>();
}

}  // namespace solidyn::testing_support
