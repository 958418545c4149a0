#pragma once
#include <functional>

#include "reduction/eigen/multivector.h"

namespace solidyn::reduction {

/// A symmetric system, positive definite on the space that the preconditioner maps into.
struct SymmetricSystem {
  MPI_Comm comm = MPI_COMM_SELF;
  std::function<MultiVector(const MultiVector&)> multiply;
  std::function<MultiVector(const MultiVector&)> precondition;
};

struct ConjugateGradientsResult {
  MultiVector u;
  int n_iterations = 0;
  bool has_converged = false;
  /// Of columns that have not: how many, the worst of them, and its error, relative to its energy
  /// norm; not a number where it is not known.
  int n_left = 0;
  Eigen::Index worst = 0;
  double worst_error = 0.0;
};

/// Collective. Preconditioned conjugate gradients for several right-hand sides at once, each with
/// coefficients of its own; those that are done wait. A column is done when its error, measured by
/// the preconditioned residual, is below `tolerance` of its energy norm.
/// @param u a first guess
ConjugateGradientsResult solve_by_conjugate_gradients(const SymmetricSystem& system,
                                                      const MultiVector& f, MultiVector u,
                                                      double tolerance, int max_iterations);

}  // namespace solidyn::reduction
