#pragma once
#include "model/beam_line.h"
#include "solidyn/bodies/line_load.h"
#include "solidyn/model/description.h"

namespace solidyn::model {

/// The load's parts on the elements of a beam's line. @pre load.type is `distributed`
bodies::LineLoad make_line_load(const LoadDescription& load, const BeamDescription& beam,
                                const BeamLine& line);
/// The same on all elements of a network.
bodies::LineLoad make_line_load(const LoadDescription& load, int n_elements);

}  // namespace solidyn::model
