// The iterations that reductions are made of, on matrices whose spectrum is known in closed form:
// the n x n grid of unit springs that are held at the rim, K = 4 - neighbours, has the eigenvalues
// 4 sin^2(i pi/2(n+1)) + 4 sin^2(j pi/2(n+1)).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "reduction/eigen/block_krylov.h"
#include "reduction/eigen/conjugate_gradients.h"
#include "reduction/eigen/lobpcg.h"
#include "solidyn/math/dense.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kSide = 9, kRows = kSide * kSide;
constexpr double kMass = 2.0;  // of each point

MatrixXd grid_stiffness() {
  MatrixXd K = 4.0 * MatrixXd::Identity(kRows, kRows);
  const auto couple = [&](int a, int b) { K(a, b) = K(b, a) = -1.0; };
  for (int i = 0; i < kSide; ++i)
    for (int j = 0; j < kSide; ++j) {
      if (i > 0) couple(i * kSide + j, (i - 1) * kSide + j);
      if (j > 0) couple(i * kSide + j, i * kSide + j - 1);
    }
  return K;
}

/// Ascending, of the pencil with the mass.
std::vector<double> grid_eigenvalues() {
  std::vector<double> values;
  const auto wave = [](int i) {
    return 4.0 * std::pow(std::sin(i * M_PI / (2.0 * (kSide + 1))), 2);
  };
  for (int i = 1; i <= kSide; ++i)
    for (int j = 1; j <= kSide; ++j) values.push_back((wave(i) + wave(j)) / kMass);
  std::sort(values.begin(), values.end());
  return values;
}

MultiVector random_vectors(int n, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  MultiVector X(kRows, n);
  for (Index i = 0; i < X.size(); ++i) X.data()[i] = normal(generator);
  return X;
}

struct Grid {
  MatrixXd K = grid_stiffness();
  math::CholeskyFactor factor{K};
  int n_solves = 0;

  PreconditionedPencil pencil() {
    PreconditionedPencil pencil;
    pencil.multiply_K = [this](const MultiVector& X) -> MultiVector { return K * X; };
    pencil.multiply_M = [](const MultiVector& X) -> MultiVector { return kMass * X; };
    pencil.precondition = [](const MultiVector& X) -> MultiVector { return 0.25 * X; };  // Jacobi's
    pencil.project = [](MultiVector&) {};
    return pencil;
  }
  BlockOperator inverse() {
    BlockOperator op;
    op.multiply_M = [](const MultiVector& X) -> MultiVector { return kMass * X; };
    op.solve = [this](const MultiVector& X) -> MultiVector {
      ++n_solves;
      return factor.solve(X);
    };
    op.project = [](MultiVector&) {};
    return op;
  }
  SymmetricSystem system(bool is_exact) {
    SymmetricSystem system;
    system.multiply = [this](const MultiVector& X) -> MultiVector { return K * X; };
    system.precondition = [this, is_exact](const MultiVector& X) -> MultiVector {
      return is_exact ? MultiVector(factor.solve(X)) : MultiVector(0.25 * X);
    };
    return system;
  }
};

// ---- LOBPCG

TEST(Lobpcg, FindsTheSmallestEigenvaluesWithTheirCopies) {
  Grid grid;
  constexpr int n = 8;  // 1, 2 + 2 copies of unequal i, j, ...
  const LobpcgResult result = find_smallest(grid.pencil(), random_vectors(n + 4, 1), n, 1e-8, 500);
  ASSERT_TRUE(result.has_converged);
  EXPECT_LE(result.largest_error, 1e-8);
  const std::vector<double> exact = grid_eigenvalues();
  for (int i = 0; i < n; ++i) EXPECT_NEAR(result.values[i], exact[i], 1e-12 * exact[i]) << i;
  EXPECT_NEAR(result.values[1], result.values[2], 1e-12);  // a double one
}

TEST(Lobpcg, VectorsAreOrthonormalInMAndSolveThePencil) {
  Grid grid;
  constexpr int n = 6;
  const LobpcgResult result = find_smallest(grid.pencil(), random_vectors(n + 4, 2), n, 1e-8, 500);
  ASSERT_TRUE(result.has_converged);
  const MultiVector X = result.vectors.leftCols(n);
  EXPECT_LT((kMass * X.transpose() * X - MatrixXd::Identity(n, n)).norm(), 1e-12);
  const MatrixXd residual = grid.K * X - kMass * X * result.values.head(n).asDiagonal();
  EXPECT_LT(residual.norm(), 1e-6);
}

// A better preconditioner is fewer iterations; the exact one needs a handful.
TEST(Lobpcg, GainsFromItsPreconditioner) {
  Grid grid;
  PreconditionedPencil exact = grid.pencil();
  exact.precondition = [&](const MultiVector& X) -> MultiVector { return grid.factor.solve(X); };
  const auto plain = find_smallest(grid.pencil(), random_vectors(8, 3), 4, 1e-6, 500);
  const auto better = find_smallest(exact, random_vectors(8, 3), 4, 1e-6, 500);
  ASSERT_TRUE(plain.has_converged && better.has_converged);
  EXPECT_LT(better.n_iterations, 10);
  EXPECT_GT(plain.n_iterations, 2 * better.n_iterations);
}

TEST(Lobpcg, SaysWhenItHasNotConverged) {
  Grid grid;
  const LobpcgResult result = find_smallest(grid.pencil(), random_vectors(8, 4), 4, 1e-10, 2);
  EXPECT_FALSE(result.has_converged);
  EXPECT_EQ(result.n_iterations, 2);
  EXPECT_GT(result.largest_error, 1e-10);
  // Ritz values are never below the eigenvalues.
  const std::vector<double> exact = grid_eigenvalues();
  for (int i = 0; i < 4; ++i) EXPECT_GE(result.values[i], exact[i]);
}

// The springs at the rim are gone: the motion of all points together costs nothing, and is
// projected out.
TEST(Lobpcg, StaysInTheSpaceThatProjectionLeaves) {
  Grid grid;
  for (int i = 0; i < kRows; ++i) grid.K(i, i) -= grid.K.row(i).sum();
  PreconditionedPencil pencil = grid.pencil();
  pencil.project = [](MultiVector& X) { X.rowwise() -= X.colwise().mean().eval(); };
  pencil.precondition = [&](const MultiVector& X) {
    MultiVector Y = 0.25 * X;
    pencil.project(Y);
    return Y;
  };
  const LobpcgResult result = find_smallest(pencil, random_vectors(7, 5), 3, 1e-8, 500);
  ASSERT_TRUE(result.has_converged);
  // Of the free grid: 4 sin^2(pi/2n), twice, and both waves together.
  const double wave = 4.0 * std::pow(std::sin(M_PI / (2.0 * kSide)), 2) / kMass;
  EXPECT_NEAR(result.values[0], wave, 1e-12);
  EXPECT_NEAR(result.values[1], wave, 1e-12);
  EXPECT_NEAR(result.values[2], 2.0 * wave, 1e-12);
  EXPECT_LT(result.vectors.leftCols(3).colwise().sum().norm(), 1e-12);
}

// ---- block Krylov

TEST(BlockKrylov, FindsTheLargestOfTheInverse) {
  Grid grid;
  constexpr int n = 10;
  const BlockKrylovResult result =
      find_largest(grid.inverse(), random_vectors(4, 6), n, 1e-10, kRows);
  ASSERT_TRUE(result.has_converged);
  const std::vector<double> exact = grid_eigenvalues();
  for (int i = 0; i < n; ++i) EXPECT_NEAR(result.values[i], 1.0 / exact[i], 1e-10 / exact[i]) << i;
  const MultiVector& X = result.vectors;
  EXPECT_LT((kMass * X.transpose() * X - MatrixXd::Identity(n, n)).norm(), 1e-8);
  EXPECT_LT((grid.K * X - kMass * X * result.values.cwiseInverse().asDiagonal()).norm(), 1e-6);
}

// As many copies of an eigenvalue as a block has vectors.
TEST(BlockKrylov, FindsEveryCopy) {
  MatrixXd values = VectorXd::LinSpaced(kRows, 1.0, 80.0);
  values.col(0).head(5).setConstant(0.5);
  BlockOperator op;
  op.multiply_M = [](const MultiVector& X) { return X; };
  op.solve = [&](const MultiVector& X) -> MultiVector {
    return values.col(0).cwiseInverse().asDiagonal() * X;
  };
  op.project = [](MultiVector&) {};
  const BlockKrylovResult result = find_largest(op, random_vectors(5, 7), 6, 1e-10, kRows);
  ASSERT_TRUE(result.has_converged);
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(result.values[i], 2.0, 1e-12);
  EXPECT_NEAR(result.values[5], 1.0 / values(5, 0), 1e-10);
}

TEST(BlockKrylov, RestartsGiveTheSame) {
  Grid grid;
  constexpr int n = 3;
  // A capacity of max(2 n + 2 p, n + 6 p) = 9 vectors of 81: it restarts.
  const BlockKrylovResult result =
      find_largest(grid.inverse(), random_vectors(1, 8), n, 1e-9, kRows);
  ASSERT_TRUE(result.has_converged);
  EXPECT_GT(result.n_blocks, 9);
  EXPECT_NEAR(result.values[0], 1.0 / grid_eigenvalues()[0], 1e-9);
}

TEST(BlockKrylov, AllOfASmallSpaceAreFound) {
  constexpr int rows = 7;
  const VectorXd values = VectorXd::LinSpaced(rows, 1.0, 7.0);
  BlockOperator op;
  op.multiply_M = [](const MultiVector& X) { return X; };
  op.solve = [&](const MultiVector& X) -> MultiVector { return values.asDiagonal() * X; };
  op.project = [](MultiVector&) {};
  const BlockKrylovResult result =
      find_largest(op, random_vectors(3, 9).topRows(rows), rows, 1e-10, rows);
  ASSERT_TRUE(result.has_converged);
  ASSERT_EQ(result.values.size(), rows);
  EXPECT_LT((result.values - values.reverse()).norm(), 1e-10);
}

// Mass at three points alone: the pencil has three modes.
TEST(BlockKrylov, ASingularMassHasTheModesOfItsPoints) {
  Grid grid;
  BlockOperator op = grid.inverse();
  op.multiply_M = [](const MultiVector& X) {
    MultiVector Y = MultiVector::Zero(X.rows(), X.cols());
    for (const int row : {10, 40, 70}) Y.row(row) = X.row(row);
    return Y;
  };
  const BlockKrylovResult result = find_largest(op, random_vectors(2, 10), 3, 1e-9, kRows);
  ASSERT_TRUE(result.has_converged);
  MatrixXd flexibility(3, 3);
  const int rows[] = {10, 40, 70};
  const MatrixXd inverse = grid.factor.solve(MatrixXd(MatrixXd::Identity(kRows, kRows)));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) flexibility(i, j) = inverse(rows[i], rows[j]);
  const VectorXd exact = math::symmetric_eigenvalues(flexibility).reverse();
  EXPECT_LT((result.values.head(3) - exact).norm(), 1e-9);
}

// ---- conjugate gradients

TEST(ConjugateGradients, SolveEveryColumnToTheTolerance) {
  Grid grid;
  MultiVector f = random_vectors(4, 11);
  f.col(1).setZero();         // done before it begins
  f.col(2) *= 1e-9;           // tolerances are relative
  f.col(3) = grid.K.col(40);  // a unit displacement
  const auto result =
      solve_by_conjugate_gradients(grid.system(false), f, MultiVector::Zero(kRows, 4), 1e-10, 500);
  ASSERT_TRUE(result.has_converged);
  const MatrixXd exact = grid.factor.solve(f);
  for (const int j : {0, 2, 3})
    EXPECT_LT((result.u.col(j) - exact.col(j)).norm(), 1e-8 * exact.col(j).norm()) << j;
  EXPECT_EQ(result.u.col(1).norm(), 0.0);
}

TEST(ConjugateGradients, ExactPreconditionerTakesOneIteration) {
  Grid grid;
  const auto result = solve_by_conjugate_gradients(grid.system(true), random_vectors(3, 12),
                                                   MultiVector::Zero(kRows, 3), 1e-10, 500);
  EXPECT_TRUE(result.has_converged);
  EXPECT_EQ(result.n_iterations, 1);
}

TEST(ConjugateGradients, AGoodGuessIsKept) {
  Grid grid;
  const MultiVector f = random_vectors(2, 13);
  const MultiVector exact = grid.factor.solve(f);
  const auto result = solve_by_conjugate_gradients(grid.system(false), f, exact, 1e-8, 500);
  EXPECT_TRUE(result.has_converged);
  EXPECT_EQ(result.n_iterations, 0);
  EXPECT_EQ(result.u, exact);
}

// n steps are enough for n different eigenvalues: the grid has fewer than half as many as rows.
TEST(ConjugateGradients, EndAfterAsManyStepsAsThereAreEigenvalues) {
  Grid grid;
  std::vector<double> different = grid_eigenvalues();
  different.erase(std::unique(different.begin(), different.end(),
                              [](double a, double b) { return std::abs(a - b) < 1e-12; }),
                  different.end());
  const auto result = solve_by_conjugate_gradients(grid.system(false), random_vectors(1, 14),
                                                   MultiVector::Zero(kRows, 1), 1e-9, 500);
  EXPECT_TRUE(result.has_converged);
  EXPECT_LE(result.n_iterations, static_cast<int>(different.size()));
}

TEST(ConjugateGradients, SayWhenTheyHaveNotConverged) {
  Grid grid;
  const auto few = solve_by_conjugate_gradients(grid.system(false), random_vectors(2, 15),
                                                MultiVector::Zero(kRows, 2), 1e-12, 3);
  EXPECT_FALSE(few.has_converged);
  EXPECT_EQ(few.n_left, 2);
  EXPECT_GT(few.worst_error, 1e-12);
  // Of several columns those that are left, and the worst of them.
  MultiVector f = random_vectors(3, 15);
  f.col(0).setZero();
  const MultiVector near = grid.factor.solve(f).array() * 0.9999;
  MultiVector start = near;
  start.col(2).setZero();
  const auto some = solve_by_conjugate_gradients(grid.system(false), f, start, 1e-12, 3);
  EXPECT_EQ(some.n_left, 2);
  EXPECT_EQ(some.worst, 2);
  // A preconditioner that breaks down is no convergence.
  SymmetricSystem broken = grid.system(false);
  broken.precondition = [](const MultiVector& X) -> MultiVector { return X * std::nan(""); };
  const auto result = solve_by_conjugate_gradients(broken, random_vectors(2, 16),
                                                   MultiVector::Zero(kRows, 2), 1e-8, 50);
  EXPECT_FALSE(result.has_converged);
  EXPECT_EQ(result.n_iterations, 0);
  EXPECT_EQ(result.n_left, 2);
}

// ---- several vectors at once

TEST(MultiVectors, ProductsAreThoseOfTheirColumns) {
  const MultiVector X = random_vectors(3, 17), Y = random_vectors(2, 18);
  EXPECT_LT((inner_products(MPI_COMM_SELF, X, Y) - X.transpose() * Y).norm(), 1e-12);
  EXPECT_LT((column_norms(MPI_COMM_SELF, X) - X.colwise().norm().transpose()).norm(), 1e-12);
  const VectorXd products = column_products(MPI_COMM_SELF, X.leftCols(2), Y);
  for (int j = 0; j < 2; ++j) EXPECT_NEAR(products[j], X.col(j).dot(Y.col(j)), 1e-12);
}

TEST(MultiVectors, AreMultipliedBySparseMatricesTogether) {
  base::Mat A;
  SOLIDYN_PETSC(MatCreateSeqAIJ(PETSC_COMM_SELF, kRows, kRows, 5, nullptr, A.out()));
  const MatrixXd K = grid_stiffness();
  for (PetscInt i = 0; i < kRows; ++i)
    for (PetscInt j = 0; j < kRows; ++j)
      if (K(i, j) != 0.0) SOLIDYN_PETSC(MatSetValue(A.get(), i, j, K(i, j), INSERT_VALUES));
  SOLIDYN_PETSC(MatAssemblyBegin(A.get(), MAT_FINAL_ASSEMBLY));
  SOLIDYN_PETSC(MatAssemblyEnd(A.get(), MAT_FINAL_ASSEMBLY));
  const MultiVector X = random_vectors(5, 19);
  EXPECT_LT((multiply(A.get(), X) - K * X).norm(), 1e-12);
  EXPECT_EQ(multiply(A.get(), MultiVector(kRows, 0)).cols(), 0);
}

}  // namespace
}  // namespace solidyn::reduction
