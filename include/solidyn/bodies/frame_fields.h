#pragma once
#include "solidyn/bodies/frame.h"

namespace solidyn::bodies {

/// How each elastic coordinate of a body moves one of its frames, as velocity fields: [velocity of
/// what is at B's origin; angular velocity], in B's axes, so that the frame's place is not in them
/// but by what they are. Along a motion q_e, dq_e, ddq_e, by x = [dp/dq; dtheta/dq] of the frame's
/// place p and its axes exp(theta) in B:
///   S = by x,  dS/dt = rate x + by dx,  d2S/dt2 = second x + 2 rate dx + by ddx
struct FrameFields {
  using Columns = Eigen::Matrix<double, 6, Eigen::Dynamic>;
  using Map = Eigen::Matrix<double, 6, 6>;
  Columns x;        ///< [6 x n_elastic]
  Columns dx, ddx;  ///< its rates; no columns where the frame has no terms of second order
  Map by, rate, second;
};

/// @param carrier  its q_e and dq_e are read   @param ddq_e [n_elastic]. Local.
/// Proved by FrameInBody.FieldsAreThoseOfItsMotionAndTheirRates
void compute_fields_in_body(const Frame& frame, const BodyState& carrier,
                            const Eigen::Ref<const Eigen::VectorXd>& ddq_e, FrameFields& fields);

/// Adds d(S^T f)/dq_e for a constant wrench f = [force; torque about B's origin], in B's axes, to K
/// [n_elastic x n_elastic]. Proved by the same.
void add_field_stiffness(const Frame& frame, const BodyState& carrier,
                         const Eigen::Matrix<double, 6, 1>& wrench, Eigen::Ref<Eigen::MatrixXd> K);

}  // namespace solidyn::bodies
