#pragma once
#include <Eigen/Sparse>
#include <memory>

namespace solidyn::math {

/// P A Q = L U of a sparse square matrix, columns ordered by COLAMD and rows exchanged for size: of
/// systems with a few thousand unknowns on one rank. It is Eigen's SparseLU, compiled once.
/// Local. Proved by SparseLu in tests/unit/math/dense_test.cpp.
class SparseLu {
 public:
  SparseLu();
  explicit SparseLu(const Eigen::SparseMatrix<double>& A);
  ~SparseLu();
  void compute(const Eigen::SparseMatrix<double>& A);
  bool has_failed() const;  ///< A is singular: there is no solve()
  int sign_of_determinant() const;
  /// @pre compute() has not failed.
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
  Eigen::MatrixXd solve_columns(const Eigen::MatrixXd& b) const;

 private:
  class Factor;
  std::unique_ptr<Factor> factor_;
};

}  // namespace solidyn::math
