#pragma once
#include "solidyn/base/timer.h"
#include "solidyn/simulation/run.h"

namespace solidyn::model {
struct BuiltModel;
struct DynamicsDescription;
}  // namespace solidyn::model

namespace solidyn::simulation {

class LinearRuns;
struct FoundEquilibrium;

/// Collective. Runs an analysis in time, dynamics or kinematics, and writes history, fields,
/// checkpoints and summary, and does the linear analyses on its way and after it.
/// @param equilibrium that the motion begins from; null: as the model is drawn, or the checkpoint
/// says
/// @return done or doubtful, as summary.json says
/// @throws base::ComputationError after writing what there is
results::RunStatus run_dynamics(MPI_Comm comm, const model::ModelDescription& description,
                                model::BuiltModel& built,
                                const model::DynamicsDescription& analysis,
                                const RunOptions& options, const base::Timer& total,
                                double setup_seconds, LinearRuns& linear,
                                FoundEquilibrium* equilibrium);

}  // namespace solidyn::simulation
