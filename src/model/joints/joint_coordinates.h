#pragma once
#include "model/bodies/build_bodies.h"
#include "solidyn/bodies/pair_coordinates.h"

namespace solidyn::model {

/// What a joint leaves free, as a scalar of its two frames.
struct BuiltCoordinate {
  bodies::FrameLink link;  ///< tracks an angle
  bodies::Coordinate coordinate;
};

/// @pre the joint has been added
BuiltCoordinate coordinate_along(const std::string& joint, JointFreedom freedom, BuiltModel& built);

}  // namespace solidyn::model
