#include <limits>

#include "solidyn/math/dense.h"

namespace solidyn::math {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using RealSpectrum = Spectrum<VectorXd, MatrixXd>;

template <class Solver>
auto spectrum_of(const Solver& solver) {
  return Spectrum<std::decay_t<decltype(solver.eigenvalues())>,
                  std::decay_t<decltype(solver.eigenvectors())>>{
      solver.eigenvalues(), solver.eigenvectors(), solver.info() == Eigen::Success};
}

// Of a matrix without entries, which Eigen refuses.
SingularValues empty_singular_values(const MatrixXd& A, unsigned parts) {
  const auto identity = [](Eigen::Index n, bool is_full) -> MatrixXd {
    return MatrixXd::Identity(n, is_full ? n : 0);
  };
  return {VectorXd(0), identity(A.rows(), parts & Eigen::ComputeFullU),
          identity(A.cols(), parts & Eigen::ComputeFullV), 0};
}

}  // namespace

RealSpectrum symmetric_spectrum(const MatrixXd& A) {
  if (A.size() == 0) return {VectorXd(0), MatrixXd(0, 0), true};
  return spectrum_of(Eigen::SelfAdjointEigenSolver<MatrixXd>(A));
}

Spectrum<Vector3d, Matrix3d> symmetric_spectrum(const Matrix3d& A) {
  return spectrum_of(Eigen::SelfAdjointEigenSolver<Matrix3d>(A));
}

VectorXd symmetric_eigenvalues(const MatrixXd& A) {
  if (A.size() == 0) return VectorXd(0);
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

Vector3d symmetric_eigenvalues(const Matrix3d& A) {
  return Eigen::SelfAdjointEigenSolver<Matrix3d>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

RealSpectrum tridiagonal_spectrum(const VectorXd& diagonal, const VectorXd& off) {
  Eigen::SelfAdjointEigenSolver<MatrixXd> solver;
  solver.computeFromTridiagonal(diagonal, off);
  return spectrum_of(solver);
}

RealSpectrum generalized_spectrum(const MatrixXd& A, const MatrixXd& B) {
  if (A.size() == 0) return {VectorXd(0), MatrixXd(0, 0), true};
  return spectrum_of(Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd>(A, B));
}

MatrixXd inverse_square_root(const MatrixXd& A) {
  if (A.size() == 0) return A;
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(A).operatorInverseSqrt();
}

Spectrum<Eigen::VectorXcd, Eigen::MatrixXcd> general_spectrum(const MatrixXd& A) {
  if (A.size() == 0) return {Eigen::VectorXcd(0), Eigen::MatrixXcd(0, 0), true};
  const Eigen::EigenSolver<MatrixXd> solver(A);
  if (solver.info() != Eigen::Success) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    return {Eigen::VectorXcd::Constant(A.rows(), nan),
            Eigen::MatrixXcd::Constant(A.rows(), A.rows(), nan), false};
  }
  return spectrum_of(solver);
}

SingularValues singular_values(const MatrixXd& A, unsigned parts, std::optional<double> threshold) {
  if (A.size() == 0) return empty_singular_values(A, parts);
  Eigen::JacobiSVD<MatrixXd> svd(A, parts);
  if (threshold) svd.setThreshold(*threshold);
  SingularValues found{svd.singularValues(), {}, {}, svd.rank()};
  if (svd.computeU()) found.U = svd.matrixU();
  if (svd.computeV()) found.V = svd.matrixV();
  return found;
}

}  // namespace solidyn::math
