#pragma once
#include <functional>

#include "reduction/eigen/multivector.h"

namespace solidyn::reduction {

/// A linear operator that is self-adjoint in the inner product of M, on the M-complement of a space
/// that `project` removes (rigid motions).
struct BlockOperator {
  MPI_Comm comm = MPI_COMM_SELF;
  std::function<MultiVector(const MultiVector&)> multiply_M;
  std::function<MultiVector(const MultiVector&)> solve;  ///< the operator is x -> solve(M x)
  std::function<void(MultiVector&)> project;
};

struct BlockKrylovResult {
  Eigen::VectorXd values;  ///< descending
  MultiVector vectors;     ///< M-orthonormal
  int n_blocks = 0;        ///< applications of the operator to a block
  bool has_converged = false;
};

/// Collective. The n largest eigenpairs by Ritz's method in a block Krylov space with full
/// M-orthogonalisation and thick restarts. A block costs a third to a quarter of its vectors one by
/// one, because the factor is read once, and finds all copies of an eigenvalue whose multiplicity
/// does not exceed the block size.
/// @param start [rows x p] the first block; p is the block size   @param tolerance of |Op x - theta
/// x|_M / theta
/// @param n_rows global size of the space
BlockKrylovResult find_largest(const BlockOperator& op, MultiVector start, int n, double tolerance,
                               std::int64_t n_rows);

}  // namespace solidyn::reduction
