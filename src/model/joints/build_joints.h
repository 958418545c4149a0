#pragma once
#include "model/bodies/build_bodies.h"

namespace solidyn::model {

/// Adds the frames and the constraint of a joint, a drive or a coupling. @pre the joints that it
/// names have been added
void add_joint(const JointDescription& joint, const PlaceFinder& places, BuiltModel& built);

}  // namespace solidyn::model
