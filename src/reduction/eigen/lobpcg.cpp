#include "reduction/eigen/lobpcg.h"

#include <cmath>

#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/timer.h"
#include "solidyn/math/dense.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// The blocks X, W, P side by side with their products, so that Ritz's method is two matrix
// products.
class Space {
 public:
  Space(const PreconditionedPencil& pencil, Index n_rows, Index capacity)
      : pencil_(pencil), V_(n_rows, capacity), KV_(n_rows, capacity), MV_(n_rows, capacity) {}

  Index size() const { return size_; }
  auto V(Index first, Index n) const { return V_.middleCols(first, n); }
  auto KV(Index first, Index n) const { return KV_.middleCols(first, n); }
  auto MV(Index first, Index n) const { return MV_.middleCols(first, n); }

  // Appends what W adds to the space; directions that are rounding only are left out.
  void append(MultiVector W) {
    constexpr double kRounding = 1e-24;  // of the largest squared norm
    MultiVector MW;
    for (int pass = 0; pass < 2 && W.cols() > 0; ++pass) {
      pencil_.project(W);
      W.noalias() -= V(0, size_) * inner_products(pencil_.comm, MV(0, size_), W);
      MW = pencil_.multiply_M(W);
      // Unit columns first: residuals of early and late vectors differ by many orders.
      const MatrixXd G = symmetric(inner_products(pencil_.comm, W, MW));
      const VectorXd unit = G.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
      const auto gram =
          math::symmetric_spectrum(MatrixXd(unit.asDiagonal() * G * unit.asDiagonal()));
      const VectorXd& squares = gram.values;
      const Index n = (squares.array() > kRounding * squares.maxCoeff()).count();
      const MatrixXd scale = unit.asDiagonal() * gram.vectors.rightCols(n) *
                             squares.tail(n).cwiseSqrt().cwiseInverse().asDiagonal();
      W = (W * scale).eval();
      MW = (MW * scale).eval();
    }
    V_.middleCols(size_, W.cols()) = W;
    MV_.middleCols(size_, W.cols()) = MW;
    KV_.middleCols(size_, W.cols()) = pencil_.multiply_K(W);
    size_ += W.cols();
  }

  // Keeps the best m vectors of the space, and returns the part of some that comes from outside of
  // the first `n_old`.
  MultiVector take_ritz(Index m, Index n_old, const std::vector<Index>& wanted, VectorXd& theta) {
    const MatrixXd H = symmetric(inner_products(pencil_.comm, V(0, size_), KV(0, size_)));
    const auto ritz = math::symmetric_spectrum(H);
    m = std::min(m, size_);
    theta = ritz.values.head(m);
    const MatrixXd Y = ritz.vectors.leftCols(m);
    MultiVector P;
    if (n_old < size_)
      P = V(n_old, size_ - n_old) * MatrixXd(Y(Eigen::all, wanted)).bottomRows(size_ - n_old);
    for (MultiVector* block : {&V_, &KV_, &MV_})
      block->leftCols(m) = (block->leftCols(size_) * Y).eval();
    size_ = m;
    return P;
  }

 private:
  const PreconditionedPencil& pencil_;
  MultiVector V_, KV_, MV_;
  Index size_ = 0;
};

// A line now and then, so that long work shows that it continues.
class Progress {
 public:
  void tell(const LobpcgResult& result, std::size_t n_active, double tolerance) {
    constexpr double kSecondsBetweenLines = 20.0;
    if (since_line_.seconds() < kSecondsBetweenLines) return;
    base::log_info(
        "reduction: LOBPCG iteration {}, {} vectors not converged, largest error {:.1e} of {:.0e}",
        result.n_iterations, n_active, result.largest_error, tolerance);
    since_line_ = base::Timer();
  }

 private:
  base::Timer since_line_;
};

std::vector<Index> first_indices(Index n) {
  std::vector<Index> all(n);
  for (Index j = 0; j < n; ++j) all[j] = j;
  return all;
}

}  // namespace

LobpcgResult find_smallest(const PreconditionedPencil& pencil, MultiVector start, int n,
                           double tolerance, int max_iterations) {
  const Index m = start.cols();
  LobpcgResult result;
  Space space(pencil, start.rows(), 3 * m);
  space.append(std::move(start));
  VectorXd theta;
  space.take_ritz(m, space.size(), {}, theta);
  MultiVector P;
  Progress progress;
  VectorXd errors = VectorXd::Constant(m, 1.0);
  std::vector<Index> active = first_indices(space.size());
  while (result.n_iterations < max_iterations) {
    MultiVector R(P.rows() ? P.rows() : space.V(0, 1).rows(), active.size());
    for (std::size_t j = 0; j < active.size(); ++j)
      R.col(j) = space.KV(active[j], 1) - theta[active[j]] * space.MV(active[j], 1);
    MultiVector W = pencil.precondition(R);
    const VectorXd squares = column_products(pencil.comm, R, W);
    std::vector<Index> going;  // columns of W
    for (std::size_t j = 0; j < active.size(); ++j) {
      errors[active[j]] = std::sqrt(std::max(0.0, squares[j]) / theta[active[j]]);
      if (errors[active[j]] > tolerance) going.push_back(static_cast<Index>(j));
    }
    result.largest_error = errors.head(n).maxCoeff();
    base::log_debug("LOBPCG: iteration {}, {} of {} vectors active, largest error {:.2e}",
                    result.n_iterations, going.size(), m, result.largest_error);
    progress.tell(result, going.size(), tolerance);
    result.has_converged = result.largest_error <= tolerance;
    if (result.has_converged || going.empty()) break;
    std::vector<Index> still;
    still.reserve(going.size());
    for (const Index j : going) still.push_back(active[j]);
    active = std::move(still);
    const Index n_old = space.size();
    space.append(W(Eigen::all, going));
    W.resize(0, 0);
    if (P.cols() > 0) space.append(std::move(P));
    P = space.take_ritz(m, n_old, active, theta);
    ++result.n_iterations;
  }
  result.values = theta.head(n);
  result.vectors = space.V(0, n);
  return result;
}

}  // namespace solidyn::reduction
