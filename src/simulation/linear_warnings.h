#pragma once
#include <string>
#include <vector>

#include "solidyn/analyses/modes.h"
#include "solidyn/forces/runs_on_track.h"
#include "solidyn/model/description.h"
#include "solidyn/system/linearisation.h"

/// What is said of linear analyses whose numbers mean less than they seem to. Collective as the log
/// is.
namespace solidyn::simulation {

/// Whether a linear analysis is in the axes of a vehicle that runs on a track, or might be.
enum class TrackAxes { no_vehicle, in_use, not_chosen, in_absolute_coordinates_only };

/// How eigenvalues were found where zeros could not be taken off first; a warning where they are
/// not as many as the equations have.
void tell_of_search(const char* name, const analyses::ModeSearch& search);

/// Whether coefficients that change by so much make modes that mean what they seem to.
/// @param change analyses::unsteadiness
bool is_steady(double change);
/// @param name of the analysis, in the model file   @param change analyses::unsteadiness
void warn_of_unsteadiness(const char* name, const model::LinearDescription& analysis, double change,
                          TrackAxes of_track);
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
/// Where the vehicle is taken to run steadily, but forces are not carried along with it. @pre
/// System::update() of the state
void warn_of_changing_forces(const char* name, const forces::Wheelsets& wheelsets,
                             const system::Carriage& carriage, const system::State& state,
                             system::System& system);
/// @param inputs that are not carried along with a vehicle that runs
void warn_of_inputs_left_behind(const char* name, const std::string& inputs);
/// @param frequencies Hz, at which no answer is finite
void warn_of_unbounded(const std::vector<double>& frequencies);

}  // namespace solidyn::simulation
