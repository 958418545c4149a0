#include "solvers/near_null_space.h"

#include <vector>

#include "solidyn/base/mpi.h"
#include "solidyn/math/dense.h"

namespace solidyn::solvers {
namespace {

// A vector of A's, with memory of its own.
base::Vec make_vector(::Mat A, const Eigen::Ref<const Eigen::VectorXd>& values) {
  base::Vec v;
  PetscScalar* array = nullptr;
  SOLIDYN_PETSC(MatCreateVecs(A, v.out(), nullptr));
  SOLIDYN_PETSC(VecSetBlockSize(v, 3));
  SOLIDYN_PETSC(VecGetArray(v, &array));
  Eigen::Map<Eigen::VectorXd>(array, values.size()) = values;
  SOLIDYN_PETSC(VecRestoreArray(v, &array));
  return v;
}

}  // namespace

void attach_rigid_motions(::Mat A, const Eigen::Ref<const Eigen::Matrix3Xd>& x) {
  const base::Vec positions = make_vector(A, x.reshaped());
  MatNullSpace rigid = nullptr;
  SOLIDYN_PETSC(MatNullSpaceCreateRigidBody(positions, &rigid));
  SOLIDYN_PETSC(MatSetNearNullSpace(A, rigid));
  SOLIDYN_PETSC(MatNullSpaceDestroy(&rigid));
}

void attach_near_null_space(::Mat A, const Eigen::Ref<const Eigen::MatrixXd>& fields) {
  const MPI_Comm comm = PetscObjectComm(reinterpret_cast<PetscObject>(A));
  Eigen::MatrixXd G = fields.transpose() * fields;
  base::sum_in_place(comm, G.data(), static_cast<int>(G.size()));
  const Eigen::MatrixXd basis = fields * math::inverse_square_root(G);  // PETSc wants it so
  std::vector<base::Vec> columns;
  std::vector<::Vec> raw;
  for (Eigen::Index j = 0; j < basis.cols(); ++j) {
    columns.push_back(make_vector(A, basis.col(j)));
    raw.push_back(columns.back());
  }
  MatNullSpace space = nullptr;
  SOLIDYN_PETSC(
      MatNullSpaceCreate(comm, PETSC_FALSE, static_cast<PetscInt>(raw.size()), raw.data(), &space));
  SOLIDYN_PETSC(MatSetNearNullSpace(A, space));
  SOLIDYN_PETSC(MatNullSpaceDestroy(&space));
}

}  // namespace solidyn::solvers
