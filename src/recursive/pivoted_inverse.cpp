#include "recursive/pivoted_inverse.h"

#include <numeric>

#include "solidyn/math/dense.h"

namespace solidyn::recursive {

using Eigen::MatrixXd;

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
    if (!(pivot > smallest * first)) break;
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

}  // namespace solidyn::recursive
