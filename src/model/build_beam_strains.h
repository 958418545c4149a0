#pragma once
#include "solidyn/bodies/beam_body.h"
#include "solidyn/model/description.h"

namespace solidyn::model {

/// `prestrain`, and the strains which are missing that the beam as drawn carries its `prestress`.
bodies::Prestrain make_prestrain(const BeamDescription& beam, const beams::Rigidity& rigidity);

/// Lobatto's middle stage is a quaternion not quite of length one, which lets the sections of long
/// elements under great tension turn away from their line.
/// @throws base::InputError where they would under the beam's own prestress
void check_tension(const BodyDescription& body,
                   const std::vector<bodies::BeamElementData>& elements);

}  // namespace solidyn::model
