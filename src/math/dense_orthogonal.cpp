#include "solidyn/math/dense.h"

namespace solidyn::math {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

PivotedQr::PivotedQr(const MatrixXd& A, std::optional<double> threshold) {
  if (threshold) qr_.setThreshold(*threshold);
  qr_.compute(A);
}

Index PivotedQr::rank() const { return qr_.rank(); }

MatrixXd PivotedQr::Q(Index n) const {
  return qr_.householderQ() * MatrixXd::Identity(qr_.rows(), n);
}

VectorXd PivotedQr::diagonal() const { return qr_.matrixQR().diagonal(); }

MatrixXd PivotedQr::solve_columns(const MatrixXd& b) const { return qr_.solve(b); }

VectorXd PivotedQr::solve_vector(const VectorXd& b) const { return qr_.solve(b); }

MatrixXd PivotedQr::solve_transposed(const MatrixXd& b) const {
  if (b.cols() == 0) return MatrixXd(qr_.rows(), 0);  // see LeastSquares::null_space
  const Index r = rank();
  const MatrixXd exchanged = qr_.colsPermutation().transpose() * b;
  MatrixXd x = MatrixXd::Zero(qr_.rows(), b.cols());
  x.topRows(r) =
      qr_.matrixQR().topLeftCorner(r, r).triangularView<Eigen::Upper>().transpose().solve(
          exchanged.topRows(r));
  return qr_.householderQ() * x;
}

LeastSquares::LeastSquares(const MatrixXd& A, std::optional<double> threshold) {
  if (threshold) cod_.setThreshold(*threshold);
  cod_.compute(A);
}

Index LeastSquares::rank() const { return cod_.rank(); }

MatrixXd LeastSquares::pseudo_inverse() const { return cod_.pseudoInverse(); }

MatrixXd LeastSquares::null_space() const {
  const Index n = cod_.cols(), kernel = n - rank();
  // Eigen permutes the rows of a matrix without columns by way of null pointers.
  if (kernel == 0) return MatrixXd(n, 0);
  const MatrixXd Zt = cod_.matrixZ().transpose();
  return cod_.colsPermutation() * MatrixXd(Zt.rightCols(kernel));
}

MatrixXd LeastSquares::solve_columns(const MatrixXd& b) const {
  if (b.cols() == 0) return MatrixXd(cod_.cols(), 0);  // as above
  return cod_.solve(b);
}

VectorXd LeastSquares::solve_vector(const VectorXd& b) const { return cod_.solve(b); }

MatrixXd orthonormal_columns(const MatrixXd& A, Index n) {
  const Eigen::HouseholderQR<MatrixXd> qr(A);
  return qr.householderQ() * MatrixXd::Identity(A.rows(), n);
}

}  // namespace solidyn::math
