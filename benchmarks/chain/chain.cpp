// Milliseconds per step of chains of rigid links on revolute joints, with the answer checked:
//   OPENBLAS_NUM_THREADS=1 build/benchmarks/benchmark_chain
//   OPENBLAS_NUM_THREADS=1 build/benchmarks/benchmark_chain --links 1000 --repeat 9
#include <fmt/format.h>
#include <slepc.h>

#include <boost/program_options.hpp>
#include <cmath>
#include <iostream>

#include "solidyn/analyses/dynamics.h"
#include "solidyn/base/log.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/joints/joint.h"
#include "timing.h"

using namespace solidyn;
using benchmarks::cpu_seconds;
using benchmarks::median;

namespace {

using Eigen::Vector3d;

constexpr double kStep = 1e-3, kGravity = 9.81;
// Of the energy exchanged and of the displacement of the first link's centre, at a fixed step.
constexpr double kDriftLimit = 1e-3;
constexpr double kViolationLimit = 1e-9;  // m

bodies::FrameIndex add_frame(system::System& system, bodies::BodyIndex body, const Vector3d& x) {
  bodies::Frame frame;
  frame.body = body;
  frame.x_B = x;
  return system.add_frame(frame);
}

// Links of 1 m and 1 kg, slender rods, in a row along x from the origin; gravity along -y.
std::unique_ptr<system::System> make_chain(int n) {
  auto system = std::make_unique<system::System>();
  system->set_gravity(Vector3d(0, -kGravity, 0));
  const Eigen::Matrix3d inertia = Vector3d(1e-3, 1.0 / 12, 1.0 / 12).asDiagonal();
  for (int i = 0; i < n; ++i) {
    system::InitialMotion pose;
    pose.p_WB = Vector3d(i + 0.5, 0, 0);
    const std::string number = std::to_string(i + 1);
    system->add_body(bodies::make_rigid_body("link" + number, 1.0, Vector3d::Zero(), inertia),
                     pose);
    const auto A = add_frame(*system, i > 0 ? bodies::BodyIndex(i - 1) : bodies::kGround,
                             i > 0 ? Vector3d(0.5, 0, 0) : Vector3d::Zero());
    const auto B = add_frame(*system, bodies::BodyIndex(i), Vector3d(-0.5, 0, 0));
    const joints::JointRows rows = joints::joint_rows(joints::JointType::revolute);
    system->add_constraint(std::make_unique<joints::Joint>("joint" + number, system->link(A, B),
                                                           rows.primitives, rows.names));
  }
  system->finalize();
  return system;
}

analyses::DynamicsOptions options_of(int n_steps) {
  analyses::DynamicsOptions options;
  options.step = kStep;
  options.duration = n_steps * kStep;
  return options;
}

struct Timing {
  double start = 0.0, cpu = 0.0;
  integrators::IntegratorStatistics statistics;
  analyses::Monitor monitor;
};

Timing run(system::System& chain, int n_steps) {
  Timing timing;
  double before = cpu_seconds();
  analyses::Dynamics dynamics(chain, options_of(n_steps));
  dynamics.start();
  timing.start = cpu_seconds() - before;
  before = cpu_seconds();
  while (!dynamics.is_done()) dynamics.advance();
  timing.cpu = cpu_seconds() - before;
  timing.statistics = dynamics.stepper().statistics();
  dynamics.observe();
  timing.monitor = dynamics.monitor();
  return timing;
}

// Returns whether the answer is right.
bool measure(int n_links, int n_steps, int n_repeats) {
  const auto chain = make_chain(n_links);
  std::vector<double> start, cpu, assembly, solve;
  Timing last;
  for (int i = 0; i < n_repeats; ++i) {
    last = run(*chain, n_steps);
    const auto& s = last.statistics;
    start.push_back(last.start);
    cpu.push_back(1e3 * last.cpu / s.steps);
    assembly.push_back(1e3 * s.assembly_seconds / s.steps);
    solve.push_back(1e3 * s.solve_seconds / s.steps);
  }
  const auto& s = last.statistics;
  fmt::print(
      "{{\"links\": {}, \"unknowns\": {}, \"steps\": {}, \"start_seconds\": {:.4f}, "
      "\"milliseconds_per_step\": {:.4f}, \"assembly\": {:.4f}, \"solve\": {:.4f}, "
      "\"newton_iterations_per_step\": {:.2f}, \"tangents\": {}, \"check\": "
      "{{\"energy_drift\": {:.1e}, \"constraint_violation_m\": {:.1e}}}, \"repeats\": {}}}\n",
      n_links, chain->layout().n_unknowns(), s.steps, median(start), median(cpu), median(assembly),
      median(solve), static_cast<double>(s.newton_iterations) / s.steps, s.tangents,
      last.monitor.relative_drift(), last.monitor.position_violation, n_repeats);
  return last.monitor.relative_drift() < kDriftLimit &&
         last.monitor.position_violation < kViolationLimit;
}

}  // namespace

int main(int argc, char** argv) {
  namespace po = boost::program_options;
  po::options_description options("options");
  std::vector<int> links;
  int n_steps = 0, n_repeats = 5;
  options.add_options()("help", "this text")("links", po::value(&links)->multitoken(),
                                             "chain lengths; default 10 100 1000 10000")(
      "steps", po::value(&n_steps),
      "of each run; default 1000, 200 from 1000 links, 20 from 10000")(
      "repeat", po::value(&n_repeats)->default_value(5), "runs of each; medians are printed");
  po::variables_map map;
  po::store(po::command_line_parser(argc, argv).options(options).run(), map);
  po::notify(map);
  if (map.count("help")) {
    std::cout << options;
    return 0;
  }
  if (links.empty()) links = {10, 100, 1000, 10000};
  if (SlepcInitialize(&argc, &argv, nullptr, nullptr)) return 1;
  base::set_log_level(base::LogLevel::error);
  bool all_right = true;
  for (const int n : links) {
    const int steps = n_steps > 0 ? n_steps : n < 1000 ? 1000 : n < 10000 ? 200 : 20;
    all_right &= measure(n, steps, n_repeats);
  }
  SlepcFinalize();
  if (!all_right) std::cerr << "an answer is wrong: the timings above do not count\n";
  return all_right ? 0 : 1;
}
