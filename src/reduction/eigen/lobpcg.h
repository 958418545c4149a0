#pragma once
#include <functional>

#include "reduction/eigen/multivector.h"

namespace solidyn::reduction {

/// The pencil (K, M) on a space that `project` maps into, and about the inverse of K there.
struct PreconditionedPencil {
  MPI_Comm comm = MPI_COMM_SELF;
  std::function<MultiVector(const MultiVector&)> multiply_K, multiply_M;
  std::function<MultiVector(const MultiVector&)> precondition;  ///< symmetric, into the space
  std::function<void(MultiVector&)> project;
};

struct LobpcgResult {
  Eigen::VectorXd values;  ///< ascending
  MultiVector vectors;     ///< M-orthonormal
  int n_iterations = 0;
  double largest_error = 0.0;  ///< of the wanted vectors, in the energy norm, relative
  bool has_converged = false;
};

/// Collective. The n smallest eigenpairs by the locally optimal block preconditioned conjugate
/// gradient method (Knyazev 2001), with the three blocks M-orthonormalised before Ritz's method
/// (Stathopoulos and Wu 2002; Duersch et al. 2018) and soft locking: vectors that are done stay in
/// the space but get no more residuals. The error of a vector is estimated by its preconditioned
/// residual, sqrt(r^T T r / theta); that of its eigenvalue is of the order of the square.
/// @param start [rows x m] m >= n; the vectors beyond n speed convergence and are not checked
LobpcgResult find_smallest(const PreconditionedPencil& pencil, MultiVector start, int n,
                           double tolerance, int max_iterations);

}  // namespace solidyn::reduction
