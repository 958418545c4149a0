#pragma once
#include "solidyn/analyses/joint_sensors.h"

namespace solidyn::analyses {

/// What a force element shows. The first four are those of forces::CoordinateForce: its length (m)
/// or angle (rad), what it is longer than where its spring is free, the rate of that, and what
/// resists (a tension, N, or a torque, N m). Displacement (m) and rotation vector (rad) are those
/// of forces::Bushing, in the axes between its frames. Every force has the wrench on one of its
/// places, the energy that it stores (J) and the power that it puts into the system (W).
enum class ForceQuantity {
  coordinate,
  extension,
  rate,
  effort,
  displacement_x,
  displacement_y,
  displacement_z,
  rotation_x,
  rotation_y,
  rotation_z,
  force_x,
  force_y,
  force_z,
  torque_x,
  torque_y,
  torque_z,
  energy,
  power
};

struct ForceColumn {
  ForceQuantity quantity;
  Sensor::Column column;
};

/// @param force index in the system, of a force that has these quantities
/// @param on, axes of the wrench, at that place's frame
Sensor force_sensor(int force, JointSide on, ReactionAxes axes, std::vector<ForceColumn> columns);

/// What the forces within a joint (springs, limits, friction) exert on its second place.
/// @param forces indices in the system    @param axes of one of its frames
/// @param component 0..2 force along x, y, z (N), 3..5 torque about them (N m)
Sensor joint_force_sensor(const std::string& name, const std::vector<int>& forces,
                          ReactionAxes axes, int component);

enum class DriveQuantity {
  force,   ///< on the second place along the coordinate that is driven, N; of one row
  torque,  ///< the same of a driven angle, N m
  power    ///< that the drive puts into the mechanism, W
};
/// @param constraint of the system, a joints::Joint that is a drive
Sensor drive_sensor(const std::string& name, int constraint,
                    const std::vector<DriveQuantity>& quantities);

}  // namespace solidyn::analyses
