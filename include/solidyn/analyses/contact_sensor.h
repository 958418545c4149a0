#pragma once
#include "solidyn/analyses/sensors.h"

namespace solidyn::analyses {

/// Of a contact: the smallest gap (m, negative where the surfaces overlap), the overlap (m, or 0),
/// the sum of normal forces and the size of the sum of friction forces (N), the slip speed where
/// the normal force is largest (m/s), whether it touches (1 or 0), and the force of its first place
/// on its second (N, W).
enum class ContactQuantity {
  gap,
  penetration,
  normal_force,
  friction_force,
  slip_speed,
  in_contact,
  force_x,
  force_y,
  force_z
};

/// @param forces indices in the system of the contact::ContactForce that make the contact
Sensor contact_sensor(const std::string& name, const std::vector<int>& forces,
                      const std::vector<ContactQuantity>& quantities);

}  // namespace solidyn::analyses
