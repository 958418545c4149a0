#include "solvers/semidefinite_solve.h"

#include <cmath>

namespace solidyn::solvers {
namespace {

using Eigen::VectorXd;
using SparseMatrix = Eigen::SparseMatrix<double>;

// Each repetition takes what the recursion of the residual and the unsymmetric part have left.
constexpr int kRepetitions = 10;
constexpr double kLeastGain = 0.5;
// Of one repetition: more digits are lost in its recursion.
constexpr double kDigits = 1e-10;
constexpr int kMaxProducts = 5000;
// Of |A| |r|: what A makes of a residual that is outside its range.
constexpr double kOutside = 1e-12;

// Conjugate residuals (Stiefel 1955) from 0: |S x - b| is the smallest of all x in b, S b, S^2 b...
VectorXd conjugate_residuals(const SparseMatrix& S, const VectorXd& b, double tolerance) {
  VectorXd x = VectorXd::Zero(b.size()), r = b, p = r, Sr = S * r, Sp = Sr;
  const double goal = tolerance * b.norm();
  double rSr = r.dot(Sr), largest = Sr.norm() / r.norm();
  for (int k = 0; k < kMaxProducts && r.norm() > goal; ++k) {
    const double size = Sp.squaredNorm();
    if (!(size > 0.0) || !(rSr > 0.0) || Sr.norm() <= kOutside * largest * r.norm()) break;
    const double alpha = rSr / size;
    x += alpha * p;
    r -= alpha * Sp;
    Sr = S * r;
    largest = std::max(largest, Sr.norm() / r.norm());
    const double before = rSr;
    rSr = r.dot(Sr);
    p = r + rSr / before * p;
    Sp = Sr + rSr / before * Sp;
  }
  return x;
}

}  // namespace

VectorXd solve_semidefinite(const SparseMatrix& A, const VectorXd& b, double tolerance) {
  VectorXd x = VectorXd::Zero(b.size());
  VectorXd scale = A.diagonal();
  for (double& d : scale) d = d > 0.0 ? 1.0 / std::sqrt(d) : 1.0;
  const SparseMatrix At = A.transpose();
  const SparseMatrix S = scale.asDiagonal() * (0.5 * (A + At)).eval() * scale.asDiagonal();
  VectorXd left = b;
  const double goal = tolerance * b.norm();
  for (int k = 0; k < kRepetitions && left.norm() > goal; ++k) {
    const double wanted = std::max(kDigits, 0.1 * goal / left.norm());
    const VectorXd step =
        scale.cwiseProduct(conjugate_residuals(S, scale.cwiseProduct(left), wanted));
    const VectorXd now = left - A * step;
    if (!(now.norm() < left.norm())) break;
    x += step;
    const bool gains = now.norm() <= kLeastGain * left.norm();
    left = now;
    if (!gains) break;
  }
  return x;
}

}  // namespace solidyn::solvers
