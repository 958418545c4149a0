#include "supernodal_factor.h"

#include <cholmod.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <numeric>
#include <string_view>
#include <vector>

#include "nested_dissection.h"
#include "solidyn/base/error.h"
#include "supernodal_panels.h"

namespace solidyn::solvers {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Long = SuiteSparse_long;

// Columns that are solved for at a time: more gain nothing, and each needs a vector of its own.
constexpr int kRightSidesAtOnce = 32;
// Bytes below which the room of CHOLMOD's factor is kept for the next one: the system takes longer
// to give it than numbers to be written there.
constexpr double kSmallRoom = 64e6;

// The triangle below the diagonal as CHOLMOD reads it.
struct LowerTriangle {
  std::vector<Long> starts, rows;
  std::vector<double> values;

  explicit LowerTriangle(const SymmetricColumns& A) {
    starts.resize(static_cast<std::size_t>(A.n) + 1);
    for (int j = 0; j < A.n; ++j) {
      starts[j + 1] = starts[j];
      for (int k = A.starts[j]; k < A.starts[j + 1]; ++k) starts[j + 1] += A.rows[k] >= j ? 1 : 0;
    }
    rows.resize(starts.back());
    values.resize(starts.back());
    for (int j = 0; j < A.n; ++j) {
      Long to = starts[j];
      for (int k = A.starts[j]; k < A.starts[j + 1]; ++k) {
        if (A.rows[k] < j) continue;
        rows[to] = A.rows[k];
        values[to++] = A.values[k];
      }
    }
  }
  cholmod_sparse view() {
    cholmod_sparse out{};
    out.nrow = out.ncol = starts.size() - 1;
    out.nzmax = rows.size();
    out.p = starts.data();
    out.i = rows.data();
    out.x = values.data();
    out.stype = -1;
    out.itype = CHOLMOD_LONG;
    out.xtype = CHOLMOD_REAL;
    out.dtype = CHOLMOD_DOUBLE;
    out.packed = 1;
    return out;
  }
};

// Kept in place of the pattern, which would take the room of a third of the matrix.
std::size_t hash_of_pattern(const LowerTriangle& A, int block, int n_last) {
  const auto of = [](const auto& numbers) {
    return std::hash<std::string_view>{}(
        {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(numbers[0])});
  };
  const std::vector<int> rest = {block, n_last};
  return of(rest) * 961 + of(A.starts) * 31 + of(A.rows);
}

// The first rows, in an order that leaves few entries in the factor, then the last ones.
std::vector<Long> order_rows(const LowerTriangle& A, int block, int n_last) {
  const auto n = static_cast<int>(A.starts.size()) - 1;
  if (block < 1 || n % block != 0 || n_last % block != 0) block = 1;
  const int n_blocks = (n - n_last) / block;
  std::vector<int> pairs, seen_by(n_blocks, -1), start(n_blocks + 1, 0);
  for (int b = 0; b < n_blocks; ++b)
    for (Long k = A.starts[b * block]; k < A.starts[(b + 1) * block]; ++k) {
      const auto other = static_cast<int>(A.rows[k] / block);
      if (other == b || other >= n_blocks || seen_by[other] == b) continue;
      seen_by[other] = b;
      pairs.insert(pairs.end(), {b, other});
      ++start[b + 1];
      ++start[other + 1];
    }
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<int> neighbours(pairs.size()), next(start.begin(), start.end() - 1);
  for (std::size_t k = 0; k < pairs.size(); k += 2) {
    neighbours[next[pairs[k]]++] = pairs[k + 1];
    neighbours[next[pairs[k + 1]]++] = pairs[k];
  }
  std::vector<Long> order;
  order.reserve(n);
  for (const int b : dissect(start, neighbours).order)
    for (int i = 0; i < block; ++i) order.push_back(static_cast<Long>(b) * block + i);
  for (int i = n - n_last; i < n; ++i) order.push_back(i);
  return order;
}

// Their values are not needed any more: what is in whole pages of them is given back.
void forget(const double* first, const double* last) {
  static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGE_SIZE));
  const auto from = (reinterpret_cast<std::uintptr_t>(first) + page - 1) / page * page;
  const auto to = reinterpret_cast<std::uintptr_t>(last) / page * page;
  // Whether it succeeds or not: the memory is freed as a whole afterwards.
  if (to > from) madvise(reinterpret_cast<void*>(from), to - from, MADV_DONTNEED);
}

}  // namespace

// CHOLMOD's part: order, elimination tree and supernodes, which later matrices of the pattern use.
struct SupernodalFactor::Analysis {
  cholmod_common common{};
  cholmod_factor* factor = nullptr;
  std::size_t pattern = 0;
  std::vector<Long> order;  // rows of A in the order of elimination

  Analysis() {
    cholmod_l_start(&common);
    common.print = 0;  // what it says comes as a status
    common.supernodal = CHOLMOD_SUPERNODAL;
    common.final_ll = 1;
    common.nmethods = 1;
    common.method[0].ordering = CHOLMOD_GIVEN;
    common.nrelax[0] = 8;
    common.nrelax[1] = 24;
    common.nrelax[2] = 64;
    common.zrelax[0] = 0.8;
    common.zrelax[1] = 0.2;
    common.zrelax[2] = 0.1;
  }
  ~Analysis() {
    cholmod_l_free_factor(&factor, &common);
    cholmod_l_finish(&common);
  }
  Analysis(const Analysis&) = delete;
  Analysis& operator=(const Analysis&) = delete;

  void analyse(cholmod_sparse& A, std::vector<Long> rows, int n_last) {
    cholmod_l_free_factor(&factor, &common);
    common.postorder = n_last == 0;
    if (n_last > 0) order_by_subtrees(A, rows, n_last);
    factor = cholmod_l_analyze_p(&A, rows.data(), nullptr, 0, &common);
    if (!factor) return;
    const auto* const found = static_cast<const Long*>(factor->Perm);
    order.assign(found, found + factor->n);
  }
  // Parents right after their children, as supernodes need it. CHOLMOD would move the last rows.
  void order_by_subtrees(cholmod_sparse& A, std::vector<Long>& rows, int n_last) {
    const std::size_t n = rows.size();
    std::vector<Long> parent(n), post(n), count(n), first(n), level(n), ordered;
    if (!cholmod_l_analyze_ordering(&A, CHOLMOD_GIVEN, rows.data(), nullptr, 0, parent.data(),
                                    post.data(), count.data(), first.data(), level.data(), &common))
      return;
    ordered.reserve(n);
    const auto n_first = static_cast<Long>(n) - n_last;
    for (const Long i : post)
      if (i < n_first) ordered.push_back(rows[i]);
    std::copy(ordered.begin(), ordered.end(), rows.begin());
  }
  bool is_small() const { return 8.0 * static_cast<double>(factor->xsize) < kSmallRoom; }
  /// Back to the analysis alone, but for the room of a small factor.
  void forget_numbers() {
    if (factor && factor->xtype != CHOLMOD_PATTERN && !is_small())
      cholmod_l_change_factor(CHOLMOD_PATTERN, 1, 1, 1, 1, factor, &common);
  }
  /// Supernodes that begin before `n_first`, and end there.
  std::vector<Supernode> supernodes(Long n_first) const {
    const auto* const super = static_cast<const Long*>(factor->super);
    const auto* const pi = static_cast<const Long*>(factor->pi);
    const auto* const rows = static_cast<const Long*>(factor->s);
    std::vector<Supernode> found;
    for (std::size_t s = 0; s < factor->nsuper && super[s] < n_first; ++s)
      found.push_back({static_cast<int>(super[s]),
                       static_cast<int>(std::min(super[s + 1], n_first) - super[s]),
                       static_cast<int>(pi[s + 1] - pi[s]), rows + pi[s], nullptr});
    return found;
  }
  const double* values(std::size_t s) const {
    return static_cast<const double*>(factor->x) + static_cast<const Long*>(factor->px)[s];
  }
  /// Of all columns from n_first on.
  MatrixXd last_block(Long n_first) const {
    const auto* const super = static_cast<const Long*>(factor->super);
    const auto* const pi = static_cast<const Long*>(factor->pi);
    const auto* const rows = static_cast<const Long*>(factor->s);
    const Long n_last = static_cast<Long>(factor->n) - n_first;
    MatrixXd L = MatrixXd::Zero(n_last, n_last);
    for (std::size_t s = 0; s < factor->nsuper; ++s) {
      const Long n_rows = pi[s + 1] - pi[s];
      for (Long j = std::max(super[s], n_first); j < super[s + 1]; ++j)
        for (Long i = j - super[s]; i < n_rows; ++i)
          L(rows[pi[s] + i] - n_first, j - n_first) = values(s)[(j - super[s]) * n_rows + i];
    }
    return L;
  }
};

// The factor as it is kept.
struct SupernodalFactor::Kept {
  int n_first = 0;
  std::vector<int> order;  // rows of A as they are eliminated
  VectorXd scale;          // of the rows in that order
  MatrixXd last;           // lower factor of the last ones

  virtual ~Kept() = default;
  /// @return whether all pivots are positive
  virtual bool take(const Analysis& analysis) = 0;
  virtual void solve(const double* b, double* x, int n_columns) = 0;
  virtual void eliminate(Eigen::Ref<MatrixXd> X) = 0;
  virtual void back_substitute(Eigen::Ref<MatrixXd> X) = 0;
  virtual double bytes() const = 0;
};

template <class Real>
struct SupernodalFactor::KeptIn final : SupernodalFactor::Kept {
  std::unique_ptr<SupernodalPanels<Real>> panels;
  std::vector<Real> work;  // [n x columns]

  bool take(const Analysis& analysis) override {
    std::vector<Supernode> supernodes = analysis.supernodes(n_first);
    const auto n = static_cast<int>(order.size());
    last = analysis.last_block(n_first);
    if (panels)
      panels->begin_anew();
    else
      panels = std::make_unique<SupernodalPanels<Real>>(n, supernodes);
    for (std::size_t s = 0; s < supernodes.size(); ++s) {
      Supernode& one = supernodes[s];
      one.values = analysis.values(s);
      if (!panels->append(one, scale.data())) return false;
      if (!analysis.is_small())
        forget(one.values, one.values + static_cast<std::size_t>(one.n_columns) * one.n_rows);
    }
    return last.diagonal().allFinite();
  }

  // What is multiplied with is scaled, and of each column the largest number is one.
  template <class Column>
  double load(const Column& b, Real* x) const {
    const auto n = static_cast<int>(order.size());
    double size = 0.0;
    for (int i = 0; i < n; ++i) size = std::max(size, std::abs(b(order[i])) * scale[i]);
    if (!(size > 0.0) || !std::isfinite(size)) size = 1.0;  // NaN is handed on
    for (int i = 0; i < n; ++i) x[i] = static_cast<Real>(b(order[i]) * scale[i] / size);
    return size;
  }

  void solve(const double* b, double* x, int n_columns) override {
    const auto n = static_cast<Eigen::Index>(order.size());
    work.resize(static_cast<std::size_t>(n) * n_columns);
    VectorXd sizes(n_columns);
    for (int k = 0; k < n_columns; ++k)
      sizes[k] = load([&](Eigen::Index i) { return b[k * n + i]; }, work.data() + k * n);
    panels->forward(work.data(), n_columns);
    if (last.rows() > 0) solve_last(n_columns);
    panels->backward(work.data(), n_columns);
    for (int k = 0; k < n_columns; ++k)
      for (Eigen::Index i = 0; i < n; ++i)
        x[k * n + order[i]] = sizes[k] * scale[i] * static_cast<double>(work[k * n + i]);
  }
  void solve_last(int n_columns) {
    const auto n = static_cast<Eigen::Index>(order.size());
    Eigen::Map<Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>> X(work.data(), n, n_columns);
    const auto scales = scale.tail(last.rows());
    MatrixXd rest =
        scales.cwiseInverse().asDiagonal() * X.bottomRows(last.rows()).template cast<double>();
    last.triangularView<Eigen::Lower>().solveInPlace(rest);
    last.transpose().template triangularView<Eigen::Upper>().solveInPlace(rest);
    X.bottomRows(last.rows()) = (scales.cwiseInverse().asDiagonal() * rest).template cast<Real>();
  }

  // The last rows' own numbers stay in double precision: only what the others add is rounded.
  void eliminate(Eigen::Ref<MatrixXd> X) override {
    const auto n = static_cast<Eigen::Index>(order.size());
    const auto n_columns = static_cast<int>(X.cols());
    work.resize(static_cast<std::size_t>(n) * n_columns);
    VectorXd sizes(n_columns);
    for (int k = 0; k < n_columns; ++k)
      sizes[k] =
          load([&](Eigen::Index i) { return i < n_first ? X(i, k) : 0.0; }, work.data() + k * n);
    panels->forward(work.data(), n_columns);
    for (int k = 0; k < n_columns; ++k) {
      const Real* const found = work.data() + k * n;
      for (Eigen::Index i = 0; i < n_first; ++i)
        X(order[i], k) = sizes[k] * static_cast<double>(found[i]);
      for (Eigen::Index i = n_first; i < n; ++i)
        X(order[i], k) += sizes[k] / scale[i] * static_cast<double>(found[i]);
    }
  }
  void back_substitute(Eigen::Ref<MatrixXd> X) override {
    const auto n = static_cast<Eigen::Index>(order.size());
    const auto n_columns = static_cast<int>(X.cols());
    work.resize(static_cast<std::size_t>(n) * n_columns);
    VectorXd sizes = VectorXd::Ones(n_columns);
    for (int k = 0; k < n_columns; ++k) {
      const auto number = [&](Eigen::Index i) {
        return i < n_first ? X(order[i], k) : X(order[i], k) / scale[i];
      };
      double size = 0.0;
      for (Eigen::Index i = 0; i < n; ++i) size = std::max(size, std::abs(number(i)));
      if (size > 0.0 && std::isfinite(size)) sizes[k] = size;
      Real* const given = work.data() + k * n;
      for (Eigen::Index i = 0; i < n; ++i) given[i] = static_cast<Real>(number(i) / sizes[k]);
    }
    panels->backward(work.data(), n_columns);
    for (int k = 0; k < n_columns; ++k) {
      const Real* const found = work.data() + k * n;
      for (Eigen::Index i = 0; i < n_first; ++i)
        X(order[i], k) = sizes[k] * scale[i] * static_cast<double>(found[i]);
    }
  }

  double bytes() const override {
    return panels->bytes() + static_cast<double>(last.size()) * sizeof(double);
  }
};

SupernodalFactor::SupernodalFactor(Precision kept) : precision_(kept) {}
SupernodalFactor::~SupernodalFactor() = default;

SupernodalFactor::Outcome SupernodalFactor::factorise(const SymmetricColumns& A, int n_last) {
  const auto fail = [&](Outcome outcome, std::string text) {
    if (analysis_) analysis_->forget_numbers();
    kept_.reset();
    error_ = std::move(text);
    return outcome;
  };
  try {
    if (!analysis_) analysis_ = std::make_unique<Analysis>();
    LowerTriangle lower(A);
    VectorXd diagonal = VectorXd::Zero(A.n);
    for (int j = 0; j < A.n; ++j)
      for (Long k = lower.starts[j]; k < lower.starts[j + 1]; ++k)
        if (lower.rows[k] == j) diagonal[j] += lower.values[k];
    if (!(diagonal.array() > 0.0).all())
      return fail(Outcome::not_positive_definite, "a number of the diagonal is not positive");
    cholmod_sparse matrix = lower.view();
    cholmod_common& common = analysis_->common;
    const std::size_t pattern = hash_of_pattern(lower, A.block, n_last);
    if (!analysis_->factor || pattern != analysis_->pattern) {
      kept_.reset();
      analysis_->analyse(matrix, order_rows(lower, A.block, n_last), n_last);
    }
    analysis_->pattern = pattern;
    if (analysis_->factor && !analysis_->is_small()) kept_.reset();  // room for the next
    if (analysis_->factor) cholmod_l_factorize(&matrix, analysis_->factor, &common);
    const std::string text = fmt::format("CHOLMOD returned {}", common.status);
    if (common.status == CHOLMOD_OUT_OF_MEMORY || common.status == CHOLMOD_TOO_LARGE)
      return fail(Outcome::out_of_memory, text);
    if (common.status == CHOLMOD_NOT_POSDEF) return fail(Outcome::not_positive_definite, text);
    if (!analysis_->factor || common.status < CHOLMOD_OK) throw base::ComputationError(text);
    if (!kept_ && precision_ == Precision::single) kept_ = std::make_unique<KeptIn<float>>();
    if (!kept_) kept_ = std::make_unique<KeptIn<double>>();
    kept_->n_first = A.n - n_last;
    kept_->order.assign(analysis_->order.begin(), analysis_->order.end());
    kept_->scale.resize(A.n);
    for (int i = 0; i < A.n; ++i) kept_->scale[i] = 1.0 / std::sqrt(diagonal[kept_->order[i]]);
    if (!kept_->take(*analysis_))
      return fail(Outcome::not_positive_definite, "a pivot is not positive");
    analysis_->forget_numbers();
  } catch (const std::bad_alloc&) {
    return fail(Outcome::out_of_memory, "no memory");
  }
  return Outcome::done;
}

void SupernodalFactor::solve(const double* b, double* x, int n_columns) {
  const auto n = static_cast<std::ptrdiff_t>(kept_->order.size());
  for (int k = 0; k < n_columns; k += kRightSidesAtOnce)
    kept_->solve(b + k * n, x + k * n, std::min(kRightSidesAtOnce, n_columns - k));
}

MatrixXd SupernodalFactor::solve(const MatrixXd& B) {
  MatrixXd X(B.rows(), B.cols());
  solve(B.data(), X.data(), static_cast<int>(B.cols()));
  return X;
}

void SupernodalFactor::eliminate(Eigen::Ref<MatrixXd> X) {
  for (Eigen::Index k = 0; k < X.cols(); k += kRightSidesAtOnce)
    kept_->eliminate(X.middleCols(k, std::min<Eigen::Index>(kRightSidesAtOnce, X.cols() - k)));
}

void SupernodalFactor::back_substitute(Eigen::Ref<MatrixXd> X) {
  for (Eigen::Index k = 0; k < X.cols(); k += kRightSidesAtOnce)
    kept_->back_substitute(
        X.middleCols(k, std::min<Eigen::Index>(kRightSidesAtOnce, X.cols() - k)));
}

const MatrixXd& SupernodalFactor::last_block() const { return kept_->last; }
double SupernodalFactor::bytes() const { return kept_->bytes(); }

}  // namespace solidyn::solvers
