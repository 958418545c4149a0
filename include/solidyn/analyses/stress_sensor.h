#pragma once
#include "solidyn/analyses/sensors.h"
#include "solidyn/bodies/nodal_stress.h"

namespace solidyn::analyses {

enum class StressComponent {
  xx,
  yy,
  zz,
  xy,
  yz,
  zx,
  von_mises,
  principal_1,  ///< the largest
  principal_2,
  principal_3
};
enum class StressAxes { body, world };

/// Stress at a place of a body, Pa: of its nodes the one with the largest von Mises stress at the
/// time. Columns are `name` or `name.xx` ... when several.
/// @param comm  the ranks that share the place's nodes (MPI_COMM_SELF: each rank has them all)
/// Proved by StressSensor.* (tests/unit/analyses).
Sensor stress_sensor(const std::string& name, bodies::BodyIndex body, bodies::NodalStress stress,
                     MPI_Comm comm, StressAxes axes,
                     const std::vector<StressComponent>& components);

}  // namespace solidyn::analyses
