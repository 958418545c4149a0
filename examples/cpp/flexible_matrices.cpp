// A cantilever, known by mass and stiffness matrices alone, rings after a force was put on its tip.
//
//   out/cpp/flexible_matrices
//   mpirun -n 2 out/cpp/flexible_matrices     (the same numbers)
//
// Known: the tip swings about F L^3 / (3 EI), at 1.875104^2 / (2 pi) sqrt(EI / (m L^4)).
#include <solidyn/solidyn.h>

#include <cmath>
#include <vector>

#include "beam_matrices.h"

using namespace solidyn;
using Eigen::Vector3d;

// The free body: its modes, and how it answers forces and torques on its first and last node.
reduction::ReducedBody reduce(const Beam& beam) {
  mesh::Mesh nodes;  // where they are, and which of them joints and forces take hold of
  nodes.x = Vector3d::UnitX() * Eigen::RowVectorXd::LinSpaced(beam.elements + 1, 0, beam.length);
  for (int tag = 1; tag <= beam.elements + 1; ++tag) nodes.node_tags.push_back(tag);
  nodes.sets = {{"root", {0, {0}}}, {"tip", {0, {beam.elements}}}};
  reduction::ReductionOptions options;
  options.free_free = 8;
  options.static_correction = reduction::StaticCorrection::at_interfaces;
  for (const char* set : {"root", "tip"})
    options.interfaces.push_back({set, mesh::NodesInSet{set}, mesh::Attachment::node});
  return reduction::reduce_matrices(mesh::distribute(PETSC_COMM_WORLD, nodes), matrices_of(beam),
                                    options);
}

int ring() {
  // Model: the beam, clamped at its root, with a force on its tip.
  const Beam beam;
  const double force = 0.5;  // N
  const reduction::ReducedBody reduced = reduce(beam);
  system::System mechanism;
  const auto body = mechanism.add_body(bodies::make_modal_body("beam", reduced), {});
  const auto root = mechanism.add_frame(bodies::frame_at(body, reduced.interfaces[0]));
  const auto tip = mechanism.add_frame(bodies::frame_at(body, reduced.interfaces[1]));
  const auto wall = system::add_frame(mechanism, system::kGround, Vector3d::Zero());
  system::add_joint(mechanism, "clamp", joints::JointType::fixed, {wall, root});
  const math::TimeFunction none, up = math::TimeFunction::constant(force);
  system::add_load(mechanism, "push", tip, {none, none, up});
  mechanism.finalize();

  // Analysis: twenty periods, 200 steps in each.
  const double L = beam.length, EI = beam.bending_xz;
  const double deflection = force * L * L * L / (3 * EI);
  const double frequency =
      std::pow(1.875104 / L, 2) / (2 * M_PI) * std::sqrt(EI / beam.mass_per_length);
  analyses::DynamicsOptions options;
  options.duration = 20 / frequency;
  options.step = 1 / (200 * frequency);
  analyses::Dynamics dynamics(mechanism, options);
  dynamics.start();

  // Results: when the tip rises through F L^3 / (3 EI), and its mean.
  std::vector<double> rises;
  double t = 0, z = 0, mean = 0;
  while (!dynamics.is_done()) {
    dynamics.advance();
    dynamics.refresh();
    const double t_before = t, before = z;
    t = dynamics.state().t;
    z = mechanism.kinematics().frames[tip].p.z();
    mean += (z - mean) / static_cast<double>(dynamics.steps());
    if (before < deflection && z >= deflection)
      rises.push_back(t_before + (t - t_before) * (deflection - before) / (z - before));
  }
  const double n_periods = static_cast<double>(rises.size()) - 1;
  const double found = n_periods > 0 ? n_periods / (rises.back() - rises.front()) : 0.0;
  base::print_once("frequency  {:.5f} Hz, of the beam {:.5f} Hz\n", found, frequency);
  base::print_once("deflection {:.6f} mm, of the beam {:.6f} mm\n", 1e3 * mean, 1e3 * deflection);
  const bool agrees =
      std::abs(found / frequency - 1) < 1e-3 && std::abs(mean / deflection - 1) < 1e-3;
  return agrees ? 0 : 1;
}

int main() { return base::run_program({}, ring); }
