#pragma once
#include "model/bodies/beams/beam_network.h"
#include "model/bodies/build_bodies.h"

namespace solidyn::model {

/// Adds the nodes of a beam, its elements, and the places that its points make.
/// @throws base::InputError when an element turns too much
void add_beam(const ModelDescription& model, const BodyDescription& description, BuiltModel& built,
              PlaceFinder& places);

/// The same of lines of a mesh; their masses are bodies of the system, and ties constraints.
void add_beam_network(const ModelDescription& model, const BodyDescription& description,
                      const BeamNetwork& network, BuiltModel& built, PlaceFinder& places);

}  // namespace solidyn::model
