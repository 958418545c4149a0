#pragma once
#include <vector>

#include "solidyn/analyses/modes.h"
#include "solidyn/model/description.h"

/// What is said of linear analyses whose numbers mean less than they seem to. Collective as the log
/// is.
namespace solidyn::simulation {

/// @param change analyses::unsteadiness
void warn_of_unsteadiness(const model::LinearDescription& analysis, double change);
void warn_of_uncertain(const model::LinearDescription& analysis,
                       const std::vector<analyses::Mode>& modes);
/// @param turns analyses::DrivenMotions
void warn_of_turning_inputs(const model::LinearDescription& analysis, double turns);
/// Of friction in joints, whose linearisation at rest is that of its regularisation.
void warn_of_friction(const model::LinearDescription& analysis, const system::System& system);
/// @param frequencies Hz, at which no answer is finite
void warn_of_unbounded(const std::vector<double>& frequencies);

}  // namespace solidyn::simulation
