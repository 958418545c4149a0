#pragma once
#include "solidyn/analyses/sensors.h"
#include "solidyn/math/rotation_angles.h"

namespace solidyn::analyses {

/// Angles that turn the frame `relative_to` (kWorld: the world) into `frame`, rad; columns `name`
/// or `name.angle_1` ... when several. @param angles which of them, 0..2
Sensor angles_sensor(const std::string& name, const math::AngleSequence& sequence,
                     bodies::FrameIndex frame, bodies::FrameIndex relative_to,
                     const std::vector<int>& angles);

/// Which of a frame's two quaternions is meant: the one nearer to q_WB * q_BF of a body B whose
/// quaternion q_WB is an unknown of the system. Unknowns change without jumps, so that what is
/// nearest to them does not change its sign, and nothing has to be remembered.
struct AttitudeGuide {
  /// Of the system, with a frame of its own; kGround: q_BF alone.
  bodies::BodyIndex body = bodies::kGround;
  Eigen::Quaterniond q_BF = Eigen::Quaterniond::Identity();
  Eigen::Quaterniond at(const SensorContext& c) const;
};

/// The unit quaternion of R_ref^T R; components 0..3 are w, x, y, z, columns `name` or `name.w` ...
/// @pre less than half a turn lies between each frame and its guide
Sensor quaternion_sensor(const std::string& name, bodies::FrameIndex frame,
                         const AttitudeGuide& guide, bodies::FrameIndex relative_to,
                         const AttitudeGuide& guide_of_reference,
                         const std::vector<int>& components);

}  // namespace solidyn::analyses
