// Microseconds per step and per Newton iteration of the reduced slider-crank, with the answer
// checked:
//   OPENBLAS_NUM_THREADS=1 build/benchmarks/benchmark_slider_crank
//   OPENBLAS_NUM_THREADS=1 build/benchmarks/benchmark_slider_crank --case orthogonal --repeat 9
#include <fmt/format.h>
#include <slepc.h>

#include <boost/program_options.hpp>
#include <cmath>
#include <functional>
#include <iostream>

#include "solidyn/analyses/dynamics.h"
#include "solidyn/base/log.h"
#include "solidyn/base/timer.h"
#include "solidyn/model/build.h"
#include "solidyn/model/load.h"
#include "timing.h"

using namespace solidyn;
using benchmarks::cpu_seconds;
using benchmarks::median;

namespace {

struct Case {
  std::string name;
  std::vector<std::string> overrides;
  double first_maximum;  // of the deflection, relative to the rod's length
  std::string model;     // of its own; empty: the one of the command line
};

// The expected maxima are those of tests/verification/slider_crank: four in-plane free-free modes,
// and linear elastodynamics; with geometric stiffening that of the nonlinear beam; and those of
// tests/verification/superelement.
const std::vector<Case> kCases = {
    {"multipliers",
     {"bodies.rod.modes.static_correction=none", "bodies.rod.enforced_by=multipliers",
      "analyses.dynamics.step=1e-4", "analyses.dynamics.duration=0.1"},
     0.01860,
     {}},
    {"orthogonal",
     {"bodies.rod.modes.static_correction=none", "analyses.dynamics.step=1e-4",
      "analyses.dynamics.duration=0.1"},
     0.01860,
     {}},
    {"example", {}, 0.01876, {}},
    {"stiffened", {"bodies.rod.geometric_stiffening=second_order"}, 0.01540, {}},
    {"two_superelements", {}, 0.01590, "examples/superelements/slider_crank_two.yaml"},
    {"four_superelements", {}, 0.01553, "examples/superelements/slider_crank.yaml"},
    {"beam", {}, 0.01540, "examples/slider_crank/slider_crank_beam.yaml"},
};
constexpr double kMaximumTolerance = 0.01;  // of the reference page for the first maximum
constexpr double kViolationLimit = 1e-9;    // m

struct Timing {
  double wall = 0.0, cpu = 0.0;
  integrators::IntegratorStatistics statistics;
};

// The whole analysis from consistent initial conditions; `each_step` runs inside the timed loop.
Timing run(analyses::Dynamics& dynamics, const std::function<void()>& each_step) {
  dynamics.start();
  const base::Timer timer;
  const double cpu = cpu_seconds();
  while (!dynamics.is_done()) {
    dynamics.advance();
    each_step();
  }
  return {timer.seconds(), cpu_seconds() - cpu, dynamics.stepper().statistics()};
}

double first_maximum(const std::vector<double>& w) {
  for (std::size_t i = 1; i + 1 < w.size(); ++i)
    if (w[i] > 0.005 && w[i] >= w[i - 1] && w[i] > w[i + 1]) return w[i];
  return 0.0;
}

const analyses::Sensor& find_sensor(const model::BuiltModel& built, const std::string& name) {
  for (const analyses::Sensor& sensor : built.sensors)
    if (sensor.columns.front().name == name) return sensor;
  throw base::InputError("the model has no sensor `" + name + "`", "add it under `sensors`");
}

// Returns whether the answer is right.
bool measure(const Case& which, const std::string& model_file, int n_repeats) {
  const model::ModelDescription description =
      model::load_model(PETSC_COMM_WORLD, model_file, which.overrides);
  const auto built = model::build(PETSC_COMM_WORLD, description, {model::default_cache_folder()});
  const auto options = model::dynamics_options(
      std::get<model::DynamicsDescription>(description.analyses.front()), description.solver);
  const analyses::Sensor& deflection = find_sensor(*built, "deflection");

  std::vector<double> wall, cpu, assembly, solve, rest, cpu_with_history;
  integrators::IntegratorStatistics statistics;
  double maximum = 0.0, violation = 0.0;
  for (int i = 0; i < n_repeats; ++i) {
    analyses::Dynamics bare(built->system, options);
    const Timing timing = run(bare, [] {});
    statistics = timing.statistics;
    wall.push_back(timing.wall);
    cpu.push_back(timing.cpu);
    assembly.push_back(statistics.assembly_seconds);
    solve.push_back(statistics.solve_seconds);
    rest.push_back(timing.wall - statistics.assembly_seconds - statistics.solve_seconds);

    analyses::Dynamics observed(built->system, options);
    std::vector<double> w;
    std::vector<double> values;
    const Timing with_history = run(observed, [&] {
      observed.observe();
      for (const analyses::Sensor& sensor : built->sensors) {
        values.resize(sensor.columns.size());
        sensor.read({built->system, observed.state()}, values.data());
        if (&sensor == &deflection) w.push_back(values.front());
      }
    });
    cpu_with_history.push_back(with_history.cpu);
    maximum = first_maximum(w);
    violation = observed.monitor().position_violation;
  }

  const double steps = static_cast<double>(statistics.steps);
  const auto per_step = [&](const std::vector<double>& seconds) {
    return 1e6 * median(seconds) / steps;
  };
  const double error = std::abs(maximum / which.first_maximum - 1.0);
  fmt::print(
      "{{\"case\": \"{}\", \"unknowns\": {}, \"steps\": {}, \"newton_iterations\": {}, "
      "\"tangents\": {}, "
      "\"cpu_seconds\": {:.4f}, \"cpu_seconds_with_history\": {:.4f}, \"microseconds_per_step\": "
      "{{\"cpu\": {:.2f}, \"wall\": {:.2f}, \"assembly\": {:.2f}, \"solve\": {:.2f}, \"rest\": "
      "{:.2f}}}, "
      "\"cpu_microseconds_per_newton_iteration\": {:.2f}, \"check\": {{\"first_maximum\": {:.5f}, "
      "\"expected\": {:.5f}, \"relative_error\": {:.1e}, \"constraint_violation_m\": {:.1e}}}, "
      "\"repeats\": {}, \"compiler\": \"{}\", \"petsc\": \"{}.{}.{}\"}}\n",
      which.name, built->system.layout().n_unknowns(), statistics.steps,
      statistics.newton_iterations, statistics.tangents, median(cpu), median(cpu_with_history),
      per_step(cpu), per_step(wall), per_step(assembly), per_step(solve), per_step(rest),
      1e6 * median(cpu) / static_cast<double>(statistics.newton_iterations), maximum,
      which.first_maximum, error, violation, n_repeats, __VERSION__, PETSC_VERSION_MAJOR,
      PETSC_VERSION_MINOR, PETSC_VERSION_SUBMINOR);
  return error < kMaximumTolerance && violation < kViolationLimit;
}

}  // namespace

int main(int argc, char** argv) {
  namespace po = boost::program_options;
  po::options_description options("options");
  std::string model, only;
  int n_repeats = 5;
  options.add_options()("help", "this text")(
      "model", po::value(&model)->default_value("examples/slider_crank/slider_crank.yaml"),
      "the model file")("case", po::value(&only),
                        "multipliers, orthogonal, example, stiffened, two_superelements, "
                        "four_superelements or beam; default all")(
      "repeat", po::value(&n_repeats)->default_value(5), "runs of each; medians are printed");
  po::variables_map map;
  po::store(po::command_line_parser(argc, argv).options(options).allow_unregistered().run(), map);
  po::notify(map);
  if (map.count("help")) {
    std::cout << options;
    return 0;
  }
  if (SlepcInitialize(&argc, &argv, nullptr, nullptr)) return 1;
  base::set_log_level(base::LogLevel::error);
  bool all_right = true;
  for (const Case& which : kCases)
    if (only.empty() || only == which.name)
      all_right &= measure(which, which.model.empty() ? model : which.model, n_repeats);
  SlepcFinalize();
  if (!all_right) std::cerr << "an answer is wrong: the timings above do not count\n";
  return all_right ? 0 : 1;
}
