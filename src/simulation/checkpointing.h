#pragma once
#include "solidyn/analyses/dynamics.h"
#include "solidyn/model/build.h"
#include "solidyn/results/checkpoint.h"

namespace solidyn::simulation {

/// What must be the same for a restart: bodies, constraints and their sizes. Durations, steps,
/// outputs and numbers like stiffnesses may change.
std::string structure_of(const model::BuiltModel& built);

/// Collective. Everything from which the run goes on exactly where it is.
results::Checkpoint make_checkpoint(analyses::Dynamics& dynamics, const model::BuiltModel& built,
                                    const std::string& model_hash);

/// Collective. Restores `dynamics` from the file. @throws base::InputError when it does not fit the
/// model
void resume_from(MPI_Comm comm, const std::string& path, const std::string& model_hash,
                 const model::BuiltModel& built, analyses::Dynamics& dynamics);

}  // namespace solidyn::simulation
