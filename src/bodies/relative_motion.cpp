#include "solidyn/bodies/relative_motion.h"

#include "solidyn/math/rotation.h"

namespace solidyn::bodies {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::skew;

// c(s) of T^-1(theta) = I + skew/2 + c skew^2 with s = |theta|^2, and c' = (dc/dphi)/phi,
// c'' = (dc'/dphi)/phi.
struct Coefficients {
  double c, dc, ddc;
};

// c = sum_m 2/((2 pi m)^2 - s): the first pole apart, the rest as the power series
// sum_n 2 (zeta(2n) - 1)/(2 pi)^(2n) s^(n-1), which below |theta| = pi has lost 1e-17 by its end.
Coefficients coefficients(double s) {
  constexpr double kPole = 39.478417604357434;  // (2 pi)^2
  constexpr double kSeries[] = {
      0.032672741512164448,   0.00010564110705334699, 5.6373702828768453e-7,
      3.3571419266574514e-9,  2.0742872904166046e-11, 1.3000482138698974e-13,
      8.1960520556910086e-16, 5.1801181961697243e-18, 3.2775391747017918e-20,
      2.0747401878593605e-22, 1.3136241807166534e-24, 8.3180031951892641e-27,
      5.2672629968342309e-29};
  constexpr int n = sizeof(kSeries) / sizeof(kSeries[0]);
  const double r = 1.0 / (kPole - s);
  double c = 0.0, dc = 0.0, ddc = 0.0;
  for (int i = n - 1; i >= 0; --i) {
    ddc = ddc * s + 2.0 * dc;
    dc = dc * s + c;
    c = c * s + kSeries[i];
  }
  return {c + 2.0 * r, 2.0 * (dc + 2.0 * r * r), 4.0 * (ddc + 4.0 * r * r * r)};
}

// d/dtheta [c skew(theta)^2 a], a constant.
Matrix3d square_derivative(const Vector3d& t, const Vector3d& a) {
  const Coefficients k = coefficients(t.squaredNorm());
  const double ta = t.dot(a);
  return k.c * (ta * Matrix3d::Identity() + t * a.transpose() - 2.0 * a * t.transpose()) +
         k.dc * (ta * t - t.squaredNorm() * a) * t.transpose();
}

// d/dtheta [square_derivative(theta, a) x], a and x constant.
Matrix3d square_second_derivative(const Vector3d& t, const Vector3d& a, const Vector3d& x) {
  const Coefficients k = coefficients(t.squaredNorm());
  const double ta = t.dot(a), tx = t.dot(x), ax = a.dot(x);
  const Vector3d y = ta * t - t.squaredNorm() * a;
  const Matrix3d I = Matrix3d::Identity();
  return k.c * (x * a.transpose() + ax * I - 2.0 * a * x.transpose()) +
         k.dc * ((ta * x + ax * t - 2.0 * tx * a) * t.transpose() + y * x.transpose() +
                 tx * (ta * I + t * a.transpose() - 2.0 * a * t.transpose())) +
         k.ddc * tx * y * t.transpose();
}

// d/da [square_derivative(theta, a) x].
Matrix3d square_mixed_derivative(const Vector3d& t, const Vector3d& x) {
  const Coefficients k = coefficients(t.squaredNorm());
  const double tx = t.dot(x);
  return k.c * (x * t.transpose() + t * x.transpose() - 2.0 * tx * Matrix3d::Identity()) +
         k.dc * tx * (t * t.transpose() - t.squaredNorm() * Matrix3d::Identity());
}

}  // namespace

void RelativeMotion::set_positions(const RigidMotion& B, const RigidMotion& K,
                                   const Vector3d& x_B) {
  R_BW_ = B.R.transpose();
  b_ = R_BW_ * (K.p - B.p);
  const Vector3d theta = math::log_rotation(Matrix3d(R_BW_ * K.R));
  q_ << b_ - x_B, theta;
  const Matrix3d T_inverse = math::right_tangent_inverse(theta);
  G_.block<3, 3>(0, 0) = -R_BW_;
  G_.block<3, 3>(0, 3) = skew(b_);
  G_.block<3, 3>(0, 6) = R_BW_;
  G_.block<3, 3>(3, 3) = -T_inverse.transpose();
  G_.block<3, 3>(3, 9) = T_inverse;
}

void RelativeMotion::set_velocities(const RigidMotion& B, const RigidMotion& K) {
  const Vector3d theta = q_.tail<3>();
  w_B_ = B.w;
  d_ = R_BW_ * (K.v - B.v);
  difference_ = K.w - B.w;
  sum_ = K.w + B.w;
  dq_.head<3>() = d_ - w_B_.cross(b_);
  dq_.tail<3>() = G_.block<3, 3>(3, 3) * B.w + G_.block<3, 3>(3, 9) * K.w;
  // T^-1 w_K - T^-T w_B = (I + c skew^2) (w_K - w_B) + skew/2 (w_K + w_B)
  Q_ = square_derivative(theta, difference_) - 0.5 * skew(sum_);
  bias_.head<3>() = -w_B_.cross(d_ + dq_.head<3>());
  bias_.tail<3>() = Q_ * dq_.tail<3>();
}

RelativeMotion::Block RelativeMotion::rate_stiffness() const {
  Block U = Block::Zero();
  U.topRows<3>() = -skew(w_B_) * G_.topRows<3>();  // G: d(b)/d(positions)
  U.block<3, 3>(0, 3) += skew(d_);
  U.bottomRows<3>() = Q_ * G_.bottomRows<3>();
  return U;
}

RelativeMotion::Block RelativeMotion::acceleration_stiffness(const RigidMotion& B,
                                                             const RigidMotion& K) const {
  const Vector3d theta = q_.tail<3>(), rate = dq_.tail<3>();
  const Vector3d e = R_BW_ * (K.a - B.a);
  Block V = Block::Zero();
  V.topRows<3>() = -skew(B.dw) * G_.topRows<3>() - skew(w_B_) * rate_stiffness().topRows<3>();
  V.block<3, 3>(0, 3) += skew(e) - skew(w_B_) * skew(d_);
  const Matrix3d by_theta = square_derivative(theta, K.dw - B.dw) - 0.5 * skew(K.dw + B.dw) +
                            square_second_derivative(theta, difference_, rate) + Q_ * Q_;
  V.bottomRows<3>() = by_theta * G_.bottomRows<3>();
  return V;
}

RelativeMotion::Block RelativeMotion::acceleration_damping() const {
  const Vector3d theta = q_.tail<3>(), rate = dq_.tail<3>();
  Block W = Block::Zero();
  // -w x (d + du) with d = R_BW (v_K - v_B), du = d - w x b
  const Matrix3d w = skew(w_B_);
  W.block<3, 3>(0, 0) = 2.0 * w * R_BW_;
  W.block<3, 3>(0, 6) = -2.0 * w * R_BW_;
  W.block<3, 3>(0, 3) = skew(d_ + dq_.head<3>()) - w * skew(b_);
  const Matrix3d mixed = square_mixed_derivative(theta, rate), half = 0.5 * skew(rate);
  W.block<3, 3>(3, 3) = Q_ * G_.block<3, 3>(3, 3) - mixed + half;
  W.block<3, 3>(3, 9) = Q_ * G_.block<3, 3>(3, 9) + mixed + half;
  return W;
}

RelativeMotion::Matrix12 RelativeMotion::geometric_stiffness(const Vector6& f) const {
  const Vector3d force = f.head<3>(), moment = f.tail<3>(), theta = q_.tail<3>();
  Matrix12 H = Matrix12::Zero();
  // G^T f = [-R_B f; -b x f; R_B f; 0] + [0; -T^-1 m; 0; T^-T m]
  const Matrix3d turned = R_BW_.transpose() * skew(force);
  H.block<3, 3>(0, 3) = turned;
  H.block<3, 3>(6, 3) = -turned;
  H.middleRows<3>(3) = skew(force) * G_.topRows<3>();
  const Matrix3d symmetric = square_derivative(theta, moment), half = 0.5 * skew(moment);
  H.middleRows<3>(3) -= (symmetric - half) * G_.bottomRows<3>();
  H.middleRows<3>(9) += (symmetric + half) * G_.bottomRows<3>();
  return H;
}

}  // namespace solidyn::bodies
