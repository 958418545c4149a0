#include "rigid_regions.h"

#include <algorithm>

#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/math/dense.h"

namespace solidyn::bodies {

using Eigen::MatrixXd;

namespace {
// Of the squares of what nodes say.
constexpr double kDetermined = 1e-3;
}  // namespace

RigidRegions::RigidRegions(const mesh::DistributedMesh& mesh) : mesh_(mesh) {}

int RigidRegions::add(const std::vector<std::int64_t>& nodes, const MatrixXd& xi) {
  const int first = n_columns_;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const auto local = static_cast<int>(nodes[k] - mesh_.first_owned);
    if (local < 0 || local >= mesh_.n_owned) continue;
    members_.push_back({local, first, xi.col(static_cast<Eigen::Index>(k))});
    for (int axis = 0; axis < 3; ++axis) rows_.push_back(3 * local + axis);
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
  std::vector<Eigen::Triplet<double>> entries;
  for (const Member& m : members_)
    for (int axis = 0; axis < 3; ++axis) {
      entries.emplace_back(3 * m.node + axis, m.first + axis, 1.0);
      for (int j = 0; j < m.xi.size(); ++j)
        entries.emplace_back(3 * m.node + axis, m.first + 3 * (j + 1) + axis, m.xi[j]);
    }
  T_.setFromTriplets(entries.begin(), entries.end());
  if (!is_empty()) gram_.compute(of_columns(MatrixXd(T_)));
}

bool RigidRegions::are_determined_by(const std::vector<std::int32_t>& nodes) const {
  if (is_empty()) return true;
  std::vector<char> counts(mesh_.n_owned, 0);
  for (const std::int32_t node : nodes) counts[node] = 1;
  const MatrixXd T = T_;
  MatrixXd of_nodes = T;
  for (const Member& m : members_)
    if (!counts[m.node]) of_nodes.middleRows<3>(3 * m.node).setZero();
  const MatrixXd some = of_columns(of_nodes), all = of_columns(T);
  return math::generalized_spectrum(some, all).values.minCoeff() > kDetermined;
}

MatrixXd RigidRegions::of_columns(const Eigen::Ref<const MatrixXd>& X) const {
  MatrixXd product = T_.transpose() * X;
  base::sum_in_place(mesh_.comm, product.data(), static_cast<int>(product.size()));
  return product;
}

Eigen::SparseMatrix<double> RigidRegions::functionals(const Eigen::SparseMatrix<double>& P) const {
  if (is_empty()) return P;
  MatrixXd all(T_.rows(), n_columns_ + P.cols());
  MatrixXd free = P;
  const MatrixXd on_regions = fit(free);
  for (PetscInt row : rows_) free.row(row).setZero();
  all << T_ * gram_.solve(MatrixXd::Identity(n_columns_, n_columns_)), free + T_ * on_regions;
  return all.sparseView();
}

MatrixXd RigidRegions::fit(const Eigen::Ref<const MatrixXd>& X) const {
  return gram_.solve(of_columns(X));
}

void RigidRegions::make_affine(Eigen::Ref<MatrixXd> X) const {
  if (is_empty()) return;
  const MatrixXd y = fit(X);
  for (PetscInt row : rows_) X.row(row).setZero();
  X.noalias() += T_ * y;
}

void RigidRegions::multiply_columns(const Operator& multiply) {
  if (is_empty()) return;
  W_ = multiply(MatrixXd(T_));
  S_ = of_columns(W_);
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
  MatrixXd y = of_columns(B);
  for (PetscInt row : rows_) B.row(row).setZero();
  MatrixXd X = solve(B);
  MatrixXd coupling = W_.transpose() * X;
  base::sum_in_place(mesh_.comm, coupling.data(), static_cast<int>(coupling.size()));
  y = schur_.solve(y - coupling).eval();
  X += T_ * y - Y_ * y;
  return X;
}

}  // namespace solidyn::bodies
