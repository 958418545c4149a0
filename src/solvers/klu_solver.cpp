#include "klu_solver.h"

#include <Eigen/Sparse>
#include <algorithm>

#include "dense_factor_size.h"
#include "solidyn/base/disjoint_sets.h"
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
  waits_ = is_factored_ = false;
  is_needed_.assign(n_, 1);
  is_active_.assign(values_.size(), 0);
  active_.clear();
  active_starts_.clear();
  inactive_.resize(values_.size());
  for (std::size_t k = 0; k < inactive_.size(); ++k) inactive_[k] = static_cast<int>(k);
}

bool KluSolver::factor_as_needed() {
  if (waits_) return true;
  waits_ = true;
  is_needed_.assign(n_, 0);
  release();
  active_starts_.clear();
  return true;
}

bool KluSolver::has_grown() const {
  return std::any_of(inactive_.begin(), inactive_.end(), [&](int k) { return values_[k] != 0.0; });
}

void KluSolver::grow_pattern() {
  const bool takes_all = ++n_growths_ > kMaxGrowths;
  inactive_.clear();
  for (std::size_t k = 0; k < values_.size(); ++k) {
    is_active_[k] = is_active_[k] || takes_all || values_[k] != 0.0;
    if (!is_active_[k]) inactive_.push_back(static_cast<int>(k));
  }
  if (waits_) find_sets();
  choose_active();
}

void KluSolver::find_sets() {
  base::DisjointSets<> sets(static_cast<std::size_t>(n_));
  for (int column = 0; column < n_; ++column)
    for (int k = starts_[column]; k < starts_[column + 1]; ++k)
      if (is_active_[k]) sets.join(indices_[k], column);
  set_of_.resize(n_);
  for (int i = 0; i < n_; ++i) set_of_[i] = sets.root(i);
  std::vector<char> is_asked_for(n_, 0);
  for (int i = 0; i < n_; ++i)
    if (is_needed_[i]) is_asked_for[set_of_[i]] = 1;
  for (int i = 0; i < n_; ++i) is_needed_[i] = is_asked_for[set_of_[i]];
}

// Of the unknowns that are needed.
void KluSolver::choose_active() {
  release();
  needed_.clear();
  place_of_.assign(n_, -1);
  for (int i = 0; i < n_; ++i)
    if (is_needed_[i]) {
      place_of_[i] = static_cast<int>(needed_.size());
      needed_.push_back(i);
    }
  active_.clear();
  active_rows_.clear();
  active_starts_.assign(1, 0);
  for (const int column : needed_) {
    for (int k = starts_[column]; k < starts_[column + 1]; ++k) {
      if (!is_active_[k]) continue;
      active_.push_back(k);
      active_rows_.push_back(place_of_[indices_[k]]);
    }
    active_starts_.push_back(static_cast<int>(active_.size()));
  }
  active_values_.resize(active_.size());
  packed_.resize(static_cast<Eigen::Index>(needed_.size()));
  is_factored_ = false;
}

bool KluSolver::asks(const Eigen::VectorXd& b) const {
  for (int i = 0; i < n_; ++i)
    if (b[i] != 0.0 && !is_needed_[i]) return true;
  return false;
}

void KluSolver::ask_for(const Eigen::VectorXd& b) {
  for (int i = 0; i < n_; ++i)
    if (b[i] != 0.0) is_needed_[i] = 1;
  find_sets();
  choose_active();
}

bool KluSolver::lacks(const Eigen::VectorXd& b) {
  lacks_some_.assign(n_, 0);
  for (int i = 0; i < n_; ++i)
    if (is_left_out_[i]) lacks_some_[set_of_[i]] = 1;
  for (int i = 0; i < n_; ++i)
    if ((b[i] != 0.0 || is_needed_[i]) && lacks_some_[set_of_[i]]) return true;
  return false;
}

void KluSolver::gather_values() {
  for (std::size_t k = 0; k < active_.size(); ++k) active_values_[k] = values_[active_[k]];
}

void KluSolver::factor() {
  const base::LogStage stage(base::Stage::factor);
  if (has_grown() || active_starts_.empty()) grow_pattern();
  is_factored_ = false;
  if (!waits_) factor_active();
}

void KluSolver::factor_active() {
  gather_values();
  is_dense_ = is_nearly_full();
  if (is_dense_) return factor_dense();
  const int n = static_cast<int>(needed_.size());
  if (n == 0) return;
  if (!symbolic_) {
    symbolic_ = klu_analyze(n, active_starts_.data(), active_rows_.data(), &common_);
    if (!symbolic_) throw_singular();
  }
  is_factored_ = true;
  if (numeric_ && refactor_is_good()) return;
  is_factored_ = false;
  release_numeric();
  numeric_ = klu_factor(active_starts_.data(), active_rows_.data(), active_values_.data(),
                        symbolic_, &common_);
  if (!numeric_ || common_.status == KLU_SINGULAR) {
    release_numeric();
    throw_singular();
  }
  klu_rcond(symbolic_, numeric_, &common_);
  rcond_ = common_.rcond;
  is_factored_ = true;
}

bool KluSolver::is_nearly_full() const {
  const auto n = static_cast<double>(needed_.size());
  return n >= kDenseFrom && static_cast<double>(active_.size()) > kNearlyFull * n * n;
}

void KluSolver::factor_dense() {
  const auto n = static_cast<Eigen::Index>(needed_.size());
  dense_.compute(Eigen::MatrixXd(Eigen::Map<const Eigen::SparseMatrix<double>>(
      n, n, static_cast<Eigen::Index>(active_.size()), active_starts_.data(), active_rows_.data(),
      active_values_.data())));
  if (!(dense_.smallest_pivot() > 0.0)) throw_singular();
  is_factored_ = true;
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
  if (waits_ && asks(b)) ask_for(b);
  if (!is_factored_) factor_active();
  if (holds_all()) {
    x = b;
    solve_active(1, x.data());
    return;
  }
  for (std::size_t k = 0; k < needed_.size(); ++k) packed_[k] = b[needed_[k]];
  solve_active(1, packed_.data());
  x.setZero(n_);
  for (std::size_t k = 0; k < needed_.size(); ++k) x[needed_[k]] = packed_[k];
}

// In place, of the unknowns that are needed.
void KluSolver::solve_active(Eigen::Index n_columns, double* x) {
  const auto n = static_cast<Eigen::Index>(needed_.size());
  if (n == 0 || n_columns == 0) return;
  if (is_dense_) {
    Eigen::Map<Eigen::MatrixXd> X(x, n, n_columns);
    X = dense_.solve(Eigen::MatrixXd(X));
    return;
  }
  klu_solve(symbolic_, numeric_, static_cast<int>(n), static_cast<int>(n_columns), x, &common_);
}

Eigen::MatrixXd KluSolver::solve_columns(const Eigen::MatrixXd& B) {
  const base::LogStage stage(base::Stage::solve);
  if (waits_)
    for (Eigen::Index j = 0; j < B.cols(); ++j)
      if (asks(B.col(j))) ask_for(B.col(j));
  if (!is_factored_) factor_active();
  if (holds_all()) {
    Eigen::MatrixXd X = B;
    solve_active(X.cols(), X.data());
    return X;
  }
  Eigen::MatrixXd packed(static_cast<Eigen::Index>(needed_.size()), B.cols());
  for (std::size_t k = 0; k < needed_.size(); ++k)
    packed.row(static_cast<Eigen::Index>(k)) = B.row(needed_[k]);
  solve_active(packed.cols(), packed.data());
  Eigen::MatrixXd X = Eigen::MatrixXd::Zero(n_, B.cols());
  for (std::size_t k = 0; k < needed_.size(); ++k)
    X.row(needed_[k]) = packed.row(static_cast<Eigen::Index>(k));
  return X;
}

FactorSize KluSolver::factor_size() const {
  if (is_dense_) return dense_factor_size(static_cast<int>(needed_.size()));
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
