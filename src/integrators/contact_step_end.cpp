#include "integrators/contact_step_end.h"

#include <algorithm>

#include "solidyn/integrators/contact_start.h"

namespace solidyn::integrators {

using Eigen::VectorXd;
using system::State;

ContactStepEnd::ContactStepEnd(system::System& system, ImplicitStage& stage, solvers::Preset preset)
    : system_(system),
      stage_(stage),
      transitions_(system, stage.contacts().points(), stage.regularization(), preset) {}

// Of each island.
VectorXd ContactStepEnd::energies(const State& s) const {
  const std::vector<bodies::Energy> parts = system_.energies(s);
  VectorXd sums(system_.connectivity().n_islands());
  for (int i = 0; i < system_.connectivity().n_islands(); ++i)
    sums[i] = parts[i].kinetic + parts[i].strain + parts[i].potential;
  return sums;
}

bool ContactStepEnd::finish(const State& before, State& s, double h, ContactReport& report) {
  const ContactPoints& points = stage_.contacts().points();
  stage_.contacts().note_sticking(s);
  system_.update(s);
  VectorXd gaps(points.size());
  for (int i = 0; i < points.size(); ++i) gaps[i] = points.gap(i);
  const VectorXd energy = energies(s);
  stage_.contacts().close_gaps(system_, before.q, s, stage_.solve(), stage_.row_scale(),
                               stage_.length(), stage_.n);
  const bool has_jumped = transitions_.finish(before, s, h, gaps);
  report.energy_change = energies(s) - energy;
  report.events = transitions_.events();
  for (int i = 0; i < points.size(); ++i) {
    if (points.is_closed(s, i)) ++report.n_closed;
    report.penetration = std::max(report.penetration, -points.gap(i));
  }
  if (has_jumped) stage_.forget_tangent();
  return has_jumped;
}

ContactReport start_contacts(system::System& system, State& s, double regularization,
                             solvers::Preset preset) {
  ContactReport report;
  const ContactPoints points(system);
  if (points.is_empty()) return report;
  ContactTransitions transitions(system, points, regularization, preset);
  transitions.start(s);
  report.events = transitions.events();
  report.energy_change = transitions.energy_change();
  report.n_closed = static_cast<int>(points.closed(s).size());
  return report;
}

bool has_set_valued_contacts(const system::System& system) {
  return !ContactPoints(system).is_empty();
}

}  // namespace solidyn::integrators
