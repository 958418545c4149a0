#pragma once
#include "solidyn/bodies/frame_pair.h"

namespace solidyn::forces {

/// Displacement, tilt and turn of frame B relative to A, for what turns freely about an axis e that
/// both frames have (the shaft in a bearing):
///   q = [u; tau + psi e],  R_WA^T R_WB = exp(tau) exp(psi e),  tau normal to e,
///   R_WM = R_WA exp(tau/2),  u = R_WM^T (p_WB - p_WA)            doc/theory/forces.md
/// M's axes across e are A's: they stay with the housing while the shaft turns. psi is the turn
/// nearest to the pair's angle (bodies::twist_angle, where the link tracks it), so that it counts
/// whole turns; tau ends at half a turn. Proved by HalfTiltFrame.*.
class HalfTiltFrame {
 public:
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  using Block = Eigen::Matrix<double, 6, 12>;

  /// @param axis 0, 1 or 2: e is that axis of both frames
  /// @throws base::ComputationError when B is tilted by more than 175 degrees
  HalfTiltFrame(const bodies::FramePair& f, int axis);
  /// Without an axis: M is A, the rates of rotation are those of B relative to A in A's axes, and
  /// no angles belong to them: q ends with the rotation vector of R_WA^T R_WB, for display alone.
  explicit HalfTiltFrame(const bodies::FramePair& f);

  const Vector6& q() const { return q_; }
  const Block& G() const { return G_; }  ///< dq/dt = G twist
  /// d(G^T f)/d(position) for constant f.
  bodies::Matrix12 geometric_stiffness(const Vector6& f) const;
  /// d(G twist)/d(position) for a constant twist.
  Block rate_stiffness(const bodies::Vector12& twist) const;

 private:
  void set_rates();

  int axis_ = -1;             // -1: none
  Eigen::Matrix3d R_WA_, C_;  // C: R_WA^T R_WB
  Eigen::Vector3d d_;         // p_WB - p_WA
  Vector6 q_;
  Block G_;
};

}  // namespace solidyn::forces
