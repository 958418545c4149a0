#pragma once
#include "model/bodies/build_bodies.h"
#include "solidyn/analyses/sensors.h"

namespace solidyn::model {

/// A sensor of a frame's position, orientation or their rates.
analyses::Sensor make_motion_sensor(const SensorDescription& d, const PlaceFinder& places,
                                    BuiltModel& built);

bodies::FrameQuantity frame_quantity(SensorType type);
std::vector<analyses::VectorComponent> vector_components(const std::vector<Component>& components);

}  // namespace solidyn::model
