#pragma once
#include "model/bodies/build_bodies.h"
#include "solidyn/bodies/pair_coordinates.h"
#include "solidyn/model/joint_freedom.h"

namespace solidyn::model {

/// What a joint leaves free, as a scalar of its two frames.
struct BuiltCoordinate {
  bodies::FrameLink link;  ///< tracks an angle
  bodies::Coordinate coordinate;
};

/// Of joints that bring no coordinate of their own.
bodies::Coordinate coordinate_of(JointFreedom freedom);
bool is_rotation(JointFreedom freedom);
/// Null where the joint has that of coordinate_of().
const bodies::Coordinate* own_coordinate(const std::string& joint, JointFreedom freedom,
                                         const BuiltModel& built);

/// @pre the joint has been added
BuiltCoordinate coordinate_along(const std::string& joint, JointFreedom freedom, BuiltModel& built);

}  // namespace solidyn::model
