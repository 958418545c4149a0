#pragma once
#include "solidyn/bodies/body.h"
#include "solidyn/bodies/indices.h"

namespace solidyn::bodies {

/// Where a frame sits on its carrier. The only thing that a joint, a force or a sensor ever sees.
///   p_WF = p_WB + R_WB (x_B + d(q_e)),     d = Psi_t q_e + 1/2 q_e^T Y_t q_e
///   R_WF = R_WB exp(theta(q_e)) R_BF,  theta = Psi_r q_e + 1/2 q_e^T Y_r q_e
/// The terms of second order let a load on the frame stiffen the body that carries it: its work
/// depends on what bends (doc/theory/geometric_stiffening.md).
/// On a body in absolute coordinates it is a point, with R_BF for its axes; frames that turn with
/// such a body are those of virtual bodies tied to it (joints::AveragedFrame, RigidRegion).
struct Frame {
  std::string name;
  BodyIndex body = kGround;  ///< its carrier
  Eigen::Vector3d x_B = Eigen::Vector3d::Zero();
  Eigen::Matrix3d R_BF = Eigen::Matrix3d::Identity();
  Eigen::Matrix3Xd Psi_t;  ///< [3 x n_elastic]; 0 columns: the frame does not see the deformation
  Eigen::Matrix3Xd Psi_r;  ///< [3 x n_elastic] or 0 columns
  /// [3 n_elastic x n_elastic], three symmetric matrices for x, y, z, one below the other; without
  /// rows there is no second order.
  Eigen::MatrixXd Y_t, Y_r;
};

/// Moves the frame's origin by `arm_B` (in B, undeformed). The arm turns with the frame, to first
/// order, and to second where the frame has terms of second order.
void move_origin(Frame& frame, const Eigen::Vector3d& arm_B);

/// Of the carrier's velocities, those that move the frame, ascending; empty where they are not few.
/// A node of a mesh moves with three of hundreds of ports. @param n_velocities  of the carrier
std::vector<int> moving_velocities(const Frame& frame, Eigen::Index n_velocities);

/// The motion of a frame. Twists are [v_WF in W; w_WF in F's axes].
struct FrameMotion {
  Eigen::Vector3d p = Eigen::Vector3d::Zero();
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  Eigen::Vector3d v = Eigen::Vector3d::Zero();
  Eigen::Vector3d w = Eigen::Vector3d::Zero();
  Eigen::Matrix<double, 6, Eigen::Dynamic>
      J;  ///< twist = J * carrier's velocities; 0 columns on the ground
  Eigen::Matrix<double, 6, 1> bias =
      Eigen::Matrix<double, 6, 1>::Zero();  ///< d(twist)/dt = J a + bias
  Eigen::Matrix<double, 6, 1> acceleration = Eigen::Matrix<double, 6, 1>::Zero();
};

/// Position, twist and Jacobian. Local; allocates only when the carrier's size changes.
void compute_frame_motion(const Frame& frame, const BodyState& carrier, FrameMotion& motion);

/// The frame's bias and acceleration; compute_frame_motion must have been called for the same
/// state.
void compute_frame_acceleration(const Frame& frame, const BodyState& carrier, FrameMotion& motion);

/// Adds d(J^T f)/dq for a constant wrench f = [force in W; torque in F] to K [n x n], or to that of
/// the moving_velocities() alone.
void add_frame_geometric_stiffness(const Frame& frame, const BodyState& carrier,
                                   const Eigen::Matrix<double, 6, 1>& wrench,
                                   Eigen::Ref<Eigen::MatrixXd> K);

/// d(twist)/dq at constant velocities of the carrier: what a change of its position does to the
/// frame's twist. [6 x n velocities], q-increments as in Body::add_tangent
Eigen::Matrix<double, 6, Eigen::Dynamic> frame_rate_stiffness(const Frame& frame,
                                                              const BodyState& carrier);

/// What constraints, forces and sensors read: all bodies and all frames of the system at one
/// instant.
struct Kinematics {
  base::IndexedVector<BodyIndex, BodyState> bodies;
  base::IndexedVector<FrameIndex, Frame> frame_definitions;
  base::IndexedVector<FrameIndex, FrameMotion> frames;  ///< one per definition
  /// Twists, as in FrameMotion, by velocities that satisfy the constraints, one per definition;
  /// empty where those of `frames` do (system::State::velocity_correction).
  base::IndexedVector<FrameIndex, Eigen::Matrix<double, 6, 1>> consistent_twists;
  /// Tracked angles of one frame relative to another, with whole turns, rad.
  base::IndexedVector<AngleIndex, double> angles;
  /// One per constraint.
  base::IndexedVector<ConstraintIndex, Eigen::Map<const Eigen::VectorXd>> multipliers;
};

}  // namespace solidyn::bodies
