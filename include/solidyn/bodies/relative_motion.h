#pragma once
#include <Eigen/Dense>

namespace solidyn::bodies {

using Vector6 = Eigen::Matrix<double, 6, 1>;

/// A frame with its rates: p, v, a in W; w and dw, angular velocity and acceleration, in its axes.
struct RigidMotion {
  Eigen::Vector3d p = Eigen::Vector3d::Zero();
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  Eigen::Vector3d v = Eigen::Vector3d::Zero(), w = Eigen::Vector3d::Zero();
  Eigen::Vector3d a = Eigen::Vector3d::Zero(), dw = Eigen::Vector3d::Zero();
};

/// Displacement and rotation of a frame K seen from a floating frame B, small where the body
/// deforms little, whatever the motion of both:
///   q = [u; theta],  u = R_WB^T (p_WK - p_WB) - x_B,  theta = log(R_WB^T R_WK),
/// with first and second time derivatives and all derivatives that a tangent needs. Columns are
/// increments or rates of both frames, [B: dp (W), dtheta (B); K: dp (W), dtheta (K)], which for
/// rotations are right increments (math/rotation.h). The rates of theta are exact,
///   dtheta/dt = T^-1(theta) w_WK - T^-T(theta) w_WB,
/// and not the relative angular velocity, from which they differ by the order of theta.
/// Proved by RelativeMotion.*. Local, no allocation.
class RelativeMotion {
 public:
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  using Matrix12 = Eigen::Matrix<double, 12, 12>;
  using Block = Eigen::Matrix<double, 6, 12>;

  /// q and G of the two positions. @pre the angle between K and B is below pi
  void set_positions(const RigidMotion& B, const RigidMotion& K, const Eigen::Vector3d& x_B);
  /// dq and the part of ddq without accelerations; set_positions() came before.
  void set_velocities(const RigidMotion& B, const RigidMotion& K);

  const Vector6& q() const { return q_; }
  const Vector6& dq() const { return dq_; }
  /// ddq = G [accelerations of B; of K] + bias.
  const Vector6& bias() const { return bias_; }
  /// dq = G [rates of B; of K], also the derivative of q.
  const Block& G() const { return G_; }

  /// d(dq)/d(positions) at constant rates.
  Block rate_stiffness() const;
  /// d(ddq)/d(positions) at constant rates and accelerations.
  Block acceleration_stiffness(const RigidMotion& B, const RigidMotion& K) const;
  /// d(ddq)/d(rates) at constant positions and accelerations.
  Block acceleration_damping() const;
  /// d(G^T f)/d(positions) for constant f, [force; moment] conjugate to q.
  Matrix12 geometric_stiffness(const Vector6& f) const;

 private:
  Vector6 q_ = Vector6::Zero(), dq_ = Vector6::Zero(), bias_ = Vector6::Zero();
  Block G_ = Block::Zero();
  Eigen::Matrix3d R_BW_;
  Eigen::Matrix3d Q_;                 // d(dtheta)/d(theta)
  Eigen::Vector3d b_, d_, w_B_;       // deformed position and relative velocity of K's origin, in B
  Eigen::Vector3d difference_, sum_;  // w_K - w_B, w_K + w_B, each in its own axes
};

}  // namespace solidyn::bodies
