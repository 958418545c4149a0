#include "solidyn/math/dense.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "solidyn/math/sparse_lu.h"

namespace solidyn::math {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXcd;
using Eigen::VectorXd;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Entries without a pattern, the same in every run.
MatrixXd numbers(Index rows, Index columns) {
  MatrixXd A(rows, columns);
  for (Index j = 0; j < columns; ++j)
    for (Index i = 0; i < rows; ++i) A(i, j) = std::sin(1.7 * i * i + 0.9 * j + 2.3 * i * j + 0.4);
  return A;
}

MatrixXd positive_definite(Index n) {
  return numbers(n, n) * numbers(n, n).transpose() + MatrixXd::Identity(n, n);
}

// Unknowns and equations in units that are many decades apart.
MatrixXd badly_scaled(Index n) {
  const VectorXd scale = Eigen::pow(10.0, VectorXd::LinSpaced(n, -6.0, 6.0).array());
  return scale.asDiagonal() * positive_definite(n) * scale.asDiagonal();
}

MatrixXd of_rank(Index rank, Index rows, Index columns) {
  return numbers(rows, rank) * numbers(columns, rank).transpose();
}

double departure_from_orthonormal(const MatrixXd& Q) {
  return (Q.transpose() * Q - MatrixXd::Identity(Q.cols(), Q.cols())).norm();
}

TEST(SymmetricSpectrum, VectorsAreOrthonormalAndGiveTheMatrixBack) {
  const MatrixXd A = positive_definite(7) - 3.0 * MatrixXd::Identity(7, 7);
  const auto spectrum = symmetric_spectrum(A);
  const MatrixXd& V = spectrum.vectors;
  EXPECT_TRUE(spectrum.has_converged);
  EXPECT_LT(departure_from_orthonormal(V), 1e-13);
  EXPECT_LT((V * spectrum.values.asDiagonal() * V.transpose() - A).norm(), 1e-13 * A.norm());
  EXPECT_TRUE(std::is_sorted(spectrum.values.data(), spectrum.values.data() + 7));
  EXPECT_EQ(spectrum.values, Eigen::SelfAdjointEigenSolver<MatrixXd>(A).eigenvalues());
  EXPECT_LT((symmetric_eigenvalues(A) - spectrum.values).norm(), 1e-13 * A.norm());
}

TEST(SymmetricSpectrum, ReadsTheLowerTriangle) {
  MatrixXd A = positive_definite(5);
  const VectorXd values = symmetric_eigenvalues(A);
  A.triangularView<Eigen::StrictlyUpper>().setConstant(1e3);
  EXPECT_EQ(symmetric_eigenvalues(A), values);
  EXPECT_EQ(symmetric_spectrum(A).values, Eigen::SelfAdjointEigenSolver<MatrixXd>(A).eigenvalues());
}

TEST(SymmetricSpectrum, OfThreeByThreeAgreesWithThatOfAnySize) {
  const Matrix3d A = positive_definite(3);
  const auto spectrum = symmetric_spectrum(A);
  EXPECT_LT((spectrum.values - symmetric_eigenvalues(MatrixXd(A))).norm(), 1e-13 * A.norm());
  EXPECT_LT((symmetric_eigenvalues(A) - spectrum.values).norm(), 1e-13 * A.norm());
  EXPECT_LT((A * spectrum.vectors - spectrum.vectors * spectrum.values.asDiagonal()).norm(),
            1e-13 * A.norm());
}

TEST(SymmetricSpectrum, RankDeficientMatricesHaveZeros) {
  const MatrixXd A = of_rank(2, 6, 6);
  const VectorXd values = symmetric_eigenvalues(MatrixXd(A * A.transpose()));
  EXPECT_LT(values.head(4).norm(), 1e-12 * values[5]);
  EXPECT_GT(values[4], 1e-6 * values[5]);
}

TEST(SymmetricSpectrum, TellsThatEntriesAreNotFinite) {
  MatrixXd A = positive_definite(4);
  A(2, 1) = kNaN;
  EXPECT_FALSE(symmetric_spectrum(A).has_converged);
}

TEST(TridiagonalSpectrum, IsThatOfTheFullMatrix) {
  const VectorXd diagonal = numbers(6, 1), off = numbers(5, 1).cwiseAbs();
  MatrixXd A = diagonal.asDiagonal();
  A.diagonal<1>() = off;
  A.diagonal<-1>() = off;
  const auto spectrum = tridiagonal_spectrum(diagonal, off);
  EXPECT_LT((spectrum.values - symmetric_eigenvalues(A)).norm(), 1e-13);
  EXPECT_LT((A * spectrum.vectors - spectrum.vectors * spectrum.values.asDiagonal()).norm(), 1e-13);
}

TEST(GeneralizedSpectrum, VectorsAreOrthonormalInTheRightHandMatrix) {
  const MatrixXd A = numbers(6, 6) + numbers(6, 6).transpose(), B = positive_definite(6);
  const auto spectrum = generalized_spectrum(A, B);
  const MatrixXd& X = spectrum.vectors;
  EXPECT_LT((X.transpose() * B * X - MatrixXd::Identity(6, 6)).norm(), 1e-12);
  EXPECT_LT((A * X - B * X * spectrum.values.asDiagonal()).norm(), 1e-12 * B.norm());
}

TEST(GeneralizedSpectrum, OfUnitsManyDecadesApartKeepsItsDigits) {
  const VectorXd omega2 = VectorXd::LinSpaced(5, 1.0, 5.0);
  const VectorXd units = Eigen::pow(10.0, VectorXd::LinSpaced(5, -4.0, 4.0).array());
  const MatrixXd M = units.cwiseAbs2().asDiagonal();
  const auto spectrum = generalized_spectrum(MatrixXd(omega2.asDiagonal() * M), M);
  EXPECT_LT((spectrum.values - omega2).norm(), 1e-12);
}

TEST(InverseSquareRoot, SquaredIsTheInverse) {
  const MatrixXd A = positive_definite(5), root = inverse_square_root(A);
  EXPECT_LT((root * A * root - MatrixXd::Identity(5, 5)).norm(), 1e-12);
}

TEST(GeneralSpectrum, OfATurnHasTheTwoComplexValues) {
  MatrixXd A(3, 3);
  A << 0.6, -0.8, 0.0, 0.8, 0.6, 0.0, 0.0, 0.0, 2.0;
  const auto spectrum = general_spectrum(A);
  const MatrixXcd X = spectrum.vectors;
  EXPECT_LT((A.cast<std::complex<double>>() * X - X * spectrum.values.asDiagonal()).norm(), 1e-14);
  EXPECT_LT(std::abs(spectrum.values[0] - std::complex<double>(0.6, 0.8)), 1e-14);
  EXPECT_LT(std::abs(spectrum.values[1] - std::complex<double>(0.6, -0.8)), 1e-14);
}

TEST(GeneralSpectrum, TellsThatEntriesAreNotFinite) {
  const auto spectrum = general_spectrum(MatrixXd::Constant(3, 3, kNaN));
  EXPECT_FALSE(spectrum.has_converged);
  EXPECT_TRUE(std::isnan(spectrum.values[2].real()));
}

TEST(SingularValues, PartsGiveTheMatrixBack) {
  for (const MatrixXd& A : {numbers(3, 8), numbers(8, 3), numbers(5, 5)}) {
    const auto thin = singular_values(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
    EXPECT_LT((thin.U * thin.values.asDiagonal() * thin.V.transpose() - A).norm(), 1e-13);
    const auto full = singular_values(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
    EXPECT_LT(departure_from_orthonormal(full.V), 1e-13);
    EXPECT_EQ(full.U.cols(), A.rows());
    EXPECT_LT((singular_values(A).values - full.values).norm(), 1e-13);
  }
}

TEST(SingularValues, RankIsThatOfThePartsThatExceedTheThreshold) {
  EXPECT_EQ(singular_values(of_rank(3, 7, 5)).rank, 3);
  const MatrixXd A = Vector3d(1.0, 1e-4, 1e-8).asDiagonal();
  EXPECT_EQ(singular_values(A).rank, 3);
  EXPECT_EQ(singular_values(A, 0, 1e-6).rank, 2);
  EXPECT_EQ(singular_values(MatrixXd::Zero(3, 4)).rank, 0);
}

TEST(LuFactor, SolvesAsEigenDoesColumnsAndVectors) {
  const MatrixXd A = numbers(6, 6), B = numbers(6, 3);
  const VectorXd b = B.col(1);
  const LuFactor lu(A);
  const Eigen::PartialPivLU<MatrixXd> reference(A);
  EXPECT_EQ(lu.solve(B), MatrixXd(reference.solve(B)));
  EXPECT_EQ(lu.solve(b), VectorXd(reference.solve(b)));
  EXPECT_EQ(lu.solve(2.0 * b), VectorXd(reference.solve(VectorXd(2.0 * b))));
  EXPECT_LT((lu.inverse() * A - MatrixXd::Identity(6, 6)).norm(), 1e-12);
}

TEST(LuFactor, OfABadlyScaledMatrixLeavesASmallResidual) {
  const MatrixXd A = badly_scaled(6);
  const VectorXd b = A * VectorXd::Ones(6), x = LuFactor(A).solve(b);
  EXPECT_LT(((A * x - b).array() / b.array()).abs().maxCoeff(), 1e-12);
}

TEST(LuFactor, OfASingularMatrixHasAPivotOfZero) {
  MatrixXd A(2, 2);
  A << 1.0, 2.0, 2.0, 4.0;
  EXPECT_EQ(LuFactor(A).smallest_pivot(), 0.0);
  EXPECT_GT(LuFactor(MatrixXd::Identity(2, 2)).smallest_pivot(), 0.0);
}

TEST(FullLuFactor, TellsRankAndKernel) {
  const MatrixXd A = of_rank(3, 5, 6);
  const FullLuFactor lu(A);
  EXPECT_EQ(lu.rank(), 3);
  EXPECT_FALSE(lu.is_invertible());
  ASSERT_EQ(lu.kernel().cols(), 3);
  EXPECT_LT((A * lu.kernel()).norm(), 1e-13 * lu.kernel().norm() * A.norm());
  const VectorXd b = A.col(0) - 2.0 * A.col(4);
  EXPECT_LT((A * lu.solve(b) - b).norm(), 1e-13 * A.norm());
}

TEST(FullLuFactor, ThresholdDecidesWhatIsSmall) {
  const MatrixXd A = Vector3d(1.0, 1e-5, 1e-10).asDiagonal();
  EXPECT_TRUE(FullLuFactor(A).is_invertible());
  EXPECT_EQ(FullLuFactor(A, 1e-7).rank(), 2);
  EXPECT_EQ(FullLuFactor(A, 1e-3).rank(), 1);
  EXPECT_EQ(FullLuFactor(MatrixXd::Zero(3, 3)).rank(), 0);
}

TEST(CholeskyFactor, SolvesAndTellsWhatIsNotPositiveDefinite) {
  const MatrixXd A = positive_definite(6), B = numbers(6, 2);
  const CholeskyFactor factor(A);
  EXPECT_TRUE(factor.is_positive_definite());
  EXPECT_LT((A * factor.solve(B) - B).norm(), 1e-12);
  EXPECT_LT((A * factor.solve(B.col(0)) - B.col(0)).norm(), 1e-12);
  EXPECT_FALSE(CholeskyFactor(-A).is_positive_definite());
  EXPECT_FALSE(CholeskyFactor(MatrixXd::Zero(3, 3)).is_positive_definite());
}

TEST(CholeskyFactor, MakesColumnsOrthonormal) {
  const MatrixXd X = numbers(7, 3);
  const MatrixXd Q = CholeskyFactor(X.transpose() * X).divide_by_upper(X);
  EXPECT_LT(departure_from_orthonormal(Q), 1e-12);
}

TEST(PivotedQr, SolvesLeastSquares) {
  const MatrixXd A = numbers(7, 3);
  const VectorXd b = numbers(7, 1), x = PivotedQr(A).solve(b);
  EXPECT_LT((A.transpose() * (A * x - b)).norm(), 1e-13);
  EXPECT_EQ(x, VectorXd(A.colPivHouseholderQr().solve(b)));
}

TEST(PivotedQr, FirstColumnsSpanTheMatrixAndTheRestItsComplement) {
  const MatrixXd A = of_rank(2, 6, 4);
  const PivotedQr qr(A);
  ASSERT_EQ(qr.rank(), 2);
  const MatrixXd Q = qr.Q(6), span = Q.leftCols(2);
  EXPECT_LT(departure_from_orthonormal(Q), 1e-13);
  EXPECT_LT((A - span * span.transpose() * A).norm(), 1e-13 * A.norm());
  EXPECT_LT((Q.rightCols(4).transpose() * A).norm(), 1e-13 * A.norm());
  EXPECT_LT((qr.Q(2) - span).norm(), 1e-15);
  EXPECT_GE(std::abs(qr.diagonal()[0]), std::abs(qr.diagonal()[1]));
}

TEST(PivotedQr, ThresholdDecidesWhatIsSmall) {
  const MatrixXd A = Vector3d(1.0, 1e-5, 1e-10).asDiagonal();
  EXPECT_EQ(PivotedQr(A).rank(), 3);
  EXPECT_EQ(PivotedQr(A, 1e-7).rank(), 2);
}

TEST(PivotedQr, TransposedGivesTheShortestSolution) {
  const MatrixXd A = numbers(7, 3), b = numbers(3, 2), x = PivotedQr(A).solve_transposed(b);
  EXPECT_LT((A.transpose() * x - b).norm(), 1e-13);
  const MatrixXd shortest = LeastSquares(MatrixXd(A.transpose())).solve(b);
  EXPECT_LT((x - shortest).norm(), 1e-13);
  EXPECT_EQ(PivotedQr(A).solve_transposed(MatrixXd(3, 0)).cols(), 0);
}

TEST(LeastSquares, OfARankDeficientMatrixIsThePseudoInverse) {
  const MatrixXd A = of_rank(2, 6, 4), P = LeastSquares(A).pseudo_inverse();
  EXPECT_EQ(LeastSquares(A).rank(), 2);
  EXPECT_LT((A * P * A - A).norm(), 1e-12 * A.norm());
  EXPECT_LT((P * A * P - P).norm(), 1e-12 * P.norm());
  EXPECT_LT((A * P - (A * P).transpose()).norm(), 1e-12);
  EXPECT_LT((P * A - (P * A).transpose()).norm(), 1e-12);
  const VectorXd b = numbers(6, 1);
  EXPECT_LT((LeastSquares(A).solve(b) - P * b).norm(), 1e-12);
}

TEST(LeastSquares, NullSpaceIsOrthonormalAndMappedToZero) {
  const MatrixXd A = of_rank(2, 5, 6), N = LeastSquares(A).null_space();
  ASSERT_EQ(N.cols(), 4);
  EXPECT_LT(departure_from_orthonormal(N), 1e-13);
  EXPECT_LT((A * N).norm(), 1e-13 * A.norm());
  EXPECT_EQ(LeastSquares(positive_definite(4)).null_space().cols(), 0);
}

TEST(LeastSquares, ThresholdDecidesWhatIsSmall) {
  const MatrixXd A = Vector3d(1.0, 1e-5, 1e-10).asDiagonal();
  const LeastSquares factor(A, 1e-7);
  EXPECT_EQ(factor.rank(), 2);
  EXPECT_EQ(VectorXd(factor.solve(VectorXd::Ones(3)))[2], 0.0);
}

TEST(OrthonormalColumns, SpanTheColumnsInTheirOrder) {
  const MatrixXd A = numbers(6, 3), Q = orthonormal_columns(A, 6);
  EXPECT_LT(departure_from_orthonormal(Q), 1e-13);
  EXPECT_LT((Q.rightCols(3).transpose() * A).norm(), 1e-13);
  EXPECT_LT(std::abs(Q.rightCols(5).transpose().operator*(A.col(0)).norm()), 1e-13);
  EXPECT_LT((orthonormal_columns(A, 3) - Q.leftCols(3)).norm(), 1e-15);
}

TEST(SolveSymmetric, SolvesPositiveAndNegativeDefiniteSystems) {
  const MatrixXd A = positive_definite(6), B = numbers(6, 2);
  const VectorXd b = B.col(0);
  EXPECT_LT((A * solve_symmetric(A, B) - B).norm(), 1e-12);
  EXPECT_LT((A * solve_symmetric(-A, b) + b).norm(), 1e-12);
}

TEST(SolveSymmetric, OfASemidefiniteMatrixGivesOneSolution) {
  const MatrixXd X = numbers(5, 2), A = X * X.transpose();
  const VectorXd b = A * VectorXd::Ones(5);
  EXPECT_LT((A * solve_symmetric(A, b) - b).norm(), 1e-12 * b.norm());
}

TEST(SolveSix, AgreesWithTheFactorOfAnySize) {
  const Matrix6d A = numbers(6, 6);
  const Vector6d b = numbers(6, 1);
  EXPECT_LT((A * solve(A, b) - b).norm(), 1e-12);
  EXPECT_LT((inverse(A) - LuFactor(A).inverse()).norm(), 1e-12 * inverse(A).norm());
}

TEST(SolveComplex, LeavesNoResidual) {
  const MatrixXcd A = numbers(4, 4) + std::complex<double>(0.0, 1.0) * positive_definite(4);
  const VectorXcd b = A * VectorXcd::Ones(4);
  EXPECT_LT((solve_complex(A, b) - VectorXcd::Ones(4)).norm(), 1e-12);
}

TEST(Dense, MatricesWithoutEntriesAreAllowed) {
  const MatrixXd empty(0, 0), columns(0, 3);
  const VectorXd none(0);
  EXPECT_EQ(symmetric_spectrum(empty).vectors.size(), 0);
  EXPECT_TRUE(symmetric_spectrum(empty).has_converged);
  EXPECT_EQ(symmetric_eigenvalues(empty).size(), 0);
  EXPECT_EQ(generalized_spectrum(empty, empty).values.size(), 0);
  EXPECT_EQ(general_spectrum(empty).values.size(), 0);
  EXPECT_EQ(inverse_square_root(empty).size(), 0);
  EXPECT_EQ(singular_values(columns, Eigen::ComputeFullV).V, MatrixXd::Identity(3, 3));
  EXPECT_EQ(singular_values(columns).rank, 0);
  EXPECT_EQ(LuFactor(empty).solve(columns).cols(), 3);
  EXPECT_EQ(LuFactor(empty).solve(none).size(), 0);
  EXPECT_EQ(CholeskyFactor(empty).solve(none).size(), 0);
  EXPECT_EQ(solve_symmetric(empty, none).size(), 0);
  EXPECT_EQ(LeastSquares(columns).solve(none), VectorXd::Zero(3));
  EXPECT_EQ(LeastSquares(columns).null_space().cols(), 3);
}

TEST(SparseLu, SolvesWithRowsAndColumnsExchanged) {
  MatrixXd dense = badly_scaled(7);
  dense(0, 0) = 0.0;
  const Eigen::SparseMatrix<double> A = dense.sparseView();
  const SparseLu lu(A);
  ASSERT_FALSE(lu.has_failed());
  const MatrixXd X = numbers(7, 2), B = dense * X;
  EXPECT_LT((dense * lu.solve_columns(B) - B).norm(), 1e-12 * B.norm());
  EXPECT_LT((dense * lu.solve(B.col(1)) - B.col(1)).norm(), 1e-12 * B.norm());
  EXPECT_EQ(lu.sign_of_determinant(), dense.determinant() > 0.0 ? 1 : -1);
}

TEST(SparseLu, TellsThatAMatrixIsSingular) {
  Eigen::SparseMatrix<double> A(3, 3);
  A.insert(0, 0) = 1.0;
  A.insert(1, 1) = 2.0;
  A.makeCompressed();
  EXPECT_TRUE(SparseLu(A).has_failed());
}

}  // namespace
}  // namespace solidyn::math
