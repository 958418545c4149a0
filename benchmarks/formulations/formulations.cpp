// CPU time of both formulations over the same motion of model files, and what `automatic` chooses:
//   build/benchmarks/benchmark_formulations examples/door/door.yaml ...
// A line of JSON for each.
#include <fmt/format.h>
#include <slepc.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "solidyn/analyses/dynamics.h"
#include "solidyn/analyses/statics.h"
#include "solidyn/analyses/steady_running.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/model/build.h"
#include "solidyn/model/load.h"
#include "solidyn/model/running_vehicle.h"
#include "timing.h"

using namespace solidyn;
using analyses::Dynamics;
using analyses::DynamicsOptions;
using analyses::Formulation;
using benchmarks::cpu_seconds;
using benchmarks::median;
using Json = nlohmann::json;

namespace {

constexpr double kSeconds = 0.3;  // of the motion in absolute coordinates, at most
constexpr int kRepetitions = 3;

struct Motion {
  double seconds = 0.0, t = 0.0;  // CPU, simulated
  std::int64_t steps = 0;
  double iterations = 0.0, matrices = 0.0;  // per step
  Eigen::VectorXd v;
};

// As `solidyn run` does: where a `statics` of the model ends, and on a track with its speed.
void start(const model::ModelDescription& description, system::System& system, Dynamics& dynamics) {
  const model::StaticsDescription* analysis = nullptr;
  for (const model::AnalysisDescription& each : description.analyses)
    if (const auto* found = std::get_if<model::StaticsDescription>(&each)) analysis = found;
  if (!analysis) return dynamics.start();
  analyses::StaticsOptions options = model::statics_options(*analysis, description.solver);
  if (!analysis->has_time) options.time = analyses::LoadTime::start_if_varying;
  analyses::Statics statics(system, options);
  statics.start();
  while (!statics.is_done()) statics.advance();
  const model::RunningVehicle vehicle = model::running_vehicle(description, system);
  if (vehicle.speed == 0.0) return dynamics.start_from(statics.state());
  dynamics.start_from(
      analyses::run_steadily(system, vehicle.wheelsets, statics.state(), vehicle.speed).state);
}

// Until t_end, and no longer than is worth it.
Motion move(const model::ModelDescription& description, DynamicsOptions options,
            Formulation formulation, double t_end, double most_seconds) {
  const auto built = model::build(PETSC_COMM_WORLD, description, {model::default_cache_folder()});
  options.formulation = formulation;
  Dynamics dynamics(built->system, options);
  start(description, built->system, dynamics);
  const double before = cpu_seconds();
  while (dynamics.time() < t_end * (1.0 - 1e-12) && cpu_seconds() - before < most_seconds)
    dynamics.advance(t_end);
  const double seconds = cpu_seconds() - before;
  const auto per_step = [&](std::int64_t n) {
    return static_cast<double>(n) /
           static_cast<double>(std::max<std::int64_t>(1, dynamics.steps()));
  };
  const integrators::IntegratorStatistics& statistics = dynamics.stepper().statistics();
  return {seconds,
          dynamics.time(),
          dynamics.steps(),
          per_step(statistics.newton_iterations),
          per_step(statistics.tangents),
          dynamics.motion().v};
}

// One after the other, so that what else the machine does meets both.
Json measure(const model::ModelDescription& description, const DynamicsOptions& options) {
  const auto built = model::build(PETSC_COMM_WORLD, description, {model::default_cache_folder()});
  DynamicsOptions automatic = options;
  automatic.formulation = Formulation::automatic;
  Dynamics dynamics(built->system, automatic);
  start(description, built->system, dynamics);
  const std::string choice = name(dynamics.formulation().formulation);
  Json row = {{"automatic", choice}, {"reason", dynamics.formulation().reason}};
  constexpr double kWhole = 1e9;
  const Motion absolute =
      move(description, options, Formulation::absolute, options.duration, kSeconds);
  Motion recursive;
  std::vector<double> of_absolute = {absolute.seconds}, of_recursive;
  try {
    for (int i = 0; i < kRepetitions; ++i) {
      if (i > 0)
        of_absolute.push_back(
            move(description, options, Formulation::absolute, absolute.t, kWhole).seconds);
      recursive = move(description, options, Formulation::recursive, absolute.t, kWhole);
      of_recursive.push_back(recursive.seconds);
    }
  } catch (const std::exception& e) {
    const std::string text = e.what();
    row["recursive"] = text.substr(0, text.find('\n'));
  }
  const auto per_step = [](double seconds, const Motion& m) {
    return 1e6 * seconds / static_cast<double>(std::max<std::int64_t>(1, m.steps));
  };
  row["t"] = absolute.t;
  const auto counts = [&](double seconds, const Motion& m) {
    return Json{{"steps", m.steps},
                {"us_per_step", per_step(seconds, m)},
                {"iterations_per_step", m.iterations},
                {"matrices_per_step", m.matrices}};
  };
  row["absolute"] = counts(median(of_absolute), absolute);
  if (row.contains("recursive")) return row;
  row["recursive"] = counts(median(of_recursive), recursive);
  row["ratio"] = median(of_absolute) / median(of_recursive);
  row["differ"] = (absolute.v - recursive.v).norm() / (1e-12 + absolute.v.norm());
  const double better = std::min(median(of_absolute), median(of_recursive));
  row["loss"] = median(choice == "recursive" ? of_recursive : of_absolute) / better;
  return row;
}

void measure_file(const std::string& file, const std::vector<std::string>& settings) {
  Json row = {{"model", file}};
  try {
    const model::ModelDescription description = model::load_model(PETSC_COMM_WORLD, file, settings);
    for (const model::AnalysisDescription& analysis : description.analyses) {
      const auto* dynamics = std::get_if<model::DynamicsDescription>(&analysis);
      if (!dynamics) continue;
      row.update(measure(description, model::dynamics_options(*dynamics, description.solver)));
      std::cout << row << std::endl;
      return;
    }
  } catch (const std::exception& e) {
    row["error"] = e.what();
    std::cout << row << std::endl;
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> files, settings;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--set" && i + 1 < argc)
      settings.emplace_back(argv[++i]);
    else
      files.emplace_back(argv[i]);
  }
  if (files.empty()) {
    std::cerr << "usage: benchmark_formulations [--set KEY=VALUE] FILE ...\n";
    return 2;
  }
  int no_arguments = 1;
  if (SlepcInitialize(&no_arguments, &argv, nullptr, nullptr)) return 1;
  base::set_log_level(base::LogLevel::error);
  for (const std::string& file : files) measure_file(file, settings);
  SlepcFinalize();
}
