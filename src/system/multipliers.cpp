#include "solidyn/system/multipliers.h"

#include "solidyn/system/scales.h"
#include "sparse_qr.h"

namespace solidyn::system {

using Eigen::VectorXd;

namespace {

// Below the singular values of rows that count as independent, relative to all.
constexpr double kDampingOfMultipliers = 1e-9;

}  // namespace

void estimate_multipliers(System& system, State& state) {
  state.lambda.setZero();
  if (!system.layout().nodal_bodies().empty() || system.layout().n_constraints() == 0) return;
  VectorXd r, phi;
  system.update(state);
  system.compute_residual(state, r, phi);
  const VectorXd arms =
      increment_weights(system, characteristic_length(system)).cwiseInverse();  // of torques
  const SparseMatrix B = arms.asDiagonal() * SparseMatrix(system.sparse_G().transpose());
  state.lambda = damped_solution(B, -arms.cwiseProduct(r), kDampingOfMultipliers * B.norm());
}

}  // namespace solidyn::system
