#include "solidyn/system/connect.h"

#include <fmt/format.h>

#include "solidyn/base/error.h"
#include "solidyn/forces/coordinate_force.h"

namespace solidyn::system {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Matrix3d axes_with_z(const Vector3d& axis) {
  if (!(axis.norm() > 0.0))
    throw base::InputError("the axis of a frame is [0, 0, 0] and has no direction",
                           "give a direction in world axes, of any length");
  return Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), axis).toRotationMatrix();
}

BodyIndex carrier_of(const System& system, FrameIndex frame) {
  return system.kinematics().frame_definitions.at(frame).body;
}

void require_two_bodies(const System& system, const std::string& name, const FramesOfPair& frames) {
  if (carrier_of(system, frames.A) == carrier_of(system, frames.B))
    throw base::InputError(
        fmt::format("joint {}: both of its frames are on the same body, or on the ground", name),
        "give frames of two different bodies");
}

ConstraintIndex add(System& system, const std::string& name, joints::JointRows rows,
                    const bodies::FrameLink& link) {
  return system.add_constraint(std::make_unique<joints::Joint>(
      name, link, std::move(rows.primitives), std::move(rows.names), rows.hinge));
}

}  // namespace

FrameIndex add_frame(System& system, BodyIndex body, const Vector3d& p_W, const Vector3d& axis) {
  if (body < kGround || body.value() >= system.bodies().size())
    throw base::InputError(
        fmt::format("there is no body {}: the system has {}", body, system.bodies().size()),
        "add the body before its frames");
  bodies::Frame frame;
  frame.body = body;
  frame.x_B = p_W;
  frame.R_BF = axes_with_z(axis);
  if (body != kGround) {
    const InitialMotion& start = system.initial_motion(body);
    const Matrix3d R_BW = start.q_WB.toRotationMatrix().transpose();
    frame.x_B = R_BW * (p_W - start.p_WB);
    frame.R_BF = R_BW * frame.R_BF;
  }
  return system.add_frame(std::move(frame));
}

FramesOfPair add_frames(System& system, BodyIndex body_A, BodyIndex body_B, const Vector3d& p_W,
                        const Vector3d& axis) {
  return {add_frame(system, body_A, p_W, axis), add_frame(system, body_B, p_W, axis)};
}

ConstraintIndex add_joint(System& system, const std::string& name, joints::JointType type,
                          const FramesOfPair& frames) {
  return add_joint(system, name, joints::joint_rows(type), frames);
}

ConstraintIndex add_joint(System& system, const std::string& name, joints::JointRows rows,
                          const FramesOfPair& frames) {
  require_two_bodies(system, name, frames);
  const bodies::FrameLink link = rows.tracked
                                     ? system.tracked_link(frames.A, frames.B, rows.tracked)
                                     : system.link(frames.A, frames.B);
  return add(system, name, std::move(rows), link);
}

ConstraintIndex add_rotation_drive(System& system, const std::string& name,
                                   const math::TimeFunction& law, const FramesOfPair& frames) {
  require_two_bodies(system, name, frames);
  const bodies::FrameLink link = system.tracked_link(frames.A, frames.B);
  system.angles().drive(link.angle(), law);
  return add(system, name, joints::rotation_drive_rows(law), link);
}

ForceIndex add_spring(System& system, const std::string& name, const bodies::Coordinate& coordinate,
                      const forces::SpringDamper::Options& options, const FramesOfPair& frames) {
  return system.add_force(std::make_unique<forces::CoordinateForce>(
      name, system.tracked_link(frames.A, frames.B, coordinate), coordinate,
      std::make_unique<forces::SpringDamper>(options)));
}

ForceIndex add_load(System& system, const std::string& name, FrameIndex frame,
                    forces::VectorFunction force, forces::VectorFunction torque,
                    forces::FrameLoad::Axes axes) {
  const BodyIndex body = carrier_of(system, frame);
  if (body == kGround)
    throw base::InputError(
        fmt::format("load {}: its frame is on the ground, where a load has no effect", name),
        "give a frame of a body");
  return system.add_force(std::make_unique<forces::FrameLoad>(name, frame, body, axes,
                                                              std::move(force), std::move(torque)));
}

}  // namespace solidyn::system
