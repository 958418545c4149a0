#include "solidyn/imported/matrices.h"

#include <gtest/gtest.h>

namespace solidyn::imported {
namespace {

Matrix make_matrix(std::vector<std::int64_t> rows, std::vector<std::int64_t> columns,
                   std::vector<double> values) {
  Matrix matrix;
  matrix.n_rows = matrix.n_columns = std::int64_t{1} << 40;  // costs nothing
  matrix.rows = std::move(rows);
  matrix.columns = std::move(columns);
  matrix.values = std::move(values);
  return matrix;
}

TEST(Matrices, AsymmetryIsThatOfTheWorstTerm) {
  EXPECT_DOUBLE_EQ(
      asymmetry_of(make_matrix({0, 1, 0, 2, 2}, {0, 0, 1, 0, 2}, {-8.0, 3.0, 2.0, 4.0, 1.0})),
      0.5);  // 4 at (2, 0), nothing at (0, 2)
  EXPECT_DOUBLE_EQ(asymmetry_of(make_matrix({5, 3}, {3, 5}, {-2.0, -2.0})), 0.0);
  EXPECT_DOUBLE_EQ(asymmetry_of(make_matrix({5, 3}, {3, 5}, {-2.0, 2.0})), 2.0);
  EXPECT_DOUBLE_EQ(asymmetry_of(make_matrix({}, {}, {})), 0.0);
}

TEST(Matrices, OfOnesOwnComeBackAsTheyWere) {
  Eigen::MatrixXd A(2, 3);
  A << 1.0, 0.0, -2.0, 0.5, 3.0, 0.0;
  const Matrix matrix = to_matrix(A.sparseView(), "A");
  EXPECT_EQ(matrix.values.size(), 4u);
  EXPECT_EQ(Eigen::MatrixXd(assemble(matrix)), A);
}

TEST(Matrices, AsymmetryIsThatOfSumsWhereTermsAreGivenTwice) {
  EXPECT_DOUBLE_EQ(asymmetry_of(make_matrix({5, 5, 3}, {3, 3, 5}, {1.0, 2.0, 3.0})), 0.0);
}

TEST(Matrices, ATriangleIsSymmetric) {
  Matrix matrix = make_matrix({0}, {1}, {1.0});
  matrix.terms = Matrix::Terms::upper_triangle;
  EXPECT_DOUBLE_EQ(asymmetry_of(matrix), 0.0);
}

}  // namespace
}  // namespace solidyn::imported
