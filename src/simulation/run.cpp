#include "solidyn/simulation/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "simulation/dynamics_run.h"
#include "simulation/linear_run.h"
#include "simulation/linear_run_alone.h"
#include "simulation/statics_run.h"
#include "simulation/stop_request.h"
#include "solidyn/analyses/dynamics.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/timer.h"
#include "solidyn/model/build.h"
#include "solidyn/model/fingerprint.h"
#include "solidyn/model/reduce_body.h"
#include "solidyn/model/unreduced_meshes.h"
#include "solidyn/recursive/linearise.h"
#include "solidyn/recursive/mechanism.h"
#include "solidyn/reduction/modal_table.h"
#include "solidyn/report/report.h"
#include "solidyn/results/folder_lock.h"
#include "solidyn/results/output_folder.h"
#include "solidyn/system/scales.h"

namespace solidyn::simulation {
namespace {

using analyses::Dynamics;
using model::BuiltModel;

// Of a body without supports that has modes, those of its basis; else those of its mesh.
void print_modes(MPI_Comm comm, const model::ModelDescription& description, const BuiltModel& built,
                 const model::ModesDescription& analysis) {
  const auto body =
      std::find_if(built.bodies.begin(), built.bodies.end(),
                   [&](const model::BuiltBody& b) { return b.name == analysis.body; });
  const bool is_held = std::any_of(
      description.supports.begin(), description.supports.end(),
      [&](const model::SupportDescription& support) { return support.body == analysis.body; });
  if (body->reduced && !is_held)
    return base::log_info("modes of body {}:\n{}", body->name,
                          reduction::format_modal_table(*body->reduced));
  const reduction::MeshModes modes = model::modes_of_mesh(
      comm, description, *description.find_body(analysis.body), analysis.count);
  std::string table = "  mode   frequency Hz\n";
  for (Eigen::Index i = 0; i < modes.frequencies.size(); ++i)
    table += fmt::format("  {:4}   {:12.7g}\n", i + 1, modes.frequencies[i]);
  base::log_info("modes of body {}, {} ({} rigid-body modes omitted):\n{}", body->name,
                 is_held ? "with the supports of its mesh" : "of the free mesh", modes.n_rigid,
                 table);
}

// The analyses that have a history, by their numbers: dynamics may begin from statics.
struct Plan {
  std::optional<std::size_t> statics, dynamics;
  bool is_sequence() const { return statics && dynamics; }
};

Plan plan_of(const model::ModelDescription& description) {
  Plan plan;
  const auto& list = description.analyses;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto* dynamics = std::get_if<model::DynamicsDescription>(&list[i]);
    const auto* statics = std::get_if<model::StaticsDescription>(&list[i]);
    if (!dynamics && !statics) continue;
    std::optional<std::size_t>& place = dynamics ? plan.dynamics : plan.statics;
    if (place)
      throw base::InputError(
          fmt::format("`analyses` contains a second {}: a run has one history",
                      dynamics ? "`dynamics`, `kinematics` or `inverse_dynamics`" : "`statics`"),
          "put the second one into a separate model file",
          dynamics ? dynamics->where : statics->where);
    place = i;
  }
  return plan;
}

// Those of the analysis in time, where there is one: kinematics asks more of a model than dynamics.
analyses::DynamicsOptions options_of_first_dynamics(const model::ModelDescription& description) {
  for (const model::AnalysisDescription& analysis : description.analyses)
    if (const auto* dynamics = std::get_if<model::DynamicsDescription>(&analysis))
      return model::dynamics_options(*dynamics, description.solver);
  return {};
}

std::string describe_shares(const model::ModelDescription& description,
                            const recursive::Mechanism& mechanism, int n_ranks) {
  const analyses::IntegratorKind integrator = options_of_first_dynamics(description).integrator;
  using Sweeps = recursive::Mechanism::Sweeps;
  const bool is_implicit = integrator == analyses::IntegratorKind::generalized_alpha ||
                           integrator == analyses::IntegratorKind::hht;
  return mechanism.describe_shares(
             n_ranks, is_implicit ? Sweeps::of_implicit_steps : Sweeps::of_accelerations) +
         "\n";
}

std::string describe_formulation(const model::ModelDescription& description, system::System& system,
                                 const analyses::FormulationChoice& choice, int n_ranks) {
  const bool has_dynamics = std::any_of(
      description.analyses.begin(), description.analyses.end(), [](const auto& analysis) {
        return std::holds_alternative<model::DynamicsDescription>(analysis);
      });
  if (!has_dynamics) {
    if (description.formulation != analyses::Formulation::recursive) return {};
    recursive::refuse_set_valued_contacts(system);
  }
  const bool is_recursive = choice.formulation == analyses::Formulation::recursive;
  const std::string text =
      fmt::format("formulation: {} ({})\n", name(choice.formulation), choice.reason);
  if (!is_recursive) return text;
  const recursive::Mechanism mechanism(system, recursive::Mechanism::Warnings::leave);
  return text + recursive::describe(system, mechanism.tree().forest()) +
         (n_ranks > 1 ? describe_shares(description, mechanism, n_ranks) : "");
}

}  // namespace

std::string check(MPI_Comm comm, const model::ModelDescription& description) {
  const Plan plan = plan_of(description);
  const auto built = model::build(comm, description, {model::default_cache_folder()});
  Dynamics dynamics(built->system, options_of_first_dynamics(description));
  dynamics.start();
  const auto n_redundant = static_cast<int>(dynamics.redundancy().rows.size());
  const int n_independent = built->system.layout().n_constraints() - n_redundant;
  std::string text = fmt::format(
      "total mass {:.6g} kg\n{} velocity unknowns, {} constraint equations ({} redundant), {} degrees of freedom\n",
      total_mass(built->system), built->system.layout().n_dofs(),
      built->system.layout().n_constraints(), n_redundant,
      built->system.layout().n_dofs() - n_independent);
  for (const std::string& name : dynamics.redundancy().names) text += "  redundant: " + name + "\n";
  analyses::FormulationChoice formulation = dynamics.formulation();
  if (description.formulation == analyses::Formulation::recursive)
    formulation = {description.formulation, "the model asks for it"};
  else if (description.formulation == analyses::Formulation::automatic && plan.is_sequence())
    formulation.reason += "; of the positions in the file: a run chooses where `statics` ends";
  return text + describe_formulation(description, built->system, formulation, base::size(comm));
}

namespace {

system::State drawn_state(BuiltModel& built) {
  Dynamics dynamics(built.system, {});
  dynamics.start();
  return dynamics.state().clone();
}

bool brings_to_states(const model::AnalysisDescription& analysis) {
  return std::holds_alternative<model::DynamicsDescription>(analysis) ||
         std::holds_alternative<model::StaticsDescription>(analysis);
}

// Also of a run that failed, which it shows up to there. A report that cannot be written is no
// failure of the run.
void write_report(MPI_Comm comm, const std::string& folder) {
  if (base::rank(comm) != 0) return;
  report::ReportOptions options;
  options.folders = {folder};
  options.output = results::report_in(folder);
  // The log is part of the report: nothing may follow it there, or the next report would differ.
  base::log_info("writing {}", options.output);
  try {
    report::write_report(options);
  } catch (const std::exception& e) {
    base::log_warning("{} could not be written: {}", options.output, e.what());
  }
}

results::RunStatus compute(MPI_Comm comm, const model::ModelDescription& description,
                           const Plan& plan, const RunOptions& options) {
  base::Timer total;
  const auto built = model::build(comm, description, {model::default_cache_folder()});
  const double setup = total.seconds();
  LinearRuns linear(comm, description, *built);
  if (options.restart) linear.refuse_restart();
  results::RunStatus status = results::RunStatus::done;
  const auto& analyses = description.analyses;
  const bool is_alone = std::none_of(analyses.begin(), analyses.end(), brings_to_states);
  std::optional<FoundEquilibrium> equilibrium;
  for (std::size_t i = 0; i < analyses.size(); ++i) {
    if (const auto* dynamics = std::get_if<model::DynamicsDescription>(&analyses[i]))
      status = run_dynamics(comm, description, *built, *dynamics, options, total, setup, linear,
                            equilibrium ? &*equilibrium : nullptr);
    else if (const auto* statics = std::get_if<model::StaticsDescription>(&analyses[i])) {
      if (!plan.is_sequence())
        run_statics(comm, description, *built, *statics, options, total, setup, linear);
      else if (!options.restart)  // else the motion has begun, and its checkpoint says where it is
        equilibrium = find_equilibrium(comm, description, *built, *statics, options, total, setup,
                                       linear, *plan.dynamics);
    } else if (const auto* modes = std::get_if<model::ModesDescription>(&analyses[i]))
      print_modes(comm, description, *built, *modes);
    else if (!is_alone && linear.is_due(i))
      linear.run(i, drawn_state(*built));
  }
  if (is_alone && linear.is_any_wanted())
    run_linear_alone(comm, description, *built, options, total, drawn_state(*built), linear);
  if (options.observe_modes) options.observe_modes(linear.numbers());
  return status;
}

// Those of one body's mesh are printed; all other analyses write a folder.
bool writes_folder(const model::AnalysisDescription& analysis) {
  return !std::holds_alternative<model::ModesDescription>(analysis);
}

bool is_report_wanted(const model::ModelDescription& description, const RunOptions& options) {
  if (!options.report && !description.output.report) return false;
  const auto& analyses = description.analyses;
  if (std::any_of(analyses.begin(), analyses.end(), writes_folder)) return true;
  base::log_warning(
      "no report is written: the model's analyses print the modes of single bodies and write no folder; a report needs `modes` of the whole model, `statics` or `dynamics`");
  return false;
}

results::RunStatus carry_out(MPI_Comm comm, const model::ModelDescription& description,
                             const Plan& plan, const RunOptions& options) {
  const bool with_report = is_report_wanted(description, options);
  if (with_report) base::run_together(comm, [] { report::require_viewer(); });
  try {
    const results::RunStatus status = compute(comm, description, plan, options);
    if (with_report) write_report(comm, options.folder);
    return status;
  } catch (const base::ComputationError&) {
    if (with_report) write_report(comm, options.folder);
    throw;
  }
}

// Results of an earlier run give way to those of this one: not where the model reads them. Local.
void refuse_inputs_among_results(const model::ModelDescription& description,
                                 const std::string& folder) {
  for (const auto& [key, file] : model::input_files(description))
    if (results::is_removed_by_start(folder, file))
      throw base::InputError(
          fmt::format(
              "{}: {} is a result in the output folder {}, which this run would replace: it would delete its own input",
              key, file.string(), folder),
          "choose another output folder with -o, or copy the file to a place outside of it");
}

}  // namespace

results::RunStatus run(MPI_Comm comm, const model::ModelDescription& description,
                       const RunOptions& options) {
  const Plan plan = plan_of(description);
  base::run_together(comm, [&] {
    if (base::rank(comm) != 0) return;
    results::refuse_folder_in_use(options.folder);
    if (!options.restart) refuse_inputs_among_results(description, options.folder);
  });
  const int n_ranks = base::size(comm);
  const int n_working =
      options.all_ranks ? n_ranks : model::ranks_worth_starting(comm, description);
  if (n_working == n_ranks) return carry_out(comm, description, plan, options);
  base::log_info(
      "the meshes are small: {} of {} ranks compute{}; using the others would slow down the run (override with --all-ranks)",
      n_working, n_ranks, n_working == 1 ? "s" : "");
  auto status = results::RunStatus::done;
  std::optional<StopRequest> of_sleeper;  // its end by a signal would be the end of all
  if (base::rank(comm) >= n_working) of_sleeper.emplace();
  SleepersSignals signals(comm);
  base::run_on_first_ranks(
      comm, n_working,
      [&](MPI_Comm working) { status = carry_out(working, description, plan, options); },
      [&] { signals.pass_on(*of_sleeper); });
  MPI_Bcast(&status, sizeof status, MPI_BYTE, 0, comm);
  return status;
}

}  // namespace solidyn::simulation
