#pragma once
#include <Eigen/Dense>
#include <cmath>
#include <string>
#include <vector>

#include "solidyn/base/mpi.h"
#include "solidyn/base/petsc.h"

// Dense matrices of tests as sparse ones that ranks hold by rows, and what solutions leave.
namespace solidyn::solvers {

using Eigen::MatrixXd;
using Eigen::VectorXd;

inline const MPI_Comm kWorld = MPI_COMM_WORLD;

// Rank r has r more parts of the rows than rank 0, which has none when there are others.
inline int rows_of_rank(int n_blocks) {
  const int n_ranks = base::size(kWorld), rank = base::rank(kWorld);
  if (n_ranks == 1) return 3 * n_blocks;
  const int parts = n_ranks * (n_ranks - 1) / 2, share = n_blocks / parts;
  return 3 * (rank == n_ranks - 1 ? n_blocks - share * (parts - rank) : share * rank);
}

// @param mine  rows of this rank
inline base::Mat distribute(const MatrixXd& A, MatType type, int mine) {
  const int n = static_cast<int>(A.rows());
  base::Mat made;
  SOLIDYN_PETSC(MatCreate(kWorld, made.out()));
  SOLIDYN_PETSC(MatSetSizes(made, mine, mine, n, n));
  SOLIDYN_PETSC(MatSetBlockSize(made, 3));
  SOLIDYN_PETSC(MatSetType(made, type));
  // Blocks of a row, no less than there are.
  const std::vector<PetscInt> own(mine / 3, mine / 3), other(mine / 3, (n - mine) / 3);
  SOLIDYN_PETSC(
      MatXAIJSetPreallocation(made, 3, own.data(), other.data(), own.data(), other.data()));
  const bool is_upper = std::string(type) == MATSBAIJ;
  PetscInt first = 0, last = 0;
  SOLIDYN_PETSC(MatGetOwnershipRange(made, &first, &last));
  for (PetscInt i = first; i < last; ++i)
    for (PetscInt j = is_upper ? i : 0; j < n; ++j)
      if (A(i, j) != 0.0 || i == j) SOLIDYN_PETSC(MatSetValue(made, i, j, A(i, j), INSERT_VALUES));
  SOLIDYN_PETSC(MatAssemblyBegin(made, MAT_FINAL_ASSEMBLY));
  SOLIDYN_PETSC(MatAssemblyEnd(made, MAT_FINAL_ASSEMBLY));
  return made;
}

inline base::Mat distribute(const MatrixXd& A, MatType type) {
  return distribute(A, type, rows_of_rank(static_cast<int>(A.rows()) / 3));
}

// Largest |A X - B| over that of B, of the X that `solve` makes of this rank's rows of B.
template <class Solve>
double residual_of(::Mat distributed, const MatrixXd& A, int n_columns, double size,
                   const Solve& solve) {
  PetscInt first = 0, last = 0;
  SOLIDYN_PETSC(MatGetOwnershipRange(distributed, &first, &last));
  const MatrixXd B =
      MatrixXd::NullaryExpr(A.rows(), n_columns, [&](Eigen::Index i, Eigen::Index j) {
        return size * std::sin(1.0 + static_cast<double>(3 * i + 5 * j));
      });
  MatrixXd X = MatrixXd::Zero(B.rows(), n_columns);
  X.middleRows(first, last - first) = solve(MatrixXd(B.middleRows(first, last - first)));
  base::sum_in_place(kWorld, X.data(), static_cast<int>(X.size()));
  return (A * X - B).cwiseAbs().maxCoeff() / size;
}

}  // namespace solidyn::solvers
