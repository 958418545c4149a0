#include "mass_centre.h"

#include <solidyn/system/scales.h>

using namespace solidyn;

namespace {

// Bodies say where their mass is by their potential in a field of 1 m/s^2 along each axis: -m c.
Eigen::Vector3d mass_centre(const system::System& system) {
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
  for (const bodies::BodyIndex i : system.bodies())
    for (int axis = 0; axis < 3; ++axis)
      moment[axis] -= system.body(i)
                          .energy(system.kinematics().bodies[i], Eigen::Vector3d::Unit(axis))
                          .potential;
  return moment / total_mass(system);
}

}  // namespace

analyses::Sensor mass_centre_sensor(const std::string& name) {
  analyses::Sensor sensor;
  sensor.columns = {{name + ".x", "m"}, {name + ".y", "m"}, {name + ".z", "m"}};
  sensor.read = [](const analyses::SensorContext& context, double* values) {
    Eigen::Map<Eigen::Vector3d>(values, 3) = mass_centre(context.system);
  };
  return sensor;
}
