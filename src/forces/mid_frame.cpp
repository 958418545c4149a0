#include "solidyn/forces/mid_frame.h"

#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/math/rotation.h"

namespace solidyn::forces {

using bodies::Matrix12;
using bodies::Vector12;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::skew;

MidFrame::MidFrame(const bodies::FramePair& f) {
  constexpr double kLargest = 175.0 / 180.0 * M_PI;
  constexpr double kSeries = 1e-2;  // the terms left out are below 1e-13
  const Vector3d theta = math::log_rotation(Matrix3d(f.A.R.transpose() * f.B.R));
  const double angle = theta.norm(), square = angle * angle;
  if (angle > kLargest)
    throw base::ComputationError(
        "a bushing that resists all rotations is rotated by more than 175 degrees; with zero stiffness about an axis it rotates freely about it, and a torsional_spring_damper counts turns");
  if (angle < kSeries) {
    tau_ = 0.25 + square / 192.0 + square * square / 7680.0;
    dtau_ = 1.0 / 96.0 + square / 1920.0;
  } else {
    const double tangent = std::tan(0.25 * angle);
    tau_ = tangent / angle;
    dtau_ = (0.25 * (1.0 + tangent * tangent) - tau_) / square;
  }
  half_A_ = 0.5 * (Matrix3d::Identity() - tau_ * skew(theta));
  half_B_ = half_A_.transpose();
  T_inverse_ = math::right_tangent_inverse(theta);
  R_WM_ = f.A.R * math::exp_rotation(0.5 * theta);
  const Vector3d u = R_WM_.transpose() * (f.B.p - f.A.p);
  q_ << u, theta;
  G_.setZero();
  G_.block<3, 3>(0, 0) = -R_WM_.transpose();
  G_.block<3, 3>(0, 3) = skew(u) * half_A_;
  G_.block<3, 3>(0, 6) = R_WM_.transpose();
  G_.block<3, 3>(0, 9) = skew(u) * half_B_;
  G_.block<3, 3>(3, 3) = -T_inverse_.transpose();
  G_.block<3, 3>(3, 9) = T_inverse_;
}

// d(half_B c)/dtheta; d(half_A c)/dtheta is its negative.
Matrix3d MidFrame::turn_derivative(const Vector3d& c) const {
  const Vector3d theta = q_.tail<3>();
  return 0.5 * (dtau_ * theta.cross(c) * theta.transpose() - tau_ * skew(c));
}

// G^T f = [-R F; -half_B (u x F) - T^-1 M; R F; -half_A (u x F) + T^-T M], f = [F; M].
Matrix12 MidFrame::geometric_stiffness(const Vector6& f) const {
  using Rows = Eigen::Matrix<double, 3, 12>;
  const Vector3d F = f.head<3>(), M = f.tail<3>(), u = q_.head<3>(), theta = q_.tail<3>();
  const auto du = G_.topRows<3>(), dtheta = G_.bottomRows<3>();
  Rows turn = Rows::Zero();  // of M
  turn.middleCols<3>(3) = half_A_;
  turn.middleCols<3>(9) = half_B_;
  const Vector3d c = u.cross(F);
  const Rows d_force = -R_WM_ * skew(F) * turn, dc = -skew(F) * du;
  const Rows d_turn = turn_derivative(c) * dtheta;
  const Matrix3d T_inverse_T = T_inverse_.transpose();
  const Matrix3d by_A = -T_inverse_ * math::right_tangent_derivative(theta, T_inverse_ * M);
  const Matrix3d by_B =
      -T_inverse_T * math::right_tangent_transpose_derivative(theta, T_inverse_T * M);
  Matrix12 K;
  K.middleRows<3>(0) = -d_force;
  K.middleRows<3>(3) = -half_B_ * dc - d_turn - by_A * dtheta;
  K.middleRows<3>(6) = d_force;
  K.middleRows<3>(9) = -half_A_ * dc + d_turn + by_B * dtheta;
  return K;
}

MidFrame::Block MidFrame::rate_stiffness(const Vector12& twist) const {
  using Rows = Eigen::Matrix<double, 3, 12>;
  const Vector3d w_A = twist.segment<3>(3), w_B = twist.tail<3>();
  const Vector3d u = q_.head<3>(), theta = q_.tail<3>();
  const Vector3d dv = R_WM_.transpose() * (twist.segment<3>(6) - twist.head<3>());
  const auto du = G_.topRows<3>(), dtheta = G_.bottomRows<3>();
  Rows turn = Rows::Zero();
  turn.middleCols<3>(3) = half_A_;
  turn.middleCols<3>(9) = half_B_;
  const Matrix3d T_inverse_T = T_inverse_.transpose();
  const Matrix3d by_theta =
      -T_inverse_ * math::right_tangent_derivative(theta, T_inverse_ * w_B) +
      T_inverse_T * math::right_tangent_transpose_derivative(theta, T_inverse_T * w_A);
  Block K;
  K.topRows<3>() = skew(dv) * turn - skew(half_A_ * w_A + half_B_ * w_B) * du +
                   skew(u) * turn_derivative(w_B - w_A) * dtheta;
  K.bottomRows<3>() = by_theta * dtheta;
  return K;
}

}  // namespace solidyn::forces
