#pragma once
#include "model/bodies/build_bodies.h"
#include "solidyn/forces/measure.h"

namespace solidyn::model {

/// What a sensor of the motion records, as a variable of a force.
/// @param component index into the sensor's components
/// @throws base::InputError when it is a point that nothing can act on
std::unique_ptr<forces::Measure> make_measure(const SensorDescription& sensor, int component,
                                              const PlaceFinder& places, BuiltModel& built);

}  // namespace solidyn::model
