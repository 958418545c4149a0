#pragma once
#include "model/build_bodies.h"
#include "solidyn/fem/attached_mass.h"

namespace solidyn::model {

/// The interfaces of a full-mesh body, and the frames of masses that are none of them.
std::vector<mesh::InterfaceDefinition> with_frames_of(
    const std::vector<fem::CarriedMass>& masses, std::vector<mesh::InterfaceDefinition> interfaces);

/// Adds the masses that frames of a full-mesh body carry: each as a rigid body with a fixed joint
/// to its frame, which is exact for large rotations. @pre the body's places are known
void add_carried_masses(const BodyDescription& body, const std::vector<fem::CarriedMass>& masses,
                        BuiltModel& built, PlaceFinder& places);

}  // namespace solidyn::model
