#pragma once
#include <string>
#include <vector>

#include "solidyn/analyses/sensors.h"
#include "solidyn/system/linearisation.h"

namespace solidyn::bodies {
class BeamBody;
}

namespace solidyn::analyses {

/// What disturbs a linearised system: components of loads, and drives.
struct LinearInputs {
  std::vector<std::string> force_names;
  Eigen::MatrixXd forces;     ///< [n_x x inputs] f of the linearised equations per N or N m
  Eigen::MatrixXd on_bodies;  ///< [n_v x inputs] the same on the unknowns of bodies
  struct Motion {
    std::string name;
    Eigen::Index row;  ///< of G: what G x is at position level, G x' + E x at velocity level
  };
  std::vector<Motion> motions;
  /// Forces that are loads along beams: sections on them carry them too.
  struct LineLoad {
    Eigen::Index column;  ///< of `forces`
    const bodies::BeamBody* beam;
    std::string load;
    int component;
  };
  std::vector<LineLoad> line_loads;

  int n() const { return static_cast<int>(force_names.size() + motions.size()); }
  std::vector<std::string> names() const;  ///< forces come first
};

/// Adds one component (0..2 force, 3..5 torque) of the load `force`, in its own axes. @pre the
/// system's kinematics are those of the linearisation
void add_load_input(const system::System& system, const system::Linearisation& linear,
                    const std::string& name, forces::ForceIndex force, int component,
                    LinearInputs& inputs);

/// The same of a load along a beam of the system, per N/m or N m/m.
void add_line_load_input(const system::System& system, const system::Linearisation& linear,
                         const std::string& name, const bodies::BeamBody& beam,
                         const std::string& load, int component, LinearInputs& inputs);

/// Adds what a row of a drive moves: its angle or translation, or its rate where the drive's law
/// gives that.
/// @throws base::ComputationError when other constraints hold it
void add_drive_input(system::System& system, const system::State& state,
                     const system::Linearisation& linear, const std::string& name,
                     bodies::ConstraintIndex constraint, int row, LinearInputs& inputs);

/// What sensors see of small motions: changes of their columns are
///   by_x x + by_dx x' + by_ddx x'' + by_mu mu + by_force f.
struct LinearOutputs {
  std::vector<Sensor::Column> columns;
  Eigen::MatrixXd by_x, by_dx, by_ddx;  ///< [columns x n_x]
  Eigen::MatrixXd by_mu;                ///< [columns x rows of G]
  Eigen::MatrixXd by_force;             ///< [columns x forces of the inputs]
};

/// By central differences of the sensors themselves. Angles may turn over from pi to -pi in
/// between. Leaves the system's kinematics at `state`.
LinearOutputs linearise_sensors(system::System& system, const system::State& state,
                                const system::Linearisation& linear,
                                const std::vector<const Sensor*>& sensors,
                                const LinearInputs& inputs = {});

}  // namespace solidyn::analyses
