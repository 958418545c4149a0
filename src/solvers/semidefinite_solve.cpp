#include "solvers/semidefinite_solve.h"

#include <algorithm>
#include <cmath>

namespace solidyn::solvers {
namespace {

using Eigen::VectorXd;

// Each repetition takes what the recursion of the residual and the unsymmetric part have left.
constexpr int kRepetitions = 10;
constexpr double kLeastGain = 0.5;
// Of one repetition: more digits are lost in its recursion.
constexpr double kDigits = 1e-10;
// Of the goal, since residuals are scaled there.
constexpr double kScaled = 0.5;
constexpr int kMaxProducts = 1000;
// Of the largest |A r| over |r|, at least that of a unit diagonal: what A makes of a residual that
// is outside of its range. Beyond, round-off would be divided by nothing.
constexpr double kOutside = 1e-7;

// Conjugate residuals (Stiefel 1955) from 0, of A with a unit diagonal: |A x - b| is the smallest
// of all x in b, A b, A^2 b...
VectorXd conjugate_residuals(const Product& A, const VectorXd& b, double tolerance) {
  VectorXd x = VectorXd::Zero(b.size()), r = b, p = r, Ar, Ap;
  A(r, Ar);
  Ap = Ar;
  const double goal = tolerance * b.norm();
  double rAr = r.dot(Ar), largest = 1.0;
  for (int k = 0; k < kMaxProducts && r.norm() > goal; ++k) {
    const double size = Ap.squaredNorm();
    largest = std::max(largest, Ar.norm() / r.norm());
    if (!(size > 0.0) || !(rAr > 0.0) || Ar.norm() <= kOutside * largest * r.norm()) break;
    const double alpha = rAr / size;
    x += alpha * p;
    r -= alpha * Ap;
    A(r, Ar);
    const double before = rAr;
    rAr = r.dot(Ar);
    p = r + rAr / before * p;
    Ap = Ar + rAr / before * Ap;
  }
  return x;
}

}  // namespace

VectorXd solve_semidefinite(const Product& A, const VectorXd& diagonal, const VectorXd& b,
                            double tolerance) {
  VectorXd x = VectorXd::Zero(b.size()), scale = diagonal, unscaled, product;
  for (double& d : scale) d = d > 0.0 ? 1.0 / std::sqrt(d) : 1.0;
  const Product scaled = [&](const VectorXd& y, VectorXd& Ay) {
    unscaled = scale.cwiseProduct(y);
    A(unscaled, product);
    Ay = scale.cwiseProduct(product);
  };
  VectorXd left = b, Ax;
  const double goal = tolerance * b.norm();
  for (int k = 0; k < kRepetitions && left.norm() > goal; ++k) {
    const double wanted = std::max(kDigits, kScaled * goal / left.norm());
    const VectorXd step =
        scale.cwiseProduct(conjugate_residuals(scaled, scale.cwiseProduct(left), wanted));
    A(step, Ax);
    const VectorXd now = left - Ax;
    if (!(now.norm() < left.norm())) break;
    x += step;
    const bool gains = now.norm() <= kLeastGain * left.norm();
    left = now;
    if (!gains) break;
  }
  return x;
}

}  // namespace solidyn::solvers
