// Factors by substructuring: each rank's own rows, and a dense separator on all ranks.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "distributed_matrix.h"
#include "solvers/refined_factor.h"
#include "solvers/separated_factor.h"

namespace solidyn::solvers {
namespace {

using Outcome = SymmetricFactor::Outcome;

// Springs between neighbouring nodes of a bar of n_x x 3 x 3 nodes, also along diagonals, on a soft
// foundation. Nodes are numbered layer by layer.
constexpr int kLayer = 9;
MatrixXd bar_of_springs(int n_x, double foundation) {
  std::mt19937 g(11);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  const int n = n_x * kLayer;
  MatrixXd A = foundation * MatrixXd::Identity(3 * n, 3 * n);
  const auto is_near = [](int i, int j) {
    return std::abs(i / 9 - j / 9) <= 1 && std::abs(i / 3 % 3 - j / 3 % 3) <= 1 &&
           std::abs(i % 3 - j % 3) <= 1;
  };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      if (!is_near(i, j)) continue;
      const Eigen::Vector3d along(any(g), any(g), any(g));
      const Eigen::Matrix3d spring = along * along.transpose();
      A.block<3, 3>(3 * i, 3 * i) += spring;
      A.block<3, 3>(3 * j, 3 * j) += spring;
      A.block<3, 3>(3 * i, 3 * j) -= spring;
      A.block<3, 3>(3 * j, 3 * i) -= spring;
    }
  return A;
}

// As many of the rows for each rank as there are for the others, by nodes.
int even_share(int n_rows) {
  const int n = n_rows / 3, n_ranks = base::size(kWorld), rank = base::rank(kWorld);
  return 3 * ((rank + 1) * n / n_ranks - rank * n / n_ranks);
}

double left_by(SeparatedFactor& factor, ::Mat distributed, const MatrixXd& A, int n_columns,
               double size = 1.0) {
  return residual_of(distributed, A, n_columns, size, [&](const MatrixXd& B) {
    MatrixXd X(B.rows(), B.cols());
    factor.solve(B.data(), X.data(), static_cast<int>(B.cols()));
    return X;
  });
}

class SeparatedFactorOf : public testing::TestWithParam<MatType> {
 protected:
  base::Mat even(const MatrixXd& A) const {
    return distribute(A, GetParam(), even_share(static_cast<int>(A.rows())));
  }
};

TEST_P(SeparatedFactorOf, ABarHasALayerOfNodesBetweenTwoRanks) {
  const MatrixXd A = bar_of_springs(12, 0.1);
  const base::Mat distributed = even(A);
  SeparatedFactor factor(kWorld, Precision::full);
  ASSERT_EQ(factor.factorise(distributed), Outcome::done);
  EXPECT_EQ(factor.n_separator(), 3 * kLayer * (base::size(kWorld) - 1));
  for (const int n_columns : {1, 2, 32})
    EXPECT_LT(left_by(factor, distributed, A, n_columns), 1e-12);
}

TEST_P(SeparatedFactorOf, RanksMayHaveNoRows) {
  const MatrixXd A = bar_of_springs(8, 0.1);
  const int n = static_cast<int>(A.rows());
  for (int of = 0; of < base::size(kWorld); ++of) {
    const base::Mat distributed = distribute(A, GetParam(), base::rank(kWorld) == of ? n : 0);
    SeparatedFactor factor(kWorld, Precision::full);
    ASSERT_EQ(factor.factorise(distributed), Outcome::done);
    EXPECT_EQ(factor.n_separator(), 0);
    EXPECT_LT(left_by(factor, distributed, A, 3), 1e-12);
  }
}

// Where every row reaches every other, only one rank's rows are not in the separator.
TEST_P(SeparatedFactorOf, RanksMayHaveNoRowsOfTheirOwn) {
  MatrixXd A = MatrixXd::Constant(36, 36, 0.1);
  A.diagonal().array() += 2.0;
  const base::Mat distributed = even(A);
  SeparatedFactor factor(kWorld, Precision::full);
  ASSERT_EQ(factor.factorise(distributed), Outcome::done);
  EXPECT_EQ(factor.n_separator(), 36 - 36 / base::size(kWorld));
  EXPECT_LT(left_by(factor, distributed, A, 3), 1e-13);
}

// One node for each rank, and fewer nodes than ranks.
TEST_P(SeparatedFactorOf, MatricesMayBeTiny) {
  for (const int n_nodes : {1, 2, 3, 4}) {
    MatrixXd A = MatrixXd::Constant(3 * n_nodes, 3 * n_nodes, 0.1);
    A.diagonal().array() += 2.0;
    const base::Mat distributed = even(A);
    SeparatedFactor factor(kWorld, Precision::single);
    ASSERT_EQ(factor.factorise(distributed), Outcome::done);
    EXPECT_LT(left_by(factor, distributed, A, 2), 1e-5);
  }
}

TEST_P(SeparatedFactorOf, PartsThatNothingJoinsNeedNoSeparator) {
  MatrixXd A = bar_of_springs(8, 0.1);
  for (int i = 0; i < A.rows(); ++i)
    for (int j = 0; j < A.rows(); ++j)
      if (i / 27 != j / 27) A(i, j) = 0.0;  // layer by layer
  const base::Mat distributed = even(A);
  SeparatedFactor factor(kWorld, Precision::full);
  ASSERT_EQ(factor.factorise(distributed), Outcome::done);
  if (8 % base::size(kWorld) == 0) EXPECT_EQ(factor.n_separator(), 0);
  EXPECT_LT(left_by(factor, distributed, A, 1), 1e-12);
}

// By so much as rounding leaves of the smallest eigenvalue, be it that of a rank's part or of S.
TEST_P(SeparatedFactorOf, TellsPositiveDefiniteFromIndefinite) {
  const MatrixXd whole = bar_of_springs(8, 0.0);
  for (const bool has_held_end : {false, true}) {
    MatrixXd A = whole;
    if (has_held_end) A.diagonal().head(27).array() += 50.0;
    const double smallest = A.selfadjointView<Eigen::Lower>().eigenvalues()[0];
    for (const double above : {1e-9, -1e-9}) {
      MatrixXd shifted = A;
      shifted.diagonal().array() += above - smallest;
      SeparatedFactor factor(kWorld, Precision::full);
      EXPECT_EQ(factor.factorise(even(shifted)),
                above > 0.0 ? Outcome::done : Outcome::not_positive_definite);
    }
  }
}

// The outcome is that of all ranks, and the next matrix may be sound.
TEST_P(SeparatedFactorOf, OneRanksNegativePivotIsToldToAll) {
  const MatrixXd good = bar_of_springs(12, 0.1);
  SeparatedFactor factor(kWorld, Precision::single);
  for (const int row : {0, 150, 323}) {
    MatrixXd bad = good;
    bad(row, row) = -1.0;
    EXPECT_EQ(factor.factorise(even(bad)), Outcome::not_positive_definite);
    const base::Mat distributed = even(good);
    ASSERT_EQ(factor.factorise(distributed), Outcome::done);
    EXPECT_LT(left_by(factor, distributed, good, 1), 1e-3);
  }
}

TEST_P(SeparatedFactorOf, FollowsNewValuesAndNewPatterns) {
  SeparatedFactor factor(kWorld, Precision::full);
  for (const auto& [n_x, foundation] : {std::pair{12, 0.1}, {12, 3.0}, {7, 0.1}}) {
    const MatrixXd A = bar_of_springs(n_x, foundation);
    const base::Mat distributed = even(A);
    ASSERT_EQ(factor.factorise(distributed), Outcome::done);
    EXPECT_LT(left_by(factor, distributed, A, 3), 1e-12);
  }
}

// Entries of the separator that are zero at first are there afterwards.
TEST_P(SeparatedFactorOf, ValuesMayBeZeroAtFirst) {
  const MatrixXd A = bar_of_springs(12, 0.1);
  SeparatedFactor factor(kWorld, Precision::full);
  const base::Mat distributed = even(A);
  base::Mat first;
  SOLIDYN_PETSC(MatDuplicate(distributed, MAT_DO_NOT_COPY_VALUES, first.out()));
  PetscInt begin = 0, end = 0;
  SOLIDYN_PETSC(MatGetOwnershipRange(first, &begin, &end));
  for (PetscInt i = begin; i < end; ++i)
    SOLIDYN_PETSC(MatSetValue(first, i, i, 1.0, INSERT_VALUES));
  SOLIDYN_PETSC(MatAssemblyBegin(first, MAT_FINAL_ASSEMBLY));
  SOLIDYN_PETSC(MatAssemblyEnd(first, MAT_FINAL_ASSEMBLY));
  ASSERT_EQ(factor.factorise(first), Outcome::done);
  ASSERT_EQ(factor.factorise(distributed), Outcome::done);
  EXPECT_LT(left_by(factor, distributed, A, 3), 1e-12);
}

// Whatever the units: 1e-45 is the end of single precision.
TEST_P(SeparatedFactorOf, UnitsDoNotMatter) {
  for (const auto& [of_matrix, of_load] : {std::pair{1.0, 1.0}, {1e-60, 1e-50}, {1e60, 1e50}}) {
    const MatrixXd A = of_matrix * bar_of_springs(12, 1.0);
    const base::Mat distributed = even(A);
    SeparatedFactor whole(kWorld, Precision::full), half(kWorld, Precision::single);
    ASSERT_EQ(whole.factorise(distributed), Outcome::done);
    ASSERT_EQ(half.factorise(distributed), Outcome::done);
    EXPECT_LT(left_by(whole, distributed, A, 3, of_load), 1e-12);
    const double left = left_by(half, distributed, A, 3, of_load);
    EXPECT_LT(left, 1e-4);
    EXPECT_GT(left, 1e-10);
  }
}

// The Schur complement is a difference of matrices that are far larger than what is left of them:
// the error that a solution leaves, relative to |A| |x|, is that of an elimination in A.
TEST_P(SeparatedFactorOf, DifferencesLeaveNoMoreThanElimination) {
  for (const double stiffness : {1.0, 1e6, 1e12}) {
    MatrixXd A = stiffness * bar_of_springs(12, 0.0);
    A.diagonal().array() += 1.0;
    const base::Mat distributed = even(A);
    SeparatedFactor factor(kWorld, Precision::full);
    ASSERT_EQ(factor.factorise(distributed), Outcome::done);
    PetscInt first = 0, last = 0;
    SOLIDYN_PETSC(MatGetOwnershipRange(distributed, &first, &last));
    const VectorXd b = VectorXd::LinSpaced(A.rows(), -1.0, 1.0).array().sin();
    VectorXd x = VectorXd::Zero(A.rows());
    const VectorXd mine = b.segment(first, last - first);
    factor.solve(mine.data(), x.data() + first, 1);
    base::sum_in_place(kWorld, x.data(), static_cast<int>(x.size()));
    const double rounding = std::numeric_limits<double>::epsilon() * A.lpNorm<Eigen::Infinity>();
    EXPECT_LT((A * x - b).lpNorm<Eigen::Infinity>(), 30.0 * rounding * x.lpNorm<Eigen::Infinity>());
  }
}

// Each node of the first half holds one of the second, so that half of all nodes separate the
// ranks: too many. On one rank there is none.
TEST_P(SeparatedFactorOf, ALargeSeparatorIsLeftToMumps) {
  const int n_nodes = 1080, mine = even_share(3 * n_nodes);
  base::Mat A;
  SOLIDYN_PETSC(MatCreate(kWorld, A.out()));
  SOLIDYN_PETSC(MatSetSizes(A, mine, mine, 3 * n_nodes, 3 * n_nodes));
  SOLIDYN_PETSC(MatSetBlockSize(A, 3));
  SOLIDYN_PETSC(MatSetType(A, GetParam()));
  SOLIDYN_PETSC(MatSetUp(A));
  PetscInt first = 0, last = 0;
  SOLIDYN_PETSC(MatGetOwnershipRange(A, &first, &last));
  for (PetscInt i = first; i < last; ++i) {
    const PetscInt other = (i + 3 * n_nodes / 2) % (3 * n_nodes);
    SOLIDYN_PETSC(MatSetValue(A, i, i, 4.0, INSERT_VALUES));
    if (other > i || std::string(GetParam()) == MATAIJ)
      SOLIDYN_PETSC(MatSetValue(A, i, other, -1.0, INSERT_VALUES));
  }
  SOLIDYN_PETSC(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  SOLIDYN_PETSC(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  SeparatedFactor separated(kWorld, Precision::full);
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(separated.factorise(A).has_value(), base::size(kWorld) == 1);
  SymmetricFactor factor(kWorld, SymmetricFactor::Kind::positive_definite);
  ASSERT_EQ(factor.factorise(A), Outcome::done);
  const MatrixXd X = factor.solve(MatrixXd::Constant(mine, 2, 3.0));
  EXPECT_LT((X.array() - 1.0).abs().sum(), 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Types, SeparatedFactorOf, testing::Values(MATAIJ, MATSBAIJ));

}  // namespace
}  // namespace solidyn::solvers
