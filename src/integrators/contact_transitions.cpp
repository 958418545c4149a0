#include "integrators/contact_transitions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "integrators/energies_of_islands.h"
#include "solidyn/base/error.h"
#include "solidyn/system/accelerations.h"

namespace solidyn::integrators {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using forces::SetValuedPoint;
using solvers::friction::ContactState;
using system::State;
using Kind = ContactEvent::Kind;
using Phase = SetValuedPoint::Phase;
using Law = forces::SetValuedLaw::Kind;

const char* name(ContactEvent::Kind kind) {
  switch (kind) {
    case Kind::impact:
      return "impact";
    case Kind::impact_without_collision:
      return "impact without collision";
    case Kind::opens:
      return "opens";
    case Kind::sticks:
      return "sticks";
    case Kind::slips:
      return "slips";
  }
  return "";
}

namespace {

// Of the depth from which a gap has been closed: what that may leave of it.
constexpr double kTrace = 1e-6;

}  // namespace

ContactTransitions::ContactTransitions(system::System& system, const ContactPoints& points,
                                       double regularization, solvers::Preset preset,
                                       MultipleImpacts multiple)
    : system_(system),
      points_(points),
      regularization_(regularization),
      multiple_(multiple),
      solver_(solvers::make_linear_solver(preset, system.layout().n_unknowns())),
      solve_(*solver_, system.layout().n_velocities(), system.layout().n_constraints(),
             regularization) {
  system_.set_pattern(*solver_);
}

void ContactTransitions::record(double t, int point, Kind kind, double before, double after,
                                double impulse) {
  events_.push_back(points_.event(t, point, kind, before, after, impulse));
}

// Moments have no events: a ball that rolls sticks.
void ContactTransitions::record_sticking(double t, int point, bool sticks) {
  if (points_.law(point).can_stick() && !points_.is_moment(point))
    record(t, point, sticks ? Kind::sticks : Kind::slips, 0.0, 0.0, 0.0);
}

// Gaps of which closing has left a trace, as it does where they contradict each other, are closed.
std::vector<int> ContactTransitions::find_closing(const State& s, const ContactStep* step) const {
  std::vector<int> closing;
  for (int i = 0; i < points_.size(); ++i) {
    if (points_.is_closed(s, i) || points_.is_moment(i) || !points_.exists(i)) continue;
    const double depth = step && step->gaps.size() > 0 ? std::max(0.0, -step->gaps[i]) : 0.0;
    if (points_.gap(i) <= std::max(kTouching, kTrace * depth) && points_.velocity(i)[0] <= 0.0)
      closing.push_back(i);
  }
  return closing;
}

bool ContactTransitions::has_force(const State& before, const State& s, int point) const {
  return points_.has_force(before, point) || points_.has_force(s, point);
}

// Closed contacts without a force that have come apart, and points that are no more.
void ContactTransitions::release(const State& before, State& s, Changes& changes) {
  for (int i = 0; i < points_.size(); ++i) {
    if (!points_.is_closed(s, i) || points_.has_force(s, i) || !points_.law(i).has_gap() ||
        points_.gap(i) <= kTouching)
      continue;
    const double speed = points_.velocity(i)[0];
    if (speed <= 0.0) continue;
    changes.any = true;
    changes.of_forces = changes.of_forces || has_force(before, s, i);
    points_.write(s, i, {});
    record(s.t, i, Kind::opens, 0.0, speed, 0.0);
  }
}

void ContactTransitions::note_sticking(const State& before, const State& s, Changes& changes) {
  for (const int i : points_.closed(s)) {
    const bool stuck = points_.read(before, i).sticks, sticks = points_.read(s, i).sticks;
    if (stuck == sticks || !points_.law(i).can_stick()) continue;
    record_sticking(s.t, i, sticks);
    changes.any = true;
    changes.of_forces = changes.of_forces || has_force(before, s, i) || !points_.law(i).has_gap();
  }
}

double ContactTransitions::speed_at_rest(const State& s, int point) const {
  return std::max(kNoSpeed * s.v.lpNorm<Eigen::Infinity>(), kRests * points_.law(point).slow_speed);
}

bool ContactTransitions::are_at_rest(const State& s, const std::vector<int>& closing) const {
  return std::all_of(closing.begin(), closing.end(),
                     [&](int i) { return points_.velocity(i)[0] >= -speed_at_rest(s, i); });
}

// Those of a point that has closed stick where they turn no faster than that.
void ContactTransitions::stick_moments(State& s, int point, double nothing) {
  for (const int k : points_.moments_of(point)) {
    if (k < 0) continue;
    SetValuedPoint moment = points_.read(s, k);
    moment.sticks = points_.sliding_speed(k) <= nothing;
    points_.write(s, k, moment);
  }
}

// Without an impact. @return whether accelerations press on any of them, so that it gets a force.
// They do not where they make no speed of it in a step. @pre System::update_accelerations()
bool ContactTransitions::touch(State& s, const std::vector<int>& closing, double h) {
  bool any = false;
  for (const int i : closing) {
    SetValuedPoint point;
    point.phase = Phase::closed;
    point.sticks = points_.sliding_speed(i) <= speed_at_rest(s, i);
    point.crowding = points_.read(s, i).crowding;
    points_.write(s, i, point);
    stick_moments(s, i, speed_at_rest(s, i));
    record_sticking(s.t, i, point.sticks);
    any = any || points_.acceleration(i)[0] * h < -speed_at_rest(s, i);
  }
  return any;
}

// Of the gaps, where the step began. @pre and after: System::update(s)
VectorXd ContactTransitions::first_rates(const State& before, const State& s) {
  VectorXd rates(points_.size());
  system_.update(before);
  for (int i = 0; i < points_.size(); ++i) rates[i] = points_.velocity(i)[0];
  system_.update(s);
  return rates;
}

// M a + h + G^T lambda = W r, with the law of each closed contact between its acceleration and its
// force. What slips has a known direction of friction, so that its law is that of a contact
// without friction whose force acts along the generator of the cone.
// @return why there is no solution; empty when there is one
std::string ContactTransitions::solve_accelerations(State& s) {
  const int n_v = system_.layout().n_velocities();
  const std::vector<int> closed = points_.closed(s);
  const int n = static_cast<int>(closed.size());
  for (int i = 0; i < points_.size(); ++i) {
    SetValuedPoint point = points_.read(s, i);
    point.force.setZero();
    points_.write(s, i, point);
  }
  system::AccelerationOptions options;
  options.regularization = regularization_;
  system::solve_acceleration_equations(system_, s, options, *solver_);
  if (n == 0) return {};
  system_.update_accelerations();
  const ContactCompliance c =
      contact_compliance(points_, closed, solve_, 1.0, system_.layout().n_unknowns());
  VectorXd q(3 * n);
  for (int k = 0; k < n; ++k) q.segment<3>(3 * k) = points_.acceleration(closed[k]);
  const KnownSlips known = find_known_slips(points_, s, closed);
  ContactSolution solution = solve_contacts(points_, c, c.A, q, VectorXd::Zero(3 * n),
                                            std::vector<bool>(n, true), VectorXd::Zero(n), &known,
                                            1.0, nullptr, ContactSolver::Unknowns::accelerations);
  if (!solution.failure.empty()) return solution.failure;
  const VectorXd x = c.X * solution.r;
  s.a += x.head(n_v);
  follow_ports(system_, x, &bodies::NodalState::ddu, s);
  s.lambda += x.tail(system_.layout().n_constraints());
  if (has_approximate_masses(system_)) correct_accelerations(s, c, known, solution);
  if (!solution.failure.empty()) return solution.failure;
  for (int k = 0; k < n; ++k) {
    SetValuedPoint point = points_.read(s, closed[k]);
    point.force = points_.axes(closed[k]) * solution.r.segment<3>(3 * k);
    const bool stuck = point.sticks;
    // A clutch that does not begin to turn stays locked, even where it carries nothing, and what
    // stands still without a force does not slip.
    const bool stays = points_.law(closed[k]).kind == Law::clutch
                           ? solution.u[3 * k] <= kNoSpeed * q.lpNorm<Eigen::Infinity>()
                           : stuck && solution.states[k] == ContactState::open;
    point.sticks = !known.slips[k] && (stays || solution.states[k] == ContactState::stick);
    points_.write(s, closed[k], point);
    if (stuck != point.sticks) record_sticking(s.t, closed[k], point.sticks);
  }
  system_.update(s);
  return {};
}

// Where no accelerations keep closed contacts closed, velocities jump (Painleve).
void ContactTransitions::renew_accelerations(State& s) {
  if (solve_accelerations(s).empty()) return;
  hit(s, {}, {}, Kind::impact_without_collision);
  const std::string failure = solve_accelerations(s);
  if (!failure.empty())
    throw base::ComputationError(fmt::format(
        "no accelerations and contact forces satisfy the laws of the closed contacts, and no impulses help; coefficients of friction may be too large for the geometry: {}",
        failure));
}

VectorXd ContactTransitions::start(State& s) {
  events_.clear();
  total_work_of_drives_ = 0.0;
  system_.update(s);
  points_.refuse_overlaps(s);
  if (rests(s)) return VectorXd::Zero(system_.connectivity().n_islands());
  system_.update_accelerations();
  std::vector<int> approaching;
  double fastest = 0.0;
  for (int i = 0; i < points_.size(); ++i)
    fastest = std::max(fastest, std::abs(points_.velocity(i)[0]));
  // Of what rubs alone the velocity may be all round-off of larger ones.
  const double nothing = kNoSpeed * std::max(fastest, s.v.lpNorm<Eigen::Infinity>());
  std::vector<int> closed = find_closing(s, nullptr);
  for (int i = 0; i < points_.size(); ++i)
    if (points_.law(i).kind == Law::clutch && points_.velocity(i)[0] > 0.0) closed.push_back(i);
  for (const int i : closed) {
    SetValuedPoint point;
    point.phase = Phase::closed;
    point.sticks = points_.sliding_speed(i) <= nothing;
    points_.write(s, i, point);
    stick_moments(s, i, nothing);
    if (points_.velocity(i)[0] < -kNoSpeed * fastest) approaching.push_back(i);
  }
  const VectorXd energy = kinetic_energies(system_, s);
  if (!approaching.empty()) hit(s, approaching, {}, Kind::impact);
  VectorXd change = kinetic_energies(system_, s) - energy;
  renew_accelerations(s);
  return change;
}

// A point that stays has a small gap, of what its velocity, held at zero, leaves to rotations.
bool ContactTransitions::drop_lost_points(const State& before, State& s, const ContactStep& step) {
  events_.clear();
  total_work_of_drives_ = 0.0;
  powers_.resize(0);
  loads_.resize(0);
  bool any = false;
  for (const int i : points_.closed(s)) {
    if (points_.law(i).kind != Law::contact) continue;
    if (points_.exists(i) && points_.gap(i) <= std::max(kTouching, step.way)) continue;
    any = any || has_force(before, s, i);
    SetValuedPoint point = points_.read(s, i);
    point.phase = Phase::open;
    point.sticks = false;
    point.force.setZero();
    points_.write(s, i, point);
    record(s.t, i, Kind::opens, 0.0, points_.velocity(i)[0], 0.0);
  }
  return any;
}

bool ContactTransitions::count_down_crowding(State& s, double steps) const {
  bool any = false;
  for (int i = 0; i < points_.size(); ++i) {
    SetValuedPoint point = points_.read(s, i);
    if (point.crowding == 0.0) continue;
    point.crowding = std::max(0.0, point.crowding - steps);
    points_.write(s, i, point);
    any = true;
  }
  return any;
}

bool ContactTransitions::finish(const State& before, State& s, ContactStep& step,
                                bool begins_anew) {
  Changes changes;
  release(before, s, changes);
  note_sticking(before, s, changes);
  const std::vector<int> closing = find_closing(s, &step);
  const bool is_hit = !are_at_rest(s, closing);
  if (!is_hit && met_.empty()) slow_down_without_impact(s, step);
  if (closing.empty() && !changes.any && !begins_anew) return false;
  if (is_hit) step.first_rates = first_rates(before, s);
  system_.update(s);
  system_.update_accelerations();
  bool has_jumped = is_hit || begins_anew || changes.of_forces;
  if (is_hit) {
    hit(s, closing, step, Kind::impact);
  } else {
    if (touch(s, closing, step.h)) has_jumped = true;
    if (begins_anew) {
      factorise_mass(s);
      satisfy_joints(s);
    }
  }
  if (has_jumped)
    renew_accelerations(s);
  else
    system_.update(s);  // what forces remember
  return has_jumped;
}

}  // namespace solidyn::integrators
