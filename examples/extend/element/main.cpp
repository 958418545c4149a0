// An element of our own: a stretched string of bars between beads, and a shallow truss that a
// weight presses down.
//
//   out/extend/element/extend_element
//   mpirun -n 2 out/extend/element/extend_element     (the same numbers)
//
// Known: n bars of length l under a tension T with masses m between them vibrate at
// (1 / pi) sqrt(T / (m l)) sin(k pi / (2 n)), k = 1 ... n - 1, across in two directions; the apex
// of two bars sinks from h to z under P = (EA / L^3) (h^2 - z^2) z (von Mises' truss).
#include <solidyn/solidyn.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "bar_body.h"

using namespace solidyn;
using Eigen::Vector3d;

bodies::BodyIndex add_bead(system::System& mechanism, const std::string& name, double mass,
                           const Vector3d& at) {
  bodies::InitialMotion start;
  start.p_WB = at;
  return mechanism.add_body(
      bodies::make_rigid_body(name, mass, Vector3d::Zero(), 1e-6 * Eigen::Matrix3d::Identity()),
      start);
}

// To the ground, where it is.
void hold(system::System& mechanism, bodies::BodyIndex body, joints::JointType type) {
  const Vector3d at = mechanism.initial_motion(body).p_WB;
  system::add_joint(
      mechanism, "hold", type,
      {system::add_frame(mechanism, system::kGround, at), system::add_frame(mechanism, body, at)});
}

// The largest error of the frequencies across, of what they are.
double error_of_string() {
  const int n = 8;
  const double length = 0.1, stretched = 0.101, bead_mass = 0.01;
  const BarBody::Bar bar = {0, 1, length, 2e4, 0.002};
  const Vector3d along(0.6, 0.0, 0.8);
  system::System mechanism;
  std::vector<bodies::BodyIndex> nodes;
  std::vector<BarBody::Bar> bars(n, bar);
  for (int i = 0; i <= n; ++i)
    nodes.push_back(
        add_bead(mechanism, fmt::format("bead_{}", i), bead_mass, i * stretched * along));
  for (int i = 0; i < n; ++i) {
    bars[i].p = i;
    bars[i].q = i + 1;
  }
  auto string = std::make_unique<BarBody>("string", nodes, bars);
  const BarBody& body = *string;
  mechanism.add_body(std::move(string), {});
  for (const bodies::BodyIndex end : {nodes.front(), nodes.back()})
    hold(mechanism, end, joints::JointType::fixed);
  mechanism.finalize();

  analyses::DynamicsOptions options;
  options.duration = options.step = 1e-3;
  analyses::Dynamics start(mechanism, options);  // for a state with its accelerations
  start.start();
  const auto linear = system::linearise(mechanism, start.state(), system::IncrementAxes::world);
  std::vector<double> found;
  for (const analyses::Mode& mode :
       analyses::find_modes(linear, analyses::make_minimal_coordinates(linear), 2 * (n - 1)))
    if (mode.kind == analyses::Mode::Kind::oscillation) found.push_back(mode.frequency());
  std::sort(found.begin(), found.end());

  const double tension = body.tension(0), mass = bead_mass + bar.mass;
  double worst = found.size() == 2 * (n - 1) ? 0.0 : 1.0;
  for (int k = 1; k < n && worst < 1.0; ++k) {
    const double exact =
        std::sqrt(tension / (mass * stretched)) / M_PI * std::sin(k * M_PI / (2 * n));
    if (k < 4)
      base::print_once("string {:8.3f} Hz, of beads on a thread {:8.3f} Hz\n", found[2 * k - 2],
                       exact);
    for (const int direction : {2 * k - 2, 2 * k - 1})
      worst = std::max(worst, std::abs(found[direction] / exact - 1));
  }
  return worst;
}

double error_of_truss() {
  const double height = 0.1, half_span = 1.0, stiffness = 5e5;
  const double length = std::hypot(height, half_span), deepest = 0.07;
  const double load =
      stiffness / (length * length * length) * (height * height - deepest * deepest) * deepest;
  system::System mechanism;
  std::vector<bodies::BodyIndex> nodes;
  for (const Vector3d& at :
       {Vector3d(-half_span, 0, 0), Vector3d(0, 0, height), Vector3d(half_span, 0, 0)}) {
    bodies::InitialMotion start;
    start.p_WB = at;
    nodes.push_back(mechanism.add_body(std::make_unique<bodies::Node>("node"), start));
  }
  const std::vector<BarBody::Bar> bars = {{0, 1, length, stiffness, 1.0},
                                          {1, 2, length, stiffness, 1.0}};
  mechanism.add_body(std::make_unique<BarBody>("truss", nodes, bars), {});
  hold(mechanism, nodes[0], joints::JointType::fixed);
  hold(mechanism, nodes[2], joints::JointType::fixed);
  // In the plane it stands by itself; bars hold no node against turning.
  hold(mechanism, nodes[1], joints::JointType::orientation);
  const system::FramesOfPair plane = {
      system::add_frame(mechanism, system::kGround, {0, 0, height}, Vector3d::UnitY()),
      system::add_frame(mechanism, nodes[1], {0, 0, height}, Vector3d::UnitY())};
  system::add_joint(mechanism, "plane", joints::JointType::point_on_plane, plane);
  const math::TimeFunction none;
  const auto growing = math::TimeFunction::expression(fmt::format("{}*t", -load));
  const bodies::FrameIndex apex = plane.B;
  system::add_load(mechanism, "weight", apex, {none, none, growing});
  mechanism.finalize();

  analyses::Statics statics(mechanism, {});
  statics.start();
  while (!statics.is_done()) statics.advance();
  mechanism.update(statics.state());
  const double found = mechanism.kinematics().frames[apex].p.z();
  base::print_once("apex at {:.7f} m, of von Mises' truss {:.7f} m\n", found, deepest);
  return std::abs(found / deepest - 1);
}

int run() {
  const double of_string = error_of_string(), of_truss = error_of_truss();
  base::print_once("largest errors {:.0e} and {:.0e}\n", of_string, of_truss);
  return of_string < 1e-8 && of_truss < 1e-7 ? 0 : 1;
}

int main() { return base::run_program({}, run); }
