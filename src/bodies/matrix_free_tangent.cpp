#include "matrix_free_tangent.h"

#include <limits>

#include "nodal_view.h"

namespace solidyn::bodies {
namespace {

using Eigen::Map;
using Eigen::Matrix3d;

// C++ exceptions do not pass through PETSc's C code.
template <class Shell, class Work>
PetscErrorCode call_from_petsc(::Mat matrix, const Work& work) {
  Shell* shell = nullptr;
  PetscFunctionBeginUser;
  PetscCall(MatShellGetContext(matrix, &shell));
  try {
    work(*shell);
  } catch (const std::exception& e) {
    SETERRQ(PetscObjectComm(reinterpret_cast<PetscObject>(matrix)), PETSC_ERR_LIB, "%s", e.what());
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
      fixed_(std::move(held)),
      held_(fixed_),
      v_(3, mesh.n_local()),
      y_(3, mesh.n_owned),
      free_(mass.make_vector()),
      product_(mass.make_vector()) {
  make_shell(exact_);
}

void MatrixFreeTangent::make_shell(Shell& shell) {
  shell.tangent = this;
  const auto n = static_cast<PetscInt>(3 * mesh_.n_owned);
  SOLIDYN_PETSC(MatCreateShell(mesh_.comm, n, n, PETSC_DETERMINE, PETSC_DETERMINE, &shell,
                               shell.matrix.out()));
  SOLIDYN_PETSC(MatSetBlockSize(shell.matrix, 3));
  SOLIDYN_PETSC(MatSetOption(shell.matrix, MAT_SPD, PETSC_TRUE));
  set_operation(shell.matrix, MATOP_MULT, &multiply_shell);
  set_operation(shell.matrix, MATOP_GET_DIAGONAL, &diagonal_of_shell);
  set_operation(shell.matrix, MATOP_INVERT_BLOCK_DIAGONAL, &inverse_blocks_of_shell);
}

void MatrixFreeTangent::set(const Eigen::Matrix3Xd& x,
                            const fem::TangentCoefficients& coefficients) {
  x_ = x;
  coefficients_ = coefficients;
  held_ = fixed_;
  regions_ = nullptr;
  single_.elements.reset();
  keep(fem::ProductPrecision::double_, exact_);
}

::Mat MatrixFreeTangent::keep_single() {
  if (!single_.matrix.get()) make_shell(single_);
  keep(fem::ProductPrecision::single_, single_);
  return single_.matrix;
}

void MatrixFreeTangent::keep(fem::ProductPrecision precision, Shell& shell) {
  shell.elements.reset();  // the next takes its memory
  shell.elements = forces_.keep_tangent(x_, coefficients_, precision);
  // Notifies solvers of the change.
  SOLIDYN_PETSC(MatAssemblyBegin(shell.matrix, MAT_FINAL_ASSEMBLY));
  SOLIDYN_PETSC(MatAssemblyEnd(shell.matrix, MAT_FINAL_ASSEMBLY));
}

void MatrixFreeTangent::move_regions(const RigidRegions& regions,
                                     const std::vector<PetscInt>& others) {
  held_ = others;
  regions_ = &regions;
}

void MatrixFreeTangent::add_springs(std::vector<std::int32_t> nodes, double stiffness) {
  springs_ = std::move(nodes);
  spring_stiffness_ = stiffness;
}

PetscErrorCode MatrixFreeTangent::multiply_shell(::Mat matrix, ::Vec v, ::Vec y) {
  return call_from_petsc<Shell>(matrix,
                                [&](const Shell& shell) { shell.tangent->multiply(shell, v, y); });
}

PetscErrorCode MatrixFreeTangent::diagonal_of_shell(::Mat matrix, ::Vec diagonal) {
  return call_from_petsc<Shell>(matrix,
                                [&](const Shell& shell) { shell.tangent->get_diagonal(diagonal); });
}

PetscErrorCode MatrixFreeTangent::inverse_blocks_of_shell(::Mat matrix,
                                                          const PetscScalar** values) {
  return call_from_petsc<Shell>(
      matrix, [&](const Shell& shell) { *values = shell.tangent->inverse_blocks(); });
}

void MatrixFreeTangent::multiply(const Shell& shell, ::Vec v, ::Vec y) {
  SOLIDYN_PETSC(VecCopy(v, free_));
  {
    WritableNodalView view(free_);
    for (PetscInt row : held_) view.flat()[row] = 0.0;
  }
  multiply_free(shell, free_, y);
  WritableNodalView result(y);
  const NodalView given(v);
  for (PetscInt row : held_) result.flat()[row] = given.flat()[row];
  if (regions_) regions_->make_affine(result.flat());
}

void MatrixFreeTangent::multiply_free(::Vec v, ::Vec y) { multiply_free(exact_, v, y); }

void MatrixFreeTangent::multiply_free(const Shell& shell, ::Vec v, ::Vec y) {
  v_.leftCols(mesh_.n_owned) = NodalView(v).nodes();
  forces_.update_ghosts(v_);
  shell.elements->multiply(v_, y_);
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
  for (const PetscInt row : fixed_) {
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
  if (!regions_) return;
  for (const PetscInt row : regions_->rows())  // its inverse is zero
    result.flat()[row] = std::numeric_limits<double>::infinity();
}

const double* MatrixFreeTangent::inverse_blocks() {
  inverses_.resize(9, mesh_.n_owned);
  for (std::int32_t i = 0; i < mesh_.n_owned; ++i)
    Map<Matrix3d>(inverses_.col(i).data()) = Map<const Matrix3d>(blocks_.col(i).data()).inverse();
  if (regions_)
    for (const PetscInt row : regions_->rows()) inverses_.col(row / 3).setZero();
  return inverses_.data();
}

}  // namespace solidyn::bodies
