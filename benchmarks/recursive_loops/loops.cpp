// Accelerations and implicit steps of ladders and scissor masts, in relative and in absolute
// coordinates:
//   OPENBLAS_NUM_THREADS=1 build/benchmarks/benchmark_recursive_loops
//   OPENBLAS_NUM_THREADS=1 build/benchmarks/benchmark_recursive_loops --loops 10 100 --of mast
#include <fmt/format.h>
#include <slepc.h>

#include <boost/program_options.hpp>
#include <cmath>
#include <iostream>

#include "solidyn/analyses/dynamics.h"
#include "solidyn/base/log.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/recursive/mechanism.h"
#include "solidyn/system/accelerations.h"
#include "solidyn/system/connect.h"
#include "solidyn/system/initial_conditions.h"
#include "timing.h"

using namespace solidyn;
using benchmarks::cpu_seconds;
using benchmarks::milliseconds;

namespace {

using bodies::BodyIndex;
using Eigen::Vector3d;
using Eigen::VectorXd;
using joints::JointType;

// Of the largest acceleration: what relative and absolute coordinates may differ by. A mast of a
// hundred stages moves all of itself by one angle: its equations lose nine digits.
constexpr double kSame = 1e-4;
constexpr double kRate = 0.5;  // of rails and bars at the start, rad/s

// Rods of 1 kg per metre in the plane x, y, with revolute joints about z.
class Linkage {
 public:
  explicit Linkage(const Vector3d& gravity) { system.set_gravity(gravity); }

  BodyIndex add_rod(const Vector3d& from, const Vector3d& to, const Vector3d& velocity,
                    double rate) {
    system::InitialMotion pose;
    pose.p_WB = 0.5 * (from + to);
    pose.q_WB = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitX(), to - from);
    pose.v_WB = velocity;
    pose.w_WB_B = pose.q_WB.conjugate() * Vector3d(0, 0, rate);
    const double length = (to - from).norm(), across = length * length * length / 12.0;
    poses_.push_back(pose);
    return system.add_body(
        bodies::make_rigid_body("rod", length, Vector3d::Zero(),
                                Vector3d(1e-3 * across, across, across).asDiagonal()),
        pose);
  }
  void pin(BodyIndex a, BodyIndex b, const Vector3d& at, JointType type = JointType::revolute) {
    system::add_joint(system, "pin", type, {add_frame(a, at, type), add_frame(b, at, type)});
  }
  system::System system;

 private:
  bodies::FrameIndex add_frame(BodyIndex body, const Vector3d& at, JointType type) {
    bodies::Frame frame;
    frame.body = body;
    frame.x_B = at;
    // The line of point_on_line is along x.
    const Eigen::Quaterniond R_WF =
        type == JointType::point_on_line
            ? Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), Vector3d::UnitX())
            : Eigen::Quaterniond::Identity();
    frame.R_BF = R_WF.toRotationMatrix();
    if (body != bodies::kGround) {
      const system::InitialMotion& pose = poses_[body.value()];
      frame.x_B = pose.q_WB.conjugate() * (at - pose.p_WB);
      frame.R_BF = (pose.q_WB.conjugate() * R_WF).toRotationMatrix();
    }
    return system.add_frame(std::move(frame));
  }
  std::vector<system::InitialMotion> poses_;
};

// Cells of 1 m x 1 m that hang from the ground and sway: rails from joint to joint, rungs between.
void add_ladder(Linkage& linkage, int n) {
  BodyIndex left = bodies::kGround, right = bodies::kGround;
  for (int i = 0; i < n; ++i) {
    const Vector3d up(0, -i, 0), down(0, -i - 1, 0), across(1, 0, 0);
    const Vector3d v_rail(kRate * (i + 0.5), 0, 0), v_rung(kRate * (i + 1), 0, 0);
    const BodyIndex next_left = linkage.add_rod(up, down, v_rail, kRate),
                    next_right = linkage.add_rod(up + across, down + across, v_rail, kRate),
                    rung = linkage.add_rod(down, down + across, v_rung, 0.0);
    linkage.pin(left, next_left, up);
    linkage.pin(right, next_right, up + across);
    linkage.pin(next_left, rung, down);
    linkage.pin(rung, next_right, down + across);
    left = next_left;
    right = next_right;
  }
}

// Pairs of crossed bars of 2 m that rise, on the ground by a pin and by a foot that slides.
void add_mast(Linkage& linkage, int n) {
  const double c = 2.0 * std::cos(0.3), s = 2.0 * std::sin(0.3);
  BodyIndex rising = bodies::kGround, falling = bodies::kGround;
  for (int i = 0; i < n; ++i) {
    const Vector3d left(0, i * s, 0), right(c, i * s, 0), up(0, s, 0);
    const Vector3d v(-0.5 * kRate * s, kRate * (i + 0.5) * c, 0);
    const BodyIndex a = linkage.add_rod(left, right + up, v, kRate),
                    b = linkage.add_rod(right, left + up, v, -kRate);
    linkage.pin(a, b, 0.5 * (left + right + up));
    if (i == 0) {
      linkage.pin(bodies::kGround, a, left);
      linkage.pin(bodies::kGround, b, right, JointType::point_on_line);
    } else {
      linkage.pin(falling, a, left);
      linkage.pin(rising, b, right);
    }
    rising = a;
    falling = b;
  }
}

enum class Reactions { of_each_step, of_none };

// With monitors, without sensors; the start is not counted.
double time_of_step(system::System& system, const analyses::DynamicsOptions& options, int n_steps,
                    Reactions reactions) {
  analyses::Dynamics dynamics(system, options);
  dynamics.start();
  const double before = cpu_seconds();
  for (int i = 0; i < n_steps && !dynamics.is_done(); ++i) {
    dynamics.advance();
    if (reactions == Reactions::of_each_step) dynamics.state();
  }
  return 1e3 * (cpu_seconds() - before) / static_cast<double>(dynamics.steps());
}

bool measure(const std::string& of, int n, bool has_absolute) {
  Linkage linkage(Vector3d(0, -9.81, 0));
  of == "ladder" ? add_ladder(linkage, n) : add_mast(linkage, n);
  system::System& system = linkage.system;
  system.finalize();
  system::State state = system.make_state();
  system.update(state);
  system.accept(state);

  double before = cpu_seconds();
  recursive::Mechanism mechanism(system);
  VectorXd q, u, du;
  mechanism.tree().find_coordinates(state, q, u);
  mechanism.compute_state(q, u, state);
  const double start = 1e3 * (cpu_seconds() - before);
  const double sweeps = milliseconds([&] { mechanism.compute_accelerations(q, u, state, du); });
  mechanism.compute_state(q, u, state);

  double dae = 0.0, differ = 0.0;
  if (has_absolute) {
    system::State absolute = state.clone();
    auto solver =
        solvers::make_linear_solver(solvers::Preset::automatic, system.layout().n_unknowns());
    system.set_pattern(*solver);
    system.update(absolute);
    dae = milliseconds([&] {
      absolute.a.setZero();
      absolute.lambda.setZero();
      system::solve_accelerations(system, absolute, *solver, true);
    });
    differ =
        (absolute.a - state.a).lpNorm<Eigen::Infinity>() / absolute.a.lpNorm<Eigen::Infinity>();
  }

  analyses::DynamicsOptions options;
  options.step = 1e-3;
  options.duration = 1.0;
  const int n_steps = n <= 100 ? 100 : 20;
  std::string implicit = "null";
  options.formulation = analyses::Formulation::absolute;
  if (has_absolute)
    implicit = fmt::format("{:.4g}", time_of_step(system, options, n_steps, Reactions::of_none));
  options.formulation = analyses::Formulation::recursive;
  const double implicit_relative = time_of_step(system, options, n_steps, Reactions::of_none),
               with_reactions = time_of_step(system, options, n_steps, Reactions::of_each_step);
  fmt::print(
      "{{\"mechanism\": \"{}\", \"loops\": {}, \"bodies\": {}, \"first_state_ms\": {:.4g}, \"accelerations_ms\": {:.4g}, "
      "\"microseconds_per_loop\": {:.2f}, \"accelerations_absolute_ms\": {:.4g}, "
      "\"generalized_alpha_step_ms\": {:.4g}, \"with_reactions_ms\": {:.4g}, "
      "\"generalized_alpha_step_absolute_ms\": {}, "
      "\"check\": {{\"accelerations_differ\": {:.1e}}}}}\n",
      of, n, system.bodies().size(), start, sweeps, 1e3 * sweeps / n, dae, implicit_relative,
      with_reactions, implicit, differ);
  std::cout.flush();
  return differ < kSame;
}

}  // namespace

int main(int argc, char** argv) {
  namespace po = boost::program_options;
  po::options_description options("options");
  std::vector<int> loops;
  std::vector<std::string> mechanisms;
  int largest = 1000;
  options.add_options()("help", "this text")("loops", po::value(&loops)->multitoken(),
                                             "how many; default 10 100 1000")(
      "of", po::value(&mechanisms)->multitoken(), "ladder, mast; default both")(
      "absolute-to", po::value(&largest), "most loops in absolute coordinates; default 1000");
  po::variables_map map;
  po::store(po::command_line_parser(argc, argv).options(options).run(), map);
  po::notify(map);
  if (map.count("help")) {
    std::cout << options;
    return 0;
  }
  if (loops.empty()) loops = {10, 100, 1000};
  if (mechanisms.empty()) mechanisms = {"ladder", "mast"};
  if (SlepcInitialize(&argc, &argv, nullptr, nullptr)) return 1;
  base::set_log_level(base::LogLevel::error);
  bool all_right = true;
  for (const std::string& of : mechanisms)
    for (const int n : loops) all_right &= measure(of, n, n <= largest);
  SlepcFinalize();
  if (!all_right) std::cerr << "an answer is wrong: the timings above do not count\n";
  return all_right ? 0 : 1;
}
