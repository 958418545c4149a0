#pragma once
#include <Eigen/Dense>
#include <cmath>

/// The algebra of the cone L = {(x_0, x_1): |x_1| <= x_0} in three dimensions: Alizadeh and
/// Goldfarb (2003), Nesterov and Todd (1997).
namespace solidyn::solvers::friction {

/// x_0^2 - |x_1|^2, without its cancellation.
inline double cone_determinant(const Eigen::Vector3d& x) {
  const double t = std::hypot(x[1], x[2]);
  return (x[0] - t) * (x[0] + t);
}

/// a o b = (a.b, a_0 b_1 + b_0 a_1)
inline Eigen::Vector3d cone_product(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return {a.dot(b), a[0] * b[1] + b[0] * a[1], a[0] * b[2] + b[0] * a[2]};
}

/// The z with a o z = b. @pre a lies within L
inline Eigen::Vector3d cone_quotient(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  const double z = (a[0] * b[0] - a[1] * b[1] - a[2] * b[2]) / cone_determinant(a);
  return {z, (b[1] - z * a[1]) / a[0], (b[2] - z * a[2]) / a[0]};
}

/// The largest t with x + t d in L; HUGE_VAL where all are. @pre x lies within L
inline double cone_step(const Eigen::Vector3d& x, const Eigen::Vector3d& d) {
  double t = d[0] < 0.0 ? -x[0] / d[0] : HUGE_VAL;
  // a t^2 + 2 b t + c = 0, c > 0
  const double a = cone_determinant(d), c = cone_determinant(x);
  const double b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
  const double discriminant = b * b - a * c;
  if (discriminant < 0.0) return t;
  const double s = -(b + std::copysign(std::sqrt(discriminant), b));
  for (const double root : {s / a, c / s})
    if (root > 0.0 && root < t) t = root;
  return t;
}

/// Nesterov and Todd's scaling of a pair within L: the symmetric S with S y = S^-1 x.
class ConeScaling {
 public:
  ConeScaling(const Eigen::Vector3d& x, const Eigen::Vector3d& y) {
    const double size_x = std::sqrt(cone_determinant(x)), size_y = std::sqrt(cone_determinant(y));
    const Eigen::Vector3d a = x / size_x, b = y / size_y;
    const double c = 2.0 * std::sqrt(0.5 * (1.0 + a.dot(b)));
    w_ << 0.0, (a[1] - b[1]) / c, (a[2] - b[2]) / c;
    w_[0] = std::sqrt(1.0 + w_.tail<2>().squaredNorm());
    eta_ = std::sqrt(size_x / size_y);
  }
  Eigen::Matrix3d matrix() const { return eta_ * arrow(w_); }
  Eigen::Matrix3d inverse() const { return arrow({w_[0], -w_[1], -w_[2]}) / eta_; }
  /// S^-2: H x = y.
  Eigen::Matrix3d hessian() const {
    const Eigen::Vector3d v(w_[0], -w_[1], -w_[2]);
    Eigen::Matrix3d H = 2.0 * v * v.transpose();
    H.diagonal() += Eigen::Vector3d(-1.0, 1.0, 1.0);
    return H / (eta_ * eta_);
  }

 private:
  static Eigen::Matrix3d arrow(const Eigen::Vector3d& w) {
    Eigen::Matrix3d m;
    m << w[0], w[1], w[2], w[1], 1.0 + w[1] * w[1] / (1.0 + w[0]), w[1] * w[2] / (1.0 + w[0]), w[2],
        w[1] * w[2] / (1.0 + w[0]), 1.0 + w[2] * w[2] / (1.0 + w[0]);
    return m;
  }

  Eigen::Vector3d w_;
  double eta_ = 1.0;
};

}  // namespace solidyn::solvers::friction
