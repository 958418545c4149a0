#include "solvers/friction/local_solver.h"

#include <cmath>

#include "solidyn/math/dense.h"
#include "solvers/friction/polynomial_roots.h"

namespace solidyn::solvers::friction {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

/// Forces of a cone that has been missed by round-off are in it.
constexpr double kRoundOff = 1e-13;

/// Slip in the direction d: r = r_N (1, -mu d) with u_N = 0 makes r_N = -q_N / D,
/// D = W_NN - mu W_NT.d, and u_T = g / D with
///   g(d) = a - mu B d,   a = W_NN q_T - q_N W_TN,   B = q_T W_NT^T - q_N W_TT.
/// It is a solution where d x g = 0, d.g / D >= 0 and r_N >= 0. In the angle of d this is a
/// trigonometric polynomial of degree two, with four roots at most.
struct SlipEquation {
  SlipEquation(const Matrix3d& W, const Vector3d& q, double mu) : mu_(mu) {
    a_ = W(0, 0) * q.tail<2>() - q[0] * W.block<2, 1>(1, 0);
    B_ = q.tail<2>() * W.block<1, 2>(0, 1) - q[0] * W.block<2, 2>(1, 1);
  }
  Vector2d g(const Vector2d& d) const { return a_ - mu_ * (B_ * d); }
  double value(const Vector2d& d) const {
    const Vector2d g_d = g(d);
    return d[0] * g_d[1] - d[1] * g_d[0];
  }
  /// One step of Newton's method on the angle; returns its size.
  double improve(Vector2d& d) const {
    const Vector2d g_d = g(d), normal(-d[1], d[0]), dg = -mu_ * (B_ * normal);
    const double f = d[0] * g_d[1] - d[1] * g_d[0];
    const double slope = -d.dot(g_d) + d[0] * dg[1] - d[1] * dg[0];
    double step = slope != 0.0 ? -f / slope : 0.0;
    if (!(std::abs(step) < 0.5)) step = std::copysign(0.5, step);
    d += step * normal;
    d /= std::sqrt(d[0] * d[0] + d[1] * d[1]);
    return std::abs(step);
  }
  /// All of them; `any` where every direction is a root.
  std::vector<Vector2d> roots(const Vector2d& any) const {
    // t = tan(angle / 2) from the direction that is farthest from a root: that one is at infinity.
    constexpr int kSamples = 12;
    Vector2d far(1.0, 0.0);
    for (int k = 0; k < kSamples; ++k) {
      const double angle = 2.0 * M_PI * k / kSamples;
      const Vector2d d(std::cos(angle), std::sin(angle));
      if (std::abs(value(d)) > std::abs(value(far))) far = d;
    }
    const double size = a_.norm() + mu_ * B_.norm();
    if (!(std::abs(value(far)) > 1e-14 * size)) return {any};
    const Vector2d x = -far, y(-x[1], x[0]);
    const Vector2d a(x.dot(a_), y.dot(a_));
    const double B01 = mu_ * x.dot(B_ * y), B10 = mu_ * y.dot(B_ * x);
    const double E = mu_ * (y.dot(B_ * y) - x.dot(B_ * x));
    const RealRoots t = real_roots(
        {a[1] - B10, -2.0 * (a[0] + E), 2.0 * B10 + 4.0 * B01, 2.0 * (E - a[0]), -a[1] - B10});
    std::vector<Vector2d> directions;
    for (int i = 0; i < t.count; ++i) {
      const double s = t.values[i], scale = 1.0 / (1.0 + s * s);
      Vector2d d = (1.0 - s * s) * scale * x + 2.0 * s * scale * y;
      const double before = std::abs(value(d));
      Vector2d better = d;
      improve(better);
      if (std::abs(value(better)) < before) d = better;
      directions.push_back(d.normalized());
    }
    return directions;
  }

 private:
  double mu_;
  Vector2d a_;
  Matrix2d B_;
};

/// The force that slips in the direction d; false: it would pull, or rub along its motion.
bool slip_force(const Matrix3d& W, double mu, const Vector3d& q, const SlipEquation& equation,
                const Vector2d& d, Vector3d& r) {
  const double D = W(0, 0) - mu * (W(0, 1) * d[0] + W(0, 2) * d[1]);
  const double normal = -q[0] / D;
  if (!(normal >= 0.0 && std::isfinite(normal)) || equation.g(d).dot(d) * D < 0.0) return false;
  r << normal, -mu * normal * d[0], -mu * normal * d[1];
  return true;
}

bool is_in_cone(double mu, const Vector3d& r) {
  const double limit = mu * r[0] * (1.0 + kRoundOff);
  return r[0] >= 0.0 && r[1] * r[1] + r[2] * r[2] <= limit * limit;
}

}  // namespace

LocalSolver::LocalSolver(const Matrix3d& W, double mu) : W_(W), mu_(mu) {
  constexpr double kSingular = 1e-11;
  const double size = W.cwiseAbs().maxCoeff();
  const double determinant = size > 0.0 ? (W / size).determinant() : 0.0;
  if (std::abs(determinant) > kSingular) {
    inverse_ = W.inverse();
    is_regular_ = true;
  } else {
    find_kernel();
  }
}

void LocalSolver::find_kernel() {
  // Equations of different units of mass do not occur in one contact: one threshold does.
  const math::SingularValues parts =
      math::singular_values(W_, Eigen::ComputeFullU | Eigen::ComputeFullV, 1e-11);
  for (Eigen::Index k = 0; k < parts.rank; ++k)
    inverse_ += parts.V.col(k) * parts.U.col(k).transpose() / parts.values[k];
  kernel_size_ = 3 - static_cast<int>(parts.rank);
  kernel_.leftCols(kernel_size_) = parts.V.rightCols(kernel_size_);
}

bool LocalSolver::stick_of_singular(const Vector3d& q, Vector3d& r) const {
  r = -inverse_ * q;
  if (!((W_ * r + q).norm() <= 1e-10 * (q.norm() + 1e-300))) return false;
  // Turn the kernel so that all of its vectors but the first, k, are tangential; those take away
  // the part of r_T that they span, and along k the ratio of r_T to r_N is a quadratic matter.
  Vector3d k = Vector3d::Zero();
  Matrix3d tangential = Matrix3d::Identity();  // takes away what tangential kernel vectors span
  for (int i = 0; i < kernel_size_; ++i) k += kernel_(0, i) * kernel_.col(i);
  for (int i = 0; i < kernel_size_; ++i) {
    Vector3d v = kernel_.col(i);
    if (k[0] > 1e-12) v -= v.dot(k) / k.squaredNorm() * k;
    v = tangential * v;
    if (v.norm() > 1e-6) tangential -= v * v.transpose() / v.squaredNorm();
  }
  r = tangential * r;
  if (k[0] <= 1e-12) return is_in_cone(mu_, r);
  k = tangential * k / k[0];
  // r + t k: |r_T + t k_T|^2 <= mu^2 (r_N + t)^2 with the smallest r_N >= 0.
  const Vector2d e = r.tail<2>() - r[0] * k.tail<2>(), f = k.tail<2>();  // r_T = e + f r_N
  const double c2 = f.squaredNorm() - mu_ * mu_, c1 = 2.0 * e.dot(f), c0 = e.squaredNorm();
  double normal = 0.0;
  if (c0 > 0.0) {
    const double discriminant = c1 * c1 - 4.0 * c2 * c0;
    if (discriminant < 0.0) return false;
    const double root = std::sqrt(discriminant);
    // c2 t^2 + c1 t + c0 begins above zero: its first positive root.
    const double s = -0.5 * (c1 + std::copysign(root, c1));
    const double t1 = s / c2, t2 = s != 0.0 ? c0 / s : HUGE_VAL;
    normal = HUGE_VAL;
    for (const double t : {t1, t2})
      if (t > 0.0 && t < normal) normal = t;
    if (!std::isfinite(normal)) return false;
    normal *= 1.0 + 1e-14;
  }
  r << normal, e + f * normal;
  return is_in_cone(mu_, r);
}

std::vector<LocalSolution> LocalSolver::enumerate(const Vector3d& q) const {
  std::vector<LocalSolution> found;
  if (q[0] >= 0.0) found.push_back({Vector3d::Zero(), ContactState::open});
  Vector3d r = -inverse_ * q;
  if (is_regular_ ? is_in_cone(mu_, r) : stick_of_singular(q, r))
    found.push_back({r, ContactState::stick});
  if (q[0] == 0.0) return found;
  const SlipEquation equation(W_, q, mu_);
  for (const Vector2d& d : equation.roots({1.0, 0.0}))
    if (slip_force(W_, mu_, q, equation, d, r)) found.push_back({r, ContactState::slip, d});
  return found;
}

bool LocalSolver::try_stick(const Vector3d& q, LocalSolution& last) const {
  Vector3d r;
  if (is_regular_)
    r = -inverse_ * q;
  else if (!stick_of_singular(q, r))
    return false;
  if (!is_in_cone(mu_, r)) {
    if (last.state == ContactState::slip || !is_regular_) return false;
    // It begins to slip along the velocity that the force would have held.
    const double t = std::sqrt(r[1] * r[1] + r[2] * r[2]);
    if (t > 0.0) last.direction = -r.tail<2>() / t;
    return false;
  }
  last.r = r;
  last.state = ContactState::stick;
  return true;
}

bool LocalSolver::try_slip(const Vector3d& q, LocalSolution& last) const {
  const SlipEquation equation(W_, q, mu_);
  Vector2d d = last.direction;
  Vector3d r;
  for (int i = 0; i < 8; ++i)
    if (equation.improve(d) < 1e-8) {
      if (!slip_force(W_, mu_, q, equation, d, r)) return false;
      last = {r, ContactState::slip, d};
      return true;
    }
  return false;
}

bool LocalSolver::solve_frictionless(const Vector3d& q, LocalSolution& last) const {
  if (q[0] < 0.0 && !(W_(0, 0) > 0.0)) return false;
  const double normal = q[0] < 0.0 ? -q[0] / W_(0, 0) : 0.0;
  last.r << normal, 0.0, 0.0;
  last.state = normal > 0.0 ? ContactState::slip : ContactState::open;
  return true;
}

bool LocalSolver::solve(const Vector3d& q, LocalSolution& last) const {
  if (mu_ == 0.0) return solve_frictionless(q, last);
  if (last.state == ContactState::slip && q[0] < 0.0 && try_slip(q, last)) return true;
  if (last.state == ContactState::stick && try_stick(q, last)) return true;
  if (q[0] >= 0.0) {
    last.r.setZero();
    last.state = ContactState::open;
    return true;
  }
  if (last.state != ContactState::stick && try_stick(q, last)) return true;
  if (last.state != ContactState::slip && try_slip(q, last)) return true;
  const std::vector<LocalSolution> all = enumerate(q);
  if (all.empty()) return false;
  const LocalSolution* nearest = &all[0];
  for (const LocalSolution& one : all)
    if ((one.r - last.r).squaredNorm() < (nearest->r - last.r).squaredNorm()) nearest = &one;
  last = *nearest;
  return true;
}

}  // namespace solidyn::solvers::friction
