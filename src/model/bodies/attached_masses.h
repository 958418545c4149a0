#pragma once
#include "model/bodies/build_bodies.h"
#include "solidyn/fem/attached_mass.h"
#include "solidyn/fem/elastic_body.h"

namespace solidyn::model {

/// The interfaces of a full-mesh body, and the frames of masses that are none of them.
std::vector<mesh::InterfaceDefinition> with_frames_of(
    const std::vector<fem::FrameMass>& masses, std::vector<mesh::InterfaceDefinition> interfaces);

struct WholeMass {
  double mass = 0.0;               ///< kg
  Eigen::Vector3d center_of_mass;  ///< m, mesh axes
};

/// Of a full-mesh body together with the masses that its frames carry, undeformed.
WholeMass with_masses(const fem::MassProperties& mesh, const std::vector<fem::FrameMass>& masses);

/// Adds the masses that frames of a full-mesh body carry: each as a rigid body with a fixed joint
/// to its frame, which is exact for large rotations. @return their indices in the system
/// @pre the body's places are known
std::vector<bodies::BodyIndex> add_attached_masses(const BodyEntry& body,
                                                   const std::vector<fem::FrameMass>& masses,
                                                   BuiltModel& built, PlaceFinder& places);

}  // namespace solidyn::model
