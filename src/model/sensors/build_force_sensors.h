#pragma once
#include "solidyn/model/build.h"

namespace solidyn::model {

analyses::Sensor make_force_sensor(const SensorDescription& d, const BuiltModel& built);
analyses::Sensor make_joint_force_sensor(const SensorDescription& d, const BuiltModel& built);
analyses::Sensor make_drive_sensor(const SensorDescription& d, const BuiltModel& built);

}  // namespace solidyn::model
