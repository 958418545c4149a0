#pragma once
#include "solidyn/bodies/pair_coordinates.h"
#include "solidyn/forces/effort.h"
#include "solidyn/forces/frame_load.h"
#include "solidyn/joints/joint.h"
#include "solidyn/system/system.h"

/// Joints, drives, springs and loads of a system that a program makes by hand, at points and along
/// axes of the world where the bodies start. Each function makes one of the objects that
/// System::add_constraint() and System::add_force() take, which remain the way for everything else.
/// All before System::finalize(). Local.
/// Proved by Connect.* and examples/cpp.
namespace solidyn::system {

using bodies::kGround;  ///< instead of a body

/// Frames A and B: where two bodies meet.
struct FramesOfPair {
  FrameIndex A = bodies::kWorld, B = bodies::kWorld;
};

/// A frame fixed in a body (not to its deformation: bodies::frame_at() makes those of interfaces),
/// at a world point, with z along `axis` (any length) and the same axes on every body.
/// @throws base::InputError when there is no such body, or `axis` has no direction
FrameIndex add_frame(System& system, BodyIndex body, const Eigen::Vector3d& p_W,
                     const Eigen::Vector3d& axis = Eigen::Vector3d::UnitZ());
/// One on each of two bodies, at the same point with the same axes.
FramesOfPair add_frames(System& system, BodyIndex body_A, BodyIndex body_B,
                        const Eigen::Vector3d& p_W,
                        const Eigen::Vector3d& axis = Eigen::Vector3d::UnitZ());

/// A joint of the catalogue; z of the frames is its axis. @return as
/// System::constraint() takes it   @throws base::InputError when both frames are on one body
ConstraintIndex add_joint(System& system, const std::string& name, joints::JointType type,
                          const FramesOfPair& frames);
/// The same with rows of one's own, or of joints::distance_rows(), translation_drive_rows() ...
ConstraintIndex add_joint(System& system, const std::string& name, joints::JointRows rows,
                          const FramesOfPair& frames);
/// The angle of B about A's z axis is law(t), rad, whole turns included.
ConstraintIndex add_rotation_drive(System& system, const std::string& name,
                                   const math::TimeFunction& law, const FramesOfPair& frames);

/// A spring and damper along a coordinate of the two frames, such as bodies::Distance() or, about
/// A's z axis, bodies::RotationAngle(). @return as System::force() takes it
ForceIndex add_spring(System& system, const std::string& name, const bodies::Coordinate& coordinate,
                      const forces::SpringDamper::Options& options, const FramesOfPair& frames);
/// A force (N) and a torque (N m) on a frame of a body that moves, in world axes or its own.
ForceIndex add_load(System& system, const std::string& name, FrameIndex frame,
                    forces::VectorFunction force, forces::VectorFunction torque = {},
                    forces::FrameLoad::Axes axes = forces::FrameLoad::Axes::world);

}  // namespace solidyn::system
