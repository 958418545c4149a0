// Milliseconds per step of the very flexible pendulum by its number of elements, with the energy
// balance checked:
//   OPENBLAS_NUM_THREADS=1 build/benchmarks/benchmark_beams
//   OPENBLAS_NUM_THREADS=1 build/benchmarks/benchmark_beams --elements 400 --steps 2000
#include <fmt/format.h>
#include <slepc.h>

#include <boost/program_options.hpp>
#include <iostream>

#include "solidyn/analyses/dynamics.h"
#include "solidyn/base/log.h"
#include "solidyn/model/build.h"
#include "solidyn/model/load.h"
#include "timing.h"

using namespace solidyn;
using benchmarks::cpu_seconds;
using benchmarks::median;

namespace {

constexpr double kDriftLimit = 1e-3;      // of the energy exchanged
constexpr double kViolationLimit = 1e-9;  // m

// Returns whether the answer is right.
bool measure(const std::string& model, int n_elements, int n_steps, int n_repeats) {
  const model::ModelDescription description =
      model::load_model(PETSC_COMM_SELF, model,
                        {fmt::format("bodies.rope.elements={}", n_elements),
                         fmt::format("analyses.dynamics.duration={}", 5e-4 * n_steps),
                         "analyses.dynamics.step=5e-4", "analyses.dynamics.rho_infinity=1"});
  const auto built = model::build(PETSC_COMM_SELF, description, {});
  const auto options = model::dynamics_options(
      std::get<model::DynamicsDescription>(description.analyses.front()), description.solver);
  std::vector<double> cpu, assembly, solve;
  integrators::IntegratorStatistics s;
  double drift = 0.0, violation = 0.0;
  for (int i = 0; i < n_repeats; ++i) {
    analyses::Dynamics dynamics(built->system, options);
    dynamics.start();
    const double before = cpu_seconds();
    while (!dynamics.is_done()) dynamics.advance();
    s = dynamics.stepper().statistics();
    const double steps = static_cast<double>(s.steps);
    cpu.push_back(1e3 * (cpu_seconds() - before) / steps);
    assembly.push_back(1e3 * s.assembly_seconds / steps);
    solve.push_back(1e3 * s.solve_seconds / steps);
    dynamics.observe();
    drift = dynamics.monitor().relative_drift();
    violation = dynamics.monitor().position_violation;
  }
  fmt::print(
      "{{\"elements\": {}, \"unknowns\": {}, \"steps\": {}, \"milliseconds_per_step\": {:.4f}, "
      "\"microseconds_per_element_and_iteration\": {:.3f}, \"assembly\": {:.4f}, \"solve\": "
      "{:.4f}, \"newton_iterations_per_step\": {:.2f}, \"tangents\": {}, \"check\": "
      "{{\"energy_drift\": {:.1e}, \"constraint_violation_m\": {:.1e}}}, \"repeats\": {}}}\n",
      n_elements, built->system.layout().n_unknowns(), s.steps, median(cpu),
      1e3 * median(cpu) * static_cast<double>(s.steps) /
          (static_cast<double>(s.newton_iterations) * n_elements),
      median(assembly), median(solve), static_cast<double>(s.newton_iterations) / s.steps,
      s.tangents, drift, violation, n_repeats);
  return drift < kDriftLimit && violation < kViolationLimit;
}

}  // namespace

int main(int argc, char** argv) {
  namespace po = boost::program_options;
  po::options_description options("options");
  std::vector<int> elements;
  std::string model;
  int n_steps = 0, n_repeats = 0;
  options.add_options()("help", "this text")(
      "model", po::value(&model)->default_value("examples/beams/pendulum.yaml"), "the model file")(
      "elements", po::value(&elements)->multitoken(), "numbers; default 50 100 200 400")(
      "steps", po::value(&n_steps)->default_value(400), "of 0.5 ms, of each run")(
      "repeat", po::value(&n_repeats)->default_value(3), "runs of each; medians are printed");
  po::variables_map map;
  po::store(po::command_line_parser(argc, argv).options(options).run(), map);
  po::notify(map);
  if (map.count("help")) {
    std::cout << options;
    return 0;
  }
  if (elements.empty()) elements = {50, 100, 200, 400};
  if (SlepcInitialize(&argc, &argv, nullptr, nullptr)) return 1;
  base::set_log_level(base::LogLevel::error);
  bool all_right = true;
  for (const int n : elements) all_right &= measure(model, n, n_steps, n_repeats);
  SlepcFinalize();
  if (!all_right) std::cerr << "an answer is wrong: the timings above do not count\n";
  return all_right ? 0 : 1;
}
