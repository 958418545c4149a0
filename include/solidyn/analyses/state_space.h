#pragma once
#include "solidyn/analyses/linear_io.h"
#include "solidyn/analyses/minimal_coordinates.h"

namespace solidyn::analyses {

/// z' = A z + B i,  o = C z + D i of a linearised system, z = [y; u; m; m'] with the coordinates
/// and rates of MinimalCoordinates and the motions m of the drives among the inputs. Inputs i are
/// the forces, then the accelerations m'' of these drives. Proved by
/// tests/verification/linearisation.
struct StateSpace {
  Eigen::MatrixXd A, B, C, D;
  std::vector<std::string> states, inputs, outputs;
};

/// @pre no velocity-level constraints where motions are among the inputs
StateSpace make_state_space(const system::Linearisation& linear, const MinimalCoordinates& m,
                            const LinearInputs& inputs, const LinearOutputs& outputs);

}  // namespace solidyn::analyses
