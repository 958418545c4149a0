// Cholesky factors in supernodes, kept in single or double precision: solutions, their halves, and
// refusals.
#include "solvers/supernodal_factor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "ring_matrix.h"

namespace solidyn::solvers {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Outcome = SupernodalFactor::Outcome;

// Its own rows and columns, with what is above the diagonal too.
struct Columns {
  std::vector<int> starts = {0}, rows;
  std::vector<double> values;

  explicit Columns(const MatrixXd& A) {
    for (int j = 0; j < A.cols(); ++j) {
      for (int i = 0; i < A.rows(); ++i)
        if (A(i, j) != 0.0 || i == j) {
          rows.push_back(i);
          values.push_back(A(i, j));
        }
      starts.push_back(static_cast<int>(rows.size()));
    }
  }
  SymmetricColumns view(int block = 1) const {
    return {static_cast<int>(starts.size()) - 1, starts.data(), rows.data(), values.data(), block};
  }
};

MatrixXd right_hand_sides(Eigen::Index n, int n_columns) {
  return MatrixXd::NullaryExpr(n, n_columns, [](Eigen::Index i, Eigen::Index j) {
    return std::sin(1.0 + static_cast<double>(3 * i + 5 * j));
  });
}

// Largest error of a column, over its largest number.
double error_of(const MatrixXd& X, const MatrixXd& exact) {
  double worst = 0.0;
  for (Eigen::Index k = 0; k < X.cols(); ++k) {
    const double error = (X.col(k) - exact.col(k)).lpNorm<Eigen::Infinity>();
    worst = std::max(worst, error / exact.col(k).lpNorm<Eigen::Infinity>());
    if (std::isnan(error)) return error;
  }
  return worst;
}

class SupernodalFactorIn : public testing::TestWithParam<Precision> {
 protected:
  // Of matrices with a condition number of some tens.
  double round_off() const { return GetParam() == Precision::single ? 3e-6 : 1e-13; }
};

TEST_P(SupernodalFactorIn, SolvesForAnyNumberOfRowsAndColumns) {
  for (const int n : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 64, 129}) {
    const MatrixXd A = test::ring_matrix((n + 2) / 3).topLeftCorner(n, n);
    SupernodalFactor factor(GetParam());
    ASSERT_EQ(factor.factorise(Columns(A).view()), Outcome::done) << factor.error();
    for (const int n_columns : {1, 2, 4, 7, 32, 70}) {
      const MatrixXd B = right_hand_sides(n, n_columns);
      EXPECT_LT(error_of(factor.solve(B), A.llt().solve(B)), round_off()) << n << ' ' << n_columns;
    }
  }
}

TEST_P(SupernodalFactorIn, SolvesWithFullMatricesAndWithBlocks) {
  for (const int n : {30, 90, 201}) {
    const MatrixXd any = MatrixXd::NullaryExpr(n, n, [](Eigen::Index i, Eigen::Index j) {
      return std::sin(static_cast<double>(i * j + i));
    });
    const MatrixXd A = any * any.transpose() / n + MatrixXd::Identity(n, n);
    for (const int block : {1, 3}) {
      SupernodalFactor factor(GetParam());
      ASSERT_EQ(factor.factorise(Columns(A).view(block)), Outcome::done) << factor.error();
      const MatrixXd B = right_hand_sides(n, 5);
      EXPECT_LT(error_of(factor.solve(B), A.llt().solve(B)), round_off()) << n << ' ' << block;
    }
  }
}

TEST_P(SupernodalFactorIn, ReadsTheLowerTriangleAlone) {
  const MatrixXd A = test::ring_matrix(20);
  MatrixXd wrong = A;
  wrong.triangularView<Eigen::StrictlyUpper>().setConstant(77.0);
  SupernodalFactor factor(GetParam());
  ASSERT_EQ(factor.factorise(Columns(wrong).view(3)), Outcome::done);
  const MatrixXd B = right_hand_sides(60, 1);
  EXPECT_LT(error_of(factor.solve(B), A.llt().solve(B)), round_off());
}

TEST_P(SupernodalFactorIn, FollowsNewValuesAndNewPatterns) {
  SupernodalFactor factor(GetParam());
  for (const auto& [n_blocks, diagonal] : {std::pair{40, 9.0}, {40, 30.0}, {25, 9.0}, {40, 9.0}}) {
    const MatrixXd A = test::ring_matrix(n_blocks, diagonal), B = right_hand_sides(3 * n_blocks, 2);
    ASSERT_EQ(factor.factorise(Columns(A).view(3)), Outcome::done) << factor.error();
    EXPECT_LT(error_of(factor.solve(B), A.llt().solve(B)), round_off());
  }
}

TEST_P(SupernodalFactorIn, SolvesPartsThatDoNotHangTogether) {
  MatrixXd A = MatrixXd::Zero(141, 141);
  A.block(0, 0, 60, 60) = test::ring_matrix(20);
  A.block(60, 60, 21, 21) = 1e8 * test::ring_matrix(7);
  A.diagonal().segment(81, 15).setConstant(1e-6);
  A.block(96, 96, 45, 45) = test::ring_matrix(15);
  SupernodalFactor factor(GetParam());
  for (const int n_last : {0, 3, 15, 75}) {
    ASSERT_EQ(factor.factorise(Columns(A).view(3), n_last), Outcome::done);
    const MatrixXd B = A * right_hand_sides(141, 3);
    EXPECT_LT(error_of(factor.solve(B), right_hand_sides(141, 3)), round_off()) << n_last;
  }
}

// Also of rows and columns beside each other: A is D R D.
TEST_P(SupernodalFactorIn, SolvesAtAnyScale) {
  const MatrixXd R = test::ring_matrix(25), Y = right_hand_sides(75, 5);
  for (const double scale : {1e-30, 1e-12, 1e12, 1e30}) {
    SupernodalFactor factor(GetParam());
    ASSERT_EQ(factor.factorise(Columns(scale * R).view(3)), Outcome::done);
    for (const double size : {1e-200, 1.0, 1e200}) {
      const MatrixXd X = factor.solve(size * (R * Y)) * (scale / size);
      EXPECT_LT(error_of(X, Y), round_off()) << scale << ' ' << size;
    }
  }
  const VectorXd D = VectorXd::NullaryExpr(
      75, [](Eigen::Index i) { return std::pow(10.0, 30.0 * std::sin(static_cast<double>(i))); });
  SupernodalFactor factor(GetParam());
  const MatrixXd A = D.asDiagonal() * R * D.asDiagonal();
  ASSERT_EQ(factor.factorise(Columns(A).view(3)), Outcome::done);
  const MatrixXd X = D.asDiagonal() * factor.solve(D.asDiagonal() * (R * Y));
  EXPECT_LT(error_of(X, Y), round_off());
}

// Solutions that decay below the range of single precision are zero there, and nowhere NaN.
TEST_P(SupernodalFactorIn, SolutionsThatDecayAreSound) {
  const int n = 300;
  MatrixXd A = MatrixXd::Zero(n, n);
  for (int i = 0; i < n; ++i) {
    A(i, i) = 1.0;
    if (i > 0) A(i, i - 1) = A(i - 1, i) = -0.01;
  }
  SupernodalFactor factor(GetParam());
  ASSERT_EQ(factor.factorise(Columns(A).view()), Outcome::done);
  const MatrixXd b = VectorXd::Unit(n, 0), x = factor.solve(b);
  ASSERT_TRUE(x.allFinite());
  const double decay = (1.0 - std::sqrt(1.0 - 4e-4)) / 0.02, first = 1.0 / (1.0 - 0.01 * decay);
  for (int i = 0; i < 12; ++i) EXPECT_NEAR(x(i) / (first * std::pow(decay, i)), 1.0, 1e-5) << i;
  EXPECT_LT(std::abs(x(n - 1)), 1e-30);
}

TEST_P(SupernodalFactorIn, ZeroGivesZeroAndWhatIsNoNumberStaysNone) {
  SupernodalFactor factor(GetParam());
  ASSERT_EQ(factor.factorise(Columns(test::ring_matrix(10)).view(3)), Outcome::done);
  EXPECT_EQ(factor.solve(MatrixXd::Zero(30, 2)).norm(), 0.0);
  EXPECT_EQ(factor.solve(MatrixXd::Zero(30, 0)).cols(), 0);
  MatrixXd b = MatrixXd::Ones(30, 1);
  b(4) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(factor.solve(b).sum()));
}

TEST_P(SupernodalFactorIn, RefusesWhatIsNotPositiveDefiniteAndCanGoOn) {
  SupernodalFactor factor(GetParam());
  const MatrixXd good = test::ring_matrix(40), B = right_hand_sides(120, 2);
  MatrixXd negative = good, not_finite = good, not_coupled = good;
  negative(50, 50) = -1.0;
  not_finite(50, 50) = not_coupled(51, 48) = std::numeric_limits<double>::quiet_NaN();
  for (const MatrixXd& bad :
       {test::ring_matrix(40, 0.5), negative, not_finite, not_coupled, MatrixXd(0.0 * good)}) {
    EXPECT_EQ(factor.factorise(Columns(bad).view(3)), Outcome::not_positive_definite);
    EXPECT_FALSE(factor.error().empty());
    ASSERT_EQ(factor.factorise(Columns(good).view(3)), Outcome::done) << factor.error();
    EXPECT_LT(error_of(factor.solve(B), good.llt().solve(B)), round_off());
  }
}

// The last rows may be few, hang together or not, and be all.
TEST_P(SupernodalFactorIn, HalvesMakeASolution) {
  const MatrixXd A = test::ring_matrix(40), B = right_hand_sides(120, 37), exact = A.llt().solve(B);
  for (const int n_last : {0, 1, 3, 24, 60, 117, 120}) {
    const int n_first = 120 - n_last;
    SupernodalFactor factor(GetParam());
    ASSERT_EQ(factor.factorise(Columns(A).view(3), n_last), Outcome::done) << factor.error();
    const MatrixXd A_ii = A.topLeftCorner(n_first, n_first),
                   A_si = A.bottomLeftCorner(n_last, n_first);
    const MatrixXd S =
        A.bottomRightCorner(n_last, n_last) - A_si * A_ii.llt().solve(A_si.transpose());
    ASSERT_EQ(factor.last_block().rows(), n_last);
    const MatrixXd L = factor.last_block().triangularView<Eigen::Lower>();
    if (n_last > 0) EXPECT_LT((L * L.transpose() - S).norm(), 1e-13 * S.norm()) << n_last;
    MatrixXd X = B;
    factor.eliminate(X);
    const MatrixXd rest = B.bottomRows(n_last) - A_si * A_ii.llt().solve(B.topRows(n_first));
    if (n_last > 0) EXPECT_LT(error_of(X.bottomRows(n_last), rest), round_off()) << n_last;
    X.bottomRows(n_last) = S.llt().solve(MatrixXd(X.bottomRows(n_last)));
    factor.back_substitute(X);
    EXPECT_LT(error_of(X, exact), round_off()) << n_last;
    EXPECT_LT(error_of(factor.solve(B), exact), round_off()) << n_last;
  }
}

// What is left after the first rows, not what these are, has to be positive definite for the rest.
TEST_P(SupernodalFactorIn, RefusesALastBlockThatIsNotPositiveDefinite) {
  MatrixXd A = test::ring_matrix(20);
  A.bottomRightCorner(6, 6) -= 8.5 * MatrixXd::Identity(6, 6);
  ASSERT_LT(A.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff(), 0.0);
  SupernodalFactor factor(GetParam());
  EXPECT_EQ(factor.factorise(Columns(A).view(3), 6), Outcome::not_positive_definite);
}

TEST(SupernodalFactor, TakesHalfOfTheRoomInSinglePrecision) {
  const MatrixXd A = test::ring_matrix(120);
  SupernodalFactor single(Precision::single), full(Precision::full);
  ASSERT_EQ(single.factorise(Columns(A).view(3)), Outcome::done);
  ASSERT_EQ(full.factorise(Columns(A).view(3)), Outcome::done);
  EXPECT_LT(single.bytes(), 0.55 * full.bytes());
  EXPECT_GT(single.bytes(), 0.45 * full.bytes());
}

INSTANTIATE_TEST_SUITE_P(Precisions, SupernodalFactorIn,
                         testing::Values(Precision::single, Precision::full), [](const auto& info) {
                           return info.param == Precision::single ? "single" : "full";
                         });

}  // namespace
}  // namespace solidyn::solvers
