#include "bodies/multigrid/petsc_settings.h"

namespace solidyn::bodies {

bool has_option(const std::string& prefix, const char* option) {
  PetscBool is_set = PETSC_FALSE;
  SOLIDYN_PETSC(PetscOptionsHasName(nullptr, prefix.c_str(), option, &is_set));
  return is_set == PETSC_TRUE;
}

void attach_rigid_motions(Mat A, const Eigen::Ref<const Eigen::Matrix3Xd>& x) {
  base::Vec positions;
  SOLIDYN_PETSC(MatCreateVecs(A, positions.out(), nullptr));
  SOLIDYN_PETSC(VecSetBlockSize(positions, 3));
  PetscScalar* values = nullptr;
  SOLIDYN_PETSC(VecGetArray(positions, &values));
  Eigen::Map<Eigen::Matrix3Xd>(values, 3, x.cols()) = x;
  SOLIDYN_PETSC(VecRestoreArray(positions, &values));
  MatNullSpace rigid = nullptr;
  SOLIDYN_PETSC(MatNullSpaceCreateRigidBody(positions, &rigid));
  SOLIDYN_PETSC(MatSetNearNullSpace(A, rigid));
  SOLIDYN_PETSC(MatNullSpaceDestroy(&rigid));
}

}  // namespace solidyn::bodies
