#pragma once
#include "model/build_bodies.h"

namespace solidyn::model {

analyses::Sensor make_sensor(const SensorDescription& description, const PlaceFinder& places,
                             BuiltModel& built);

}  // namespace solidyn::model
