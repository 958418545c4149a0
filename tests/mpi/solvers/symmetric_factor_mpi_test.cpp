// Factors of symmetric matrices that ranks hold by rows: solutions, signs of eigenvalues and
// refusals.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "solidyn/base/mpi.h"
#include "solvers/refined_factor.h"
#include "solvers/symmetric_factor.h"

namespace solidyn::solvers {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Kind = SymmetricFactor::Kind;
using Outcome = SymmetricFactor::Outcome;

const MPI_Comm kWorld = MPI_COMM_WORLD;

// A ring of blocks of three with chords; the diagonal outweighs the rest where `diagonal` is large.
MatrixXd ring(int n_blocks, double diagonal) {
  std::mt19937 g(7);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  MatrixXd A = MatrixXd::Zero(3 * n_blocks, 3 * n_blocks);
  const auto couple = [&](int i, int j) {
    MatrixXd block(3, 3);
    for (double& value : block.reshaped()) value = any(g);
    A.block<3, 3>(3 * i, 3 * j) += block;
    A.block<3, 3>(3 * j, 3 * i) += block.transpose();
  };
  for (int i = 0; i < n_blocks; ++i) {
    couple(i, (i + 1) % n_blocks);
    couple(i, (7 * i) % n_blocks);
  }
  A.diagonal().array() += diagonal;
  return A;
}

// Rank r has r more parts of the rows than rank 0, which has none when there are others.
int rows_of_rank(int n_blocks) {
  const int n_ranks = base::size(kWorld), rank = base::rank(kWorld);
  if (n_ranks == 1) return 3 * n_blocks;
  const int parts = n_ranks * (n_ranks - 1) / 2, share = n_blocks / parts;
  return 3 * (rank == n_ranks - 1 ? n_blocks - share * (parts - rank) : share * rank);
}

base::Mat distribute(const MatrixXd& A, MatType type) {
  const int n = static_cast<int>(A.rows()), mine = rows_of_rank(n / 3);
  base::Mat made;
  SOLIDYN_PETSC(MatCreate(kWorld, made.out()));
  SOLIDYN_PETSC(MatSetSizes(made, mine, mine, n, n));
  SOLIDYN_PETSC(MatSetBlockSize(made, 3));
  SOLIDYN_PETSC(MatSetType(made, type));
  // Blocks of a row, no less than there are.
  const std::vector<PetscInt> own(mine / 3, mine / 3), other(mine / 3, (n - mine) / 3);
  SOLIDYN_PETSC(
      MatXAIJSetPreallocation(made, 3, own.data(), other.data(), own.data(), other.data()));
  const bool is_upper = std::string(type) == MATSBAIJ;
  PetscInt first = 0, last = 0;
  SOLIDYN_PETSC(MatGetOwnershipRange(made, &first, &last));
  for (PetscInt i = first; i < last; ++i)
    for (PetscInt j = is_upper ? i : 0; j < n; ++j)
      if (A(i, j) != 0.0 || i == j) SOLIDYN_PETSC(MatSetValue(made, i, j, A(i, j), INSERT_VALUES));
  SOLIDYN_PETSC(MatAssemblyBegin(made, MAT_FINAL_ASSEMBLY));
  SOLIDYN_PETSC(MatAssemblyEnd(made, MAT_FINAL_ASSEMBLY));
  return made;
}

// Largest |A X - B| over that of B, of the X that `solve` makes of this rank's rows of B.
template <class Solve>
double residual_of(::Mat distributed, const MatrixXd& A, int n_columns, double size,
                   const Solve& solve) {
  PetscInt first = 0, last = 0;
  SOLIDYN_PETSC(MatGetOwnershipRange(distributed, &first, &last));
  const MatrixXd B =
      MatrixXd::NullaryExpr(A.rows(), n_columns, [&](Eigen::Index i, Eigen::Index j) {
        return size * std::sin(1.0 + static_cast<double>(3 * i + 5 * j));
      });
  MatrixXd X = MatrixXd::Zero(B.rows(), n_columns);
  X.middleRows(first, last - first) = solve(MatrixXd(B.middleRows(first, last - first)));
  base::sum_in_place(kWorld, X.data(), static_cast<int>(X.size()));
  return (A * X - B).cwiseAbs().maxCoeff() / size;
}

double residual(SymmetricFactor& factor, ::Mat distributed, const MatrixXd& A, int n_columns,
                double size = 1.0) {
  return residual_of(distributed, A, n_columns, size,
                     [&](const MatrixXd& B) { return factor.solve(B); });
}

class SymmetricFactorOf : public testing::TestWithParam<MatType> {};

TEST_P(SymmetricFactorOf, SolvesForManyColumns) {
  const MatrixXd A = ring(40, 9.0);
  const base::Mat distributed = distribute(A, GetParam());
  SymmetricFactor factor(kWorld, Kind::positive_definite);
  ASSERT_EQ(factor.factorise(distributed), Outcome::done) << factor.error();
  EXPECT_LT(residual(factor, distributed, A, 1), 1e-13);
  EXPECT_LT(residual(factor, distributed, A, 150), 1e-13);  // in several parts
}

TEST_P(SymmetricFactorOf, FollowsNewValuesAndNewPatterns) {
  SymmetricFactor factor(kWorld, Kind::positive_definite);
  for (const auto& [n_blocks, diagonal] : {std::pair{40, 9.0}, {40, 30.0}, {25, 9.0}}) {
    const MatrixXd A = ring(n_blocks, diagonal);
    const base::Mat distributed = distribute(A, GetParam());
    ASSERT_EQ(factor.factorise(distributed), Outcome::done) << factor.error();
    EXPECT_LT(residual(factor, distributed, A, 3), 1e-13);
  }
}

TEST_P(SymmetricFactorOf, RefusesWhatIsNotPositiveDefiniteAndCanGoOn) {
  SymmetricFactor factor(kWorld, Kind::positive_definite);
  const MatrixXd good = ring(40, 9.0), bad = ring(40, 0.5);
  EXPECT_EQ(factor.factorise(distribute(bad, GetParam())), Outcome::not_positive_definite);
  const base::Mat distributed = distribute(good, GetParam());
  ASSERT_EQ(factor.factorise(distributed), Outcome::done) << factor.error();
  EXPECT_LT(residual(factor, distributed, good, 2), 1e-13);
}

TEST_P(SymmetricFactorOf, CountsNegativeEigenvalues) {
  const MatrixXd A = ring(40, 0.5);
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
  MatrixXd A = ring(40, 9.0);
  A.row(11).setZero();
  A.col(11).setZero();
  SymmetricFactor factor(kWorld, Kind::indefinite);
  ASSERT_EQ(factor.factorise(distribute(A, GetParam())), Outcome::done) << factor.error();
  EXPECT_EQ(factor.n_zero(), 1);
}

// Whatever the units: 1e-45 is the end of single precision.
TEST_P(SymmetricFactorOf, SinglePrecisionTakesHalfTheMemoryAndLeavesItsRoundOff) {
  SymmetricFactor whole(kWorld, Kind::positive_definite);
  SymmetricFactor half(kWorld, Kind::positive_definite, SymmetricFactor::Precision::single);
  for (const auto& [of_matrix, of_load] : {std::pair{1.0, 1.0}, {1e-60, 1e-50}, {1e60, 1e50}}) {
    const MatrixXd A = of_matrix * ring(40, 9.0);
    const base::Mat distributed = distribute(A, GetParam());
    ASSERT_EQ(whole.factorise(distributed), Outcome::done) << whole.error();
    ASSERT_EQ(half.factorise(distributed), Outcome::done) << half.error();
    EXPECT_DOUBLE_EQ(half.bytes(), 0.5 * whole.bytes());
    const double left = residual(half, distributed, A, 40, of_load);
    EXPECT_LT(left, 1e-5);
    EXPECT_GT(left, 1e-9);
  }
}

TEST_P(SymmetricFactorOf, RefinedSolutionsAreAsGoodAsTheyAreAskedToBe) {
  const MatrixXd A = ring(40, 9.0);
  const base::Mat distributed = distribute(A, GetParam());
  RefinedFactor factor(kWorld);
  ASSERT_EQ(factor.factorise(distributed), Outcome::done) << factor.error();
  EXPECT_LT(factor.rate(), 1e-5);
  for (const auto& [tolerance, expected] : {std::pair{1e-3, 1e-5}, {1e-14, 1e-13}})
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
    MatrixXd A = ring(40, 9.0);
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
