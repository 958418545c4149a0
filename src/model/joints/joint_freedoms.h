#pragma once
#include "solidyn/model/sensor_description.h"

namespace solidyn::model {

/// What a sensor of type joint_angle, joint_translation or joint_force reads, or reads forces
/// along.
JointFreedom freedom_of(const SensorDescription& sensor);

}  // namespace solidyn::model
