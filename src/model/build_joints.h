#pragma once
#include "model/build_bodies.h"
#include "solidyn/bodies/pair_coordinates.h"

namespace solidyn::model {

/// Adds the frames and the constraint of a joint, a drive or a coupling. @pre the joints that it
/// names have been added
void add_joint(const JointDescription& joint, const PlaceFinder& places, BuiltModel& built);

/// The frames of a joint that has coordinates, and the formulas of these. Its angle is tracked.
bodies::FrameLink coordinate_link(const std::string& joint, const BuiltModel& built);
bodies::Coordinate formula_of(JointCoordinate coordinate);

}  // namespace solidyn::model
