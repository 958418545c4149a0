#include "math/small_product.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

namespace solidyn::math {
namespace {

using Eigen::MatrixXd;

// Small whole ones, so that no sum is rounded.
MatrixXd numbers(int rows, int columns, int seed) {
  MatrixXd M(rows, columns);
  for (int i = 0; i < M.size(); ++i) M.data()[i] = (seed + 7 * i) % 11 - 5;
  return M;
}

// Of all numbers of rows up to two blocks, of columns beside fours of them, and of parts of larger
// matrices.
TEST(SmallProduct, IsEigens) {
  for (int rows = 0; rows <= 17; ++rows)
    for (const int depth : {0, 1, 3, 18})
      for (int columns = 0; columns <= 9; ++columns) {
        const MatrixXd A = numbers(rows + 2, depth + 1, 1), B = numbers(depth + 3, columns + 1, 2);
        MatrixXd C = numbers(rows + 1, columns + 2, 3);
        MatrixXd expected = C;
        const auto left = A.bottomRightCorner(rows, depth), right = B.topLeftCorner(depth, columns);
        expected.bottomLeftCorner(rows, columns) -= 2.0 * left * right;
        add_small_product(left, right, C.bottomLeftCorner(rows, columns), -2.0);
        EXPECT_EQ(C, expected) << rows << " x " << depth << " x " << columns;
      }
}

// Vectors and matrices on both sides of where Eigen's kernels take over.
TEST(SmallProduct, OfManyRowsIsTheSumOfItsEntries) {
  for (const int rows : {16, 17, 90, 270})
    for (const int depth : {10, 12, 13, 30})
      for (const int columns : {1, 2, 18}) {
        const MatrixXd A = numbers(rows, depth, 1), B = numbers(depth, columns, 2);
        MatrixXd C = numbers(rows, columns, 3), expected = C;
        for (int i = 0; i < rows; ++i)
          for (int j = 0; j < columns; ++j)
            for (int k = 0; k < depth; ++k) expected(i, j) -= A(i, k) * B(k, j);
        add_small_product(A, B, C, -1.0);
        EXPECT_EQ(C, expected) << rows << " x " << depth << " x " << columns;
      }
}

}  // namespace
}  // namespace solidyn::math
