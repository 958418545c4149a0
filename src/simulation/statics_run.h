#pragma once
#include <memory>
#include <optional>

#include "solidyn/base/timer.h"
#include "solidyn/results/output_folder.h"
#include "solidyn/results/summary.h"
#include "solidyn/simulation/run.h"
#include "solidyn/system/state.h"

namespace solidyn::model {
struct BuiltModel;
struct StaticsDescription;
}  // namespace solidyn::model

namespace solidyn::simulation {

class LinearRuns;

/// What statics leaves to the motion that begins from its equilibrium.
struct FoundEquilibrium {
  system::State state;
  std::unique_ptr<results::OutputFolder> folder;  ///< that of the run
  std::optional<results::EquilibriaFound> equilibria;
  results::RunSummary::Before statistics;
};

/// Collective. Runs a statics analysis and writes history, fields and summary, and does the linear
/// analyses after it; the load parameter takes the place of time. @throws base::ComputationError
/// after writing what there is
void run_statics(MPI_Comm comm, const model::ModelDescription& description,
                 model::BuiltModel& built, const model::StaticsDescription& analysis,
                 const RunOptions& options, const base::Timer& total, double setup_seconds,
                 LinearRuns& linear);

/// Collective. The same for dynamics, which is number `dynamics` of the analyses and begins from
/// the equilibrium: the history goes to statics.csv, there are no fields, and linear analyses are
/// done that stand before the dynamics.
FoundEquilibrium find_equilibrium(MPI_Comm comm, const model::ModelDescription& description,
                                  model::BuiltModel& built,
                                  const model::StaticsDescription& analysis,
                                  const RunOptions& options, const base::Timer& total,
                                  double setup_seconds, LinearRuns& linear, std::size_t dynamics);

}  // namespace solidyn::simulation
