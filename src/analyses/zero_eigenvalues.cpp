#include "zero_eigenvalues.h"

#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/math/dense.h"

namespace solidyn::analyses {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

constexpr int kScalings = 20, kRefinements = 2;
constexpr double kRoundOffOfColumns = 1e-16;
// No entry is known better: a row without errors would be measured by others' units, and be missed.
constexpr double kRoundOffOfEntry = 1e-16;
// Pivots of errors that are scaled to 1, by the root of the number of unknowns.
constexpr double kPivotOfErrors = 20.0;
// Least part of a member of a chain that leads to the one before it, with time in units of a shift.
constexpr double kGoesOn = 1e-2;

struct Scales {
  VectorXd rows, columns;
};

// Largest entries of rows and columns near 1 (Ruiz), but of those that are zero.
Scales scales_of(MatrixXd error) {
  Scales s{VectorXd::Ones(error.rows()), VectorXd::Ones(error.cols())};
  const auto roots = [](const VectorXd& largest) {
    return VectorXd(largest.unaryExpr([](double x) { return x > 0.0 ? 1.0 / std::sqrt(x) : 1.0; }));
  };
  for (int i = 0; i < kScalings; ++i) {
    const VectorXd rows = roots(error.rowwise().maxCoeff()),
                   columns = roots(error.colwise().maxCoeff().transpose());
    error = rows.asDiagonal() * error * columns.asDiagonal();
    s.rows.array() *= rows.array();
    s.columns.array() *= columns.array();
  }
  // Round-off of other components does not grow beside these, which are zero by themselves.
  for (Index j = 0; j < error.cols(); ++j)
    if (error.col(j).isZero(0.0)) s.columns[j] = s.columns.maxCoeff();
  return s;
}

// Of U^T A W with orthonormal columns: theirs is of what they multiply, which may be exact to more
// than errors of other entries of A. Their zeros are exact.
MatrixXd error_of_product(const MatrixXd& U, const MatrixXd& A, const MatrixXd& error,
                          const MatrixXd& W) {
  const auto round_off = [](const MatrixXd& columns) {
    return MatrixXd(
        columns.unaryExpr([](double x) { return x == 0.0 ? 0.0 : kRoundOffOfColumns; }));
  };
  const MatrixXd left = U.cwiseAbs().transpose(), right = W.cwiseAbs(), terms = A.cwiseAbs();
  return left * error * right + round_off(U).transpose() * (terms * right) +
         left * (terms * round_off(W));
}

}  // namespace

MatrixXd null_space_within(const MatrixXd& matrix, const MatrixXd& error) {
  if (matrix.cols() == 0) return matrix.transpose();
  const Scales scales = scales_of(error.cwiseMax(kRoundOffOfEntry * matrix.cwiseAbs()));
  const MatrixXd scaled = scales.rows.asDiagonal() * matrix * scales.columns.asDiagonal();
  const double largest = scaled.colwise().norm().maxCoeff();
  if (largest == 0.0) return MatrixXd::Identity(matrix.cols(), matrix.cols());
  const math::LeastSquares factor(
      scaled,
      std::min(1.0, kPivotOfErrors * std::sqrt(static_cast<double>(matrix.cols())) / largest));
  MatrixXd null = orthonormal(scales.columns.asDiagonal() * factor.null_space());
  // Exact in the scaled components, not yet in those that scaling has made small.
  for (int i = 0; i < kRefinements; ++i) {
    const MatrixXd rest = scales.rows.asDiagonal() * (matrix * null);
    null = orthonormal(null - scales.columns.asDiagonal() * MatrixXd(factor.solve(rest)));
  }
  return null;
}

MatrixXd orthonormal(const MatrixXd& columns) {
  if (columns.cols() == 0) return columns;
  return math::orthonormal_columns(columns, columns.cols());
}

MatrixXd complement(const MatrixXd& basis) {
  if (basis.cols() == 0) return MatrixXd::Identity(basis.rows(), basis.rows());
  return math::orthonormal_columns(basis, basis.rows()).rightCols(basis.rows() - basis.cols());
}

WithoutZeros::WithoutZeros(const MinimalCoordinates& m, double rate, Zeros zeros) : n_y_(m.n_y()) {
  const Index n_y = m.n_y(), n_u = m.n_u(), n = n_y + n_u;
  A_.resize(n, n);
  A_ << m.C / rate, m.Z, -m.K / (rate * rate), -m.D / rate;
  E_ = MatrixXd::Identity(n, n);
  E_.bottomRightCorner(n_u, n_u) = m.M;
  error_.resize(n, n);
  error_ << m.C_error / rate, MinimalCoordinates::kRoundOff * m.Z.cwiseAbs(),
      m.K_error / (rate * rate), m.D_error / rate;
  // Steps mix the equations of motion with those of rates: in units of the mass, errors of the
  // stiffest of the former do not hide the latter.
  const VectorXd masses =
      E_.rowwise().lpNorm<Eigen::Infinity>().unaryExpr([](double x) { return 1.0 / x; });
  for (MatrixXd* matrix : {&A_, &E_, &error_}) *matrix = masses.asDiagonal() * *matrix;
  while (zeros == Zeros::taken_off && take_step()) {
  }
  name_kinds();
}

bool WithoutZeros::take_step() {
  Step step;
  step.V = null_space_within(A_, error_);
  // C y + Z u = 0: nothing but displacements where C is 0. Round-off there would mix the equations
  // of rates with those of motion, whose entries are any number of decades larger.
  if (steps_.empty() && A_.topLeftCorner(n_y_, n_y_).isZero(0.0))
    step.V.bottomRows(A_.rows() - n_y_).setZero();
  // More than the step before found are errors of the matrices beyond the estimate, as of tangents
  // by differences, and remain as small eigenvalues.
  if (!steps_.empty() && step.V.cols() > steps_.back().V.cols()) return false;
  if (steps_.size() > 1) step.V = those_that_go_on(step.V);
  if (step.V.cols() == 0) return false;
  step.W = complement(step.V);
  const Index k = step.V.cols(), n = A_.rows();
  const MatrixXd U = math::orthonormal_columns(E_ * step.V, n);
  const MatrixXd U1 = U.leftCols(k), U2 = U.rightCols(n - k);
  step.UEV = U1.transpose() * E_ * step.V;
  step.UEW = U1.transpose() * E_ * step.W;
  step.UAW = U1.transpose() * A_ * step.W;
  error_ = error_of_product(U2, A_, error_, step.W);
  A_ = (U2.transpose() * A_ * step.W).eval();
  E_ = (U2.transpose() * E_ * step.W).eval();
  n_zeros_ += static_cast<int>(k);
  steps_.push_back(std::move(step));
  return true;
}

// A w = E V h of the step before: a member of a chain has h, since with h = 0 that step would have
// found it. Others are slow motions that errors hide, and remain as small eigenvalues.
MatrixXd WithoutZeros::those_that_go_on(const MatrixXd& V) const {
  if (V.cols() == 0) return V;
  const Step& before = steps_.back();
  const MatrixXd h = math::LuFactor(before.UEV).solve(before.UAW * V);
  const math::SingularValues svd = math::singular_values(h, Eigen::ComputeFullV);
  const Index n = (svd.values.array() > kGoesOn).count();
  return V * svd.V.leftCols(n);
}

// The first step's vectors are all displacements; A w = E V h for those of the second says which of
// them, V h, have constant velocity.
void WithoutZeros::name_kinds() {
  rigid_ = neutral_ = MatrixXd(n_y_, 0);
  if (steps_.empty()) return;
  const Step& first = steps_[0];
  MatrixXd goes_on(first.V.cols(), 0);
  if (steps_.size() > 1) goes_on = math::LuFactor(first.UEV).solve(first.UAW * steps_[1].V);
  goes_on.colwise().normalize();
  rigid_ = orthonormal((first.V * goes_on).topRows(n_y_));
  const MatrixXd all = first.V.topRows(n_y_);
  const MatrixXd others = all - rigid_ * (rigid_.transpose() * all);
  const Index n_neutral = all.cols() - rigid_.cols();
  if (n_neutral == 0) return;
  neutral_ = math::PivotedQr(others).Q(n_neutral);
}

VectorXcd WithoutZeros::coordinates(std::complex<double> s, const VectorXcd& w) const {
  using Eigen::MatrixXcd;
  VectorXcd z = w;
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    const VectorXcd rhs =
        step->UAW.cast<std::complex<double>>() * z / s - step->UEW.cast<std::complex<double>>() * z;
    const VectorXcd v = math::solve_complex(step->UEV.cast<std::complex<double>>(), rhs);
    z = (step->V.cast<std::complex<double>>() * v + step->W.cast<std::complex<double>>() * z)
            .eval();
  }
  return z.head(n_y_);
}

}  // namespace solidyn::analyses
