#pragma once
#include <Eigen/Dense>

#include "solidyn/base/petsc.h"

namespace solidyn::reduction {

/// Several distributed vectors: column j, this rank's rows of the matrix layout they belong to.
using MultiVector = Eigen::MatrixXd;

/// Collective. A X; of a sparse matrix all columns together.
MultiVector multiply(Mat A, const MultiVector& X);

/// Collective. X^T Y, the same bits on every rank.
Eigen::MatrixXd inner_products(MPI_Comm comm, const MultiVector& X, const MultiVector& Y);

/// Collective. The diagonal of X^T Y, the same bits on every rank.
Eigen::VectorXd column_products(MPI_Comm comm, const MultiVector& X, const MultiVector& Y);

/// Collective. Euclidean norms of the columns, the same bits on every rank.
Eigen::VectorXd column_norms(MPI_Comm comm, const MultiVector& X);

/// A matrix without the part by which round-off made it unsymmetric.
inline Eigen::MatrixXd symmetric(const Eigen::MatrixXd& A) { return 0.5 * (A + A.transpose()); }

/// Borrows memory as a PETSc vector; the memory must outlive it.
base::Vec wrap(MPI_Comm comm, double* values, Eigen::Index n_rows);

}  // namespace solidyn::reduction
