#pragma once
#include "model/build_bodies.h"

namespace solidyn::model {

/// Adds the forces of a contact to the system and their indices to BuiltModel::contacts.
void add_contact(const ContactDescription& contact, const PlaceFinder& places, BuiltModel& built);

/// A sensor of a contact that has been added.
analyses::Sensor make_contact_sensor(const SensorDescription& sensor, const BuiltModel& built);

}  // namespace solidyn::model
