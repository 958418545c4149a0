#pragma once
#include "solidyn/analyses/sensor_quantities.h"
#include "solidyn/analyses/sensors.h"

namespace solidyn::contact {
class PairContact;
}

namespace solidyn::analyses {

/// @param forces that make the contact; they must outlive the sensor
Sensor contact_sensor(const std::string& name,
                      const std::vector<const contact::PairContact*>& forces,
                      const std::vector<ContactQuantity>& quantities);

}  // namespace solidyn::analyses
