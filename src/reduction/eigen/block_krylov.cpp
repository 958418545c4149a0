#include "reduction/eigen/block_krylov.h"

#include <algorithm>
#include <cmath>

#include "solidyn/math/dense.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kMaxBlocks = 200;

// The basis V with M V, and H = V^T M Op V.
struct KrylovSpace {
  MultiVector V, MV;
  MatrixXd H;
  Index size = 0;

  KrylovSpace(Index n_rows, Index capacity)
      : V(n_rows, capacity), MV(n_rows, capacity), H(MatrixXd::Zero(capacity, capacity)) {}
  Index capacity() const { return V.cols(); }
  auto basis() const { return V.leftCols(size); }
  auto dual() const { return MV.leftCols(size); }
};

// Makes W M-orthonormal and M-orthogonal to the space; drops directions that are rounding only, and
// the smallest of those that the whole space has no room for: they are rounding as well. Twice,
// because the first pass may cancel most of W.
void orthonormalise(const BlockOperator& op, const KrylovSpace& space, MultiVector& W,
                    MultiVector& MW) {
  constexpr double kRounding = 1e-26;  // of the largest squared norm
  for (int pass = 0; pass < 2 && W.cols() > 0; ++pass) {
    op.project(W);
    W.noalias() -= space.basis() * inner_products(op.comm, space.dual(), W);
    MW = op.multiply_M(W);
    const auto gram = math::symmetric_spectrum(symmetric(inner_products(op.comm, W, MW)));
    const VectorXd& squares = gram.values;
    const Index n = std::min<Index>(space.capacity() - space.size,
                                    (squares.array() > kRounding * squares.tail<1>()[0]).count());
    const MatrixXd scale =
        gram.vectors.rightCols(n) * squares.tail(n).cwiseSqrt().cwiseInverse().asDiagonal();
    W = (W * scale).eval();
    MW = (MW * scale).eval();
  }
}

void append(const BlockOperator& op, const MultiVector& W, const MultiVector& MW,
            const MultiVector& Z, KrylovSpace& space) {
  const Index before = space.size, b = W.cols();
  space.V.middleCols(before, b) = W;
  space.MV.middleCols(before, b) = MW;
  space.size += b;
  space.H.block(0, before, space.size, b) = inner_products(op.comm, space.dual(), Z);
  space.H.block(before, 0, b, before) = space.H.block(0, before, before, b).transpose();
}

// Keeps the q best Ritz vectors.
void restart(const VectorXd& theta, const MatrixXd& Y, Index q, KrylovSpace& space) {
  space.V.leftCols(q) = (space.basis() * Y.leftCols(q)).eval();
  space.MV.leftCols(q) = (space.dual() * Y.leftCols(q)).eval();
  space.H.setZero();
  space.H.topLeftCorner(q, q) = theta.head(q).asDiagonal();
  space.size = q;
}

}  // namespace

BlockKrylovResult find_largest(const BlockOperator& op, MultiVector start, int n, double tolerance,
                               std::int64_t n_rows) {
  const Index p = start.cols();
  const Index capacity = std::min<Index>(n_rows, std::max(2 * n + 2 * p, n + 6 * p));
  BlockKrylovResult result;
  KrylovSpace space(start.rows(), capacity);
  MultiVector W = std::move(start), MW;
  VectorXd theta;
  MatrixXd Y;
  while (result.n_blocks < kMaxBlocks && !result.has_converged) {
    orthonormalise(op, space, W, MW);
    if (W.cols() == 0) break;  // a singular M has fewer modes than rows
    MultiVector Z = op.solve(MW);
    op.project(Z);
    ++result.n_blocks;
    const Index b = W.cols();
    append(op, W, MW, Z, space);
    W = Z - space.basis() * space.H.block(0, space.size - b, space.size, b);

    const auto ritz =
        math::symmetric_spectrum(symmetric(space.H.topLeftCorner(space.size, space.size)));
    theta = ritz.values.reverse();
    Y = ritz.vectors.rowwise().reverse();
    const Index n_ritz = std::min<Index>(n, space.size);
    const MatrixXd last = Y.bottomLeftCorner(b, n_ritz);
    const MatrixXd S = inner_products(op.comm, W, op.multiply_M(W));
    const VectorXd residuals = (last.transpose() * S * last).diagonal().cwiseMax(0.0).cwiseSqrt();
    const bool is_exhausted = space.size == n_rows;
    result.has_converged =
        n_ritz == n &&
        (is_exhausted || (residuals.array() <= tolerance * theta.head(n).array()).all());
    if (!result.has_converged && space.size + p > capacity && capacity < n_rows)
      restart(theta, Y, std::min<Index>(n + p, capacity - p), space);
  }
  // One more application takes the short waves out of the vectors, which the M-norm hardly sees but
  // K does.
  const Index n_found = std::min<Index>(n, space.size);
  result.values = theta.head(n_found);
  result.vectors =
      op.solve(space.dual() * Y.leftCols(n_found)) * result.values.cwiseInverse().asDiagonal();
  op.project(result.vectors);
  return result;
}

}  // namespace solidyn::reduction
