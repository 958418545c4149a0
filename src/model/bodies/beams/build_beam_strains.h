#pragma once
#include "model/bodies/beams/beam_entry.h"
#include "solidyn/bodies/beam_body.h"

namespace solidyn::model {

/// `prestrain`, and the strains which are missing that the beam as drawn carries its `prestress`.
bodies::Prestrain make_prestrain(const GivenStrains& given, const beams::Rigidity& rigidity);

/// That the strains of every element, as drawn and by `prestress`, `prestrain` and
/// `driven_strains`, leave it a length and turn it by less than half a turn, for as long as the
/// model is looked at: beyond that its orientation does not tell its strains.
/// @param given of each element  @throws base::InputError for the first that does not
void check_own_strains(const ModelDescription& model, const BeamEntry& body,
                       const bodies::BeamBody& beam, const std::vector<const GivenStrains*>& given);

/// Lobatto's middle stage is a quaternion not quite of length one, which lets the sections of long
/// elements under great tension turn away from their line.
/// @param tension as drawn, N  @throws base::InputError where they would under it
void check_tension(const BeamEntry& body, const bodies::BeamElementData& element, double tension);

}  // namespace solidyn::model
