#pragma once
#include "solidyn/analyses/joint_sensors.h"

namespace solidyn::analyses {

/// A column of a force's sensor.
struct ForceColumn {
  int reading = 0;  ///< index into force.readings(), followed by readings_of_every_force()
  Sensor::Column column;
};

/// @param force of the system, that acts between two frames where a column asks
/// for its wrench
/// @param on, axes of the wrench, at that place's frame
Sensor force_sensor(forces::ForceIndex force, JointSide on, ReactionAxes axes,
                    std::vector<ForceColumn> columns);

/// What the forces within a joint (springs, limits, friction) exert on its second place.
/// @param forces of the system    @param axes of one of its frames
/// @param component 0..2 force along x, y, z (N), 3..5 torque about them (N m)
Sensor joint_force_sensor(const std::string& name, const std::vector<forces::ForceIndex>& forces,
                          ReactionAxes axes, int component);

/// The same along a coordinate of theirs, as if nothing but what acts along it did: N.
Sensor force_along_sensor(const std::string& name, const std::vector<forces::ForceIndex>& forces,
                          const bodies::Coordinate& coordinate);

enum class SetValuedQuantity {
  impulse,  ///< of the last step, where there is a normal direction
  state     ///< 0 open, 1 slips or turns freely, 2 sticks, holds or touches
};
/// Of set-valued laws in a joint: the sum of their impulses, or the largest of their states.
/// @param forces of the system, set-valued
Sensor set_valued_sensor(const std::string& name, const std::vector<forces::ForceIndex>& forces,
                         SetValuedQuantity quantity, const std::string& unit);

enum class DriveQuantity {
  force,   ///< on the second place along the coordinate that is driven, N; of one row
  torque,  ///< the same of a driven angle, N m
  power    ///< that the drive puts into the mechanism, W
};
/// @param constraint of the system, a joints::Joint that is a drive
Sensor drive_sensor(const std::string& name, bodies::ConstraintIndex constraint,
                    const std::vector<DriveQuantity>& quantities);

}  // namespace solidyn::analyses
