#include "matrix_free_tangent.h"

#include "nodal_view.h"

namespace solidyn::bodies {

MatrixFreeTangent::MatrixFreeTangent(const mesh::DistributedMesh& mesh,
                                     const fem::SolidOperator& forces, const NodalMass& mass,
                                     std::vector<PetscInt> held)
    : mesh_(mesh),
      forces_(forces),
      mass_(mass),
      held_(std::move(held)),
      v_(3, mesh.n_local()),
      y_(3, mesh.n_owned),
      free_(mass.make_vector()) {
  const auto n = static_cast<PetscInt>(3 * mesh.n_owned);
  SOLIDYN_PETSC(
      MatCreateShell(mesh.comm, n, n, PETSC_DETERMINE, PETSC_DETERMINE, this, shell_.out()));
  SOLIDYN_PETSC(MatSetBlockSize(shell_, 3));
  SOLIDYN_PETSC(MatSetOption(shell_, MAT_SPD, PETSC_TRUE));
  SOLIDYN_PETSC(
      MatShellSetOperation(shell_, MATOP_MULT, reinterpret_cast<void (*)()>(&multiply_shell)));
}

void MatrixFreeTangent::set(const Eigen::Matrix3Xd& x,
                            const fem::TangentCoefficients& coefficients) {
  x_ = x;
  coefficients_ = coefficients;
  SOLIDYN_PETSC(MatAssemblyBegin(shell_, MAT_FINAL_ASSEMBLY));  // notifies solvers of the change
  SOLIDYN_PETSC(MatAssemblyEnd(shell_, MAT_FINAL_ASSEMBLY));
}

// C++ exceptions do not pass through PETSc's C code.
PetscErrorCode MatrixFreeTangent::multiply_shell(::Mat shell, ::Vec v, ::Vec y) {
  MatrixFreeTangent* self = nullptr;
  PetscFunctionBeginUser;
  PetscCall(MatShellGetContext(shell, &self));
  try {
    self->multiply(v, y);
  } catch (const std::exception& e) {
    SETERRQ(PetscObjectComm(reinterpret_cast<PetscObject>(shell)), PETSC_ERR_LIB, "%s", e.what());
  }
  PetscFunctionReturn(0);
}

void MatrixFreeTangent::multiply(::Vec v, ::Vec y) {
  SOLIDYN_PETSC(VecCopy(v, free_));
  {
    WritableNodalView view(free_);
    for (PetscInt row : held_) view.flat()[row] = 0.0;
    v_.leftCols(mesh_.n_owned) = view.nodes();
  }
  forces_.update_ghosts(v_);
  forces_.apply_tangent(x_, coefficients_, v_, y_);
  mass_.multiply(free_, y);
  WritableNodalView result(y);
  result.nodes() = coefficients_.mass * result.nodes() + y_;
  const NodalView given(v);
  for (PetscInt row : held_) result.flat()[row] = given.flat()[row];
}

}  // namespace solidyn::bodies
