#include "solidyn/system/multipliers.h"

#include "solidyn/system/scales.h"
#include "sparse_qr.h"

namespace solidyn::system {

using Eigen::VectorXd;

namespace {

// Below the singular values of rows that count as independent, relative to all.
constexpr double kDampingOfMultipliers = 1e-9;

// Of torques over the mechanism's length.
VectorXd arms_of(const System& system) {
  return increment_weights(system, characteristic_length(system)).cwiseInverse();
}

// What least norm may change the forces of constraints by, relative: more is lost to the damping,
// of rows that are almost dependent.
constexpr double kSameForces = 1e-8;

}  // namespace

void estimate_multipliers(System& system, State& state) {
  state.lambda.setZero();
  if (!system.layout().nodal_bodies().empty() || system.layout().n_constraints() == 0) return;
  VectorXd r, phi;
  system.update(state);
  system.compute_residual(state, r, phi);
  const VectorXd arms = arms_of(system);
  const SparseMatrix B = arms.asDiagonal() * SparseMatrix(system.sparse_G().transpose());
  state.lambda = damped_solution(B, -arms.cwiseProduct(r), kDampingOfMultipliers * B.norm());
}

void shorten_multipliers(System& system, State& state) {
  if (!system.layout().nodal_bodies().empty() || system.layout().n_constraints() == 0) return;
  VectorXd phi;
  system.compute_constraints(state, phi);  // G
  const VectorXd arms = arms_of(system);
  const SparseMatrix B = arms.asDiagonal() * SparseMatrix(system.sparse_G().transpose());
  const VectorXd forces = B * state.lambda;
  const VectorXd shortest = damped_solution(B, forces, kDampingOfMultipliers * B.norm());
  if (!((B * shortest - forces).norm() <= kSameForces * forces.norm())) return;
  state.lambda = shortest;
  system.update(state);
}

}  // namespace solidyn::system
