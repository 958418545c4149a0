// The inverse of a link's unknowns, small and large, and solutions with it, against the product
// with the matrix.
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

// A stiff force along all unknowns, in any units of these and of the rows.
TEST(Divisor, LeavesNoMoreThanRoundOffOfWhatItDividesHoweverStiffThatIs) {
  InverseWork work;
  Divisor divisor;
  for (const int n : {2, 5, 12})
    for (const double stiffness : {1.0, 1e3, 1e6, 1e9, 1e12}) {
      SCOPED_TRACE(testing::Message() << n << ", " << stiffness);
      std::srand(static_cast<unsigned>(n));
      const Eigen::VectorXd along = Eigen::VectorXd::Random(n).normalized(),
                            units = (2.0 * Eigen::VectorXd::Random(n)).array().exp();
      const MatrixXd D = units.asDiagonal() *
                         (MatrixXd::Identity(n, n) + stiffness * along * along.transpose()) *
                         units.asDiagonal();
      ASSERT_TRUE(divisor.compute(D, work));
      EXPECT_EQ(divisor.has_factors(), stiffness > 1e5);
      const MatrixXd b = D * MatrixXd::Random(n, 3);  // of which much is along the stiff force
      MatrixXd x = MatrixXd::Zero(n, 3);
      divisor.add_solution(b, x, -2.0);
      const MatrixXd missed = (D * x + 2.0 * b).cwiseAbs(),
                     size = D.cwiseAbs() * x.cwiseAbs() + b.cwiseAbs();
      EXPECT_LT(missed.cwiseQuotient(size).maxCoeff(), stiffness > 1e5 ? 1e-13 : 1e-11);
    }
}

}  // namespace
}  // namespace solidyn::recursive
