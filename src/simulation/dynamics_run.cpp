#include "simulation/dynamics_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>

#include "simulation/checkpoint_plan.h"
#include "simulation/checkpointing.h"
#include "simulation/contact_totals.h"
#include "simulation/crash_note.h"
#include "simulation/drive_table.h"
#include "simulation/energy_balance.h"
#include "simulation/linear_run.h"
#include "simulation/motion_output.h"
#include "simulation/pictures.h"
#include "simulation/sensor_rows.h"
#include "simulation/statics_run.h"
#include "simulation/stop_conditions.h"
#include "simulation/stop_request.h"
#include "simulation/unsolved_contacts.h"
#include "simulation/wheel_warnings.h"
#include "solidyn/base/log.h"
#include "solidyn/base/meeting.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/petsc.h"
#include "solidyn/base/resource_error.h"
#include "solidyn/integrators/contact_start.h"
#include "solidyn/model/running_vehicle.h"
#include "solidyn/recursive/branch_shares.h"
#include "solidyn/results/history.h"
#include "solidyn/results/output_folder.h"
#include "solidyn/results/progress.h"
#include "solidyn/results/summary.h"
#include "solidyn/system/closed_contacts.h"

namespace solidyn::simulation {
namespace {

using analyses::Dynamics;
using model::BuiltModel;

// How often, in wall-clock seconds, the ranks agree on whether a checkpoint is due, or the end.
constexpr double kAgreeEvery = 0.5;
// Between two looks at violated constraints; they cost as much as a Newton iteration. Energies of
// full meshes are looked at with them, others at every step.
constexpr std::int64_t kStepsBetweenObservations = 20, kStepsBetweenEnergies = 5;

// A dynamics analysis with everything that it writes.
class DynamicsRun {
 public:
  DynamicsRun(MPI_Comm comm, const model::ModelDescription& description, BuiltModel& built,
              const model::DynamicsDescription& analysis, const RunOptions& options,
              const base::Timer& total, double setup_seconds, FoundEquilibrium* equilibrium)
      : comm_(comm),
        meeting_(comm),
        ranks_(comm),
        description_(description),
        built_(built),
        options_(options),
        total_(total),
        dynamics_(built.system, model::dynamics_options(analysis, description.solver)),
        conditions_(analysis.stop_when, built),
        vehicle_(model::running_vehicle(description, built.system)),
        wheels_(vehicle_.wheelsets),
        model_text_(model_text(comm, description)),
        duration_(analysis.options.duration),
        contact_method_(analysis.options.contact_solver.method),
        step_(analysis.options.step),
        is_inverse_(analysis.options.inverse != analyses::InverseDynamics::none),
        plan_(description.output.checkpoint_interval) {
    base::Timer setup;
    start(equilibrium);
    if (const auto& [formulation, reason] = dynamics_.formulation();
        description.formulation == analyses::Formulation::automatic)
      base::log_info("formulation: {} ({})", name(formulation), reason);
    summary_.seconds.setup = setup_seconds + setup.seconds();
  }

  results::RunStatus run(LinearRuns& linear) {
    try {
      open_files();
    } catch (const std::exception& e) {
      if (folder_ && base::rank(comm_) == 0)
        leave_failed_folder(folder_->summary(), summary_, e.what());
      throw;
    }
    try {
      loop(linear);
      linear.run_rest(dynamics_.state(), *folder_);
      summary_.reflected_inertia = linear.reflected_inertia();
      finish(results::RunStatus::done);
    } catch (const std::bad_alloc&) {
      fail("out of memory");
    } catch (const base::InputError& e) {  // keeps its place and its exit status
      summary_.time = dynamics_.time();
      summary_.steps = dynamics_.steps();
      if (base::rank(comm_) == 0) leave_failed_folder(folder_->summary(), summary_, e.what());
      throw;
    } catch (const std::exception& e) {  // of any kind: the folder says `running`
      fail(e.what());
    }
    return summary_.status;
  }

 private:
  void start(FoundEquilibrium* equilibrium) {
    if (equilibrium) return start_from(*equilibrium);
    if (!options_.restart) return dynamics_.start();
    base::run_together(comm_, [&] {
      if (base::rank(comm_) == 0) results::require_checkpoint(options_.folder);
    });
    resume_from(comm_, options_.folder + "/checkpoint.h5", model_text_, built_, dynamics_);
    last_agreement_ = next_agreement_ = dynamics_.steps();
    next_history_ = time_after(description_.output.history_interval);
    next_fields_ = time_after(description_.output.fields_interval);
    next_motion_ = time_after(motion_interval(description_.output, duration_));
  }

  void start_from(FoundEquilibrium& equilibrium) {
    folder_ = std::move(equilibrium.folder);
    summary_.equilibria = equilibrium.equilibria;
    summary_.statics = equilibrium.statistics;
    try {
      dynamics_.start_from(equilibrium.state);
    } catch (const std::exception& e) {
      tell_of_failed_start(e.what());
      throw;
    }
  }

  // Statics has begun the folder, which must not say `running` for ever.
  void tell_of_failed_start(const std::string& message) {
    if (!meeting_.all_arrive()) return;
    summary_.status = results::RunStatus::failed;
    summary_.failure = results::RunFailure{0.0, 0, message};
    summary_.title = description_.title;
    summary_.ranks = base::size(comm_);
    summary_.seconds.total = total_.seconds();
    summary_.warnings = base::logged_warnings();
    results::write_summary(comm_, folder_->summary(), summary_);
  }

  // Collective if the failure is that of all ranks.
  [[noreturn]] void fail(std::string message) {
    if (!meeting_.all_arrive()) {
      summary_.time = dynamics_.time();
      summary_.steps = dynamics_.steps();
      leave_failed_folder(folder_->summary(), summary_, message);
      throw base::ResourceError(fmt::format(
          "t = {:.6g} s: {}\n  the other ranks continue without this one, so that the state cannot be saved; last checkpoint, if any: {}",
          dynamics_.time(), message, folder_->checkpoint()));
    }
    if (const std::string contacts = save_unsolved_contacts(comm_, dynamics_.unsolved_contacts(),
                                                            options_, folder_->unsolved_contacts());
        !contacts.empty())
      message += "\n  " + contacts;
    std::string saved = fmt::format("last good state: {}", folder_->checkpoint());
    try {
      summary_.failure = results::RunFailure{dynamics_.time(), dynamics_.steps(), message};
      finish(results::RunStatus::failed);
    } catch (const base::ComputationError& e) {
      saved = fmt::format("the last good state could not be saved: {}", e.what());
      write_failed_summary(comm_, folder_->summary(),
                           [&] { write_summary(results::RunStatus::failed); });
    }
    throw base::ComputationError(fmt::format("{}\n  {}", message, saved));
  }

  void open_files() {
    const bool is_first = !folder_ && !options_.restart;  // else they are there already
    if (!folder_)
      folder_ = std::make_unique<results::OutputFolder>(
          comm_, options_.folder,
          options_.restart ? results::FolderUse::resume : results::FolderUse::start);
    if (is_first)
      model::write_irregularities(comm_, description_, folder_->irregularities(),
                                  [this] { stop_.throw_if_asked("writing irregularities"); });
    std::optional<double> resume_at;
    if (options_.restart) resume_at = dynamics_.time();
    columns_ = columns_of(built_.sensors);
    row_.resize(static_cast<Eigen::Index>(columns_.size()));
    const bool completes_accelerations = dynamics_.stepper().completes_copy();
    reads_reactions_ =
        is_inverse_ ||
        std::any_of(built_.sensors.begin(), built_.sensors.end(), [&](const analyses::Sensor& s) {
          return s.reads_reactions || (completes_accelerations && s.needs_accelerations);
        });
    history_ =
        std::make_unique<results::HistoryWriter>(comm_, folder_->history(), columns_, resume_at);
    if (const double interval = description_.output.fields_interval; interval > 0.0) {
      pictures_ = std::make_unique<Pictures>(comm_, built_);
      fields_ = std::make_unique<results::FieldWriter>(
          comm_, folder_->fields_xdmf(), folder_->fields_h5(), pictures_->parts(),
          planned_pictures(duration_, step_, interval), resume_at);
    }
    built_.system.update(dynamics_.state());
    motion_ = MotionOutput::open(comm_, description_, built_, folder_->motion(),
                                 {duration_, step_, fields_ != nullptr, resume_at, {}});
    if (system::has_set_valued_contacts(built_.system))
      events_ = std::make_unique<results::RowFile>(
          comm_, folder_->events(),
          "time,contact,kind,speed_before,speed_after,impulse,point,bodies\n", resume_at);
    if (is_inverse_)
      drives_ = std::make_unique<DriveTable>(comm_, built_, folder_->drives(), resume_at);
    write_summary(results::RunStatus::running);
    note_crash(folder_->summary(), summary_, dynamics_.time(), dynamics_.steps());
    tell_of_rows_beside_their_times();
    if (plan_.interval() > 0.0)
      base::log_info("the first checkpoint is written after {:.3g} s, then at least every {:.3g} s",
                     plan_.first(), plan_.interval());
  }

  void tell_of_rows_beside_their_times() const {
    const double interval = description_.output.history_interval;
    const double steps = interval / step_;
    if (interval == 0.0 || dynamics_.has_variable_steps() ||
        std::abs(steps - std::round(steps)) < 1e-6 * steps)
      return;
    base::log_info(
        "history_interval is {:.6g} steps: a row is written at the first step that reaches a multiple of it; use a multiple of `step` for rows at equal intervals",
        steps);
  }

  void loop(LinearRuns& linear) {
    results::ProgressReporter progress(comm_, dynamics_.time(), duration_);
    if (!options_.restart) write_outputs();
    look_at_conditions();
    if (options_.restart) tell_of_conditions_that_hold();
    look_at_small_motions(linear);
    while (!is_at_end()) {
      dynamics_.advance(next_asked_time());
      look_at_conditions();
      look_at_small_motions(linear);
      base::ScopedTimer timer(summary_.seconds.output);
      write_outputs();
      write_checkpoint_if_due();
      progress.update(dynamics_.time(), dynamics_.steps());
    }
    progress.finish(dynamics_.time(), dynamics_.steps());
    summary_.stopped_by = conditions_.reason();
    if (!conditions_.reason().empty()) base::log_info("stopped: {}", conditions_.reason());
  }

  void look_at_small_motions(LinearRuns& linear) {
    if (!linear.is_any_due(dynamics_.time()) || !linear.run_those_due(dynamics_.state())) return;
    linear.write(*folder_, dynamics_.state());
    summary_.reflected_inertia = linear.reflected_inertia();
  }

  void look_at_conditions() {
    const system::State& state =
        conditions_.read_reactions(built_) ? dynamics_.state() : dynamics_.motion();
    conditions_.is_met(built_, state, dynamics_.monitor().contacts);
  }

  // As where one of them ended the run that this one continues from.
  void tell_of_conditions_that_hold() const {
    if (const std::string holding = conditions_.holding(); !holding.empty() && !is_at_end())
      base::log_info(
          "t = {:.6g} s: {}: this run continues nevertheless, to t = {:.6g} s, or until the condition is met again",
          dynamics_.time(), holding, duration_);
  }

  bool is_at_end() const { return dynamics_.is_done() || !conditions_.reason().empty(); }

  // Steps end where a row of the history is asked for, so that it holds what the integrator found,
  // forces and multipliers too, and nothing between two steps.
  double next_asked_time() const {
    return description_.output.history_interval > 0.0 ? next_history_
                                                      : std::numeric_limits<double>::infinity();
  }

  // For the sensors, and at times for the summary: what that wants costs more than they do.
  void look_at_state() {
    const auto reactions =
        reads_reactions_ ? Dynamics::Reactions::find : Dynamics::Reactions::leave;
    if (dynamics_.steps() < next_observation_ && !is_at_end()) return dynamics_.refresh(reactions);
    dynamics_.observe(reactions);
    next_observation_ = dynamics_.steps() + (built_.system.layout().nodal_bodies().empty()
                                                 ? kStepsBetweenObservations
                                                 : kStepsBetweenEnergies);
  }

  // True when `interval` has passed since the last time, or at the end.
  bool is_due(double interval, double& next) const {
    const double t = dynamics_.time();
    if (t < next - 1e-6 * step_ && !is_at_end()) return false;
    next = time_after(interval);
    return true;
  }
  // The first multiple of `interval` that lies ahead.
  double time_after(double interval) const {
    return interval > 0.0 ? (std::floor(dynamics_.time() / interval + 1e-6) + 1.0) * interval : 0.0;
  }

  void write_events() {
    for (const integrators::ContactEvent& event : dynamics_.take_contact_events()) {
      if (!events_->is_open()) continue;
      std::string& rows = events_->rows();
      results::append_number(event.t, rows);
      rows += fmt::format(",{},{}", event.contact, integrators::name(event.kind));
      for (const double value : {event.speed_before, event.speed_after, event.impulse}) {
        rows += ',';
        results::append_number(value, rows);
      }
      rows += fmt::format(",{},{}\n", event.point, event.bodies);
      events_->row_is_added();
    }
  }

  void write_outputs() {
    if (events_) write_events();
    const model::OutputDescription& o = description_.output;
    const bool history = o.history_interval > 0.0
                             ? is_due(o.history_interval, next_history_)
                             : dynamics_.steps() % o.history_every == 0 || is_at_end();
    if (history) {
      look_at_state();
      read_sensors(built_.sensors, built_.system, dynamics_.motion(), row_);
      if (!vehicle_.wheelsets.empty())
        wheels_.look(fmt::format("t = {:.6g} s", dynamics_.time()), built_.system.kinematics());
      history_->write(dynamics_.time(), row_);
      if (drives_) drives_->write(dynamics_.state());
      if (options_.observe) options_.observe(columns_, dynamics_.time(), row_);
    }
    const double t = dynamics_.time();
    const bool fields = fields_ && is_due(o.fields_interval, next_fields_);
    if (fields) fields_->write(t, pictures_->values());
    if (motion_ && motion_->is_wanted(is_due(motion_->interval(), next_motion_), fields))
      motion_->write(t, dynamics_.state());  // with the reactions of joints
  }

  // Rank 0's clock decides, and whoever was asked to stop; the ranks meet only every half second or
  // so.
  void write_checkpoint_if_due() {
    const model::OutputDescription& o = description_.output;
    const bool is_step = o.checkpoint_every > 0 && dynamics_.steps() % o.checkpoint_every == 0;
    const bool is_time = dynamics_.steps() >= next_agreement_ && agree();
    if (is_step || is_time) write_checkpoint();
    // Only what the model file asks for may touch the numbers, never the clock.
    if (is_step) dynamics_.stepper().forget_history(dynamics_.accepted());
  }

  // True when rank 0 says that a checkpoint is due. @throws ComputationError when a rank was asked
  // to stop
  bool agree() {
    double decision[3] = {0.0, 1.0,
                          static_cast<double>(stop_.signal())};  // due?, steps until the next
    if (base::rank(comm_) == 0) {
      const double seconds = since_agreement_.seconds();
      const double steps = static_cast<double>(dynamics_.steps() - last_agreement_);
      decision[0] = plan_.is_due(since_checkpoint_.seconds());
      if (seconds > 0.0) decision[1] = std::floor(steps * kAgreeEvery / seconds) + 1.0;
    }
    MPI_Allreduce(MPI_IN_PLACE, decision, 3, MPI_DOUBLE, MPI_MAX, comm_);
    last_agreement_ = dynamics_.steps();
    next_agreement_ = last_agreement_ + static_cast<std::int64_t>(decision[1]);
    since_agreement_ = base::Timer();
    note_crash(folder_->summary(), summary_, dynamics_.time(), dynamics_.steps());
    if (const int signal = static_cast<int>(decision[2]); signal != 0)
      throw base::ComputationError(
          fmt::format("t = {:.6g} s: stopped by {}; continue with --restart", dynamics_.time(),
                      strsignal(signal)));
    return decision[0] != 0.0;
  }

  void write_checkpoint() {
    history_->flush();
    if (drives_) drives_->flush();
    if (events_) events_->flush();
    if (fields_) fields_->flush();
    results::write_checkpoint(comm_, folder_->checkpoint(),
                              make_checkpoint(dynamics_, built_, model_text_));
    plan_.was_written();
    since_checkpoint_ = base::Timer();
  }

  void finish(results::RunStatus status) {
    forget_crash_note();
    built_.system.update(dynamics_.state());  // after a failure: back to the last good state
    write_checkpoint();
    base::warn_of_unused_petsc_options();
    if (status == results::RunStatus::done)
      warn_of_rails_not_reached(vehicle_, built_.system.kinematics());
    summary_.doubts = find_doubts(built_, dynamics_);
    for (const std::string& doubt : summary_.doubts) base::log_warning("{}", doubt);
    if (const std::string gain = warn_of_gained_energy(built_, dynamics_.monitor()); !gain.empty())
      base::log_warning("{}", gain);
    const bool is_doubtful = status == results::RunStatus::done && !summary_.doubts.empty();
    write_summary(is_doubtful ? results::RunStatus::doubtful : status);
    if (drives_)
      for (const std::string& line : drives_->lines()) base::log_info("{}", line);
    log_memory();
    base::log_info("{} steps to t = {:.6g} s in {:.3g} s; results are in {}", dynamics_.steps(),
                   dynamics_.time(), total_.seconds(), folder_->path());
  }

  void log_memory() const {
    constexpr std::size_t kMostListed = 32;
    const std::vector<double>& of_ranks = summary_.peak_rss_mb_of_ranks;
    base::log_info("peak memory: {:.0f} MB on a rank, {:.0f} MB in total{}", summary_.peak_rss_mb,
                   summary_.peak_rss_mb_total,
                   of_ranks.size() < 2 || of_ranks.size() > kMostListed
                       ? ""
                       : fmt::format("; by rank: {:.0f}", fmt::join(of_ranks, ", ")));
  }

  void write_summary(results::RunStatus status) {
    const integrators::IntegratorStatistics& n = dynamics_.stepper().statistics();
    const analyses::Monitor& m = dynamics_.monitor();
    results::RunSummary& s = summary_;
    s.status = status;
    s.title = description_.title;
    s.integrator = dynamics_.stepper().name();
    s.formulation = name(dynamics_.formulation().formulation);
    s.formulation_reason = dynamics_.formulation().reason;
    s.ranks = base::size(comm_);
    s.dofs = built_.system.layout().n_dofs();
    s.constraints = built_.system.layout().n_constraints() -
                    static_cast<std::int64_t>(dynamics_.redundancy().rows.size());
    s.steps = dynamics_.steps();
    s.newton_iterations = n.newton_iterations;
    s.linear_iterations = n.linear_solves;
    s.time = dynamics_.time();
    s.seconds.total = total_.seconds();
    s.seconds.assembly = n.assembly_seconds;
    s.seconds.solve = n.solve_seconds;
    s.max_constraint_violation = {m.position_violation, m.velocity_violation,
                                  m.acceleration_violation};
    s.energy = {m.energy.kinetic,   m.energy.strain,     m.energy.potential, m.balance.work,
                m.relative_drift(), m.balance.exchanged, m.balance.imbalance};
    if (drives_) s.drives = drives_->demands();
    if (events_) s.nonsmooth = describe(m, contact_method_);
    s.warnings = base::logged_warnings();
    s.measure_memory(comm_);
    results::write_summary(comm_, folder_->summary(), s);
  }

  MPI_Comm comm_;
  const base::Meeting meeting_;
  const recursive::RanksForBranches ranks_;
  const model::ModelDescription& description_;
  BuiltModel& built_;
  const RunOptions& options_;
  const base::Timer& total_;
  Dynamics dynamics_;
  StopConditions conditions_;
  const model::RunningVehicle vehicle_;
  WheelWarnings wheels_;
  std::string model_text_;
  double duration_;
  solvers::friction::Method contact_method_;
  double step_;
  bool is_inverse_;
  CheckpointPlan plan_;
  results::RunSummary summary_;
  std::unique_ptr<results::OutputFolder> folder_;
  std::unique_ptr<results::HistoryWriter> history_;
  std::unique_ptr<results::RowFile> events_;  // null without set-valued contacts
  std::unique_ptr<DriveTable> drives_;        // of inverse dynamics
  std::unique_ptr<Pictures> pictures_;
  std::unique_ptr<results::FieldWriter> fields_;
  std::unique_ptr<MotionOutput> motion_;
  std::vector<results::HistoryColumn> columns_;
  Eigen::VectorXd row_;
  bool reads_reactions_ = true;  // some column of the history, or drives.csv
  double next_history_ = 0.0, next_fields_ = 0.0, next_motion_ = 0.0;
  StopRequest stop_;
  std::int64_t next_agreement_ = 0, last_agreement_ = 0, next_observation_ = 0;
  base::Timer since_agreement_, since_checkpoint_;
};

}  // namespace

results::RunStatus run_dynamics(MPI_Comm comm, const model::ModelDescription& description,
                                BuiltModel& built, const model::DynamicsDescription& analysis,
                                const RunOptions& options, const base::Timer& total,
                                double setup_seconds, LinearRuns& linear,
                                FoundEquilibrium* equilibrium) {
  return DynamicsRun(comm, description, built, analysis, options, total, setup_seconds, equilibrium)
      .run(linear);
}

}  // namespace solidyn::simulation
