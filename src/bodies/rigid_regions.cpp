#include "rigid_regions.h"

#include <algorithm>

#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/math/dense.h"

namespace solidyn::bodies {

using Eigen::MatrixXd;

RigidRegions::RigidRegions(const mesh::DistributedMesh& mesh) : mesh_(mesh) {}

int RigidRegions::add(const std::vector<std::int64_t>& nodes, const MatrixXd& xi) {
  const int first = n_columns_;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const auto local = static_cast<int>(nodes[k] - mesh_.first_owned);
    if (local < 0 || local >= mesh_.n_owned) continue;
    for (int axis = 0; axis < 3; ++axis) {
      rows_.push_back(3 * local + axis);
      entries_.emplace_back(3 * local + axis, first + axis, 1.0);
      for (int j = 0; j < xi.rows(); ++j)
        entries_.emplace_back(3 * local + axis, first + 3 * (j + 1) + axis,
                              xi(j, static_cast<Eigen::Index>(k)));
    }
  }
  n_columns_ += 3 * (1 + static_cast<int>(xi.rows()));
  return first;
}

void RigidRegions::finish() {
  std::vector<PetscInt> sorted(rows_);
  std::sort(sorted.begin(), sorted.end());
  const bool is_shared = std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
  if (base::max(mesh_.comm, is_shared ? 1.0 : 0.0) > 0.0)
    throw base::InputError("two rbe2 interfaces share nodes and cannot both be rigid",
                           "select disjoint regions, or attach one of them with rbe3");
  rows_ = std::move(sorted);
  T_.resize(3 * mesh_.n_owned, n_columns_);
  T_.setFromTriplets(entries_.begin(), entries_.end());
}

MatrixXd RigidRegions::of_columns(const Eigen::SparseMatrix<double>& T, const MatrixXd& X) const {
  MatrixXd product = T.transpose() * X;
  base::sum_in_place(mesh_.comm, product.data(), static_cast<int>(product.size()));
  return product;
}

Eigen::SparseMatrix<double> RigidRegions::functionals(const Eigen::SparseMatrix<double>& P) const {
  if (is_empty()) return P;
  const math::CholeskyFactor gram(of_columns(T_, MatrixXd(T_)));
  MatrixXd all(T_.rows(), n_columns_ + P.cols());
  MatrixXd free = P;
  const MatrixXd on_regions = gram.solve(of_columns(T_, free));
  for (PetscInt row : rows_) free.row(row).setZero();
  all << T_ * gram.solve(MatrixXd::Identity(n_columns_, n_columns_)), free + T_ * on_regions;
  return all.sparseView();
}

void RigidRegions::make_affine(Eigen::Ref<Eigen::VectorXd> x) const {
  if (is_empty()) return;
  MatrixXd sums(n_columns_, n_columns_ + 1);
  sums << MatrixXd(T_.transpose() * T_), T_.transpose() * x;
  base::sum_in_place(mesh_.comm, sums.data(), static_cast<int>(sums.size()));
  const math::CholeskyFactor gram(sums.leftCols(n_columns_));
  const Eigen::VectorXd affine = T_ * gram.solve(sums.rightCols(1));
  for (PetscInt row : rows_) x[row] = affine[row];
}

void RigidRegions::multiply_columns(const Operator& multiply) {
  if (is_empty()) return;
  W_ = multiply(MatrixXd(T_));
  S_ = of_columns(T_, W_);
  for (PetscInt row : rows_) W_.row(row).setZero();
  for (PetscInt row : held_) W_.row(row).setZero();
}

void RigidRegions::prepare(const Operator& solve) {
  if (is_empty()) return;
  Y_ = solve(W_);
  MatrixXd coupling = W_.transpose() * Y_;
  base::sum_in_place(mesh_.comm, coupling.data(), static_cast<int>(coupling.size()));
  const MatrixXd schur = S_ - coupling;
  schur_.compute(0.5 * (schur + schur.transpose()));
  if (!schur.allFinite() || !schur_.is_invertible())
    throw base::ComputationError("the stiffness and mass of a rigid region are singular");
}

MatrixXd RigidRegions::solve(const Operator& solve, MatrixXd B) const {
  if (is_empty()) return solve(B);
  MatrixXd y = of_columns(T_, B);
  for (PetscInt row : rows_) B.row(row).setZero();
  MatrixXd X = solve(B);
  MatrixXd coupling = W_.transpose() * X;
  base::sum_in_place(mesh_.comm, coupling.data(), static_cast<int>(coupling.size()));
  y = schur_.solve(y - coupling).eval();
  X += T_ * y - Y_ * y;
  return X;
}

}  // namespace solidyn::bodies
