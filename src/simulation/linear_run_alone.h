#pragma once
#include "simulation/linear_run.h"
#include "solidyn/base/timer.h"
#include "solidyn/simulation/run.h"

namespace solidyn::simulation {

/// Collective. Linear analyses at `state` without dynamics or statics: they have a folder and a
/// summary too. Each is written as it is done, so that it stays when a later one fails; nothing is
/// touched before there is something.
void run_linear_alone(MPI_Comm comm, const model::ModelDescription& description,
                      model::BuiltModel& built, const RunOptions& options, const base::Timer& total,
                      const system::State& state, LinearRuns& linear);

}  // namespace solidyn::simulation
