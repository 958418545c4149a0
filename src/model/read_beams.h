#pragma once
#include "model/read.h"

namespace solidyn::model {

/// The part of a body that only `type: beam` has.
BeamDescription read_beam(const TableView& body, const Names& names);

/// The places that its points make, as interfaces are.
std::vector<InterfaceDescription> places_of(const BeamDescription& beam);

}  // namespace solidyn::model
