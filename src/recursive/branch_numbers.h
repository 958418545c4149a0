#pragma once
#include "recursive/branch_exchange.h"

namespace solidyn::recursive {

/// Numbers of each branch of a shared tree, which the rank that has it tells all others.
class BranchNumbers {
 public:
  BranchNumbers() = default;
  /// @param counts  of each branch, in the order of BranchShares::branches; the same on all ranks
  BranchNumbers(const BranchExchange& exchange, const std::vector<int>& counts);

  /// Of a branch: to be written by its rank, and after gather() what that wrote.
  double* of(int branch) { return all_.data() + begins_[branch]; }
  /// Collective.
  void gather();

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  std::vector<std::size_t> begins_;   // of branches in all_, those of a rank one after the other
  std::vector<int> counts_, starts_;  // of ranks
  std::vector<double> all_;
};

/// Writes and reads matrices one after the other.
template <class Matrix>
void put_matrix(const Matrix& matrix, double*& to) {
  Eigen::Map<Eigen::Matrix<double, Matrix::RowsAtCompileTime, Matrix::ColsAtCompileTime>>(
      to, matrix.rows(), matrix.cols()) = matrix;
  to += matrix.size();
}
inline Eigen::Map<const Eigen::MatrixXd> take_matrix(const double*& from, Eigen::Index rows,
                                                     Eigen::Index cols) {
  const double* at = from;
  from += rows * cols;
  return {at, rows, cols};
}

}  // namespace solidyn::recursive
