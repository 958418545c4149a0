#include "solvers/friction/newton_matrix.h"

#include <algorithm>

namespace solidyn::solvers::friction {
namespace {

/// Contacts up to which a dense factor is faster than a sparse one.
constexpr std::size_t kDenseContacts = 20;
/// Of all blocks of W, a part beyond which a sparse factor fills up anyway, as of one flexible
/// body.
constexpr double kNearlyFull = 0.3;

}  // namespace

using Eigen::Matrix3d;
using Eigen::VectorXd;

NewtonMatrix::NewtonMatrix(const ContactBlocks& W)
    : W_(W),
      is_full_(W.n_blocks() > kNearlyFull * W.n_contacts() * static_cast<double>(W.n_contacts())),
      place_(W.n_contacts(), -1) {}

bool NewtonMatrix::is_dense() const { return is_full_ || contacts_.size() <= kDenseContacts; }

void NewtonMatrix::begin() {
  for (const int contact : contacts_) place_[contact] = -1;
  contacts_.clear();
  A_.clear();
  C_.clear();
  couplings_.clear();
  to_open_.clear();
}

void NewtonMatrix::set_row(int contact, const Matrix3d& A, const Matrix3d& C) {
  place_[contact] = n_rows();
  contacts_.push_back(contact);
  A_.push_back(A);
  C_.push_back(C);
}

void NewtonMatrix::couple(int contact, int other, const Matrix3d& value) {
  (place_[other] < 0 ? to_open_ : couplings_).push_back({place_[contact], other, value});
}

void NewtonMatrix::assemble() {
  const int n = n_rows();
  const bool is_dense = this->is_dense();
  std::vector<Eigen::Triplet<double>> entries;
  if (is_dense) dense_.setZero(3 * n, 3 * n);
  for (int a = 0; a < n; ++a) {
    const int i = contacts_[a];
    for (int k = W_.start(i); k < W_.start(i + 1); ++k) {
      const int b = place_[W_.column(k)];
      if (b < 0) continue;
      Matrix3d block = C_[a] * W_.block(k);
      if (b == a) block += A_[a];
      if (is_dense) {
        dense_.block<3, 3>(3 * a, 3 * b) = block;
        continue;
      }
      for (int c = 0; c < 3; ++c)
        for (int d = 0; d < 3; ++d)
          if (block(d, c) != 0.0) entries.emplace_back(3 * a + d, 3 * b + c, block(d, c));
    }
  }
  for (const Coupling& coupling : couplings_) {
    const int row = 3 * coupling.row, column = 3 * place_[coupling.contact];
    if (is_dense) dense_.block<3, 3>(row, column) += coupling.value;
    for (int c = 0; c < 3 && !is_dense; ++c)
      for (int d = 0; d < 3; ++d)
        if (coupling.value(d, c) != 0.0)
          entries.emplace_back(row + d, column + c, coupling.value(d, c));
  }
  if (is_dense) return;
  sparse_.resize(3 * n, 3 * n);
  sparse_.setFromTriplets(entries.begin(), entries.end());
}

bool NewtonMatrix::factorise() {
  if (contacts_.empty()) return true;
  assemble();
  if (is_dense()) {
    dense_factor_.compute(dense_);
    return dense_factor_.smallest_pivot() > 0.0;
  }
  sparse_factor_.compute(sparse_);
  return !sparse_factor_.has_failed();
}

VectorXd NewtonMatrix::solve_once(const VectorXd& rhs) const {
  return is_dense() ? dense_factor_.solve(rhs) : sparse_factor_.solve(rhs);
}

void NewtonMatrix::solve(const VectorXd& rhs, VectorXd& x) const {
  x.resize(0);
  if (contacts_.empty()) return;
  x = solve_once(rhs);
  const bool is_dense = this->is_dense();
  const VectorXd rest = is_dense ? VectorXd(rhs - dense_ * x) : VectorXd(rhs - sparse_ * x);
  x += solve_once(rest);
}

}  // namespace solidyn::solvers::friction
