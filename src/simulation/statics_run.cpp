#include "simulation/statics_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <utility>

#include "simulation/contact_totals.h"
#include "simulation/crash_note.h"
#include "simulation/linear_run.h"
#include "simulation/linear_warnings.h"
#include "simulation/motion_output.h"
#include "simulation/pictures.h"
#include "simulation/sensor_rows.h"
#include "simulation/stop_request.h"
#include "simulation/wheel_warnings.h"
#include "solidyn/analyses/statics.h"
#include "solidyn/analyses/steady_running.h"
#include "solidyn/base/error.h"
#include "solidyn/base/interrupted.h"
#include "solidyn/base/log.h"
#include "solidyn/base/meeting.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/petsc.h"
#include "solidyn/base/resource_error.h"
#include "solidyn/model/build.h"
#include "solidyn/model/running_vehicle.h"
#include "solidyn/results/history.h"
#include "solidyn/results/output_folder.h"
#include "solidyn/results/progress.h"
#include "solidyn/results/summary.h"

namespace solidyn::simulation {
namespace {

using analyses::Statics;

// Before dynamics, what varies with time stands still where that begins, unless the file says
// otherwise.
analyses::StaticsOptions options_of(const model::StaticsDescription& analysis,
                                    const model::SolverDescription& solver, bool is_followed) {
  analyses::StaticsOptions options = model::statics_options(analysis, solver);
  if (is_followed && !analysis.has_time) options.time = analyses::LoadTime::start_if_varying;
  return options;
}

// Supports that end elsewhere than dynamics has them at its start would throw their nodes there.
void refuse_moved_supports(const model::ModelDescription& description,
                           const model::StaticsDescription& analysis) {
  if (!analysis.has_time || analysis.options.time != analyses::LoadTime::parameter) return;
  for (const model::SupportDescription& support : description.supports)
    for (const math::TimeFunction& moves : support.displacement)
      if (moves.value(1.0) != moves.value(0.0))
        throw base::InputError(
            fmt::format(
                "support `{}` is displaced by {:.6g} m at the end of statics (t = 1), but by {:.6g} m at the start of dynamics (t = 0)",
                support.name, moves.value(1.0), moves.value(0.0)),
            "write  time: start  in statics, or return the support to its initial position",
            analysis.where);
}

class StaticsRun {
 public:
  StaticsRun(MPI_Comm comm, const model::ModelDescription& description, model::BuiltModel& built,
             const model::StaticsDescription& analysis, const RunOptions& options,
             const base::Timer& total, double setup_seconds,
             std::optional<std::size_t> dynamics = std::nullopt)
      : comm_(comm),
        meeting_(comm),
        description_(description),
        built_(built),
        options_(options),
        total_(total),
        analysis_(analysis),
        dynamics_(dynamics),
        load_step_(1.0 / analysis.options.load_steps),
        statics_(built.system, options_of(analysis, description.solver, dynamics.has_value())) {
    summary_.seconds.setup = setup_seconds;
    statics_.set_look_up([this] { end_if_asked(); });
  }

  void run(LinearRuns& linear) {
    try {
      open_files();
    } catch (const std::exception& e) {
      if (folder_ && base::rank(comm_) == 0)
        leave_failed_folder(folder_->summary(), summary_, e.what());
      throw;
    }
    try {
      loop();
      linear.run_rest(state(), *folder_, dynamics_);
      summary_.reflected_inertia = linear.reflected_inertia();
      finish(dynamics_ ? results::RunStatus::running : results::RunStatus::done);
    } catch (const std::bad_alloc&) {
      fail("out of memory");
    } catch (const base::InputError& e) {  // keeps its place and its exit status
      summary_.time = state().t;
      summary_.steps = statics_.steps();
      if (base::rank(comm_) == 0) leave_failed_folder(folder_->summary(), summary_, e.what());
      throw;
    } catch (const std::exception& e) {  // of any kind: the folder says `running`
      fail(e.what());
    }
  }

  /// After run().
  FoundEquilibrium take_equilibrium() {
    return {state().clone(),
            std::move(folder_),
            summary_.equilibria,
            {statics_.steps(), statics_.statistics().newton_iterations, statics_.work()}};
  }

 private:
  // Collective if the failure is that of all ranks.
  [[noreturn]] void fail(const std::string& message) {
    if (!meeting_.all_arrive()) {
      leave_failed_folder(folder_->summary(), summary_, message);
      throw base::ResourceError(fmt::format(
          "{}\n  the other ranks continue without this one; the equilibria up to t = {:.6g} are in {}",
          message, state().t, options_.folder));
    }
    summary_.failure = results::RunFailure{state().t, statics_.steps(), message};
    try {
      finish(results::RunStatus::failed);
    } catch (const base::ComputationError&) {  // as of a full disk
      write_failed_summary(comm_, folder_->summary(),
                           [&] { write_summary(results::RunStatus::failed); });
    }
    throw base::ComputationError(message);
  }

  void open_files() {
    folder_ =
        std::make_unique<results::OutputFolder>(comm_, options_.folder, results::FolderUse::start);
    model::write_irregularities(comm_, description_, folder_->irregularities(),
                                [this] { stop_.throw_if_asked("writing irregularities"); });
    columns_ = columns_of(built_.sensors);
    row_.resize(static_cast<Eigen::Index>(columns_.size()));
    history_ = std::make_unique<results::HistoryWriter>(
        comm_, dynamics_ ? folder_->statics() : folder_->history(), columns_);
    built_.system.update(state());
    if (const double interval = description_.output.fields_interval; interval > 0.0 && !dynamics_) {
      pictures_ = std::make_unique<Pictures>(comm_, built_);
      fields_ = std::make_unique<results::FieldWriter>(
          comm_, folder_->fields_xdmf(), folder_->fields_h5(), pictures_->parts(),
          planned_pictures(1.0, load_step_, interval), std::nullopt);
    }
    if (!dynamics_)  // whose motion it is otherwise
      motion_ = MotionOutput::open(comm_, description_, built_, folder_->motion(),
                                   {1.0,
                                    load_step_,
                                    fields_ != nullptr,
                                    std::nullopt,
                                    {is_along_path() ? "load step" : "load parameter", ""}});
    write_summary(results::RunStatus::running);
    note_crash(folder_->summary(), summary_, 0.0, 0);
  }

  /// That of the vehicle that runs, if it is to, and else the last equilibrium.
  const system::State& state() const { return running_ ? *running_ : statics_.state(); }

  void loop() {
    const model::RunningVehicle vehicle = model::running_vehicle(description_, built_.system);
    if (!vehicle.wheelsets.empty())
      base::log_info(
          "the wheels are braked: wheelsets keep their place along the track and the angle about their axles");
    statics_.start();
    if (statics_.is_held() && (vehicle.speed == 0.0 || analysis_.has_path_keys))
      tell_of_held_time();
    if (vehicle.speed > 0.0) run_steadily(vehicle);
    results::ProgressReporter progress(comm_, 0.0, 1.0);
    write_outputs();
    while (!statics_.is_done()) {
      statics_.advance();
      base::ScopedTimer timer(summary_.seconds.output);
      write_outputs();
      progress.update(state().t, statics_.steps());
      note_crash(folder_->summary(), summary_, state().t, statics_.steps());
      end_if_asked();
    }
    progress.finish(state().t, statics_.steps());
    warn_of_unloaded_wheels(vehicle);
    if (dynamics_) return;
    warn_of_rails_not_reached(vehicle, built_.system.kinematics());
    WheelWarnings(vehicle.wheelsets).look("statics", built_.system.kinematics());
  }

  void run_steadily(const model::RunningVehicle& vehicle) {
    analyses::SteadyRunning running =
        analyses::run_steadily(built_.system, vehicle.wheelsets, statics_.state(), vehicle.speed);
    running_ = std::move(running.state);
    built_.system.update(*running_);
    base::log_info(
        "the vehicle runs steadily with {:.6g} m/s ({} Newton iterations), kept so by {:.4g} N along the track, in proportion to the masses",
        vehicle.speed, running.iterations, running.traction);
    warn_of_changing_friction("statics", vehicle.wheelsets, built_.system);
    const auto carriage = analyses::find_carriage(built_.system, vehicle.wheelsets);
    if (carriage)
      warn_of_changing_forces("statics", vehicle.wheelsets, *carriage, *running_, built_.system);
    constexpr double kShare = 0.2, kLeast = 1.0;  // of the traction; N
    if (std::abs(running.unexplained) > std::max(kLeast, kShare * std::abs(running.traction)))
      base::log_warning(
          "{:.4g} N of the force that keeps the speed are dissipated by nothing: a bushing with moments (stiffness 4 to 6) between a wheelset and what does not turn with it works against the wheels, as its axes are those of its first place\n  take bushings without moments, at points to the left and right",
          running.unexplained);
  }

  void warn_of_unloaded_wheels(const model::RunningVehicle& vehicle) {
    const std::string unloaded =
        analyses::describe_unloaded_wheels(built_.system, vehicle.wheelsets);
    if (!unloaded.empty())
      base::log_warning(
          "in equilibrium these wheels do not touch their rails: {}; correct masses, stiffnesses or preloads of the springs",
          unloaded);
  }

  void tell_of_held_time() const {
    if (analysis_.has_path_keys)
      base::log_warning(
          "{}:{}: statics computes the equilibrium at t = 0, where dynamics starts: loads, supports and drives vary with time, so that keys of load steps (load_steps, control ...) have no effect; with  time: load_parameter  they are first applied over t from 0 to 1",
          analysis_.where.file, analysis_.where.line);
    else
      base::log_info("statics computes the equilibrium with all inputs at t = 0");
  }

  // A load step, and one of a relaxation, is a lot of work: the ranks agree after each of them, and
  // what is there is written.
  void end_if_asked() {
    const int signal = static_cast<int>(base::max(comm_, static_cast<double>(stop_.signal())));
    if (signal != 0)
      throw base::Interrupted(
          fmt::format("t = {:.6g}: stopped by {}", state().t, strsignal(signal)));
  }

  void write_outputs() {
    const double t = state().t;
    built_.system.update_accelerations();
    read_sensors(built_.sensors, built_.system, state(), row_);
    history_->write(t, row_);
    if (options_.observe && !dynamics_) options_.observe(columns_, t, row_);
    history_->flush();
    // Along a path the load falls too: pictures are numbered by the steps.
    path_ += std::abs(t - std::exchange(t_before_, t));
    const double place = is_along_path() ? static_cast<double>(statics_.steps()) : t;
    const bool fields = fields_ && is_due(description_.output.fields_interval, next_fields_);
    if (fields) {
      fields_->write(place, pictures_->values());
      fields_->flush();
    }
    if (motion_ && motion_->is_wanted(is_motion_due(), fields)) motion_->write(place, state());
  }

  bool is_along_path() const { return analysis_.options.arc_length; }

  // A step along a path may move far at nearly the same load.
  bool is_motion_due() {
    return (is_along_path() && !description_.output.motion_interval) ||
           is_due(motion_->interval(), next_motion_);
  }

  // By the change of the load parameter so far, up or down.
  bool is_due(double interval, double& next) const {
    constexpr double kSame = 1e-9;
    if (path_ < next - kSame && !statics_.is_done()) return false;
    next = (std::floor(path_ / interval + kSame) + 1.0) * interval;
    return true;
  }

  void finish(results::RunStatus status) {
    forget_crash_note();
    history_->flush();
    if (fields_) fields_->flush();
    if (!dynamics_ || status == results::RunStatus::failed) base::warn_of_unused_petsc_options();
    write_summary(status);
    base::log_info(
        "{} load steps to t = {:.6g}, {} Newton iterations{} in {:.3g} s; results are in {}",
        statics_.steps(), state().t, statics_.statistics().newton_iterations, relaxed(),
        total_.seconds(), folder_->path());
  }

  std::string relaxed() const {
    const Statics::Statistics& n = statics_.statistics();
    if (n.relaxed_equilibria == 0) return "";
    return fmt::format(" and {} relaxation steps for {} of the equilibria", n.relaxation_steps,
                       n.relaxed_equilibria);
  }

  void write_summary(results::RunStatus status) {
    const Statics::Statistics& n = statics_.statistics();
    results::RunSummary& s = summary_;
    s.status = status;
    s.title = description_.title;
    s.integrator = "statics";
    s.formulation = analysis_.options.is_relative ? "recursive" : "absolute";
    s.formulation_reason = analysis_.options.is_relative ? "the model asks for it"
                                                         : "statics takes it unless the model asks";
    s.ranks = base::size(comm_);
    s.dofs = built_.system.layout().n_dofs();
    s.constraints = built_.system.layout().n_constraints() -
                    static_cast<std::int64_t>(statics_.redundancy().rows.size());
    s.steps = statics_.steps();
    s.newton_iterations = s.linear_iterations = n.newton_iterations;
    s.equilibria = {n.relaxed_equilibria, n.relaxation_steps, n.unstable_equilibria,
                    n.first_unstable};
    s.time = state().t;
    s.seconds.total = total_.seconds();
    s.seconds.assembly = n.assembly_seconds;
    s.seconds.solve = n.solve_seconds;
    s.max_constraint_violation.position = statics_.constraint_violation();
    if (status == results::RunStatus::done || statics_.is_done()) {
      const bodies::Energy e = built_.system.energy(state());
      s.energy.kinetic = running_ ? e.kinetic : 0.0;
      s.energy.strain = e.strain;
      s.energy.potential = e.potential;
      s.energy.work = statics_.work();
    }
    if (integrators::StaticContacts* contacts = statics_.contacts())
      s.nonsmooth = describe(*contacts);
    s.warnings = base::logged_warnings();
    s.measure_memory(comm_);
    results::write_summary(comm_, folder_->summary(), s);
  }

  MPI_Comm comm_;
  const base::Meeting meeting_;
  const model::ModelDescription& description_;
  model::BuiltModel& built_;
  const RunOptions& options_;
  const base::Timer& total_;
  const model::StaticsDescription& analysis_;
  std::optional<std::size_t> dynamics_;  // that begins from here, by its number
  double load_step_;
  Statics statics_;
  std::optional<system::State> running_;
  results::RunSummary summary_;
  std::unique_ptr<results::OutputFolder> folder_;
  std::unique_ptr<results::HistoryWriter> history_;
  std::unique_ptr<Pictures> pictures_;
  std::unique_ptr<results::FieldWriter> fields_;
  std::unique_ptr<MotionOutput> motion_;
  StopRequest stop_;
  std::vector<results::HistoryColumn> columns_;
  Eigen::VectorXd row_;
  double next_fields_ = 0.0, next_motion_ = 0.0;
  double path_ = 0.0, t_before_ = 0.0;  // of the load parameter: what it has gone, where it was
};

}  // namespace

void run_statics(MPI_Comm comm, const model::ModelDescription& description,
                 model::BuiltModel& built, const model::StaticsDescription& analysis,
                 const RunOptions& options, const base::Timer& total, double setup_seconds,
                 LinearRuns& linear) {
  if (options.restart)
    throw base::InputError("a statics analysis cannot be restarted from a checkpoint",
                           "run it again without --restart");
  StaticsRun(comm, description, built, analysis, options, total, setup_seconds).run(linear);
}

FoundEquilibrium find_equilibrium(MPI_Comm comm, const model::ModelDescription& description,
                                  model::BuiltModel& built,
                                  const model::StaticsDescription& analysis,
                                  const RunOptions& options, const base::Timer& total,
                                  double setup_seconds, LinearRuns& linear, std::size_t dynamics) {
  refuse_moved_supports(description, analysis);
  StaticsRun run(comm, description, built, analysis, options, total, setup_seconds, dynamics);
  run.run(linear);
  return run.take_equilibrium();
}

}  // namespace solidyn::simulation
