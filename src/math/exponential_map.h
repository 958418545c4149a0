#pragma once
#include <Eigen/Geometry>
#include <cmath>

namespace solidyn::math {

/// exp(skew(theta)) and its right tangent T as math/rotation.h has them, for frames on flexible
/// bodies, which need both and the rate of T in every residual: the coefficients are found once.
/// With p = |theta|^2, a = (1 - cos)/p and b = (phi - sin)/(phi p),
///   exp = (1 - a p) + (1 - b p) skew + a theta theta^T,   T = (1 - b p) - a skew + b theta theta^T
/// Accurate to round-off for every angle. Local. Proved by
/// Angles/Rotation.ExponentialMapIsThatOfFunctions/*
class ExponentialMap {
 public:
  explicit ExponentialMap(const Eigen::Vector3d& theta) : theta_(theta), p_(theta.squaredNorm()) {
    if (p_ <= 1.0)
      sum_series();
    else
      set_closed_forms();
  }
  Eigen::Matrix3d rotation() const { return combined(1.0 - a_ * p_, 1.0 - b_ * p_, a_); }
  Eigen::Matrix3d right_tangent() const { return combined(1.0 - b_ * p_, -a_, b_); }
  /// dT/dt dtheta, when theta changes by dtheta: right_tangent_derivative(theta, dtheta) dtheta.
  Eigen::Vector3d rate_of_tangent(const Eigen::Vector3d& dtheta) const {
    const Eigen::Vector3d turned = theta_.cross(dtheta);
    const double dp = 2.0 * theta_.dot(dtheta);
    return b_ * dtheta.cross(turned) + dp * (b_by_p_ * theta_.cross(turned) - a_by_p_ * turned);
  }

 private:
  // sum of (-1)^n p^n / (2 n + 2)! and of (-1)^n p^n / (2 n + 3)!, with their derivatives.
  void sum_series() {
    constexpr int kTerms = 10;  // up to p = 1, to round-off
    static constexpr double kA[kTerms] = {0.5,
                                          -1.0 / 24,
                                          1.0 / 720,
                                          -1.0 / 40320,
                                          1.0 / 3628800,
                                          -1.0 / 479001600,
                                          1.0 / 87178291200,
                                          -1.0 / 20922789888000,
                                          1.0 / 6402373705728000,
                                          -1.0 / 2432902008176640000};
    static constexpr double kB[kTerms] = {kA[0] / 3,  kA[1] / 5,  kA[2] / 7,  kA[3] / 9,
                                          kA[4] / 11, kA[5] / 13, kA[6] / 15, kA[7] / 17,
                                          kA[8] / 19, kA[9] / 21};
    for (int n = kTerms; n-- > 0;) {  // Horner's
      a_by_p_ = a_by_p_ * p_ + a_;
      a_ = a_ * p_ + kA[n];
      b_by_p_ = b_by_p_ * p_ + b_;
      b_ = b_ * p_ + kB[n];
    }
  }
  void set_closed_forms() {
    const double phi = std::sqrt(p_), sn = std::sin(phi), cs = std::cos(phi);
    a_ = (1.0 - cs) / p_;
    b_ = (phi - sn) / (phi * p_);
    a_by_p_ = 0.5 * (sn / phi - 2.0 * a_) / p_;
    b_by_p_ = 0.5 * (a_ - 3.0 * b_) / p_;
  }
  Eigen::Matrix3d combined(double one, double skew, double square) const {
    const double x = theta_.x(), y = theta_.y(), z = theta_.z();
    const double xy = square * x * y, xz = square * x * z, yz = square * y * z;
    Eigen::Matrix3d M;
    M << one + square * x * x, xy - skew * z, xz + skew * y,  //
        xy + skew * z, one + square * y * y, yz - skew * x,   //
        xz - skew * y, yz + skew * x, one + square * z * z;
    return M;
  }

  Eigen::Vector3d theta_;
  double p_, a_ = 0.0, b_ = 0.0, a_by_p_ = 0.0, b_by_p_ = 0.0;
};

}  // namespace solidyn::math
