#include "recursive/pivoted_inverse.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace solidyn::recursive {

using Eigen::MatrixXd;

namespace {

// From so many rows on a factorisation by blocks is faster (benchmarks/RESULTS.md).
constexpr Eigen::Index kManyRows = 112;
// How far rows cancel for which factors are made.
constexpr double kCancelled = 1e4;

// Of |D^-1| |D| the largest entry on the diagonal: how far a row of D is a sum of others, whatever
// its units and those of the unknowns are.
double cancellation(const Eigen::Ref<const MatrixXd>& D, const MatrixXd& inverse) {
  double largest = 0.0;
  for (Eigen::Index j = 0; j < D.cols(); ++j)
    largest = std::max(largest, (inverse.row(j).cwiseAbs() * D.col(j).cwiseAbs()).value());
  return largest;
}

}  // namespace

PivotedInverse pivoted_inverse(const MatrixXd& A, double smallest, int max_rank, Pivots pivots) {
  const int n = static_cast<int>(A.rows());
  std::vector<int> rows(n), columns(n);
  std::iota(rows.begin(), rows.end(), 0);
  columns = rows;
  MatrixXd left = A;
  double first = 0.0;
  int rank = 0;
  PivotedInverse out;
  for (; rank < std::min(n, max_rank); ++rank) {
    Eigen::Index i = 0, j = 0;
    double pivot = 0.0;
    if (pivots == Pivots::diagonal) {
      pivot = left.diagonal().tail(n - rank).maxCoeff(&i);
      j = i;
    } else {
      pivot = left.bottomRightCorner(n - rank, n - rank).cwiseAbs().maxCoeff(&i, &j);
    }
    if (rank == 0) first = pivot;
    if (!(pivot > smallest * std::max(first, 1.0))) break;
    i += rank;
    j += rank;
    out.last_pivot = pivot / first;
    out.last_row = rows[i];
    left.row(rank).swap(left.row(i));
    left.col(rank).swap(left.col(j));
    std::swap(rows[rank], rows[i]);
    std::swap(columns[rank], columns[j]);
    const int m = n - rank - 1;
    const Eigen::VectorXd factors = left.col(rank).tail(m) / left(rank, rank);
    left.bottomRightCorner(m, m) -= factors * left.row(rank).tail(m);
  }
  out.inverse.setZero(n, n);
  out.left.assign(rows.begin() + rank, rows.end());
  if (rank == 0) return out;
  MatrixXd taken(rank, rank);
  for (int i = 0; i < rank; ++i)
    for (int j = 0; j < rank; ++j) taken(i, j) = A(rows[i], columns[j]);
  const MatrixXd inverse = math::LuFactor(taken).inverse();
  for (int i = 0; i < rank; ++i)
    for (int j = 0; j < rank; ++j) out.inverse(columns[i], rows[j]) = inverse(i, j);
  return out;
}

// Of few rows by Gauss and Jordan.
bool invert(MatrixXd& A, InverseWork& w) {
  const Eigen::Index n = A.rows();
  if (n >= kManyRows) {
    const math::LuFactor factor(A);
    if (!(factor.smallest_pivot() > 0.0)) return false;
    A = factor.inverse();
    return A.allFinite();
  }
  w.exchanged.resize(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::Index at = 0;
    A.col(k).tail(n - k).cwiseAbs().maxCoeff(&at);
    w.exchanged[k] = static_cast<int>(at += k);
    if (at != k) A.row(k).swap(A.row(at));
    const double pivot = A(k, k);
    if (!(std::abs(pivot) > 0.0) || !std::isfinite(pivot)) return false;
    w.column = A.col(k);
    w.column[k] = 0.0;
    w.row = A.row(k) / pivot;
    A.row(k) = w.row;
    math::add_small_product(w.column, w.row, A, -1.0);
    A.col(k) = w.column / -pivot;
    A(k, k) = 1.0 / pivot;
  }
  for (Eigen::Index k = n; k-- > 0;)
    if (w.exchanged[k] != k) A.col(k).swap(A.col(w.exchanged[k]));
  return A.allFinite();
}

bool Divisor::compute(const Eigen::Ref<const MatrixXd>& D, InverseWork& work) {
  inverse_ = D;
  if (!invert(inverse_, work)) return false;
  has_factors_ = cancellation(D, inverse_) > kCancelled;
  if (has_factors_) factors_.compute(D);
  return true;
}

}  // namespace solidyn::recursive
