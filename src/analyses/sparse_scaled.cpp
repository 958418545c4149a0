#include "sparse_scaled.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "solidyn/base/error.h"
#include "solidyn/math/sparse_lu.h"
#include "triplets.h"
#include "zero_eigenvalues.h"

namespace solidyn::analyses {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Matrix = ScaledEquations::Matrix;
using system::Linearisation;

// The shift of the inverse iteration, as part of the largest ratio of stiffness and mass.
constexpr double kShift = 1e-6;
constexpr int kIterations = 8, kFirstBlock = 16;
constexpr double kRateError = 1e-10;  // of the terms of rows, in what the iteration has found

// [K + shift^2 M, B; G, 0] with the constraints of position level.
Matrix shifted_saddle(const ScaledEquations& e) {
  const Index n = e.n(), n_rows = e.G.rows();
  std::vector<Eigen::Triplet<double>> all, list;
  const double shift = kShift * e.rate;
  add_block(e.K, 1.0, 0, 0, all);
  add_block(e.M, shift * shift, 0, 0, all);
  add_block(e.B, e.stiffness, 0, n, all);
  add_block(e.G, e.stiffness, n, 0, all);
  const auto is_left_out = [&](int i) { return i >= n && e.is_rate[i - n]; };
  for (const Eigen::Triplet<double>& t : all)
    if (!is_left_out(t.row()) && !is_left_out(t.col())) list.push_back(t);
  for (Index i = 0; i < n_rows; ++i)
    if (e.is_rate[i])
      list.emplace_back(static_cast<int>(n + i), static_cast<int>(n + i), e.stiffness);
  Matrix matrix(n + n_rows, n + n_rows);
  matrix.setFromTriplets(list.begin(), list.end());
  return matrix;
}

MatrixXd random_block(Index n, Index columns) {
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> entry(-1.0, 1.0);
  MatrixXd block(n, columns);
  for (Index j = 0; j < columns; ++j)
    for (Index i = 0; i < n; ++i) block(i, j) = entry(generator);
  return block;
}

// Combinations of columns X that a matrix maps to zero against columns X.
MatrixXd mapped_to_zero(const Matrix& matrix, const MatrixXd& X) {
  const MatrixXd size = X.cwiseAbs();
  return null_space_within(
      X.transpose() * (matrix * X),
      MinimalCoordinates::kRoundOff * (size.transpose() * (Matrix(matrix.cwiseAbs()) * size)));
}

MatrixXd displacements_without_stiffness(const ScaledEquations& e) {
  const Index n = e.n();
  const math::SparseLu lu(shifted_saddle(e));
  if (lu.has_failed())
    throw base::ComputationError(
        "the linearised system is singular: it has a motion without mass\n  give every part that can move independently a mass, or constrain it by a joint");
  // No more columns than the constraints leave motions.
  const Index most = n - std::count(e.is_rate.begin(), e.is_rate.end(), false);
  for (Index size = std::min<Index>(kFirstBlock, most);; size = std::min(2 * size, most)) {
    MatrixXd X = orthonormal(random_block(n, size)), rhs = MatrixXd::Zero(n + e.G.rows(), size);
    for (int i = 0; i < kIterations; ++i) {
      rhs.topRows(n) = e.M * X;
      X = orthonormal(lu.solve_columns(rhs).topRows(n));
    }
    const MatrixXd zero = X * mapped_to_zero(e.K, X);
    if (zero.cols() < size || size == most) return zero;
  }
}

}  // namespace

// A multiplier is taken from the equations by the one in which it is the largest, which the law
// replaces.
void ScaledEquations::put_laws_in_place(const Linearisation& l) {
  using Rows = Eigen::SparseMatrix<double, Eigen::RowMajor>;
  const Rows by_rate(l.G), by_position(l.E);
  const Matrix of_multipliers = l.B;
  VectorXd keeps = VectorXd::Ones(l.M.rows());
  std::vector<Eigen::Triplet<double>> kept, of_D, of_K, of_B, of_G;
  is_rate.clear();
  for (int i = 0; i < static_cast<int>(l.is_rate.size()); ++i) {
    double largest = 0.0;
    for (Rows::InnerIterator it(by_position, i); it; ++it)
      largest = std::max(largest, std::abs(it.value()));
    if (!l.is_rate[i] || largest == 0.0) {
      const int row = static_cast<int>(is_rate.size());
      for (Matrix::InnerIterator it(of_multipliers, i); it; ++it)
        of_B.emplace_back(static_cast<int>(it.row()), row, it.value());
      for (Rows::InnerIterator it(by_rate, i); it; ++it)
        of_G.emplace_back(row, static_cast<int>(it.col()), it.value());
      is_rate.push_back(l.is_rate[i]);
      continue;
    }
    int place = -1;
    double pivot = 0.0;
    for (Matrix::InnerIterator it(of_multipliers, i); it; ++it)
      if (std::abs(it.value()) > std::abs(pivot)) {
        pivot = it.value();
        place = static_cast<int>(it.row());
      }
    for (Matrix::InnerIterator it(of_multipliers, i); it; ++it)
      if (it.row() != place)
        kept.emplace_back(static_cast<int>(it.row()), place, -it.value() / pivot);
    keeps[place] = 0.0;
    for (Rows::InnerIterator it(by_rate, i); it; ++it)
      of_D.emplace_back(place, static_cast<int>(it.col()), it.value());
    for (Rows::InnerIterator it(by_position, i); it; ++it)
      of_K.emplace_back(place, static_cast<int>(it.col()), it.value());
    ++n_laws;
  }
  for (Index i = 0; i < keeps.size(); ++i)
    if (keeps[i] != 0.0) kept.emplace_back(static_cast<int>(i), static_cast<int>(i), 1.0);
  const Index n = l.M.rows(), n_rows = static_cast<Index>(is_rate.size());
  const auto matrix = [](Index rows, Index cols, const auto& list) {
    Matrix m(rows, cols);
    m.setFromTriplets(list.begin(), list.end());
    return m;
  };
  const Matrix keep = matrix(n, n, kept);
  M = keep * l.M;
  D = keep * l.D + matrix(n, n, of_D);
  K = keep * l.K + matrix(n, n, of_K);
  B = keep * matrix(n, n_rows, of_B);
  G = matrix(n_rows, n, of_G);
}

ScaledEquations::ScaledEquations(const Linearisation& l)
    : M(l.M),
      D(l.D),
      K(l.K),
      B(l.B),
      G(l.G),
      columns(l.weights.cwiseInverse()),
      is_rate(l.is_rate) {
  if (l.E.nonZeros() > 0) put_laws_in_place(l);
  const auto both = [&](const Matrix& m) {
    return Matrix(columns.asDiagonal() * m * columns.asDiagonal());
  };
  M = both(M);
  D = both(D);
  K = both(K);
  B = Matrix(columns.asDiagonal() * B);
  G = Matrix(G * columns.asDiagonal());
  const auto largest = [](const Matrix& m) {
    return m.nonZeros() ? m.coeffs().cwiseAbs().maxCoeff() : 0.0;
  };
  for (Index i = 0; i < M.rows(); ++i)
    if (M.coeff(i, i) > 0.0)
      rate = std::max({rate, std::sqrt(std::abs(K.coeff(i, i)) / M.coeff(i, i)),
                       std::abs(D.coeff(i, i)) / M.coeff(i, i)});
  if (rate == 0.0) rate = 1.0;
  stiffness = largest(K) > 0.0 ? largest(K) : largest(M);
}

FreeDisplacements find_free_displacements(const ScaledEquations& e) {
  const MatrixXd all = displacements_without_stiffness(e);
  const Index n_rate = std::count(e.is_rate.begin(), e.is_rate.end(), true);
  FreeDisplacements found;
  MatrixXd direct = all;
  found.displaced = MatrixXd(e.n(), 0);
  if (n_rate > 0 && all.cols() > 0) {
    MatrixXd rates = MatrixXd::Zero(e.G.rows(), all.cols());
    const MatrixXd of_all = e.G * all;
    for (Index i = 0; i < e.G.rows(); ++i)
      if (e.is_rate[i]) rates.row(i) = of_all.row(i);
    const MatrixXd kept =
        null_space_within(rates, kRateError * (Matrix(e.G.cwiseAbs()) * MatrixXd(all.cwiseAbs())));
    direct = all * kept;
    found.displaced = all * complement(kept);
  }
  const MatrixXd coasts = mapped_to_zero(e.D, direct);
  found.rigid = direct * coasts;
  found.neutral = direct * complement(coasts);
  return found;
}

}  // namespace solidyn::analyses
