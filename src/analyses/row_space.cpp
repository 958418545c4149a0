#include "row_space.h"

#include <vector>

#include "solidyn/base/error.h"

namespace solidyn::analyses {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

RowSpace::RowSpace(const MatrixXd& G, const VectorXd& weights) : weights_(weights) {
  // Without rows there is nothing to factorise: one of zeros has the same null space.
  const MatrixXd rows = G.rows() > 0 ? G : MatrixXd(MatrixXd::Zero(1, weights.size()));
  const MatrixXd scaled = rows * weights.cwiseInverse().asDiagonal();
  sizes_ = scaled.rowwise().norm();
  for (Index i = 0; i < sizes_.size(); ++i)
    if (sizes_[i] == 0.0) sizes_[i] = 1.0;
  qr_ = math::PivotedQr((sizes_.cwiseInverse().asDiagonal() * scaled).transpose());
  Q_ = qr_.Q(weights.size());
}

MatrixXd RowSpace::null_space() const {
  return weights_.cwiseInverse().asDiagonal() * Q_.rightCols(Q_.cols() - qr_.rank());
}

MatrixXd RowSpace::projector() const {
  return Q_.rightCols(Q_.cols() - qr_.rank()).transpose() * weights_.asDiagonal();
}

MatrixXd RowSpace::solve(const MatrixXd& b) const {
  if (b.rows() == 0) return MatrixXd::Zero(weights_.size(), b.cols());
  SOLIDYN_ASSERT(b.rows() == sizes_.size());
  return weights_.cwiseInverse().asDiagonal() *
         qr_.solve_transposed(sizes_.cwiseInverse().asDiagonal() * b);
}

MatrixXd rows_of(const system::Linearisation::Matrix& matrix, const system::Linearisation& l,
                 bool is_rate) {
  SOLIDYN_ASSERT(matrix.rows() == static_cast<Index>(l.is_rate.size()));
  std::vector<Index> rows;
  for (std::size_t i = 0; i < l.is_rate.size(); ++i)
    if (l.is_rate[i] == is_rate) rows.push_back(static_cast<Index>(i));
  return MatrixXd(matrix)(rows, Eigen::all);
}

}  // namespace solidyn::analyses
