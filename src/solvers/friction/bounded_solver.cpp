#include "solvers/friction/bounded_solver.h"

#include <cmath>

namespace solidyn::solvers::friction {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

// Forces that miss the disc by round-off are in it.
constexpr double kMissed = 1e-13;
// Of the size of W_TT squared: a determinant below is none.
constexpr double kSingular = 1e-13;
// Of an entry of W_TT: by how much its directions may differ, or couple, as round-off.
constexpr double kIsotropic = 1e-15;
// Of |q|: what a force that sticks may leave of it where W_TT is singular.
constexpr double kLeft = 1e-12;
// Each at least halves the interval that has lambda in it.
constexpr int kMaxSteps = 100;

Vector2d divided(const Matrix2d& A, const Vector2d& b) {
  const double determinant = A(0, 0) * A(1, 1) - A(0, 1) * A(1, 0);
  return Vector2d(A(1, 1) * b[0] - A(0, 1) * b[1], A(0, 0) * b[1] - A(1, 0) * b[0]) / determinant;
}

// The smallest force that holds still; of a W_TT of rank one along its row and its column.
// @return whether there is one
bool sticking_force(const Matrix2d& W, const Vector2d& q, Vector2d& r) {
  const double size = W.cwiseAbs().maxCoeff();
  if (!(size > 0.0)) {
    r.setZero();
    return q.isZero(0.0);
  }
  if (std::abs(W.determinant()) > kSingular * size * size) {
    r = -divided(W, q);
    return true;
  }
  r = -(W.transpose() * q) / W.squaredNorm();
  return (W * r + q).norm() <= kLeft * q.norm();
}

// Newton's method on 1/|r| - 1/bound, which is nearly straight in lambda, within an interval.
Vector2d slipping_force(const Matrix2d& W, double bound, const Vector2d& q) {
  double low = 0.0, high = q.norm() / bound + W.norm(), lambda = 0.5 * high;
  Vector2d r = Vector2d::Zero();
  for (int i = 0; i < kMaxSteps; ++i) {
    const Matrix2d shifted = W + lambda * Matrix2d::Identity();
    r = -divided(shifted, q);
    const double size = r.norm();
    const bool is_short = size <= bound;  // false for what is not finite
    (is_short ? high : low) = lambda;
    if (std::abs(size - bound) <= 1e-16 * bound) break;
    const double slope = r.dot(divided(shifted, r)) / (size * size * size);
    double next = lambda + (1.0 / bound - 1.0 / size) / slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (next == lambda) break;
    lambda = next;
  }
  return bound * r.normalized();
}

// As that of the turning of a ball: then forces are along q.
bool is_isotropic(const Matrix2d& W) {
  const double size = W(0, 0), off = kIsotropic * size;
  return size > 0.0 && std::abs(W(1, 1) - size) <= off && std::abs(W(0, 1)) <= off &&
         std::abs(W(1, 0)) <= off;
}

}  // namespace

void solve_bounded(const Matrix3d& W, double bound, const Vector3d& q, LocalSolution& solution) {
  const Matrix2d W_T = W.bottomRightCorner<2, 2>();
  const Vector2d q_T = q.tail<2>();
  Vector2d r = Vector2d::Zero();
  if (is_isotropic(W_T)) {
    const double size = q_T.norm(), needed = size / W_T(0, 0);
    const bool fits = needed <= bound * (1.0 + kMissed);
    if (size > 0.0) {
      solution.direction = q_T / size;
      r = -(fits ? needed : bound) * solution.direction;
    }
    solution.r << 0.0, r;
    solution.state = fits ? ContactState::stick : ContactState::slip;
    return;
  }
  const bool sticks = sticking_force(W_T, q_T, r) && r.norm() <= bound * (1.0 + kMissed);
  if (!sticks && bound == 0.0)
    r.setZero();
  else if (!sticks)
    r = slipping_force(W_T, bound, q_T);
  solution.r << 0.0, r;
  solution.state = sticks ? ContactState::stick : ContactState::slip;
  if (r.norm() > 0.0) solution.direction = -r.normalized();
}

}  // namespace solidyn::solvers::friction
