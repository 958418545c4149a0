// The inverse of a link's unknowns, small and large, against the product with the matrix.
#include <gtest/gtest.h>

#include "recursive/pivoted_inverse.h"

namespace solidyn::recursive {
namespace {

using Eigen::MatrixXd;

// The diagonal is small, so that rows must be exchanged; 112 is where the other way begins.
TEST(Invert, GivesTheInverseWhateverTheSize) {
  InverseWork work;
  for (const int n : {1, 2, 7, 31, 111, 112, 150}) {
    SCOPED_TRACE(n);
    std::srand(static_cast<unsigned>(n));
    MatrixXd A = MatrixXd::Random(n, n);
    A.diagonal() *= 1e-8;
    MatrixXd inverse = A;
    ASSERT_TRUE(invert(inverse, work));
    const double condition = A.norm() * inverse.norm();
    EXPECT_LT((A * inverse - MatrixXd::Identity(n, n)).norm(), 1e-15 * n * condition);
  }
}

TEST(Invert, FailsWhereARowOrColumnIsZero) {
  InverseWork work;
  for (const int n : {3, 111, 112}) {
    SCOPED_TRACE(n);
    MatrixXd A = MatrixXd::Random(n, n);
    A.col(n / 2).setZero();
    EXPECT_FALSE(invert(A, work));
  }
}

}  // namespace
}  // namespace solidyn::recursive
