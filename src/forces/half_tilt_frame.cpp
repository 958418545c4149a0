#include "solidyn/forces/half_tilt_frame.h"

#include <cmath>
#include <unsupported/Eigen/AutoDiff>

#include "solidyn/base/error.h"
#include "solidyn/bodies/pair_coordinates.h"
#include "solidyn/math/rotation.h"

namespace solidyn::forces {

using bodies::Matrix12;
using bodies::Vector12;
using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

template <class S>
using Vec3 = Eigen::Matrix<S, 3, 1>;
template <class S>
using Mat3 = Eigen::Matrix<S, 3, 3>;

// Numbers with their derivatives by [d = p_WB - p_WA; theta_A; theta_B].
using Dual = Eigen::AutoDiffScalar<Eigen::Matrix<double, 9, 1>>;

// Written out: products of Dual numbers are no numbers before they are assigned.
template <class S>
Mat3<S> cross_matrix(const Vec3<S>& v) {
  Mat3<S> m;
  const S zero(0.0);
  m << zero, -v[2], v[1], v[2], zero, -v[0], -v[1], v[0], zero;
  return m;
}

// F = beta/sin(beta) by z = sin^2(beta/2), and dF/dz. F is 2F1(1, 1; 3/2; z).
template <class S>
struct AngleOverSine {
  explicit AngleOverSine(const S& z) : value(0.0), slope(0.0) {
    constexpr double kSeries = 0.05;  // the terms left out are below 1e-16
    constexpr int kTerms = 13;
    if (z < kSeries) {
      double a[kTerms] = {1.0};
      for (int n = 1; n < kTerms; ++n) a[n] = a[n - 1] * n / (n + 0.5);
      for (int n = kTerms - 1; n >= 0; --n) value = value * z + S(a[n]);
      for (int n = kTerms - 1; n >= 1; --n) slope = slope * z + S(n * a[n]);
      return;
    }
    using std::asin;
    using std::sqrt;
    const S left = S(1.0) - z, square = z * left, cosine = left - z;
    const S root = sqrt(z), half_sine = sqrt(square), half_angle = asin(root);
    value = half_angle / half_sine;
    const S rest = S(1.0) - S(cosine * value);
    slope = rest / S(S(2.0) * square);
  }
  S value, slope;
};

// What half a tilt E = exp(tau/2) and the rates of tilt and turn are, all in A's axes, by the
// relative rotation C and with omega, the angular velocity of B relative to A.
template <class S>
struct HalfTilt {
  HalfTilt(const Mat3<S>& C, int axis) {
    const Mat3<S> one = Mat3<S>::Identity();
    if (axis < 0) {
      E = rates = one;
      lambda.setZero();
      tau.setZero();
      return;
    }
    const Vec3<S> e = Vector3d::Unit(axis).template cast<S>();
    const Mat3<S> e_cross = cross_matrix<S>(e);
    const Vec3<S> c = C.col(axis), sum = e + c, across = e_cross * c;
    using std::sqrt;
    const S one_plus_cosine = S(1.0) + c[axis], length = sqrt(S(S(2.0) * one_plus_cosine));
    const Vec3<S> m = sum / length, v = e_cross * m;
    const S beside = S(1.0) + m[axis];
    const Mat3<S> V = cross_matrix<S>(v), W = cross_matrix<S>(c), m_cross = cross_matrix<S>(m);
    const Mat3<S> V_squared = V * V, along = m * e.transpose();
    E = one + V + V_squared / beside;
    const Mat3<S> of_turn = one - along / beside, of_m = m_cross * W;
    const Mat3<S> product = of_turn * of_m;
    lambda = -product / length;
    const S z = S(0.5) * S(S(1.0) - c[axis]);
    const AngleOverSine<S> F(z);
    tau = F.value * across;
    const S half_slope = S(0.5) * F.slope;
    const Mat3<S> outer = across * e.transpose(), turning = e * sum.transpose();
    const Mat3<S> tau_by_c = F.value * e_cross - half_slope * outer;
    const Mat3<S> tilting = tau_by_c * W;
    rates = turning / one_plus_cosine - tilting;
  }
  Mat3<S> E;
  Mat3<S> lambda;  // E turns by lambda omega
  Mat3<S> rates;   // d(tau + psi e)/dt = rates omega
  Vec3<S> tau;
};

template <class S>
struct PairNumbers {
  Mat3<S> R_WA, C;
  Vec3<S> d;
};

PairNumbers<Dual> with_derivatives(const Matrix3d& R_WA, const Matrix3d& C, const Vector3d& d) {
  Vec3<Dual> d_dual, a, b;
  for (int i = 0; i < 3; ++i) {
    d_dual[i] = Dual(d[i], 9, i);
    a[i] = Dual(0.0, 9, 3 + i);
    b[i] = Dual(0.0, 9, 6 + i);
  }
  const Mat3<Dual> one = Mat3<Dual>::Identity();
  const Mat3<Dual> turn_A = one + cross_matrix<Dual>(a), turn_B = one + cross_matrix<Dual>(b);
  return {R_WA.cast<Dual>() * turn_A, turn_A.transpose() * C.cast<Dual>() * turn_B, d_dual};
}

// By the twelve variations of a pair; of p_A it is minus that of p_B.
template <int n>
Eigen::Matrix<double, n, 12> by_variations(const Eigen::Matrix<Dual, n, 1>& y) {
  Eigen::Matrix<double, n, 12> K;
  for (int i = 0; i < n; ++i) {
    const Eigen::Matrix<double, 9, 1>& by = y[i].derivatives();
    K.row(i) << -by.head<3>().transpose(), by.segment<3>(3).transpose(), by.head<3>().transpose(),
        by.tail<3>().transpose();
  }
  return K;
}

void require_tilt(const Matrix3d& C, int axis) {
  constexpr double kLargest = 175.0 / 180.0 * M_PI;
  if (C(axis, axis) < std::cos(kLargest))
    throw base::ComputationError(
        "a bushing is tilted by more than 175 degrees from its reference axis");
}

}  // namespace

HalfTiltFrame::HalfTiltFrame(const bodies::FramePair& f, int axis)
    : axis_(axis), R_WA_(f.A.R), C_(f.A.R.transpose() * f.B.R), d_(f.B.p - f.A.p) {
  require_tilt(C_, axis);
  set_rates();
  q_[3 + axis] += bodies::twist_angle(axis).value(f).value;
}

HalfTiltFrame::HalfTiltFrame(const bodies::FramePair& f)
    : R_WA_(f.A.R), C_(f.A.R.transpose() * f.B.R), d_(f.B.p - f.A.p) {
  set_rates();
  q_.tail<3>() = math::log_rotation(C_);
}

void HalfTiltFrame::set_rates() {
  const HalfTilt<double> h(C_, axis_);
  const Matrix3d to_M = (R_WA_ * h.E).transpose(), E_T = h.E.transpose();
  const Vector3d u = to_M * d_;
  q_ << u, h.tau;
  G_.setZero();
  G_.block<3, 3>(0, 0) = -to_M;
  G_.block<3, 3>(0, 3) = math::skew(u) * E_T * (Matrix3d::Identity() - h.lambda);
  G_.block<3, 3>(0, 6) = to_M;
  G_.block<3, 3>(0, 9) = math::skew(u) * E_T * h.lambda * C_;
  G_.block<3, 3>(3, 3) = -h.rates;
  G_.block<3, 3>(3, 9) = h.rates * C_;
}

// With f = [F; M] and t = E (F x u), the moment of F: G^T f has on p_B the force R_WA E F, on
// theta_B C^T s, on theta_A t - s, where s = lambda^T t + rates^T M works on omega.
Matrix12 HalfTiltFrame::geometric_stiffness(const Vector6& f) const {
  const PairNumbers<Dual> p = with_derivatives(R_WA_, C_, d_);
  const HalfTilt<Dual> h(p.C, axis_);
  const Vec3<Dual> F = f.head<3>().cast<Dual>(), M = f.tail<3>().cast<Dual>();
  const Vec3<Dual> EF = h.E * F;
  const Vec3<Dual> force = p.R_WA * EF;
  const Vec3<Dual> d_A = p.R_WA.transpose() * p.d;
  const Vec3<Dual> t = cross_matrix<Dual>(EF) * d_A;
  const Vec3<Dual> s = h.lambda.transpose() * t + h.rates.transpose() * M;
  const Vec3<Dual> on_A = t - s, on_B = p.C.transpose() * s;
  Eigen::Matrix<Dual, 12, 1> all;
  all << -force, on_A, force, on_B;
  return by_variations<12>(all);
}

HalfTiltFrame::Block HalfTiltFrame::rate_stiffness(const Vector12& twist) const {
  const PairNumbers<Dual> p = with_derivatives(R_WA_, C_, d_);
  const HalfTilt<Dual> h(p.C, axis_);
  const Vector3d relative = twist.segment<3>(6) - twist.head<3>();
  const Vec3<Dual> dd = relative.cast<Dual>(), w_A = twist.segment<3>(3).cast<Dual>(),
                   w_B = twist.tail<3>().cast<Dual>();
  const Vec3<Dual> omega = p.C * w_B - w_A;
  const Vec3<Dual> turn_M = w_A + h.lambda * omega;
  const Vec3<Dual> dd_A = p.R_WA.transpose() * dd, d_A = p.R_WA.transpose() * p.d;
  const Vec3<Dual> in_A = dd_A + cross_matrix<Dual>(d_A) * turn_M;
  const Vec3<Dual> du = h.E.transpose() * in_A, turns = h.rates * omega;
  Eigen::Matrix<Dual, 6, 1> all;
  all << du, turns;
  return by_variations<6>(all);
}

}  // namespace solidyn::forces
