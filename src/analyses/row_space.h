#pragma once
#include <Eigen/Dense>

#include "solidyn/math/dense.h"
#include "solidyn/system/linearisation.h"

namespace solidyn::analyses {

/// The motions x, measured by w x, that rows G leave free, and those that answer G x = b. Rows are
/// independent (System has found which are). [rows x n], [n]
class RowSpace {
 public:
  RowSpace(const Eigen::MatrixXd& G, const Eigen::VectorXd& weights);
  /// Columns: free motions, orthonormal when weighted.
  Eigen::MatrixXd null_space() const;
  /// Their coordinates are Y x.
  Eigen::MatrixXd projector() const;
  /// The smallest x (weighted) with G x = b, one column for each of b.
  Eigen::MatrixXd solve(const Eigen::MatrixXd& b) const;

 private:
  Eigen::VectorXd weights_, sizes_;
  math::PivotedQr qr_;
  Eigen::MatrixXd Q_;
};

/// The rows of `matrix` (one for each of l.rows) of velocity level, or of position level.
Eigen::MatrixXd rows_of(const system::Linearisation::Matrix& matrix, const system::Linearisation& l,
                        bool is_rate);

}  // namespace solidyn::analyses
