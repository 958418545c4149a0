#include "reduction/eigen/multigrid.h"

#include "solidyn/math/dense.h"

namespace solidyn::reduction {
namespace {

// Orthonormal, as PETSc wants null spaces.
MultiVector orthonormal(MPI_Comm comm, const MultiVector& X) {
  const Eigen::MatrixXd G = inner_products(comm, X, X);
  return X * math::inverse_square_root(G);
}

}  // namespace

Multigrid::Multigrid(Mat A, const MultiVector& rigid) {
  const MPI_Comm comm = PetscObjectComm(reinterpret_cast<PetscObject>(A));
  const MultiVector R = orthonormal(comm, rigid);
  std::vector<base::Vec> columns;
  std::vector<::Vec> raw;
  for (Eigen::Index j = 0; j < R.cols(); ++j) {
    // PETSc keeps the vectors: they get memory of their own.
    base::Vec& v = columns.emplace_back();
    SOLIDYN_PETSC(MatCreateVecs(A, v.out(), nullptr));
    SOLIDYN_PETSC(VecSetBlockSize(v, 3));
    PetscScalar* values = nullptr;
    SOLIDYN_PETSC(VecGetArray(v, &values));
    Eigen::Map<Eigen::VectorXd>(values, R.rows()) = R.col(j);
    SOLIDYN_PETSC(VecRestoreArray(v, &values));
    raw.push_back(v);
  }
  MatNullSpace space = nullptr;
  SOLIDYN_PETSC(
      MatNullSpaceCreate(comm, PETSC_FALSE, static_cast<PetscInt>(raw.size()), raw.data(), &space));
  SOLIDYN_PETSC(MatSetNearNullSpace(A, space));
  SOLIDYN_PETSC(MatNullSpaceDestroy(&space));
  SOLIDYN_PETSC(PCCreate(comm, pc_.out()));
  SOLIDYN_PETSC(PCSetOptionsPrefix(pc_, "modes_"));
  SOLIDYN_PETSC(PCSetOperators(pc_, A, A));
  SOLIDYN_PETSC(PCSetType(pc_, PCGAMG));
  SOLIDYN_PETSC(PCSetFromOptions(pc_));
  SOLIDYN_PETSC(PCSetUp(pc_));
  levels_ = take_levels(pc_);
}

BlockCycle& Multigrid::cycle(int width) const {
  const auto found = cycles_.find(width);
  if (found != cycles_.end()) return found->second;
  ::KSP coarse = nullptr;
  SOLIDYN_PETSC(PCMGGetCoarseSolve(pc_, &coarse));
  return cycles_
      .emplace(std::piecewise_construct, std::forward_as_tuple(width),
               std::forward_as_tuple(levels_, coarse, width))
      .first->second;
}

MultiVector Multigrid::apply(const MultiVector& r) const {
  constexpr Eigen::Index kWidest = 8;  // more vectors at once gain little and need more memory
  MultiVector z(r.rows(), r.cols());
  Eigen::Index n = 0;
  for (Eigen::Index j = 0; j < r.cols(); j += n) {
    n = std::min(kWidest, r.cols() - j);
    const int width = n > 4 ? 8 : n > 2 ? 4 : static_cast<int>(n);
    cycle(width).apply(r.middleCols(j, n), z.middleCols(j, n));
  }
  return z;
}

}  // namespace solidyn::reduction
