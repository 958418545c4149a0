#pragma once
#include "solidyn/analyses/dynamics.h"
#include "solidyn/model/build.h"
#include "solidyn/results/checkpoint.h"

namespace solidyn::simulation {

/// Collective. What must be the same for a restart, as text: model::physics_of(). Durations, steps,
/// integrators, sensors and outputs may change.
std::string model_text(MPI_Comm comm, const model::ModelDescription& description);

/// Collective. Everything from which the run continues exactly where it is.
results::Checkpoint make_checkpoint(analyses::Dynamics& dynamics, const model::BuiltModel& built,
                                    const std::string& model_text);

/// Collective. Restores `dynamics` from the file. @throws base::InputError that names what differs
/// when another model wrote it
void resume_from(MPI_Comm comm, const std::string& path, const std::string& model_text,
                 const model::BuiltModel& built, analyses::Dynamics& dynamics);

}  // namespace solidyn::simulation
