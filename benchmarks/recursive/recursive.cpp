// Accelerations and steps, explicit and implicit, of chains in relative coordinates, beside
// absolute ones:
//   OPENBLAS_NUM_THREADS=1 build/benchmarks/benchmark_recursive
//   OPENBLAS_NUM_THREADS=1 build/benchmarks/benchmark_recursive --bodies 100 --modes 5
//   mpirun -n 2 build/benchmarks/benchmark_recursive --binary-tree
#include <slepc.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "recursive/chain.h"
#include "solidyn/analyses/dynamics.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/petsc.h"
#include "solidyn/base/timer.h"
#include "solidyn/integrators/relative_generalized_alpha.h"
#include "solidyn/integrators/semi_implicit_euler.h"
#include "solidyn/recursive/composite_bodies.h"
#include "solidyn/recursive/dynamics_derivatives.h"
#include "solidyn/recursive/inverse_dynamics.h"
#include "solidyn/recursive/mechanism.h"
#include "solidyn/recursive/step_tangent.h"
#include "solidyn/system/accelerations.h"
#include "timing.h"
#ifdef SOLIDYN_HAS_SIMBODY
#include "recursive/simbody_chain.h"
#endif

using namespace solidyn;
using benchmarks::Chain;
using benchmarks::cpu_seconds;
using benchmarks::milliseconds;
using benchmarks::Shape;
using Json = nlohmann::json;

namespace {

using Eigen::VectorXd;

// Of the largest acceleration: what relative and absolute coordinates may differ by.
constexpr double kSame = 1e-8;
constexpr double kSameDerivative = 1e-6;  // of differences
constexpr double kSecondsOnRanks = 3.0;   // of each row
constexpr int kMostDense = 200;           // speeds of which a mass matrix is made

struct Options {
  Shape shape = Shape::chain;
  bool is_short = false;     // only evaluations by sweeps, and implicit steps by themselves
  int most_absolute = 1000;  // bodies of which these are made in absolute coordinates too
};

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

// Of generalized-alpha by itself: no energies, no powers.
struct ImplicitSteps {
  double milliseconds = 0.0, iterations = 0.0;  // per step
  double matrices = 0.0;                        // new ones, per step
  system::State end;
};

template <class Integrator>
ImplicitSteps implicit_steps(system::System& system, int n_steps) {
  ImplicitSteps steps;
  system::State state = system.make_state();
  system.update(state);
  system.accept(state);
  Integrator integrator(system, {});
  if constexpr (std::is_same_v<Integrator, integrators::GeneralizedAlpha>) {
    auto solver =
        solvers::make_linear_solver(solvers::Preset::automatic, system.layout().n_unknowns());
    system.set_pattern(*solver);
    system::solve_acceleration_equations(system, state, {}, *solver);
  }
  integrator.initialize(state);
  const integrators::IntegratorStatistics first = integrator.statistics();
  const double before = cpu_seconds();
  for (int i = 0; i < n_steps; ++i) {
    integrator.step(state, 1e-3);
    system.accept(state);
  }
  steps.milliseconds = 1e3 * (cpu_seconds() - before) / n_steps;
  const integrators::IntegratorStatistics& last = integrator.statistics();
  steps.iterations =
      static_cast<double>(last.newton_iterations - first.newton_iterations) / n_steps;
  steps.matrices = static_cast<double>(last.tangents - first.tangents) / n_steps;
  steps.end = state.clone();
  return steps;
}

// By their time.
template <class Integrator>
ImplicitSteps median_of(system::System& system, int n_steps, int n_turns) {
  std::vector<ImplicitSteps> turns;
  turns.reserve(n_turns);
  for (int i = 0; i < n_turns; ++i) turns.push_back(implicit_steps<Integrator>(system, n_steps));
  const auto middle = turns.begin() + n_turns / 2;
  std::nth_element(turns.begin(), middle, turns.end(),
                   [](const auto& a, const auto& b) { return a.milliseconds < b.milliseconds; });
  return std::move(*middle);
}

// A step of semi-implicit Euler by itself, with the kinematics of its end; so short a one that the
// motion stays near its start, however many are timed.
double time_of_explicit_step(system::System& system) {
  system::State state = system.make_state();
  system.update(state);
  system.accept(state);
  integrators::SemiImplicitEuler integrator(system);
  integrator.initialize(state);
  return milliseconds([&] {
    integrator.step(state, 1e-6);
    system.accept(state);
  });
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

// Forward dynamics by the mass matrix of composite bodies and its Cholesky factor (P-RECURSIVE,
// section 5).
double time_of_composite_bodies(recursive::Mechanism& mechanism, const VectorXd& q,
                                const VectorXd& u, const Eigen::Vector3d& gravity, VectorXd& du) {
  recursive::InverseDynamics inverse_dynamics(mechanism.tree());
  const VectorXd at_rest = VectorXd::Zero(u.size());
  VectorXd C;
  return milliseconds([&] {
    inverse_dynamics.compute_alone(q.data(), u.data(), gravity, at_rest, C);
    du = -composite_mass_matrix(mechanism.tree()).llt().solve(C);
  });
}

double difference(const VectorXd& found, const VectorXd& expected) {
  return (found - expected).lpNorm<Eigen::Infinity>() / expected.lpNorm<Eigen::Infinity>();
}

// The same evaluation by a peer, in turns with ours, the least of three medians each; and a step of
// its semi-explicit Euler integrator. @return whether the accelerations are the same
bool measure_peer([[maybe_unused]] recursive::Mechanism& mechanism,
                  [[maybe_unused]] const VectorXd& at_q, [[maybe_unused]] const VectorXd& at_u,
                  [[maybe_unused]] system::State& state, [[maybe_unused]] Json& row) {
#ifdef SOLIDYN_HAS_SIMBODY
  benchmarks::SimbodyChain simbody(static_cast<int>(at_u.size()));
  VectorXd q = at_q, u = at_u, du, found;
  double ours = HUGE_VAL, theirs = HUGE_VAL;
  for (int turn = 0; turn < 3; ++turn) {
    ours = std::min(ours, milliseconds([&] { mechanism.compute_accelerations(q, u, state, du); }));
    theirs = std::min(theirs, milliseconds([&] { found = simbody.compute_accelerations(q, u); }));
  }
  simbody.start(q, u, 1e-6);  // however many are timed, the motion stays near its start
  row["beside_simbody"] = {
      {"accelerations_ms", ours},
      {"accelerations_simbody_ms", theirs},
      {"ratio", theirs / ours},
      {"semi_explicit_step_simbody_ms", milliseconds([&] { simbody.step(); })}};
  const double differ = difference(found, du);
  row["check"]["simbody_differs"] = differ;
  return differ < kSame;
#else
  return true;
#endif
}

// Evaluations of the sweeps, and the same by other ways.
bool measure_evaluations(system::System& system, const Options& options, Json& row) {
  const int n = row["bodies"];
  system::State state = system.make_state();
  system.update(state);
  system.accept(state);
  recursive::Mechanism mechanism(system);
  VectorXd q, u, du;
  mechanism.tree().find_coordinates(state, q, u);
  for (int i = 0; i < u.size(); ++i) u[i] = 0.1 * std::sin(1.0 + i);
  mechanism.compute_state(q, u, state);
  const double sweeps = milliseconds([&] { mechanism.compute_accelerations(q, u, state, du); });
  row["accelerations_ms"] = sweeps;
  row["microseconds_per_body"] = 1e3 * sweeps / n;

  // Of the same motion: its sweeps alone, with the outward one.
  recursive::InverseDynamics inverse_dynamics(mechanism.tree());
  VectorXd T;
  row["inverse_dynamics_ms"] = milliseconds(
      [&] { inverse_dynamics.compute_alone(q.data(), u.data(), system.gravity(), du, T); });

  double worst = 0.0;
  if (u.size() <= kMostDense) {
    VectorXd of_matrix;
    row["composite_bodies_ms"] =
        time_of_composite_bodies(mechanism, q, u, system.gravity(), of_matrix);
    row["check"]["composite_bodies_differ"] = worst = difference(of_matrix, du);
  }
  bool is_right = worst < kSame;
  if (options.shape == Shape::chain && row["modes"] == 0)
    is_right &= measure_peer(mechanism, q, u, state, row);
  if (!options.is_short && n <= 1000) {  // [n x n] numbers, three times
    const Derivatives d = times_of_derivatives(mechanism, q, u, state);
    row["derivatives_of_inverse_dynamics_ms"] = d.inverse;
    row["derivatives_of_forward_dynamics_ms"] = d.forward;
    row["check"]["derivatives_differ"] = d.error;
    is_right &= d.error < kSameDerivative;
  }
  if (options.is_short) return is_right;
  system::State absolute = state.clone();
  auto solver =
      solvers::make_linear_solver(solvers::Preset::automatic, system.layout().n_unknowns());
  system.set_pattern(*solver);
  row["accelerations_absolute_ms"] = milliseconds([&] {
    absolute.a.setZero();
    absolute.lambda.setZero();
    system::solve_acceleration_equations(system, absolute, {}, *solver);
  });
  const double differ = difference(state.a, absolute.a);
  row["check"]["accelerations_differ"] = differ;
  return is_right && differ < kSame;
}

void measure_steps(system::System& system, const Options& options, Json& row) {
  const int n = row["bodies"];
  const int n_steps = n <= 100 ? 200 : 20;
  // Of few bodies they take a millisecond, and the first ones of a process several times as long.
  const int n_turns = n <= 30 ? 5 : 1;
  const ImplicitSteps relative =
      median_of<integrators::RelativeGeneralizedAlpha>(system, n_steps, n_turns);
  row["generalized_alpha_alone_ms"] = relative.milliseconds;
  row["iterations_per_step"] = relative.iterations;
  row["matrices_per_step"] = relative.matrices;
  row["semi_implicit_euler_alone_ms"] = time_of_explicit_step(system);
  if (n <= options.most_absolute) {
    const ImplicitSteps absolute =
        median_of<integrators::GeneralizedAlpha>(system, n_steps, n_turns);
    row["generalized_alpha_alone_absolute_ms"] = absolute.milliseconds;
    row["iterations_per_step_absolute"] = absolute.iterations;
    row["matrices_per_step_absolute"] = absolute.matrices;
    row["check"]["positions_differ"] = (relative.end.q - absolute.end.q).lpNorm<Eigen::Infinity>();
  }
  if (options.is_short) return;
  analyses::DynamicsOptions of_steps;
  of_steps.step = 1e-3;
  of_steps.duration = 1.0;
  const auto measure = [&](const std::string& name, int steps) {
    const Step step = time_of_step(system, of_steps, steps);
    row[name + "_ms"] = step.milliseconds;
    row["check"][name + "_energy_drift"] = step.drift;
  };
  measure("generalized_alpha_step_absolute", n_steps);
  of_steps.integrator = analyses::IntegratorKind::runge_kutta;
  if (n <= 1000) measure("runge_kutta_step_absolute", n_steps / 10);  // minutes with more
  of_steps.formulation = analyses::Formulation::recursive;
  measure("runge_kutta_step", n_steps);
  of_steps.integrator = analyses::IntegratorKind::generalized_alpha;
  measure("generalized_alpha_step", n_steps);
}

// What each rank does over all bodies, and the same with branches on ranks, in turns: the least
// time by the clock of many, since ranks that wait for each other compute all the time.
struct OnRanks {
  double alone = HUGE_VAL, shared = HUGE_VAL;  // s
};

template <class Alone, class Shared>
OnRanks least_times(Alone&& alone, Shared&& shared) {
  const MPI_Comm comm = PETSC_COMM_WORLD;
  OnRanks least;
  const auto take = [&](double& of_least, auto&& call) {
    MPI_Barrier(comm);
    const double before = MPI_Wtime();
    call();
    of_least = std::min(of_least, base::max(comm, MPI_Wtime() - before));
  };
  const base::Timer timer;
  for (int i = 0; i < 20 || base::max(comm, timer.seconds()) < kSecondsOnRanks; ++i) {
    take(least.alone, alone);
    take(least.shared, shared);
  }
  return least;
}

void write(Json& row, const std::string& what, const OnRanks& times) {
  row[what + "_ms"] = 1e3 * times.alone;
  row[what + "_on_ranks_ms"] = 1e3 * times.shared;
}

double measure_accelerations_on_ranks(system::System& system, system::State& state, VectorXd q,
                                      VectorXd u, Json& row) {
  const MPI_Comm comm = PETSC_COMM_WORLD;
  recursive::Mechanism alone(system), shared(system);
  shared.share_branches(comm, recursive::Sharing::always);
  VectorXd du, of_shared;
  write(row, "accelerations",
        least_times([&] { alone.compute_accelerations(q, u, state, du); },
                    [&] { shared.compute_accelerations(q, u, state, of_shared); }));
  row["shares"] =
      shared.describe_shares(base::size(comm), recursive::Mechanism::Sweeps::of_accelerations);
  return difference(of_shared, du);
}

// Residuals, new matrices and solutions of implicit steps of 1 ms.
double measure_iterations_on_ranks(system::System& system, system::State& state, VectorXd q,
                                   VectorXd u, Json& row) {
  constexpr recursive::StepCoefficients kStep{2e3, 4e6};
  recursive::Mechanism mechanism(system), of_ranks(system);
  recursive::StepEquations alone(mechanism), shared(of_ranks);
  shared.share_branches(PETSC_COMM_WORLD, recursive::Sharing::always);
  recursive::StepTangent matrix(alone), matrix_of_ranks(shared);
  const VectorXd n = VectorXd::Zero(u.size());
  VectorXd du = n, phi, dlambda, dn, of_shared;
  write(row, "residual",
        least_times([&] { alone.evaluate(q, u, du, state); },
                    [&] { shared.evaluate(q, u, du, state, recursive::SweptLinks::of_rank); }));
  write(row, "matrix",
        least_times([&] { matrix.factorise(kStep, q, u, du, n, state); },
                    [&] { matrix_of_ranks.factorise(kStep, q, u, du, n, state); }));
  write(row, "solution",
        least_times([&] { matrix.solve(alone.residual(), phi, dn, dlambda); },
                    [&] { matrix_of_ranks.solve(shared.residual(), phi, of_shared, dlambda); }));
  return std::max(difference(shared.residual(), alone.residual()), difference(of_shared, dn));
}

// Generalized-alpha by itself, without its first step; of each step the least time of some runs.
double measure_steps_on_ranks(system::System& system, Json& row) {
  constexpr int kRuns = 5, kSteps = 30;
  const MPI_Comm comm = PETSC_COMM_WORLD;
  SOLIDYN_PETSC(PetscOptionsSetValue(nullptr, "-recursive_branches", "always"));
  std::vector<OnRanks> steps(kSteps);
  system::State ends[2];
  for (int run = 0; run < 2 * kRuns; ++run) {
    const bool is_shared = run % 2 == 1;
    const recursive::RanksForBranches ranks(is_shared ? comm : MPI_COMM_SELF);
    system::State state = system.make_state();
    system.update(state);
    system.accept(state);
    integrators::RelativeGeneralizedAlpha integrator(system, {});
    integrator.initialize(state);
    for (int i = -1; i < kSteps; ++i) {
      MPI_Barrier(comm);
      const double before = MPI_Wtime();
      integrator.step(state, 1e-3);
      system.accept(state);
      const double seconds = base::max(comm, MPI_Wtime() - before);
      if (i < 0) continue;
      double& least = is_shared ? steps[i].shared : steps[i].alone;
      least = std::min(least, seconds);
    }
    row["iterations_per_step"] =
        static_cast<double>(integrator.statistics().newton_iterations) / (kSteps + 1);
    row["matrices_per_step"] = static_cast<double>(integrator.statistics().tangents) / (kSteps + 1);
    ends[is_shared] = state.clone();
  }
  OnRanks mean{0.0, 0.0};
  for (const OnRanks& step : steps) {
    mean.alone += step.alone / kSteps;
    mean.shared += step.shared / kSteps;
  }
  write(row, "step", mean);
  return difference(ends[1].q, ends[0].q);
}

bool measure_on_ranks(system::System& system, Json& row) {
  system::State state = system.make_state();
  system.update(state);
  system.accept(state);
  VectorXd q, u;
  recursive::Mechanism(system).tree().find_coordinates(state, q, u);
  for (int i = 0; i < u.size(); ++i) u[i] = 0.1 * std::sin(1.0 + i);
  row["ranks"] = base::size(PETSC_COMM_WORLD);
  double differ = measure_accelerations_on_ranks(system, state, q, u, row);
  differ = std::max(differ, measure_iterations_on_ranks(system, state, q, u, row));
  differ = std::max(differ, measure_steps_on_ranks(system, row));
  row["check"]["differ"] = differ;
  return differ < kSame;
}

bool measure(int n, int n_modes, const Options& options) {
  Chain chain(n, n_modes, options.shape);
  Json row = {{"bodies", n}, {"modes", n_modes}};
  if (base::size(PETSC_COMM_WORLD) > 1) {
    const bool is_right = measure_on_ranks(chain.system, row);
    if (base::rank(PETSC_COMM_WORLD) == 0) std::cout << row << std::endl;
    return is_right;
  }
  const bool is_right = measure_evaluations(chain.system, options, row);
  measure_steps(chain.system, options, row);
  std::cout << row << std::endl;
  return is_right;
}

}  // namespace

int main(int argc, char** argv) {
  namespace po = boost::program_options;
  po::options_description options("options");
  std::vector<int> bodies, modes;
  Options what;
  options.add_options()("help", "this text")("bodies", po::value(&bodies)->multitoken(),
                                             "chain lengths; default 10 100 1000 10000")(
      "modes", po::value(&modes)->multitoken(), "of each body; default 0, rigid")(
      "binary-tree", "two links on the end of each")("star", "rows of links on the first one")(
      "short", po::bool_switch(&what.is_short),
      "evaluations by sweeps and implicit steps by themselves, no others beside them")(
      "absolute-to", po::value(&what.most_absolute),
      "most bodies of implicit steps by themselves in absolute coordinates; default 1000");
  po::variables_map map;
  po::store(po::command_line_parser(argc, argv).options(options).run(), map);
  po::notify(map);
  if (map.count("help")) {
    std::cout << options;
    return 0;
  }
  if (map.count("binary-tree")) what.shape = Shape::binary_tree;
  if (map.count("star")) what.shape = Shape::star;
  if (bodies.empty()) bodies = {10, 100, 1000, 10000};
  if (modes.empty()) modes = {0};
  if (SlepcInitialize(&argc, &argv, nullptr, nullptr)) return 1;
  base::set_log_level(base::LogLevel::error);
  bool all_right = true;
  for (const int n_modes : modes)
    for (const int n : bodies) all_right &= measure(n, n_modes, what);
  SlepcFinalize();
  if (!all_right) std::cerr << "an answer is wrong: the timings above do not count\n";
  return all_right ? 0 : 1;
}
