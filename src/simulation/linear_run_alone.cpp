#include "simulation/linear_run_alone.h"

#include <memory>
#include <optional>

#include "simulation/motion_pictures.h"
#include "simulation/stop_request.h"
#include "simulation/wheel_warnings.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/model/running_vehicle.h"
#include "solidyn/results/output_folder.h"
#include "solidyn/results/summary.h"

namespace solidyn::simulation {
namespace {

// For reports: the machine at the state that the analyses are about, in one picture.
void write_machine(MPI_Comm comm, const model::ModelDescription& description,
                   model::BuiltModel& built, const system::State& state, const std::string& path) {
  if (description.output.motion_interval == 0.0) return;
  leave_out_on_failure(comm, path, [&] {
    built.system.update(state);
    const MotionPictures pictures(comm, description, built, {}, MotionSymbols::Vectors::none);
    results::MotionWriter writer(comm, path, pictures.scene(), pictures.surfaces(), 1);
    writer.write(state.t, pictures.row(state));
  });
}

}  // namespace

void run_linear_alone(MPI_Comm comm, const model::ModelDescription& description,
                      model::BuiltModel& built, const RunOptions& options, const base::Timer& total,
                      const system::State& state, LinearRuns& linear) {
  const auto write_summary = [&](const results::OutputFolder& folder,
                                 const std::optional<results::RunFailure>& failure) {
    results::RunSummary summary;
    summary.status = failure ? results::RunStatus::failed : results::RunStatus::done;
    summary.failure = failure;
    summary.title = description.title;
    summary.integrator = "linear";
    const bool is_relative = description.formulation == analyses::Formulation::recursive;
    summary.formulation = is_relative ? "recursive" : "absolute";
    summary.formulation_reason =
        is_relative ? "the model asks for it" : "linear analyses take it unless the model asks";
    summary.ranks = base::size(comm);
    summary.dofs = built.system.layout().n_dofs();
    summary.constraints = built.system.layout().n_constraints();
    summary.seconds.total = total.seconds();
    summary.reflected_inertia = linear.reflected_inertia();
    summary.warnings = base::logged_warnings();
    summary.measure_memory(comm);
    results::write_summary(comm, folder.summary(), summary);
  };
  std::unique_ptr<results::OutputFolder> folder;
  try {
    for (std::size_t i = 0; i < description.analyses.size(); ++i) {
      if (!linear.is_due(i)) continue;
      linear.run(i, state);
      if (!folder) {
        folder = std::make_unique<results::OutputFolder>(comm, options.folder,
                                                         results::FolderUse::start);
        const StopRequest stop;
        model::write_irregularities(comm, description, folder->irregularities(),
                                    [&] { stop.throw_if_asked("writing irregularities"); });
        write_machine(comm, description, built, state, folder->motion());
      }
      linear.write(*folder, state);
    }
  } catch (const std::exception& e) {  // of any kind: the folder says `running`
    if (folder) write_summary(*folder, results::RunFailure{state.t, 0, e.what()});
    throw;
  }
  warn_of_rails_not_reached(model::running_vehicle(description, built.system),
                            built.system.kinematics());
  write_summary(*folder, std::nullopt);
  base::log_info("results are in {}", folder->path());
}

}  // namespace solidyn::simulation
