#include "klu_solver.h"

#include <Eigen/Sparse>
#include <algorithm>

#include "dense_factor_size.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log_stage.h"

namespace solidyn::solvers {
namespace {

// Pivots of the last full factorisation are kept unless the estimate of the condition number has
// become so much worse.
constexpr double kWorse = 1e-3;
// An analysis costs as much as some ten factorisations.
constexpr int kMaxGrowths = 8;
// Of so many unknowns, this part of all entries: elimination would fill the others.
constexpr int kDenseFrom = 100;
constexpr double kNearlyFull = 0.3;

}  // namespace

KluSolver::KluSolver() : LinearSolver(Layout::columns) {
  klu_defaults(&common_);
  common_.ordering = 1;  // COLAMD: of zero diagonals, AMD of A + A^T knows nothing
  common_.btf = 0;  // its search for a transversal takes time with the square of a chain's length
}

void KluSolver::pattern_changed() {
  release();
  n_growths_ = 0;
  is_active_.assign(values_.size(), 0);
  active_.clear();
  active_starts_.clear();
  inactive_.resize(values_.size());
  for (std::size_t k = 0; k < inactive_.size(); ++k) inactive_[k] = static_cast<int>(k);
}

bool KluSolver::has_grown() const {
  return std::any_of(inactive_.begin(), inactive_.end(), [&](int k) { return values_[k] != 0.0; });
}

void KluSolver::grow_pattern() {
  release();
  const bool takes_all = ++n_growths_ > kMaxGrowths;
  active_.clear();
  inactive_.clear();
  active_rows_.clear();
  active_starts_.assign(1, 0);
  for (int column = 0; column < n_; ++column) {
    for (int k = starts_[column]; k < starts_[column + 1]; ++k) {
      is_active_[k] = is_active_[k] || takes_all || values_[k] != 0.0;
      (is_active_[k] ? active_ : inactive_).push_back(k);
      if (is_active_[k]) active_rows_.push_back(indices_[k]);
    }
    active_starts_.push_back(static_cast<int>(active_.size()));
  }
  active_values_.resize(active_.size());
}

void KluSolver::gather_values() {
  for (std::size_t k = 0; k < active_.size(); ++k) active_values_[k] = values_[active_[k]];
}

void KluSolver::factor() {
  const base::LogStage stage(base::Stage::factor);
  if (has_grown() || active_starts_.empty()) grow_pattern();
  gather_values();
  is_dense_ = is_nearly_full();
  if (is_dense_) return factor_dense();
  if (!symbolic_) {
    symbolic_ = klu_analyze(n_, active_starts_.data(), active_rows_.data(), &common_);
    if (!symbolic_) throw_singular();
  }
  if (numeric_ && refactor_is_good()) return;
  release_numeric();
  numeric_ = klu_factor(active_starts_.data(), active_rows_.data(), active_values_.data(),
                        symbolic_, &common_);
  if (!numeric_ || common_.status == KLU_SINGULAR) {
    release_numeric();
    throw_singular();
  }
  klu_rcond(symbolic_, numeric_, &common_);
  rcond_ = common_.rcond;
}

bool KluSolver::is_nearly_full() const {
  return n_ >= kDenseFrom && static_cast<double>(active_.size()) > kNearlyFull * n_ * n_;
}

void KluSolver::factor_dense() {
  dense_.compute(Eigen::MatrixXd(Eigen::Map<const Eigen::SparseMatrix<double>>(
      n_, n_, static_cast<Eigen::Index>(active_.size()), active_starts_.data(), active_rows_.data(),
      active_values_.data())));
  if (!(dense_.smallest_pivot() > 0.0)) throw_singular();
}

bool KluSolver::refactor_is_good() {
  if (!klu_refactor(active_starts_.data(), active_rows_.data(), active_values_.data(), symbolic_,
                    numeric_, &common_) ||
      common_.status != KLU_OK)
    return false;
  klu_rcond(symbolic_, numeric_, &common_);
  return common_.rcond > kWorse * rcond_;
}

void KluSolver::solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) {
  const base::LogStage stage(base::Stage::solve);
  if (is_dense_) {
    x = dense_.solve(b);
    return;
  }
  x = b;
  klu_solve(symbolic_, numeric_, n_, 1, x.data(), &common_);
}

Eigen::MatrixXd KluSolver::solve_columns(const Eigen::MatrixXd& B) {
  const base::LogStage stage(base::Stage::solve);
  if (is_dense_) return dense_.solve(B);
  Eigen::MatrixXd X = B;
  klu_solve(symbolic_, numeric_, n_, static_cast<int>(B.cols()), X.data(), &common_);
  return X;
}

FactorSize KluSolver::factor_size() const {
  if (is_dense_) return dense_factor_size(n_);
  if (!numeric_) return {};
  klu_flops(symbolic_, numeric_, &common_);
  return {0.5 * common_.flops, static_cast<double>(numeric_->lnz) + numeric_->unz};
}

void KluSolver::release_numeric() {
  if (numeric_) klu_free_numeric(&numeric_, &common_);
}

void KluSolver::release() {
  release_numeric();
  if (symbolic_) klu_free_symbolic(&symbolic_, &common_);
}

}  // namespace solidyn::solvers
