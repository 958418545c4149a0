#pragma once
#include "model/bodies/build_bodies.h"

namespace solidyn::model {

/// Adds the forces of a contact to the system and their indices to BuiltModel::contacts.
/// @param first_step  s, of the motion that follows; 0 where there is none
void add_contact(const ContactDescription& contact, const PlaceFinder& places, double first_step,
                 BuiltModel& built);

/// Collective. Warns of shapes that overlap at the start by more than a contact's elasticity can
/// mean.
/// @pre the system is finalized
void warn_of_overlaps(BuiltModel& built);

}  // namespace solidyn::model
