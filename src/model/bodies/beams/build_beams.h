#pragma once
#include "model/bodies/beams/beam_network.h"
#include "model/bodies/beams/beam_of_points.h"
#include "model/bodies/build_bodies.h"

namespace solidyn::model {

/// Adds the nodes of a beam, its elements, and the places that its points make.
/// @throws base::InputError when an element turns too much
void add_beam(const BeamOfPoints& beam, const BodyBuilder& builder);

/// The same of lines of a mesh; their masses are bodies of the system, and ties constraints.
void add_beam_network(const BeamOfMesh& beam, const BeamNetwork& network,
                      const BodyBuilder& builder);

}  // namespace solidyn::model
