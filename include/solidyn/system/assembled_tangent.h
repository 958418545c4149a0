#pragma once
#include "solidyn/solvers/block_matrix.h"
#include "solidyn/system/system.h"

namespace solidyn::system {

/// The derivatives of a system's equations by accelerations, velocities and positions, one
/// coefficient at a time in the same pattern. Local where no body has all its nodes.
class AssembledTangent {
 public:
  explicit AssembledTangent(System& system) : system_(system) { system.set_pattern(matrix_); }

  /// As System::assemble() of these coefficients alone. [n_unknowns x n_unknowns], until the next
  /// call. @pre update(state) and compute_residual(state)
  const solvers::BlockMatrix& at(const State& state,
                                 const bodies::TangentCoefficients& coefficients) {
    System::TangentOptions options;
    options.coefficients = coefficients;
    system_.assemble(state, options, matrix_);
    return matrix_;
  }

 private:
  System& system_;
  solvers::BlockMatrix matrix_;
};

}  // namespace solidyn::system
