#include "multivector.h"

#include "solidyn/base/mpi.h"

namespace solidyn::reduction {

base::Vec wrap(MPI_Comm comm, double* values, Eigen::Index n_rows) {
  base::Vec v;
  SOLIDYN_PETSC(VecCreateMPIWithArray(comm, 1, n_rows, PETSC_DETERMINE, values, v.out()));
  return v;
}

MultiVector multiply(Mat A, const MultiVector& X) {
  PetscInt n_rows = 0;
  SOLIDYN_PETSC(MatGetLocalSize(A, &n_rows, nullptr));
  MultiVector Y(n_rows, X.cols());
  const MPI_Comm comm = PetscObjectComm(reinterpret_cast<PetscObject>(A));
  for (Eigen::Index j = 0; j < X.cols(); ++j) {
    const base::Vec x = wrap(comm, const_cast<double*>(X.col(j).data()), X.rows());
    const base::Vec y = wrap(comm, Y.col(j).data(), n_rows);
    SOLIDYN_PETSC(MatMult(A, x, y));
  }
  return Y;
}

Eigen::MatrixXd inner_products(MPI_Comm comm, const MultiVector& X, const MultiVector& Y) {
  Eigen::MatrixXd G = X.transpose() * Y;
  base::sum_in_place(comm, G.data(), static_cast<int>(G.size()));
  return G;
}

}  // namespace solidyn::reduction
