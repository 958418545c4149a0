#pragma once
#include <vector>

#include "solidyn/analyses/modes.h"
#include "solidyn/model/description.h"

/// What is said of linear analyses whose numbers mean less than they seem to. Collective as the log
/// is.
namespace solidyn::simulation {

/// @param name of the analysis, in the model file   @param change analyses::unsteadiness
/// @param is_on_track  in the axes of a vehicle that runs
void warn_of_unsteadiness(const char* name, const model::LinearDescription& analysis, double change,
                          bool is_on_track);
void warn_of_uncertain(const char* name, const std::vector<analyses::Mode>& modes);
/// @param turns analyses::DrivenMotions
void warn_of_turning_inputs(const char* name, double turns);
/// Of friction in joints, whose linearisation at rest is that of its regularisation.
void warn_of_friction(const char* name, const system::System& system);
/// What set-valued contacts are to small motions. @pre System::update() of the state
void tell_of_contacts(const char* name, const system::System& system);
/// @param frequencies Hz, at which no answer is finite
void warn_of_unbounded(const std::vector<double>& frequencies);

}  // namespace solidyn::simulation
