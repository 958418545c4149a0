#pragma once
#include <vector>

#include "solidyn/analyses/modes.h"
#include "solidyn/forces/runs_on_track.h"
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
/// Where wheels hardly slip and their creep law has no derivative, so that damping and critical
/// speeds differ from those of motions in time. @pre System::update() of the state
void warn_of_wheels_without_slip(const char* name, const forces::Wheelsets& wheelsets,
                                 const system::System& system);
/// Where a vehicle is taken to run steadily. @pre System::update() of the state
void warn_of_changing_friction(const char* name, const forces::Wheelsets& wheelsets,
                               const system::System& system);
/// @param frequencies Hz, at which no answer is finite
void warn_of_unbounded(const std::vector<double>& frequencies);

}  // namespace solidyn::simulation
