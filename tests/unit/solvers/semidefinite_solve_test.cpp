// Semidefinite systems by products: exact where they have solutions, nearest where they have none.
#include "solvers/semidefinite_solve.h"

#include <gtest/gtest.h>

#include <random>

namespace solidyn::solvers {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd random_matrix(std::mt19937& generator, int rows, int cols) {
  std::normal_distribution<double> normal;
  return MatrixXd::NullaryExpr(rows, cols, [&] { return normal(generator); });
}

VectorXd solution_of(const MatrixXd& A, const VectorXd& b, double tolerance = 1e-13) {
  return solve_semidefinite([&](const VectorXd& x, VectorXd& Ax) { Ax = A * x; }, A.diagonal(), b,
                            tolerance);
}

class SemidefiniteSolve : public testing::Test {
 protected:
  std::mt19937 generator_{3};
  // Of rank 12, with scales that differ by ten thousand.
  MatrixXd singular() {
    MatrixXd J = random_matrix(generator_, 30, 12);
    for (int i = 0; i < 30; ++i) J.row(i) *= std::pow(10.0, 0.07 * i);
    return J * J.transpose();
  }
};

TEST_F(SemidefiniteSolve, FindsASolutionOfASingularSystem) {
  const MatrixXd A = singular();
  const VectorXd b = A * random_matrix(generator_, 30, 1);
  EXPECT_LT((A * solution_of(A, b) - b).norm(), 1e-12 * b.norm());
}

TEST_F(SemidefiniteSolve, TakesASmallPartThatIsNotSymmetric) {
  MatrixXd A = singular();
  const MatrixXd S = random_matrix(generator_, 30, 30);
  A += 0.02 * A * (S - S.transpose()) * A / (A.norm() * S.norm());
  const VectorXd b = A * random_matrix(generator_, 30, 1);
  EXPECT_LT((A * solution_of(A, b) - b).norm(), 1e-11 * b.norm());
}

TEST_F(SemidefiniteSolve, ComesAsNearAsTheRangeAllows) {
  const MatrixXd J = random_matrix(generator_, 20, 6);
  const VectorXd scale = (J * J.transpose()).diagonal().cwiseInverse().cwiseSqrt();
  const MatrixXd A = scale.asDiagonal() * (J * J.transpose()) * scale.asDiagonal();
  const VectorXd b = random_matrix(generator_, 20, 1);
  const VectorXd nearest = A * A.completeOrthogonalDecomposition().solve(b);
  EXPECT_GT((nearest - b).norm(), 0.1 * b.norm());
  EXPECT_LT((A * solution_of(A, b) - nearest).norm(), 1e-6 * b.norm());
}

TEST_F(SemidefiniteSolve, OfNothingIsNothing) {
  EXPECT_TRUE(solution_of(MatrixXd::Zero(3, 3), Eigen::Vector3d(1, 2, 3)).isZero(0.0));
  EXPECT_TRUE(solution_of(MatrixXd::Identity(3, 3), VectorXd::Zero(3)).isZero(0.0));
}

}  // namespace
}  // namespace solidyn::solvers
