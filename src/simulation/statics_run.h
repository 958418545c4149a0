#pragma once
#include "solidyn/base/timer.h"
#include "solidyn/simulation/run.h"

namespace solidyn::model {
struct BuiltModel;
struct StaticsDescription;
}  // namespace solidyn::model

namespace solidyn::simulation {

class LinearRuns;

/// Collective. Runs a statics analysis and writes history, fields and summary, and does the linear
/// analyses after it; the load parameter takes the place of time. @throws base::ComputationError
/// after writing what there is
void run_statics(MPI_Comm comm, const model::ModelDescription& description,
                 model::BuiltModel& built, const model::StaticsDescription& analysis,
                 const RunOptions& options, const base::Timer& total, double setup_seconds,
                 LinearRuns& linear);

}  // namespace solidyn::simulation
