#pragma once
#include <solidyn/analyses/sensors.h>

#include <string>

/// Position of the centre of mass of the whole system, world axes: columns `name`.x, .y, .z, m.
/// @pre something has a mass
solidyn::analyses::Sensor mass_centre_sensor(const std::string& name);
