#pragma once
#include <Eigen/Dense>

namespace solidyn::beams {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Vector12 = Eigen::Matrix<double, 12, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Matrix12 = Eigen::Matrix<double, 12, 12>;
using Matrix6x12 = Eigen::Matrix<double, 6, 12>;

/// Motion of a section S of a beam: its centroid, and axes with x along the beam.
struct SectionMotion {
  Eigen::Vector3d p = Eigen::Vector3d::Zero();      ///< p_WS, m
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();  ///< R_WS
  Eigen::Vector3d v = Eigen::Vector3d::Zero();      ///< v_WS in W, m/s
  Eigen::Vector3d w = Eigen::Vector3d::Zero();      ///< w_WS_S, rad/s
  Eigen::Vector3d a = Eigen::Vector3d::Zero();      ///< dv/dt in W, m/s^2
  Eigen::Vector3d dw = Eigen::Vector3d::Zero();     ///< dw/dt in S, rad/s^2
};

/// The pose of a section q seen from a section p, and how a function of it acts on both. Rates of
/// the two are [v_p in W; w_p in p; v_q in W; w_q in q], and increments alike.
struct SectionPair {
  SectionPair() = default;
  SectionPair(const SectionMotion& p, const SectionMotion& q);

  Eigen::Matrix3d R_W;  ///< of p
  Eigen::Vector3d D;    ///< p_pq in p's axes, m
  Eigen::Matrix3d Q;    ///< R_pq
  /// [dD; psi] of increments of both, Q -> Q exp(psi).
  Matrix6x12 increments() const;
  /// H increments(), and increments()^T X.
  Matrix6x12 by_sections(const Matrix6& H) const;
  Matrix12 on_sections(const Matrix6x12& X) const;
  /// [dD/dt; w of q seen from p, in q], and how it changes with both at constant rates.
  Vector6 rates(const SectionMotion& p, const SectionMotion& q) const;
  Matrix6x12 rate_stiffness(const SectionMotion& p, const SectionMotion& q) const;
  /// Generalised forces on both of a gradient by [dD; psi].
  Vector12 forces(const Vector6& gradient) const;
  /// How forces() of this gradient change with both, of which `H` is the gradient's own change.
  Matrix12 stiffness(const Vector6& gradient, const Matrix6& H) const;
};

/// Quaternion (w, x, y, z) of a rotation, w >= 0.
Eigen::Vector4d quaternion_of(const Eigen::Matrix3d& R);

}  // namespace solidyn::beams
