#pragma once
#include "model/bodies/build_bodies.h"
#include "model/joints/joint_coordinates.h"
#include "solidyn/forces/effort.h"

namespace solidyn::model {

/// Adds a force that depends on the motion. Bodies and joints are there.
/// @throws base::InputError when its places do not move relative to each other, or meet
void add_force(const ForceDescription& force, const ModelDescription& model,
               const PlaceFinder& places, BuiltModel& built);

/// Adds the springs, dampers, actuators, limits and friction of a joint that is there.
void add_joint_forces(const JointDescription& joint, const ModelDescription& model,
                      const PlaceFinder& places, BuiltModel& built);

/// A law along a coordinate, with an actuator over a sensor where there is one.
std::unique_ptr<forces::Force> make_coordinate_force(const std::string& name,
                                                     const BuiltCoordinate& along,
                                                     std::unique_ptr<forces::EffortLaw> law,
                                                     const std::optional<TableOverSensor>& actuator,
                                                     const ModelDescription& model,
                                                     const PlaceFinder& places, BuiltModel& built);

}  // namespace solidyn::model
