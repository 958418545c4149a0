#include "solidyn/beams/section_pair.h"

#include "solidyn/math/rotation.h"

namespace solidyn::beams {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::skew;

SectionPair::SectionPair(const SectionMotion& p, const SectionMotion& q)
    : R_W(p.R), D(p.R.transpose() * (q.p - p.p)), Q(p.R.transpose() * q.R) {}

Matrix6x12 SectionPair::increments() const {
  Matrix6x12 B = Matrix6x12::Zero();
  B.topLeftCorner<3, 3>() = -R_W.transpose();
  B.block<3, 3>(0, 3) = skew(D);
  B.block<3, 3>(0, 6) = R_W.transpose();
  B.block<3, 3>(3, 3) = -Q.transpose();
  B.bottomRightCorner<3, 3>().setIdentity();
  return B;
}

Vector6 SectionPair::rates(const SectionMotion& p, const SectionMotion& q) const {
  Vector6 rates;
  rates << R_W.transpose() * (q.v - p.v) + D.cross(p.w), q.w - Q.transpose() * p.w;
  return rates;
}

Matrix6x12 SectionPair::rate_stiffness(const SectionMotion& p, const SectionMotion& q) const {
  const Matrix6x12 B = increments();
  Matrix6x12 K;
  const Vector3d apart = R_W.transpose() * (q.v - p.v), spin = Q.transpose() * p.w;
  K.topRows<3>() = -skew(p.w) * B.topRows<3>();
  K.block<3, 3>(0, 3) += skew(apart);
  K.bottomRows<3>() = -skew(spin) * B.bottomRows<3>();
  return K;
}

Vector12 SectionPair::forces(const Vector6& gradient) const {
  const Vector3d n = gradient.head<3>(), m = gradient.tail<3>();
  const Vector3d force = R_W * n;
  Vector12 r;
  r << -force, n.cross(D) - Q * m, force, m;
  return r;
}

Matrix12 SectionPair::stiffness(const Vector6& gradient, const Matrix6& H) const {
  const Matrix6x12 B = increments();
  Matrix12 K = B.transpose() * (H * B);
  const Matrix3d n = skew(gradient.head<3>());
  const Matrix3d turned = R_W * n;
  K.block<3, 3>(0, 3) += turned;
  K.block<3, 3>(6, 3) -= turned;
  K.middleRows<3>(3) += n * B.topRows<3>();
  K.middleRows<3>(3) += Q * skew(gradient.tail<3>()) * B.bottomRows<3>();
  return K;
}

Eigen::Vector4d quaternion_of(const Matrix3d& R) {
  const Eigen::Quaterniond q(R);
  const double sign = q.w() < 0.0 ? -1.0 : 1.0;
  return sign * Eigen::Vector4d(q.w(), q.x(), q.y(), q.z());
}

}  // namespace solidyn::beams
