// Accelerations and steps, explicit and implicit, of chains in relative coordinates, beside
// absolute ones:
//   OPENBLAS_NUM_THREADS=1 build/benchmarks/benchmark_recursive
//   OPENBLAS_NUM_THREADS=1 build/benchmarks/benchmark_recursive --bodies 100 --modes 5
#include <fmt/format.h>
#include <slepc.h>

#include <boost/program_options.hpp>
#include <cmath>
#include <iostream>

#include "recursive/chain.h"
#include "solidyn/analyses/dynamics.h"
#include "solidyn/base/log.h"
#include "solidyn/integrators/relative_generalized_alpha.h"
#include "solidyn/recursive/dynamics_derivatives.h"
#include "solidyn/recursive/inverse_dynamics.h"
#include "solidyn/recursive/mechanism.h"
#include "solidyn/system/accelerations.h"
#include "timing.h"

using namespace solidyn;
using benchmarks::Chain;
using benchmarks::cpu_seconds;
using benchmarks::milliseconds;

namespace {

using Eigen::VectorXd;

// Of the largest acceleration: what relative and absolute coordinates may differ by.
constexpr double kSame = 1e-8;
constexpr double kSameDerivative = 1e-6;  // of differences

struct Step {
  double milliseconds = 0.0, drift = 0.0;
};

// With monitors, without sensors.
Step time_of_step(system::System& system, const analyses::DynamicsOptions& options, int n_steps) {
  analyses::Dynamics dynamics(system, options);
  dynamics.start();
  const double before = cpu_seconds();
  for (int i = 0; i < n_steps && !dynamics.is_done(); ++i) dynamics.advance();
  const double seconds = cpu_seconds() - before;
  dynamics.observe();
  return {1e3 * seconds / static_cast<double>(dynamics.steps()),
          dynamics.monitor().relative_drift()};
}

// Of generalized-alpha in relative coordinates, by itself: no energies, no powers.
double time_of_implicit_step(system::System& system, int n_steps) {
  system::State state = system.make_state();
  system.update(state);
  system.accept(state);
  integrators::RelativeGeneralizedAlpha integrator(system, {});
  integrator.initialize(state);
  const double before = cpu_seconds();
  for (int i = 0; i < n_steps; ++i) {
    integrator.step(state, 1e-3);
    system.accept(state);
  }
  return 1e3 * (cpu_seconds() - before) / n_steps;
}

// Derivatives of forward dynamics by coordinates, speeds and forces, with the accelerations that
// they belong to; what part of it those of inverse dynamics are; and their error along a direction.
struct Derivatives {
  double inverse = 0.0, forward = 0.0, error = 0.0;
};

Derivatives times_of_derivatives(recursive::Mechanism& mechanism, const VectorXd& q,
                                 const VectorXd& u, const system::State& start) {
  system::State state = start.clone();
  recursive::StepEquations equations(mechanism);
  recursive::DynamicsDerivatives inverse(equations);
  recursive::ForwardDerivatives forward;
  VectorXd at_q = q, at_u = u, du;
  const auto evaluate = [&] {
    equations.evaluate(at_q, at_u, du, state);
    inverse.evaluate(at_q, at_u, du, state);
  };
  mechanism.compute_accelerations(at_q, at_u, state, du);
  Derivatives d;
  d.inverse = milliseconds(evaluate);
  d.forward = milliseconds([&] {
    mechanism.compute_accelerations(at_q, at_u, state, du);
    evaluate();
    forward = forward_derivatives(inverse);
  });
  const VectorXd along = VectorXd::LinSpaced(u.size(), -0.5, 1.0);
  const auto accelerations = [&](double step) {
    at_q = q;
    at_u = u + step * along;
    mechanism.tree().advance(step * along, at_q);
    VectorXd out;
    mechanism.compute_accelerations(at_q, at_u, state, out);
    return out;
  };
  const double h = 1e-5;
  const VectorXd expected = (accelerations(h) - accelerations(-h)) / (2.0 * h);
  d.error = (forward.by_q * along + forward.by_u * along - expected).norm() / expected.norm();
  return d;
}

bool measure(int n, int n_modes) {
  Chain chain(n, n_modes);
  system::System& system = chain.system;
  system::State state = system.make_state();
  system.update(state);
  system.accept(state);

  recursive::Mechanism mechanism(system);
  VectorXd q, u, du;
  mechanism.tree().find_coordinates(state, q, u);
  for (int i = 0; i < u.size(); ++i) u[i] = 0.1 * std::sin(1.0 + i);
  mechanism.compute_state(q, u, state);
  const double sweeps = milliseconds([&] { mechanism.compute_accelerations(q, u, state, du); });

  // Of the same motion: its sweeps alone, with the outward one.
  recursive::Tree& tree = mechanism.tree();
  recursive::InverseDynamics inverse_dynamics(tree);
  VectorXd T;
  const double inverse = milliseconds(
      [&] { inverse_dynamics.compute_alone(q.data(), u.data(), system.gravity(), du, T); });

  // [n x n] numbers, three times.
  const Derivatives d = n <= 1000 ? times_of_derivatives(mechanism, q, u, state) : Derivatives{};

  system::State absolute = state.clone();
  auto solver =
      solvers::make_linear_solver(solvers::Preset::automatic, system.layout().n_unknowns());
  system.set_pattern(*solver);
  const double dae = milliseconds([&] {
    absolute.a.setZero();
    absolute.lambda.setZero();
    system::solve_acceleration_equations(system, absolute, {}, *solver);
  });
  const double differ =
      (absolute.a - state.a).lpNorm<Eigen::Infinity>() / absolute.a.lpNorm<Eigen::Infinity>();

  analyses::DynamicsOptions options;
  options.step = 1e-3;
  options.duration = 1.0;
  const int n_steps = n <= 100 ? 200 : 20;
  const Step implicit = time_of_step(system, options, n_steps);
  options.integrator = analyses::IntegratorKind::runge_kutta;
  std::string explicit_absolute = "null";  // minutes with more
  if (n <= 1000)
    explicit_absolute =
        fmt::format("{:.4g}", time_of_step(system, options, n_steps / 10).milliseconds);
  options.formulation = analyses::Formulation::recursive;
  const Step explicit_relative = time_of_step(system, options, n_steps);
  options.integrator = analyses::IntegratorKind::generalized_alpha;
  const Step implicit_relative = time_of_step(system, options, n_steps);
  const double alone = time_of_implicit_step(system, n_steps);
  fmt::print(
      "{{\"bodies\": {}, \"modes\": {}, \"accelerations_ms\": {:.4g}, \"microseconds_per_body\": "
      "{:.3f}, \"inverse_dynamics_ms\": {:.4g}, \"derivatives_of_inverse_dynamics_ms\": {:.4g}, \"derivatives_of_forward_dynamics_ms\": {:.4g}, \"accelerations_absolute_ms\": {:.4g}, \"runge_kutta_step_ms\": {:.4g}, "
      "\"runge_kutta_step_absolute_ms\": {}, \"generalized_alpha_step_ms\": {:.4g}, "
      "\"generalized_alpha_alone_ms\": {:.4g}, \"generalized_alpha_step_absolute_ms\": {:.4g}, "
      "\"check\": {{\"accelerations_differ\": {:.1e}, \"derivatives_differ\": {:.1e}, \"energy_drift\": {:.1e}, "
      "\"implicit_energy_drift\": {:.1e}, \"of_absolute\": {:.1e}}}}}\n",
      n, n_modes, sweeps, 1e3 * sweeps / n, inverse, d.inverse, d.forward, dae,
      explicit_relative.milliseconds, explicit_absolute, implicit_relative.milliseconds, alone,
      implicit.milliseconds, differ, d.error, explicit_relative.drift, implicit_relative.drift,
      implicit.drift);
  std::cout.flush();
  return differ < kSame && d.error < kSameDerivative;
}

}  // namespace

int main(int argc, char** argv) {
  namespace po = boost::program_options;
  po::options_description options("options");
  std::vector<int> bodies, modes;
  options.add_options()("help", "this text")("bodies", po::value(&bodies)->multitoken(),
                                             "chain lengths; default 10 100 1000 10000")(
      "modes", po::value(&modes)->multitoken(), "of each body; default 0, rigid");
  po::variables_map map;
  po::store(po::command_line_parser(argc, argv).options(options).run(), map);
  po::notify(map);
  if (map.count("help")) {
    std::cout << options;
    return 0;
  }
  if (bodies.empty()) bodies = {10, 100, 1000, 10000};
  if (modes.empty()) modes = {0};
  if (SlepcInitialize(&argc, &argv, nullptr, nullptr)) return 1;
  base::set_log_level(base::LogLevel::error);
  bool all_right = true;
  for (const int n_modes : modes)
    for (const int n : bodies) all_right &= measure(n, n_modes);
  SlepcFinalize();
  if (!all_right) std::cerr << "an answer is wrong: the timings above do not count\n";
  return all_right ? 0 : 1;
}
