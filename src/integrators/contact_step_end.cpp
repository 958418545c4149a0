#include "integrators/contact_step_end.h"

#include <algorithm>

#include "integrators/contact_passage.h"
#include "integrators/energies_of_islands.h"
#include "solidyn/base/error.h"
#include "solidyn/integrators/contact_start.h"
#include "solidyn/system/force_memory.h"

namespace solidyn::integrators {

using Eigen::Vector3d;
using Eigen::VectorXd;
using forces::SetValuedPoint;
using system::State;

namespace {

// Of the velocities: what forces left over from the start of a step may make of them.
constexpr double kLeftOver = 1e-2;

}  // namespace

ContactStepEnd::ContactStepEnd(system::System& system, ImplicitStage& stage, solvers::Preset preset)
    : system_(system),
      stage_(stage),
      transitions_(system, stage.contacts().points(), stage.regularization(), preset) {}

bool ContactStepEnd::has_left_over_forces(const State& before, const State& s) {
  const ContactPoints& points = stage_.contacts().points();
  std::vector<int> cut;
  VectorXd changes;
  for (int i = 0; i < points.size(); ++i) {
    const SetValuedPoint first = points.read(before, i), last = points.read(s, i);
    const Vector3d change = first.force - last.force;
    const bool lets_go = last.force.isZero(0.0), slips = first.sticks && !last.sticks;
    if (first.force.isZero(0.0) || change.isZero(0.0) || !(lets_go || slips)) continue;
    cut.push_back(i);
    changes.conservativeResize(3 * cut.size());
    changes.tail<3>() = points.axes(i).transpose() * change;
  }
  if (cut.empty()) return false;
  const ContactFactors factors = stage_.contact_factors(s);
  const ContactCompliance c = contact_compliance(points, cut, factors.for_points(cut.size()),
                                                 factors.row_scale, system_.layout().n_unknowns());
  const double speed = stage_.velocity_factor() * (c.A * changes).lpNorm<Eigen::Infinity>();
  return speed > kLeftOver * stage_.velocity_size(before) * stage_.length();
}

bool ContactStepEnd::take_euler_step(const State& before, State& s, double h) {
  s.copy_from(before);
  s.t += h;
  s.a.setZero();
  stage_.n = h * before.v;
  system_.advance(before.q, stage_.n, s.q);
  stage_.forget_tangent();
  return stage_.iterate({h, 1.0 / h, 1.0 / (h * h), h * h}, before, s, ImplicitStage::Search::none);
}

// @pre System::update()
ContactStepEnd::Start ContactStepEnd::look() const {
  const ContactPoints& points = stage_.contacts().points();
  Start start;
  start.step.first_rates.resize(points.size());
  for (int i = 0; i < points.size(); ++i) start.step.first_rates[i] = points.velocity(i)[0];
  start.normals = normals_of(points);
  return start;
}

// The end of the last step, as a rule.
ContactStepEnd::Start ContactStepEnd::look_at_start(const State& before, double h) {
  const bool is_known = ahead_ && ahead_->t == before.t && ahead_->q == before.q &&
                        ahead_->v == before.v &&
                        ahead_->version == stage_.contacts().points().version();
  if (!is_known) system_.update(before);
  Start start = is_known ? std::move(ahead_->start) : look();
  ahead_.reset();
  start.step.h = h;
  return start;
}

bool ContactStepEnd::finish(const State& before, State& s, double h, ContactReport& report,
                            bool begins_anew) {
  const ContactPoints& points = stage_.contacts().points();
  stage_.contacts().note_sticking(s);
  Start start = look_at_start(before, h);
  VectorXd first;
  if (begins_anew) {
    system_.update(before);
    first = total_energies(system_, before);
  }
  system_.update(s);
  require_no_passage(system_, points, before, s, stage_.n, start.normals);
  start.step.way =
      h * stage_.length() * std::max(stage_.velocity_size(before), stage_.velocity_size(s));
  const bool has_lost = transitions_.drop_lost_points(s, start.step);
  start.step.gaps.resize(points.size());
  for (int i = 0; i < points.size(); ++i) start.step.gaps[i] = points.gap(i);
  const VectorXd energy = total_energies(system_, s);
  start.step.energy = energy.sum();
  if (begins_anew) report.euler_change = energy - first;
  stage_.contacts().close_gaps(system_, before.q, s, stage_.contact_factors(s), stage_.length(),
                               stage_.n);
  const bool has_jumped = transitions_.finish(before, s, start.step, begins_anew || has_lost);
  report.energy_change = total_energies(system_, s) - energy;
  report.events = transitions_.events();
  report.powers = transitions_.powers_before_impacts();
  for (int i = 0; i < points.size(); ++i) {
    if (points.holds(s, i)) ++report.n_closed;
    report.penetration = std::max(report.penetration, -points.gap(i));
  }
  if (has_jumped) stage_.forget_tangent();
  ahead_ = Ahead{s.t, points.version(), s.q, s.v, look()};
  return has_jumped;
}

ContactReport start_contacts(system::System& system, State& s, double regularization,
                             solvers::Preset preset) {
  ContactReport report;
  ContactPoints points(system);
  if (points.is_empty()) return report;
  if (points.may_vary()) {  // which points there are is what an accepted state remembers
    system.update(s);
    system.accept(s);
    system.update(s);
    points.follow(s);
  }
  ContactTransitions transitions(system, points, regularization, preset);
  report.energy_change = transitions.start(s);
  report.events = transitions.events();
  for (int i = 0; i < points.size(); ++i)
    if (points.holds(s, i)) ++report.n_closed;
  return report;
}

void forget_impulses(system::System& system, State& s) {
  bool may_vary = false;
  for (const forces::ForceIndex f : system.forces())
    may_vary = may_vary || (system.force(f).as_set_valued() && system.force(f).has_parts());
  if (may_vary) system.update(s);
  const base::IndexedVector<forces::ForceIndex, int> offsets =
      system::memory_offsets(system, s.memory);
  for (const forces::ForceIndex f : system.forces()) {
    const forces::SetValued* law = system.force(f).as_set_valued();
    for (int k = 0; law && k < law->n_points(); ++k) {
      auto memory = s.memory.segment<SetValuedPoint::kSize>(offsets[f] + law->memory_offset(k));
      SetValuedPoint point = SetValuedPoint::read(memory);
      if (point.impulse.isZero(0.0)) continue;
      point.impulse.setZero();
      point.write(memory);
    }
  }
}

bool has_set_valued_contacts(const system::System& system) {
  for (const forces::ForceIndex f : system.forces())
    if (system.force(f).as_set_valued()) return true;
  return false;
}

}  // namespace solidyn::integrators
