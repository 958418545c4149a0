#pragma once
#include <string>
#include <vector>

#include "solidyn/analyses/sensors.h"
#include "solidyn/system/linearisation.h"

namespace solidyn::analyses {

/// What disturbs a linearised system: components of loads, and drives.
struct LinearInputs {
  std::vector<std::string> force_names;
  Eigen::MatrixXd forces;  ///< [n_v x inputs] f of the linearised equations per N or N m
  std::vector<std::string> motion_names;
  Eigen::MatrixXd motions;  ///< [rows x inputs] G x per m or rad that a drive moves

  int n() const { return static_cast<int>(force_names.size() + motion_names.size()); }
};

/// Adds one component (0..2 force, 3..5 torque) of the load `force`, in its own axes. @pre the
/// system's kinematics are those of the linearisation
void add_load_input(const system::System& system, const system::Linearisation& linear,
                    const std::string& name, int force, int component, LinearInputs& inputs);

/// Adds the motion of a drive: a constraint of position level with one row.
void add_drive_input(const system::System& system, const system::Linearisation& linear,
                     const std::string& name, int constraint, LinearInputs& inputs);

/// What sensors see of small motions: changes of their columns are
///   by_x x + by_dx x' + by_ddx x'' + by_mu mu.
struct LinearOutputs {
  std::vector<Sensor::Column> columns;
  Eigen::MatrixXd by_x, by_dx, by_ddx;  ///< [columns x n_v]
  Eigen::MatrixXd by_mu;                ///< [columns x rows of G]
};

/// By central differences of the sensors themselves. Angles may turn over from pi to -pi in
/// between. Leaves the system's kinematics at `state`.
LinearOutputs linearise_sensors(system::System& system, const system::State& state,
                                const system::Linearisation& linear,
                                const std::vector<const Sensor*>& sensors);

}  // namespace solidyn::analyses
