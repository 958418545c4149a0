#include "reduction/eigen/ghosts.h"

#include <algorithm>

#include "solidyn/base/mpi.h"

namespace solidyn::reduction {
namespace {

base::Vec make_ghosted(const mesh::DistributedMesh& mesh) {
  const std::vector<PetscInt> ghosts(mesh.global.begin() + mesh.n_owned, mesh.global.end());
  base::Vec v;
  SOLIDYN_PETSC(VecCreateGhostBlock(mesh.comm, 3, 3 * mesh.n_owned, PETSC_DETERMINE,
                                    static_cast<PetscInt>(ghosts.size()), ghosts.data(), v.out()));
  return v;
}

// Calls work(values) with owned and ghosted rows in one piece.
template <class Work>
void with_local_form(::Vec v, Work&& work) {
  ::Vec local = nullptr;
  PetscScalar* values = nullptr;
  SOLIDYN_PETSC(VecGhostGetLocalForm(v, &local));
  SOLIDYN_PETSC(VecGetArray(local, &values));
  work(values);
  SOLIDYN_PETSC(VecRestoreArray(local, &values));
  SOLIDYN_PETSC(VecGhostRestoreLocalForm(v, &local));
}

}  // namespace

Eigen::MatrixXd with_ghosts(const mesh::DistributedMesh& mesh, MultiVector X) {
  if (base::size(mesh.comm) == 1) return X;
  const base::Vec v = make_ghosted(mesh);
  Eigen::MatrixXd out(3 * mesh.n_local(), X.cols());
  for (Eigen::Index j = 0; j < X.cols(); ++j) {
    with_local_form(v,
                    [&](PetscScalar* values) { std::copy_n(X.col(j).data(), X.rows(), values); });
    SOLIDYN_PETSC(VecGhostUpdateBegin(v, INSERT_VALUES, SCATTER_FORWARD));
    SOLIDYN_PETSC(VecGhostUpdateEnd(v, INSERT_VALUES, SCATTER_FORWARD));
    with_local_form(
        v, [&](const PetscScalar* values) { std::copy_n(values, out.rows(), out.col(j).data()); });
  }
  return out;
}

MultiVector add_ghosts_to_owners(const mesh::DistributedMesh& mesh, const Eigen::MatrixXd& X) {
  if (base::size(mesh.comm) == 1) return X;
  const base::Vec v = make_ghosted(mesh);
  MultiVector out(3 * mesh.n_owned, X.cols());
  for (Eigen::Index j = 0; j < X.cols(); ++j) {
    with_local_form(v,
                    [&](PetscScalar* values) { std::copy_n(X.col(j).data(), X.rows(), values); });
    SOLIDYN_PETSC(VecGhostUpdateBegin(v, ADD_VALUES, SCATTER_REVERSE));
    SOLIDYN_PETSC(VecGhostUpdateEnd(v, ADD_VALUES, SCATTER_REVERSE));
    with_local_form(
        v, [&](const PetscScalar* values) { std::copy_n(values, out.rows(), out.col(j).data()); });
  }
  return out;
}

}  // namespace solidyn::reduction
