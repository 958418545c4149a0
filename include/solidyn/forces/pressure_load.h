#pragma once
#include "solidyn/forces/frame_load.h"
#include "solidyn/reduction/load_rows.h"

namespace solidyn::forces {

/// A pressure p(t) on faces of a body with a frame of its own. The nodal forces are those of the
/// undeformed faces and turn with the frame; they act where the nodes are. On the velocities
/// [v in W; w in B; dq] of the body, with a = p amount and the rows of reduction::LoadRows,
///   Q = a [R force; moment + rows_0..2 q + 1/2 q^T Y_0..2 q; rows_3^T + Y_3 q]
/// A function of the positions that is no gradient: its work counts as power, it stores no energy.
/// Local. Proved by PressureLoadOn.*. doc/theory/loads.md.
class PressureLoad final : public Force {
 public:
  /// @param body that carries the faces, with as many elastic coordinates as the load has columns
  /// @param pressure Pa, against the outward normal
  PressureLoad(std::string name, bodies::BodyIndex body, reduction::LoadRows load,
               math::TimeFunction pressure);

  bool is_given_in_time() const override { return true; }
  void add_residual(const bodies::Kinematics& kinematics, double t,
                    Eigen::Ref<Eigen::VectorXd> r) const override;
  void add_tangent(const bodies::Kinematics& kinematics, double t,
                   const bodies::TangentCoefficients& c, Eigen::Ref<Eigen::MatrixXd> J_rate,
                   Eigen::Ref<Eigen::MatrixXd> J_q) const override;
  double power(const bodies::Kinematics& kinematics, double t) const override;

 private:
  Eigen::VectorXd generalized_force(const bodies::BodyState& body, double t) const;
  Eigen::MatrixXd torque_rows(const Eigen::VectorXd& q) const;

  reduction::LoadRows load_;
  math::TimeFunction pressure_;
};

}  // namespace solidyn::forces
