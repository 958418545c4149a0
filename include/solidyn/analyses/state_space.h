#pragma once
#include "solidyn/analyses/driven_motions.h"
#include "solidyn/analyses/linear_io.h"
#include "solidyn/analyses/minimal_coordinates.h"

namespace solidyn::analyses {

/// z' = A z + B i,  o = C z + D i of a linearised system, z = [y; u; m; r] with the coordinates and
/// rates of MinimalCoordinates, the motions m of the drives of position level among the inputs and
/// the rates r of all drives among them. Inputs i are the forces, then the accelerations r'. In
/// states that are not steady the coefficients are those of the instant, and so is what they make
/// of a drive's motion. Proved by tests/verification/linearisation.
struct StateSpace {
  Eigen::MatrixXd A, B, C, D;
  std::vector<std::string> states, inputs, outputs;
};

StateSpace make_state_space(const system::Linearisation& linear, const MinimalCoordinates& m,
                            const DrivenMotions& driven, const LinearInputs& inputs,
                            const LinearOutputs& outputs);

}  // namespace solidyn::analyses
