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

Matrix6x12 SectionPair::by_sections(const Matrix6& H) const {
  const auto by_D = H.leftCols<3>(), by_psi = H.rightCols<3>();
  Matrix6x12 X;
  X.middleCols<3>(6) = by_D.lazyProduct(R_W.transpose());
  X.leftCols<3>() = -X.middleCols<3>(6);
  X.middleCols<3>(3) = by_D.lazyProduct(skew(D)) - by_psi.lazyProduct(Q.transpose());
  X.rightCols<3>() = by_psi;
  return X;
}

Matrix12 SectionPair::on_sections(const Matrix6x12& X) const {
  const auto of_D = X.topRows<3>(), of_psi = X.bottomRows<3>();
  Matrix12 K;
  K.middleRows<3>(6) = R_W.lazyProduct(of_D);
  K.topRows<3>() = -K.middleRows<3>(6);
  K.middleRows<3>(3) = -skew(D).lazyProduct(of_D) - Q.lazyProduct(of_psi);
  K.bottomRows<3>() = of_psi;
  return K;
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
  K.topRows<3>() = -skew(p.w).lazyProduct(B.topRows<3>());
  K.block<3, 3>(0, 3) += skew(apart);
  K.bottomRows<3>() = -skew(spin).lazyProduct(B.bottomRows<3>());
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
  Matrix12 K = on_sections(by_sections(H));
  const Matrix3d n = skew(gradient.head<3>());
  const Matrix3d turned = R_W * n;
  K.block<3, 3>(0, 3) += turned;
  K.block<3, 3>(6, 3) -= turned;
  const Matrix3d m = Q * skew(gradient.tail<3>());
  K.middleRows<3>(3) += n.lazyProduct(B.topRows<3>()) + m.lazyProduct(B.bottomRows<3>());
  return K;
}

Eigen::Vector4d quaternion_of(const Matrix3d& R) {
  const Eigen::Quaterniond q(R);
  const double sign = q.w() < 0.0 ? -1.0 : 1.0;
  return sign * Eigen::Vector4d(q.w(), q.x(), q.y(), q.z());
}

}  // namespace solidyn::beams
