#include "model/joints/joint_freedoms.h"

namespace solidyn::model {

JointFreedom freedom_of(const SensorDescription& sensor) {
  if (sensor.arm > 0) return sensor.arm == 1 ? JointFreedom::first_arm : JointFreedom::second_arm;
  if (sensor.type == SensorType::joint_angle ||
      (sensor.type == SensorType::joint_force && sensor.components[0] == Component::torque))
    return JointFreedom::rotation;
  constexpr JointFreedom kAlong[] = {JointFreedom::translation_x, JointFreedom::translation_y,
                                     JointFreedom::translation};
  return kAlong[sensor.along];
}

}  // namespace solidyn::model
