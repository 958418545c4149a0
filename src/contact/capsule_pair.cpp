#include <algorithm>
#include <array>
#include <cmath>

#include "contact/pair_geometries.h"
#include "solidyn/math/rotation.h"

namespace solidyn::contact {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;
using Eigen::Vector3d;
using math::skew;
using Row = Eigen::Matrix<double, 1, 12>;

// Axes that come closer than this, m, have no direction: x is taken.
constexpr double kCrossing = 1e-15;

// min 1/2 x^T M x - r^T x over |x_i| <= 1, for M positive definite; which of the two are free.
struct Closest {
  Vector2d x;
  std::array<bool, 2> is_free;
};

Closest closest(const Matrix2d& M, const Vector2d& r) {
  const Vector2d inside = M.inverse() * r;
  if (inside.cwiseAbs().maxCoeff() <= 1.0) return {inside, {true, true}};
  Closest best;
  double least = 0.0;
  bool is_first = true;
  for (int held = 0; held < 2; ++held)
    for (const double end : {-1.0, 1.0}) {
      const int other = 1 - held;
      const double along = (r[other] - M(0, 1) * end) / M(other, other);
      Closest trial;
      trial.x[held] = end;
      trial.x[other] = std::clamp(along, -1.0, 1.0);
      trial.is_free[held] = false;
      trial.is_free[other] = std::abs(along) <= 1.0;
      const double value = 0.5 * trial.x.dot(M * trial.x) - r.dot(trial.x);
      if (!is_first && value >= least) continue;
      is_first = false;
      least = value;
      best = trial;
    }
  return best;
}

// dx from M dx = dr - dM x in the free ones.
Eigen::Matrix<double, 2, 12> derivative(const Closest& c, const Matrix2d& M,
                                        const Eigen::Matrix<double, 2, 12>& right) {
  Matrix2d reduced = M;
  Eigen::Matrix<double, 2, 12> r = right;
  for (int i = 0; i < 2; ++i) {
    if (c.is_free[i]) continue;
    reduced.row(i).setZero();
    reduced(i, i) = 1.0;
    r.row(i).setZero();
  }
  return reduced.inverse() * r;
}

}  // namespace

// With d = D + u b - s a, D = p_B - p_A, the smallest |d|^2 + eps (...) satisfies
//   [(1 + eps) |a|^2, -a.b; -a.b, (1 + eps) |b|^2] [s; u] = [a.D; -b.D]
// and the gap, being a minimum, varies by n . (dp_B + u db - dp_A - s da) alone, n = d / its root.
ContactPoint CapsulePair::at(const bodies::FramePair& f, int) const {
  const double half_A = 0.5 * A_.length, half_B = 0.5 * B_.length;
  const Vector3d a = half_A * f.A.R.col(2), b = half_B * f.B.R.col(2), D = f.B.p - f.A.p;
  Matrix2d M;
  M << (1.0 + kCrown) * half_A * half_A, -a.dot(b), -a.dot(b), (1.0 + kCrown) * half_B * half_B;
  const Closest c = closest(M, {a.dot(D), -b.dot(D)});
  const double s = c.x[0], u = c.x[1];
  const Vector3d d = D + u * b - s * a;
  const double root =
      std::sqrt(d.squaredNorm() + kCrown * (std::pow(half_A * s, 2) + std::pow(half_B * u, 2)));

  Matrix3x12 da = Matrix3x12::Zero(), db = da, dp_A = da, dp_B = da;
  dp_A.leftCols<3>().setIdentity();
  dp_B.middleCols<3>(6).setIdentity();
  da.middleCols<3>(3) = -half_A * f.A.R * skew(Vector3d::UnitZ());
  db.middleCols<3>(9) = -half_B * f.B.R * skew(Vector3d::UnitZ());
  const Matrix3x12 dD = dp_B - dp_A;
  const Row d_ab = a.transpose() * db + b.transpose() * da;
  Eigen::Matrix<double, 2, 12> right;
  right.row(0) = a.transpose() * dD + D.transpose() * da + u * d_ab;
  right.row(1) = -b.transpose() * dD - D.transpose() * db + s * d_ab;
  const Eigen::Matrix<double, 2, 12> dx = derivative(c, M, right);
  const Matrix3x12 held = dD + u * db - s * da;  // of d, at constant s and u

  ContactPoint result;
  result.gap = root - A_.radius - B_.radius;
  result.normal = Vector3d::UnitX();
  result.d_normal.setZero();
  if (root > kCrossing) {
    result.normal = d / root;
    result.d_normal = (held + b * dx.row(1) - a * dx.row(0) -
                       result.normal * (result.normal.transpose() * held)) /
                      root;
  }
  result.point = f.A.p + s * a + A_.radius * result.normal;
  result.d_point = dp_A + s * da + a * dx.row(0) + A_.radius * result.d_normal;
  return result;
}

}  // namespace solidyn::contact
