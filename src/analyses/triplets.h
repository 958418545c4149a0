#pragma once
#include <Eigen/Sparse>
#include <vector>

namespace solidyn::analyses {

/// Appends the entries of `factor` times a matrix as a block that begins at (row, column).
template <class Factor, class Scalar>
void add_block(const Eigen::SparseMatrix<double>& matrix, Factor factor, Eigen::Index row,
               Eigen::Index column, std::vector<Eigen::Triplet<Scalar>>& list) {
  for (Eigen::Index j = 0; j < matrix.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator it(matrix, j); it; ++it)
      list.emplace_back(static_cast<int>(row + it.row()), static_cast<int>(column + j),
                        factor * it.value());
}

}  // namespace solidyn::analyses
