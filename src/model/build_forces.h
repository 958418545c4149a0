#pragma once
#include "model/build_bodies.h"

namespace solidyn::model {

/// Adds a force that depends on the motion. Bodies and joints are there.
/// @throws base::InputError when its places do not move relative to each other, or meet
void add_force(const ForceDescription& force, const ModelDescription& model,
               const PlaceFinder& places, BuiltModel& built);

/// Adds the springs, dampers, actuators, limits and friction of a joint that is there.
void add_joint_forces(const JointDescription& joint, BuiltModel& built);

}  // namespace solidyn::model
