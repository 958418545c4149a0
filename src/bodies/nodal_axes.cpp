#include "nodal_axes.h"

#include "nodal_view.h"
#include "solidyn/base/mpi.h"

namespace solidyn::bodies {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Ref;

base::Mat make_block_diagonal(MPI_Comm comm, std::int32_t n_owned,
                              const std::map<std::int32_t, Matrix3d>& axes) {
  base::Mat B;
  const auto n = static_cast<PetscInt>(3 * n_owned);
  SOLIDYN_PETSC(MatCreate(comm, B.out()));
  SOLIDYN_PETSC(MatSetSizes(B, n, n, PETSC_DETERMINE, PETSC_DETERMINE));
  SOLIDYN_PETSC(MatSetBlockSize(B, 3));
  SOLIDYN_PETSC(MatSetType(B, MATAIJ));
  SOLIDYN_PETSC(MatSeqAIJSetPreallocation(B, 3, nullptr));
  SOLIDYN_PETSC(MatMPIAIJSetPreallocation(B, 3, nullptr, 0, nullptr));
  PetscInt first = 0;
  SOLIDYN_PETSC(MatGetOwnershipRange(B, &first, nullptr));
  for (std::int32_t node = 0; node < n_owned; ++node) {
    const auto found = axes.find(node);
    const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> Q =
        found == axes.end() ? Matrix3d(Matrix3d::Identity()) : found->second;
    const PetscInt block = first / 3 + node;
    SOLIDYN_PETSC(MatSetValuesBlocked(B, 1, &block, 1, &block, Q.data(), INSERT_VALUES));
  }
  SOLIDYN_PETSC(MatAssemblyBegin(B, MAT_FINAL_ASSEMBLY));
  SOLIDYN_PETSC(MatAssemblyEnd(B, MAT_FINAL_ASSEMBLY));
  return B;
}

}  // namespace

NodalAxes::NodalAxes(MPI_Comm comm, std::int32_t n_owned, std::map<std::int32_t, Matrix3d> axes)
    : comm_(comm), n_owned_(n_owned), axes_(std::move(axes)) {
  is_needed_ = base::max(comm_, axes_.empty() ? 0.0 : 1.0) > 0.0;
  if (is_needed_) B_ = make_block_diagonal(comm_, n_owned_, axes_);
}

void NodalAxes::to_nodes(Ref<MatrixXd> X) const {
  for (const auto& [node, Q] : axes_)
    X.middleRows<3>(3 * node) = (Q.transpose() * X.middleRows<3>(3 * node)).eval();
}

void NodalAxes::to_world(Ref<MatrixXd> X) const {
  for (const auto& [node, Q] : axes_)
    X.middleRows<3>(3 * node) = (Q * X.middleRows<3>(3 * node)).eval();
}

void NodalAxes::to_nodes(::Vec x) const {
  WritableNodalView view(x);
  auto nodes = view.nodes();
  for (const auto& [node, Q] : axes_) nodes.col(node) = (Q.transpose() * nodes.col(node)).eval();
}

void NodalAxes::to_world(::Vec x) const {
  WritableNodalView view(x);
  auto nodes = view.nodes();
  for (const auto& [node, Q] : axes_) nodes.col(node) = (Q * nodes.col(node)).eval();
}

// Row by row: A keeps its pattern, blocks of nodes, which others know.
void NodalAxes::turn(Mat A) const {
  if (is_empty()) return;
  const base::Mat product = turned(A);
  PetscInt first = 0, end = 0;
  SOLIDYN_PETSC(MatGetOwnershipRange(product, &first, &end));
  SOLIDYN_PETSC(MatZeroEntries(A));
  for (PetscInt row = first; row < end; ++row) {
    PetscInt n = 0;
    const PetscInt* columns = nullptr;
    const PetscScalar* values = nullptr;
    SOLIDYN_PETSC(MatGetRow(product, row, &n, &columns, &values));
    SOLIDYN_PETSC(MatSetValues(A, 1, &row, n, columns, values, INSERT_VALUES));
    SOLIDYN_PETSC(MatRestoreRow(product, row, &n, &columns, &values));
  }
  SOLIDYN_PETSC(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  SOLIDYN_PETSC(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
}

base::Mat NodalAxes::turned(Mat A) const {
  base::Mat rows, product;
  SOLIDYN_PETSC(MatConvert(A, MATAIJ, MAT_INITIAL_MATRIX, rows.out()));
  SOLIDYN_PETSC(MatPtAP(rows, B_, MAT_INITIAL_MATRIX, PETSC_DEFAULT, product.out()));
  return product;
}

}  // namespace solidyn::bodies
