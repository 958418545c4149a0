#pragma once
#include "model/bodies/beams/beam_line.h"
#include "model/bodies/beams/section_properties.h"
#include "model/bodies/build_bodies.h"

namespace solidyn::model {

/// What an element of a beam has by its section and given strains; not where it is.
bodies::BeamElementData beam_element_data(const BeamDescription& beam, const GivenStrains& given,
                                          const SectionProperties& section);

/// Elements between nodes that are in the system already.
struct BeamElements {
  std::vector<system::InitialMotion> undeformed;  ///< of the nodes
  std::vector<bodies::BeamElementData> data;
  std::vector<const GivenStrains*> given;  ///< of each element
  const BeamLine* line = nullptr;          ///< of a beam by points; null: lines of a mesh
};

/// Adds the elements to the system, with the strains that they are given, as unknowns where some
/// are driven, and the loads along them. @param made has the nodes, and gets the rest
/// @throws base::InputError when an element turns too much, or its tension is too great
const bodies::BeamBody& add_beam_elements(const ModelDescription& model,
                                          const BeamEntry& description,
                                          const BeamElements& elements, BuiltModel& built,
                                          BuiltBody& made);

}  // namespace solidyn::model
