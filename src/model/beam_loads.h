#pragma once
#include "model/beam_line.h"
#include "solidyn/bodies/line_load.h"
#include "solidyn/model/description.h"

namespace solidyn::model {

/// The load's parts on the elements of a beam's line. @pre load.type is `distributed`
bodies::LineLoad make_line_load(const LoadDescription& load, const BeamDescription& beam,
                                const BeamLine& line);

}  // namespace solidyn::model
