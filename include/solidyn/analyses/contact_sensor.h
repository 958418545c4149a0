#pragma once
#include "solidyn/analyses/sensor_quantities.h"
#include "solidyn/analyses/sensors.h"

namespace solidyn::analyses {

/// @param forces indices in the system of the contact::ContactForce that make the contact
Sensor contact_sensor(const std::string& name, const std::vector<int>& forces,
                      const std::vector<ContactQuantity>& quantities);

}  // namespace solidyn::analyses
