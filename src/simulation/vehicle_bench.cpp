#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "simulation/sensor_rows.h"
#include "solidyn/analyses/dynamics.h"
#include "solidyn/analyses/statics.h"
#include "solidyn/analyses/steady_running.h"
#include "solidyn/base/cpu_time.h"
#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/model/build.h"
#include "solidyn/model/running_vehicle.h"
#include "solidyn/simulation/railway_bench.h"

namespace solidyn::simulation {
namespace {

template <class Kind>
const Kind* find_analysis(const model::ModelDescription& description) {
  for (const model::AnalysisDescription& analysis : description.analyses)
    if (const auto* found = std::get_if<Kind>(&analysis)) return found;
  return nullptr;
}

// Down, of both wheels, N.
double load_of(const forces::RunsOnTrack& wheelset, const system::System& system, double t) {
  const forces::Force& force = wheelset.force();
  const forces::Readings readings = force.readings();
  std::vector<double> values(readings.size());
  force.read(system.kinematics(), t, values.data());
  double load = 0.0;
  for (std::size_t i = 0; i < readings.size(); ++i)
    if (readings[i].name == std::string("left_Q") || readings[i].name == std::string("right_Q"))
      load += values[i];
  return load;
}

// What the wheels are to carry: the rails' bodies, and what stands beside the track, carry
// themselves.
std::set<bodies::BodyIndex> carried_bodies(const system::System& system,
                                           const forces::Wheelsets& wheelsets) {
  if (const auto carriage = analyses::find_carriage(system, wheelsets)) return carriage->bodies;
  std::set<bodies::BodyIndex> carried;
  for (const bodies::BodyIndex b : system.bodies()) carried.insert(b);
  for (const forces::RunsOnTrack* wheelset : wheelsets)
    for (const bodies::BodyIndex b : wheelset->force().bodies())
      if (b != wheelset->wheelset()) carried.erase(b);
  return carried;
}

// Velocities of the bodies that all go down with 1 m/s.
Eigen::VectorXd descent_of(const std::set<bodies::BodyIndex>& bodies,
                           const system::System& system) {
  const Eigen::Vector3d down = system.gravity().isZero(0.0)
                                   ? Eigen::Vector3d(0.0, 0.0, -1.0)
                                   : Eigen::Vector3d(system.gravity().normalized());
  Eigen::VectorXd descent = Eigen::VectorXd::Zero(system.layout().n_velocities());
  for (const bodies::BodyIndex b : bodies)
    if (system.body(b).n_rigid() > 0) descent.segment<3>(system.layout().velocity_offset(b)) = down;
  return descent;
}

// N, along a descent, of what the model applies.
double applied(const Eigen::VectorXd& descent, const system::System& system, double t) {
  double sum = 0.0;
  for (const forces::ForceIndex f : system.forces()) {
    if (!system.force(f).is_given_in_time()) continue;
    const std::vector<int>& columns = system.force_columns(f);
    Eigen::VectorXd r = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(columns.size()));
    system.force(f).add_residual(system.kinematics(), t, r);
    sum -= r.dot(descent(columns));
  }
  return sum;
}

class VehicleTimes {
 public:
  VehicleTimes(MPI_Comm comm, const model::ModelDescription& description, int steps)
      : comm_(comm), description_(description) {
    if (steps < 1)
      throw base::InputError("a bench needs at least one step", "give --steps such as 500");
    dynamics_ = find_analysis<model::DynamicsDescription>(description);
    if (!dynamics_)
      throw base::InputError("the model has no `dynamics`, of which steps are timed",
                             "add  - dynamics: {duration: .., step: ..}");
    out_.steps = steps;
  }

  VehicleBench run() {
    const double before = base::cpu_seconds();
    built_ = model::build(comm_, description_, {model::default_cache_folder()});
    const model::RunningVehicle vehicle = model::running_vehicle(description_, built_->system);
    if (vehicle.wheelsets.empty())
      throw base::InputError("the model has no wheelsets (forces of type `wheel_rail`)",
                             "give a model of a vehicle, such as examples/railway/coach.yaml");
    analyses::DynamicsOptions options = model::dynamics_options(*dynamics_, description_.solver);
    out_.step = options.step;
    options.duration = out_.steps * options.step;
    analyses::Dynamics dynamics(built_->system, options);
    start(vehicle, dynamics);
    out_.start_seconds = base::max(comm_, base::cpu_seconds() - before);
    dynamics.refresh();
    describe(vehicle);
    advance(vehicle, dynamics);
    if (!(std::abs(out_.load / out_.weight - 1.0) < 0.05))
      throw base::ComputationError(fmt::format(
          "a benchmark check failed, so that its timings are invalid: the wheels carry {:.6g} N on average, and the vehicle weighs {:.6g} N with its loads",
          out_.load, out_.weight));
    return out_;
  }

 private:
  void start(const model::RunningVehicle& vehicle, analyses::Dynamics& dynamics) {
    const auto* analysis = find_analysis<model::StaticsDescription>(description_);
    if (!analysis) return dynamics.start();
    analyses::StaticsOptions options = model::statics_options(*analysis, description_.solver);
    if (!analysis->has_time) options.time = analyses::LoadTime::start_if_varying;
    analyses::Statics statics(built_->system, options);
    statics.start();
    while (!statics.is_done()) statics.advance();
    if (vehicle.speed == 0.0) return dynamics.start_from(statics.state());
    dynamics.start_from(
        analyses::run_steadily(built_->system, vehicle.wheelsets, statics.state(), vehicle.speed)
            .state);
  }

  void describe(const model::RunningVehicle& vehicle) {
    const system::System& system = built_->system;
    out_.n_velocities = system.layout().n_velocities();
    out_.n_constraints = system.layout().n_constraints();
    out_.n_wheelsets = static_cast<int>(vehicle.wheelsets.size());
    const std::set<bodies::BodyIndex> carried = carried_bodies(system, vehicle.wheelsets);
    for (const bodies::BodyIndex b : carried)
      out_.weight += system.body(b).mass() * system.gravity().norm();
    descent_ = descent_of(carried, system);
  }

  void advance(const model::RunningVehicle& vehicle, analyses::Dynamics& dynamics) {
    Eigen::VectorXd row(static_cast<Eigen::Index>(simulation::columns_of(built_->sensors).size()));
    int n = 0;
    double loads = 0.0;
    const double before = base::cpu_seconds();
    for (; !dynamics.is_done(); ++n) {
      dynamics.advance();
      dynamics.refresh();
      read_sensors(built_->sensors, built_->system, dynamics.state(), row);
      for (const forces::RunsOnTrack* wheelset : vehicle.wheelsets)
        out_.load += load_of(*wheelset, built_->system, dynamics.state().t);
      loads += applied(descent_, built_->system, dynamics.state().t);
    }
    out_.milliseconds = 1e3 * base::max(comm_, base::cpu_seconds() - before) / n;
    out_.load /= n;
    out_.weight += loads / n;
    out_.steps = n;
    out_.newton_per_step =
        static_cast<double>(dynamics.stepper().statistics().newton_iterations) / n;
  }

  MPI_Comm comm_;
  const model::ModelDescription& description_;
  const model::DynamicsDescription* dynamics_ = nullptr;
  std::unique_ptr<model::BuiltModel> built_;
  Eigen::VectorXd descent_;
  VehicleBench out_;
};

}  // namespace

VehicleBench run_vehicle_bench(MPI_Comm comm, const model::ModelDescription& description,
                               int steps) {
  return VehicleTimes(comm, description, steps).run();
}

std::string format(const VehicleBench& bench) {
  return fmt::format(
      "{} wheelsets, {} + {} unknowns: built and started in {:.3g} s; {} steps of {:g} s at {:.4g} ms each, {:.3g} Newton iterations, {:.3g} times real time; wheels carry {:.6g} N of {:.6g} N\n",
      bench.n_wheelsets, bench.n_velocities, bench.n_constraints, bench.start_seconds, bench.steps,
      bench.step, bench.milliseconds, bench.newton_per_step, 1e3 * bench.step / bench.milliseconds,
      bench.load, bench.weight);
}

}  // namespace solidyn::simulation
