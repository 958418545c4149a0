#include "matrix_free_tangent.h"

#include "nodal_view.h"

namespace solidyn::bodies {
namespace {

using Eigen::Map;
using Eigen::Matrix3d;

// C++ exceptions do not pass through PETSc's C code.
template <class Work>
PetscErrorCode call_from_petsc(::Mat shell, const Work& work) {
  MatrixFreeTangent* self = nullptr;
  PetscFunctionBeginUser;
  PetscCall(MatShellGetContext(shell, &self));
  try {
    work(*self);
  } catch (const std::exception& e) {
    SETERRQ(PetscObjectComm(reinterpret_cast<PetscObject>(shell)), PETSC_ERR_LIB, "%s", e.what());
  }
  PetscFunctionReturn(0);
}

template <class Function>
void set_operation(::Mat shell, MatOperation operation, Function* function) {
  SOLIDYN_PETSC(MatShellSetOperation(shell, operation, reinterpret_cast<void (*)()>(function)));
}

}  // namespace

MatrixFreeTangent::MatrixFreeTangent(const mesh::DistributedMesh& mesh,
                                     const fem::SolidOperator& forces, const NodalMass& mass,
                                     std::vector<PetscInt> held)
    : mesh_(mesh),
      forces_(forces),
      mass_(mass),
      held_(std::move(held)),
      v_(3, mesh.n_local()),
      y_(3, mesh.n_owned),
      free_(mass.make_vector()),
      product_(mass.make_vector()) {
  const auto n = static_cast<PetscInt>(3 * mesh.n_owned);
  SOLIDYN_PETSC(
      MatCreateShell(mesh.comm, n, n, PETSC_DETERMINE, PETSC_DETERMINE, this, shell_.out()));
  SOLIDYN_PETSC(MatSetBlockSize(shell_, 3));
  SOLIDYN_PETSC(MatSetOption(shell_, MAT_SPD, PETSC_TRUE));
  set_operation(shell_, MATOP_MULT, &multiply_shell);
  set_operation(shell_, MATOP_GET_DIAGONAL, &diagonal_of_shell);
  set_operation(shell_, MATOP_INVERT_BLOCK_DIAGONAL, &inverse_blocks_of_shell);
}

void MatrixFreeTangent::set(const Eigen::Matrix3Xd& x,
                            const fem::TangentCoefficients& coefficients) {
  x_ = x;
  coefficients_ = coefficients;
  SOLIDYN_PETSC(MatAssemblyBegin(shell_, MAT_FINAL_ASSEMBLY));  // notifies solvers of the change
  SOLIDYN_PETSC(MatAssemblyEnd(shell_, MAT_FINAL_ASSEMBLY));
}

void MatrixFreeTangent::add_springs(std::vector<std::int32_t> nodes, double stiffness) {
  springs_ = std::move(nodes);
  spring_stiffness_ = stiffness;
}

PetscErrorCode MatrixFreeTangent::multiply_shell(::Mat shell, ::Vec v, ::Vec y) {
  return call_from_petsc(shell, [&](MatrixFreeTangent& self) { self.multiply(v, y); });
}

PetscErrorCode MatrixFreeTangent::diagonal_of_shell(::Mat shell, ::Vec diagonal) {
  return call_from_petsc(shell, [&](MatrixFreeTangent& self) { self.get_diagonal(diagonal); });
}

PetscErrorCode MatrixFreeTangent::inverse_blocks_of_shell(::Mat shell, const PetscScalar** values) {
  return call_from_petsc(shell, [&](MatrixFreeTangent& self) { *values = self.inverse_blocks(); });
}

void MatrixFreeTangent::multiply(::Vec v, ::Vec y) {
  SOLIDYN_PETSC(VecCopy(v, free_));
  {
    WritableNodalView view(free_);
    for (PetscInt row : held_) view.flat()[row] = 0.0;
  }
  multiply_free(free_, y);
  WritableNodalView result(y);
  const NodalView given(v);
  for (PetscInt row : held_) result.flat()[row] = given.flat()[row];
}

void MatrixFreeTangent::multiply_free(::Vec v, ::Vec y) {
  v_.leftCols(mesh_.n_owned) = NodalView(v).nodes();
  forces_.update_ghosts(v_);
  forces_.apply_tangent(x_, coefficients_, v_, y_);
  const double spring = coefficients_.stiffness * spring_stiffness_;
  for (const std::int32_t node : springs_) y_.col(node) += spring * v_.col(node);
  mass_.multiply(v, product_);
  WritableNodalView(y).nodes() = coefficients_.mass * NodalView(product_).nodes() + y_;
}

void MatrixFreeTangent::compute_blocks() {
  blocks_.resize(9, mesh_.n_owned);
  forces_.compute_diagonal_blocks(x_, coefficients_, blocks_);
  mass_.get_diagonal(product_);
  const NodalView masses(product_);
  for (std::int32_t i = 0; i < mesh_.n_owned; ++i)
    for (int axis = 0; axis < 3; ++axis)
      blocks_(4 * axis, i) += coefficients_.mass * masses.nodes()(axis, i);
  for (const std::int32_t node : springs_)
    for (int axis = 0; axis < 3; ++axis)
      blocks_(4 * axis, node) += coefficients_.stiffness * spring_stiffness_;
  for (const PetscInt row : held_) {
    Map<Matrix3d> block(blocks_.col(row / 3).data());
    block.row(row % 3).setZero();
    block.col(row % 3).setZero();
    block(row % 3, row % 3) = 1.0;
  }
}

void MatrixFreeTangent::get_diagonal(::Vec diagonal) const {
  WritableNodalView result(diagonal);
  for (std::int32_t i = 0; i < mesh_.n_owned; ++i)
    result.nodes().col(i) = Map<const Matrix3d>(blocks_.col(i).data()).diagonal();
}

const double* MatrixFreeTangent::inverse_blocks() {
  inverses_.resize(9, mesh_.n_owned);
  for (std::int32_t i = 0; i < mesh_.n_owned; ++i)
    Map<Matrix3d>(inverses_.col(i).data()) = Map<const Matrix3d>(blocks_.col(i).data()).inverse();
  return inverses_.data();
}

}  // namespace solidyn::bodies
