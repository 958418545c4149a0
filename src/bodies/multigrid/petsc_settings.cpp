#include "bodies/multigrid/petsc_settings.h"

#include "bodies/nodal_view.h"

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
  WritableNodalView(positions).nodes() = x;
  MatNullSpace rigid = nullptr;
  SOLIDYN_PETSC(MatNullSpaceCreateRigidBody(positions, &rigid));
  SOLIDYN_PETSC(MatSetNearNullSpace(A, rigid));
  SOLIDYN_PETSC(MatNullSpaceDestroy(&rigid));
}

}  // namespace solidyn::bodies
