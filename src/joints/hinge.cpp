#include "solidyn/joints/hinge.h"

#include <cmath>

#include "solidyn/math/rotation.h"

namespace solidyn::joints {

using Eigen::Map;
using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

namespace {

Quaterniond quaternion_at(const double* q) { return {q[0], q[1], q[2], q[3]}; }

}  // namespace

Hinge::Hinge(Kind kind) : kind_(kind) {
  switch (kind) {
    case Kind::fixed:
      break;
    case Kind::revolute:
    case Kind::screw:
      n_rotations_ = 1;
      break;
    case Kind::prismatic:
      n_translations_ = 1;
      break;
    case Kind::cylindrical:
      n_translations_ = n_rotations_ = 1;
      break;
    case Kind::universal:
    case Kind::constant_velocity:
      n_rotations_ = 2;
      break;
    case Kind::planar:
      n_translations_ = 2, n_rotations_ = 1;
      break;
    case Kind::spherical:
      n_rotations_ = 3;
      break;
    case Kind::point_on_line:
      n_translations_ = 1, n_rotations_ = 3;
      break;
    case Kind::orientation:
      n_translations_ = 3;
      break;
    case Kind::parallel_axes:
      n_translations_ = 3, n_rotations_ = 1;
      break;
    case Kind::free:
      n_translations_ = n_rotations_ = 3;
      break;
  }
  if (n_translations_ == 1) first_axis_ = 2;
}

Hinge Hinge::screw(double pitch) {
  Hinge hinge(Kind::screw);
  hinge.advance_ = pitch / (2.0 * M_PI);
  return hinge;
}

void Hinge::compute_translation(const double* q, HingeMotion& m) const {
  m.p.setZero();
  for (int i = 0; i < n_translations_; ++i) {
    m.p[first_axis_ + i] = q[i];
    m.H(first_axis_ + i, i) = 1.0;
  }
}

// w_AB in A's axes is that in B's axes turned by R. Its own rate R (w x w) is zero, so that free
// rotations have no bias in either.
void Hinge::compute_rotation(const double* q, const double* u, HingeMotion& m) const {
  const int at = n_translations_;
  if (n_rotations_ == 3) {
    m.R = quaternion_at(q).normalized().toRotationMatrix();
    if (turn_axes_ == TurnAxes::A)
      m.H.bottomRightCorner<3, 3>().setIdentity();
    else
      m.H.bottomRightCorner<3, 3>() = m.R;
    return;
  }
  if (n_rotations_ == 1) {
    const double c = std::cos(q[0]), s = std::sin(q[0]);
    m.R << c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0;
    m.H(5, at) = 1.0;
    return;
  }
  if (kind_ == Kind::universal) {
    const double c1 = std::cos(q[0]), s1 = std::sin(q[0]), c2 = std::cos(q[1]), s2 = std::sin(q[1]);
    m.R << c2, 0.0, s2, s1 * s2, c1, -s1 * c2, -c1 * s2, s1, c1 * c2;
    m.H(3, 0) = 1.0;
    m.H.bottomRightCorner<3, 1>() << 0.0, c1, s1;
    m.bias.tail<3>() = u[0] * u[1] * Vector3d(0.0, -s1, c1);
    return;
  }
  // exp(theta): w_AB in A's axes is T(-theta) dtheta/dt.
  const Vector3d theta(q[0], q[1], 0.0), rate(u[0], u[1], 0.0);
  m.R = math::exp_rotation(theta);
  m.H.bottomRows<3>() = math::right_tangent(-theta).leftCols<2>();
  m.bias.tail<3>() = -math::right_tangent_derivative(-theta, rate) * rate;
}

void Hinge::compute(const double* q, const double* u, HingeMotion& m) const {
  m.H.setZero(6, n_speeds());
  m.bias.setZero();
  compute_translation(q, m);
  if (n_rotations_ == 0)
    m.R.setIdentity();
  else
    compute_rotation(q + n_translations_, u + n_translations_, m);
  if (kind_ != Kind::screw) return;
  m.p.z() = advance_ * q[0];
  m.H(2, 0) = advance_;
}

void Hinge::find_coordinates(const Vector3d& p, const Matrix3d& R, double* q) const {
  for (int i = 0; i < n_translations_; ++i) q[i] = p[first_axis_ + i];
  double* turn = q + n_translations_;
  if (kind_ == Kind::screw && advance_ != 0.0) {
    turn[0] = p.z() / advance_;  // with its whole turns
  } else if (n_rotations_ == 1) {
    turn[0] = std::atan2(R(1, 0) - R(0, 1), R(0, 0) + R(1, 1));
  } else if (kind_ == Kind::universal) {
    turn[0] = std::atan2(R(2, 1), R(1, 1));
    turn[1] = std::atan2(R(0, 2), R(0, 0));
  } else if (kind_ == Kind::constant_velocity) {
    Map<Eigen::Vector2d>(turn, 2) = math::log_rotation(R).head<2>();
  } else if (n_rotations_ == 3) {
    const Quaterniond Q(R);
    Map<Eigen::Vector4d>(turn, 4) << Q.w(), Q.vec();
  }
}

void Hinge::compute_rates(const double* q, const double* u, double* rates) const {
  const int n = turns_freely() ? n_translations_ : n_speeds();
  for (int i = 0; i < n; ++i) rates[i] = u[i];
  if (!turns_freely()) return;
  const double w = q[n];
  const Map<const Vector3d> e(q + n + 1), omega(u + n);
  rates[n] = -0.5 * e.dot(omega);
  Map<Vector3d>(rates + n + 1) = 0.5 * (w * omega + turn_sign() * e.cross(omega));
}

void Hinge::advance(const double* increment, double* q) const {
  const int n = turns_freely() ? n_translations_ : n_speeds();
  for (int i = 0; i < n; ++i) q[i] += increment[i];
  if (!turns_freely()) return;
  const Quaterniond before = quaternion_at(q + n),
                    turn = math::exp_quaternion(Map<const Vector3d>(increment + n));
  const Quaterniond Q = (turn_axes_ == TurnAxes::A ? turn * before : before * turn).normalized();
  Map<Eigen::Vector4d>(q + n, 4) << Q.w(), Q.vec();
}

}  // namespace solidyn::joints
