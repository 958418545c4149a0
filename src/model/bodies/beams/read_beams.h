#pragma once
#include "model/read.h"

namespace solidyn::model {

/// What a beam takes from a mesh file and says of it: `mesh`, `mesh_units`, `groups`, `places`.
/// @pre body.beam has been read
void read_beam_mesh(const TableView& view, const Names& names, BodyDescription& body);

/// The part of a body that only `type: beam` has.
BeamDescription read_beam(const TableView& body, const Names& names);

/// The places that its points make, as interfaces are.
std::vector<InterfaceDescription> places_of(const BeamDescription& beam);

}  // namespace solidyn::model
