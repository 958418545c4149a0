#pragma once
#include "model/bodies/build_bodies.h"

namespace solidyn::model {

/// @throws base::InputError where several elements go on from the place
analyses::Sensor make_section_sensor(const SensorDescription& description,
                                     const PlaceFinder& places, const BuiltModel& built);

}  // namespace solidyn::model
