#include "solidyn/system/condition.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

#include "solidyn/math/sparse_lu.h"
#include "solidyn/system/scales.h"
#include "sparse_qr.h"
#include "violation.h"

namespace solidyn::system {
namespace {

using Eigen::VectorXd;

// On the diagonal of G G^T, so that a singular position has a factor too.
constexpr double kShift = 1e-15;
constexpr int kIterations = 2;

// Different numbers, so that hardly any y is orthogonal to it.
VectorXd any_vector(Eigen::Index n) {
  VectorXd y(n);
  for (Eigen::Index i = 0; i < n; ++i) y[i] = 1.0 + 0.5 * std::sin(1.7 * static_cast<double>(i));
  return y;
}

}  // namespace

Condition::Condition(const System& system, const std::vector<int>& redundant)
    : system_(system), position_(system.layout().n_constraints(), 0) {
  for (int row : redundant) position_[row] = -1;
  int n = 0;
  for (int& position : position_)
    if (position >= 0) position = n++;
  y_ = any_vector(n);
}

double Condition::estimate() {
  if (y_.size() == 0) return 1.0;
  const VectorXd weights = increment_weights(system_, characteristic_length(system_));
  std::vector<Eigen::Triplet<double>> entries;
  const SparseMatrix G = system_.sparse_G();
  for (Eigen::Index j = 0; j < G.cols(); ++j)
    for (SparseMatrix::InnerIterator entry(G, j); entry; ++entry)
      if (const int row = position_[entry.row()]; row >= 0)
        entries.emplace_back(static_cast<int>(j), row, entry.value() / weights[j]);
  SparseMatrix columns(G.cols(), y_.size());  // G^T
  columns.setFromTriplets(entries.begin(), entries.end());
  for (Eigen::Index i = 0; i < columns.cols(); ++i) {
    const double size = columns.col(i).norm();
    if (size > 0.0) columns.col(i) /= size;
  }
  SparseMatrix S = columns.transpose() * columns;
  for (Eigen::Index i = 0; i < S.cols(); ++i) S.coeffRef(i, i) += kShift;
  const Eigen::SimplicialLDLT<SparseMatrix> factor(S);
  if (factor.info() != Eigen::Success) return 0.0;
  for (int i = 0; i < kIterations; ++i) y_ = factor.solve(y_.normalized());
  if (!y_.allFinite()) y_ = any_vector(y_.size());
  y_.normalize();
  return (columns * y_).norm();
}

int Condition::orientation() const {
  const SparseMatrix G = system_.sparse_G();
  if (G.rows() == 0 || G.rows() != G.cols() || y_.size() != G.rows()) return 0;
  const math::SparseLu factor(G);
  return factor.has_failed() ? 0 : factor.sign_of_determinant();
}

std::string Condition::participants(const VectorXd& combination) const {
  VectorXd parts = VectorXd::Zero(system_.layout().n_constraints());
  for (Eigen::Index i = 0; i < parts.size(); ++i)
    if (position_[i] >= 0) parts[i] = combination[position_[i]];
  return worst_constraints(system_, parts);
}

}  // namespace solidyn::system
