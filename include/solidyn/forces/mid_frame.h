#pragma once
#include "solidyn/bodies/frame_pair.h"

namespace solidyn::forces {

/// Displacement and rotation of frame B relative to A, measured halfway between the two:
///   q = [u; theta],  theta = log(R_WA^T R_WB),  R_WM = R_WA exp(theta/2),
///   u = R_WM^T (p_WB - p_WA)                                doc/theory/forces.md
/// A rigid motion of both leaves q as it is, and with A and B exchanged q is -q: a law q -> force
/// balances its momenta by itself and prefers none of the two frames. Proved by
/// Bushing.PrefersNoneOfTheTwoFrames.
class MidFrame {
 public:
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  using Block = Eigen::Matrix<double, 6, 12>;

  /// @throws base::ComputationError when B is turned by more than 175 degrees, where theta is about
  /// to change its sign
  explicit MidFrame(const bodies::FramePair& f);

  const Vector6& q() const { return q_; }
  const Block& G() const { return G_; }  ///< dq/dt = G twist; also the derivative of q
  /// d(G^T f)/d(position) for constant f.
  bodies::Matrix12 geometric_stiffness(const Vector6& f) const;
  /// d(G twist)/d(position) for a constant twist.
  Block rate_stiffness(const bodies::Vector12& twist) const;

 private:
  Eigen::Matrix3d turn_derivative(const Eigen::Vector3d& c) const;

  Vector6 q_;
  Block G_;
  Eigen::Matrix3d R_WM_, half_A_, half_B_;  // M's increment by those of A and B
  Eigen::Matrix3d T_inverse_;               // of theta
  double tau_, dtau_;                       // tan(|theta|/4)/|theta|; its derivative by |theta|^2/2
};

}  // namespace solidyn::forces
