#include "solidyn/joints/primitives.h"

#include <cmath>

#include "solidyn/math/rotation.h"

namespace solidyn::joints {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::skew;

constexpr double kPi = 3.14159265358979323846;

// cos and sin of the angle of B's x axis about A's z axis, with the dot products they come from.
const AxesDot& cos_dot() {
  static const AxesDot dot(Vector3d::UnitX(), Vector3d::UnitX());
  return dot;
}
const AxesDot& sin_dot() {
  static const AxesDot dot(Vector3d::UnitY(), Vector3d::UnitX());
  return dot;
}

}  // namespace

PrimitiveValue PointAlongWorldAxis::value(const FramePair& f, double) const {
  PrimitiveValue r;
  r.phi = f.B.p[axis_] - f.A.p[axis_];
  r.J[axis_] = -1.0;
  r.J[6 + axis_] = 1.0;
  return r;
}

PrimitiveValue PointAlongFrameAxis::value(const FramePair& f, double) const {
  const Vector3d d = f.B.p - f.A.p, n = f.A.R * n_, d_A = f.A.R.transpose() * d;
  PrimitiveValue r;
  r.phi = n.dot(d);
  r.J.segment<3>(0) = -n.transpose();
  r.J.segment<3>(3) = n_.cross(d_A).transpose();
  r.J.segment<3>(6) = n.transpose();
  return r;
}

double PointAlongFrameAxis::gamma(const FramePair& f, double) const {
  const Vector3d d = f.B.p - f.A.p, dd = f.B.v - f.A.v;
  const Vector3d rate = f.A.w.cross(n_);
  return -2.0 * (f.A.R * rate).dot(dd) - (f.A.R * f.A.w.cross(rate)).dot(d);
}

void PointAlongFrameAxis::add_stiffness(const FramePair& f, double, double lambda,
                                        Matrix12& K) const {
  const Matrix3d Rn = lambda * f.A.R * skew(n_);
  const Vector3d d_A = f.A.R.transpose() * (f.B.p - f.A.p);
  const Matrix3d nRt = lambda * skew(n_) * f.A.R.transpose();
  K.block<3, 3>(0, 3) += Rn;
  K.block<3, 3>(6, 3) -= Rn;
  K.block<3, 3>(3, 0) -= nRt;
  K.block<3, 3>(3, 6) += nRt;
  K.block<3, 3>(3, 3) += lambda * skew(n_) * skew(d_A);
}

PrimitiveValue AxesDot::value(const FramePair& f, double) const {
  const Vector3d u = f.A.R * a_, w = f.B.R * b_;
  PrimitiveValue r;
  r.phi = u.dot(w) - c_;
  r.J.segment<3>(3) = a_.cross(f.A.R.transpose() * w).transpose();
  r.J.segment<3>(9) = b_.cross(f.B.R.transpose() * u).transpose();
  return r;
}

double AxesDot::gamma(const FramePair& f, double) const {
  const Vector3d da = f.A.w.cross(a_), db = f.B.w.cross(b_);
  return -(f.A.R * f.A.w.cross(da)).dot(f.B.R * b_) - 2.0 * (f.A.R * da).dot(f.B.R * db) -
         (f.A.R * a_).dot(f.B.R * f.B.w.cross(db));
}

void AxesDot::add_stiffness(const FramePair& f, double, double lambda, Matrix12& K) const {
  const Matrix3d R_AB = f.A.R.transpose() * f.B.R;
  const Matrix3d a = skew(a_), b = skew(b_);
  K.block<3, 3>(3, 3) += lambda * a * skew(R_AB * b_);
  K.block<3, 3>(3, 9) -= lambda * a * R_AB * b;
  K.block<3, 3>(9, 9) += lambda * b * skew(R_AB.transpose() * a_);
  K.block<3, 3>(9, 3) -= lambda * b * R_AB.transpose() * a;
}

PrimitiveValue DrivenAngle::value(const FramePair& f, double t) const {
  const PrimitiveValue c = cos_dot().value(f, t), s = sin_dot().value(f, t);
  PrimitiveValue r;
  r.phi = std::remainder(std::atan2(s.phi, c.phi) - angle_.value(t), 2.0 * kPi);
  r.J = (c.phi * s.J - s.phi * c.J) / (c.phi * c.phi + s.phi * s.phi);
  return r;
}

double DrivenAngle::gamma(const FramePair& f, double t) const {
  const PrimitiveValue c = cos_dot().value(f, t), s = sin_dot().value(f, t);
  const Eigen::Matrix<double, 12, 1> v = f.twist();
  const double dc = c.J * v, ds = s.J * v, rho = c.phi * c.phi + s.phi * s.phi;
  const double rate = (c.phi * ds - s.phi * dc) / rho;
  const double bias = (c.phi * -sin_dot().gamma(f, t) - s.phi * -cos_dot().gamma(f, t)) / rho -
                      2.0 * rate * (c.phi * dc + s.phi * ds) / rho;
  return angle_.second_derivative(t) - bias;
}

void DrivenAngle::add_stiffness(const FramePair& f, double t, double lambda, Matrix12& K) const {
  const PrimitiveValue c = cos_dot().value(f, t), s = sin_dot().value(f, t);
  const double rho = c.phi * c.phi + s.phi * s.phi;
  sin_dot().add_stiffness(f, t, lambda * c.phi / rho, K);
  cos_dot().add_stiffness(f, t, -lambda * s.phi / rho, K);
  const Row12 J = (c.phi * s.J - s.phi * c.J) / rho;
  K += lambda / rho * (s.J.transpose() * c.J - c.J.transpose() * s.J);
  K -= 2.0 * lambda / rho * J.transpose() * (c.phi * c.J + s.phi * s.J);
}

}  // namespace solidyn::joints
