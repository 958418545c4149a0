#pragma once
#include "model/bodies/beams/beam_line.h"
#include "solidyn/bodies/line_load.h"
#include "solidyn/model/description.h"

namespace solidyn::model {

/// Adds the model's loads along a beam to it.
/// @param line of a beam by points; null: lines of a mesh, on all of which loads are the same
void add_line_loads(const ModelDescription& model, const BodyDescription& body,
                    const BeamLine* line, bodies::BeamBody& beam);

}  // namespace solidyn::model
