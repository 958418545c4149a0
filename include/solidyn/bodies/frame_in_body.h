#pragma once
#include "solidyn/bodies/frame.h"

namespace solidyn::bodies {

/// How the deformation of a body moves one of its frames, at constant rates dq_e.
struct DeformationRates {
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero(), acceleration = velocity;  ///< of d, in B
  Eigen::Vector3d spin = Eigen::Vector3d::Zero(), turning = spin;  ///< in F; turning: its rate
};

/// p, R and the elastic columns of J as compute_frame_motion() has them, of a carrier at the origin
/// with the world's axes. Twist, bias, acceleration and the other columns are left as they are.
/// @param carrier  its q_e and dq_e are read. Local, allocates only when the carrier's size changes
/// Proved by FrameInBody.*
DeformationRates compute_frame_in_body(const Frame& frame, const BodyState& carrier,
                                       FrameMotion& motion);

/// Then the bias of compute_frame_acceleration(), in B (linear) and in F (angular), where the body
/// turns by w, rad/s, in B.
void set_bias_in_body(const DeformationRates& rates, const Eigen::Vector3d& w, FrameMotion& motion);

}  // namespace solidyn::bodies
