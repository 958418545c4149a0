// Factors of symmetric matrices that ranks hold by rows: solutions, signs of eigenvalues and
// refusals.
#include <gtest/gtest.h>

#include <cmath>

#include "distributed_matrix.h"
#include "ring_matrix.h"
#include "solidyn/base/mpi.h"
#include "solvers/refined_factor.h"
#include "solvers/symmetric_backend.h"

namespace solidyn::solvers {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Kind = SymmetricFactor::Kind;
using Outcome = SymmetricFactor::Outcome;

double residual(SymmetricFactor& factor, ::Mat distributed, const MatrixXd& A, int n_columns,
                double size = 1.0) {
  return residual_of(distributed, A, n_columns, size,
                     [&](const MatrixXd& B) { return factor.solve(B); });
}

class SymmetricFactorOf : public testing::TestWithParam<MatType> {};

TEST_P(SymmetricFactorOf, SolvesForManyColumns) {
  const MatrixXd A = test::ring_matrix(40, 9.0);
  const base::Mat distributed = distribute(A, GetParam());
  SymmetricFactor factor(kWorld, Kind::positive_definite);
  ASSERT_EQ(factor.factorise(distributed), Outcome::done) << factor.error();
  EXPECT_LT(residual(factor, distributed, A, 1), 1e-13);
  EXPECT_LT(residual(factor, distributed, A, 150), 1e-13);  // in several parts
}

TEST_P(SymmetricFactorOf, FollowsNewValuesAndNewPatterns) {
  SymmetricFactor factor(kWorld, Kind::positive_definite);
  for (const auto& [n_blocks, diagonal] : {std::pair{40, 9.0}, {40, 30.0}, {25, 9.0}}) {
    const MatrixXd A = test::ring_matrix(n_blocks, diagonal);
    const base::Mat distributed = distribute(A, GetParam());
    ASSERT_EQ(factor.factorise(distributed), Outcome::done) << factor.error();
    EXPECT_LT(residual(factor, distributed, A, 3), 1e-13);
  }
}

TEST_P(SymmetricFactorOf, RefusesWhatIsNotPositiveDefiniteAndCanGoOn) {
  SymmetricFactor factor(kWorld, Kind::positive_definite);
  const MatrixXd good = test::ring_matrix(40, 9.0), bad = test::ring_matrix(40, 0.5);
  EXPECT_EQ(factor.factorise(distribute(bad, GetParam())), Outcome::not_positive_definite);
  const base::Mat distributed = distribute(good, GetParam());
  ASSERT_EQ(factor.factorise(distributed), Outcome::done) << factor.error();
  EXPECT_LT(residual(factor, distributed, good, 2), 1e-13);
}

TEST_P(SymmetricFactorOf, CountsNegativeEigenvalues) {
  const MatrixXd A = test::ring_matrix(40, 0.5);
  const VectorXd exact = A.selfadjointView<Eigen::Upper>().eigenvalues();
  SymmetricFactor factor(kWorld, Kind::indefinite);
  const base::Mat distributed = distribute(A, GetParam());
  ASSERT_EQ(factor.factorise(distributed), Outcome::done) << factor.error();
  EXPECT_EQ(factor.n_negative(), (exact.array() < 0.0).count());
  EXPECT_EQ(factor.n_zero(), 0);
  EXPECT_LT(residual(factor, distributed, A, 2), 1e-10);
}

// The last front is the whole matrix, which ScaLAPACK would take.
TEST_P(SymmetricFactorOf, CountsThemInALargeFront) {
  const int n = 1500, n_negative = 601;
  MatrixXd A(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) A(i, j) = A(j, i) = 0.4 * std::sin(static_cast<double>(i * j + i));
  for (int i = 0; i < n; ++i) A(i, i) = i < n_negative ? -n : n;  // outweighs its row
  SymmetricFactor factor(kWorld, Kind::indefinite);
  ASSERT_EQ(factor.factorise(distribute(A, GetParam())), Outcome::done) << factor.error();
  EXPECT_EQ(factor.n_negative(), n_negative);
  EXPECT_EQ(factor.n_zero(), 0);
}

TEST_P(SymmetricFactorOf, CountsNullPivots) {
  MatrixXd A = test::ring_matrix(40, 9.0);
  A.row(11).setZero();
  A.col(11).setZero();
  SymmetricFactor factor(kWorld, Kind::indefinite);
  ASSERT_EQ(factor.factorise(distribute(A, GetParam())), Outcome::done) << factor.error();
  EXPECT_EQ(factor.n_zero(), 1);
}

// Whatever the units: 1e-45 is the end of single precision.
TEST_P(SymmetricFactorOf, SinglePrecisionTakesHalfTheMemoryAndLeavesItsRoundOff) {
  using Aim = SymmetricFactor::Aim;
  const auto whole =
      SymmetricFactor::Backend::make_mumps(kWorld, Kind::positive_definite, Precision::full);
  SymmetricFactor half(kWorld, Kind::positive_definite, Precision::single, Aim::memory);
  SymmetricFactor fast(kWorld, Kind::positive_definite, Precision::single, Aim::speed);
  std::string error;
  for (const auto& [of_matrix, of_load] : {std::pair{1.0, 1.0}, {1e-60, 1e-50}, {1e60, 1e50}}) {
    const MatrixXd A = of_matrix * test::ring_matrix(40, 9.0);
    const base::Mat distributed = distribute(A, GetParam());
    ASSERT_EQ(whole->factorise(distributed, error), Outcome::done) << error;
    for (SymmetricFactor* factor : {&half, &fast}) {
      ASSERT_EQ(factor->factorise(distributed), Outcome::done) << factor->error();
      const double left = residual(*factor, distributed, A, 40, of_load);
      EXPECT_LT(left, 1e-5);
      EXPECT_GT(left, 1e-10);
    }
    EXPECT_DOUBLE_EQ(half.bytes(), 0.5 * whole->bytes());
  }
}

// What ranks share in other ways than MUMPS does where there is nothing against it.
TEST_P(SymmetricFactorOf, MumpsSolvesAndRefusesToo) {
  const auto mumps =
      SymmetricFactor::Backend::make_mumps(kWorld, Kind::positive_definite, Precision::full);
  std::string error;
  EXPECT_EQ(mumps->factorise(distribute(test::ring_matrix(40, 0.5), GetParam()), error),
            Outcome::not_positive_definite);
  for (const auto& [n_blocks, diagonal] : {std::pair{40, 9.0}, {40, 30.0}, {25, 9.0}}) {
    const MatrixXd A = test::ring_matrix(n_blocks, diagonal);
    const base::Mat distributed = distribute(A, GetParam());
    ASSERT_EQ(mumps->factorise(distributed, error), Outcome::done) << error;
    EXPECT_LT(residual_of(distributed, A, 3, 1.0,
                          [&](const MatrixXd& B) {
                            MatrixXd X(B.rows(), B.cols());
                            mumps->solve(B.data(), X.data(), 3);
                            return X;
                          }),
              1e-13);
  }
}

TEST_P(SymmetricFactorOf, RefinedSolutionsAreAsGoodAsTheyAreAskedToBe) {
  const MatrixXd A = test::ring_matrix(40, 9.0);
  const base::Mat distributed = distribute(A, GetParam());
  RefinedFactor factor(kWorld);
  ASSERT_EQ(factor.factorise(distributed), Outcome::done) << factor.error();
  EXPECT_LT(factor.rate(), 1e-5);
  for (const auto& [tolerance, expected] :
       {std::pair{1e-3, 1e-5}, {1e-14, 3e-13}})  // of |x|, times the norm of A
    EXPECT_LT(residual_of(distributed, A, 40, 1.0,
                          [&, t = tolerance](const MatrixXd& B) {
                            MatrixXd X;
                            EXPECT_TRUE(factor.solve(B, X, t));
                            return X;
                          }),
              expected);
}

// A part that hardly anything holds, between others that are stiff: single precision loses it.
TEST_P(SymmetricFactorOf, SaysWhatIllConditioningLeavesOfAnError) {
  for (const double stiffness : {1e2, 1e5, 1e10}) {
    MatrixXd A = test::ring_matrix(40, 9.0);
    for (int i = 0; i < 117; ++i) {
      A(i, i) += stiffness;
      A(i + 3, i + 3) += stiffness;
      A(i, i + 3) -= stiffness;
      A(i + 3, i) -= stiffness;
    }
    RefinedFactor factor(kWorld);
    const Outcome outcome = factor.factorise(distribute(A, GetParam()));
    if (stiffness < 1e9) {
      ASSERT_EQ(outcome, Outcome::done);
      EXPECT_LT(factor.rate(), 1e-7 * stiffness);
      EXPECT_GT(factor.rate(), 1e-11 * stiffness);
    } else if (outcome == Outcome::done) {
      EXPECT_GT(factor.rate(), 0.1);
    } else {
      EXPECT_EQ(outcome, Outcome::not_positive_definite);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, SymmetricFactorOf, testing::Values(MATAIJ, MATSBAIJ));

}  // namespace
}  // namespace solidyn::solvers
