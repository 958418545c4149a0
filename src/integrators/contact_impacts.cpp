// Impacts: velocities that jump at the end of a step.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "integrators/contact_transitions.h"
#include "integrators/energies_of_islands.h"
#include "solidyn/base/error.h"
#include "solidyn/integrators/set_valued_powers.h"
#include "solidyn/system/velocity_violation.h"

namespace solidyn::integrators {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using forces::SetValuedPoint;
using solvers::friction::ContactState;
using system::State;
using Phase = SetValuedPoint::Phase;
using Law = forces::SetValuedLaw::Kind;

// Of the velocities: what is added to them so that contacts press.
constexpr double kLeans = 1e-10;
// Of the largest impulse: a smaller one at a contact that was closed is round-off.
constexpr double kNoImpulse = 1e-9;
// An impact that multiplies the kinetic energy so often is none that Newton's law was made for.
constexpr double kAbsurd = 2.0;

}  // namespace

void ContactTransitions::factorise_mass(const State& s) {
  VectorXd r, phi;
  system_.set_coefficients({1.0, 0.0, 0.0});
  system_.update(s);
  system_.compute_residual(s, r, phi);  // G
  system_.update_accelerations();
  system::System::TangentOptions mass_only;
  mass_only.coefficients = {1.0, 0.0, 0.0};
  mass_only.regularization = regularization_;
  system_.assemble(s, mass_only, *solver_);
  solver_->factor();
}

// Velocities as joints demand. @pre factorise_mass()
void ContactTransitions::satisfy_joints(State& s) {
  const int n_v = system_.layout().n_velocities(), n_l = system_.layout().n_constraints();
  if (n_l == 0) return;
  VectorXd rhs = VectorXd::Zero(n_v + n_l), x;
  rhs.tail(n_l) = -system::velocity_violation(system_, s);
  solve_.solve(rhs, x);
  s.v += x.head(n_v);
  follow_ports(system_, x, &bodies::NodalState::du, s);
  system_.update(s);
  system_.update_accelerations();
}

// Closed contacts take part in the impacts of their island; friction of a given size has no
// impulses, since these would be its force times no time.
ContactTransitions::Impact ContactTransitions::describe(const State& s,
                                                        const std::vector<int>& closing,
                                                        Kind kind) const {
  Impact impact;
  impact.kind = kind;
  std::vector<bool> is_closing(points_.size(), false), takes_part(points_.size(), false);
  std::vector<bool> is_hit(system_.connectivity().n_islands(), closing.empty());
  for (const int i : closing) {
    is_closing[i] = true;
    is_hit[points_.island(i)] = true;
  }
  for (int i = 0; i < points_.size(); ++i) {
    const bool is_beside = points_.is_closed(s, i) && is_hit[points_.island(i)];
    takes_part[i] = points_.is_moment(i)
                        ? takes_part[points_.contact_of(i)]
                        : (is_closing[i] || is_beside) && points_.law(i).kind != Law::friction;
    if (!takes_part[i]) continue;
    impact.of.push_back(i);
    impact.is_new.push_back(is_closing[i]);
  }
  const auto n = static_cast<Eigen::Index>(impact.of.size());
  impact.before.resize(3 * n);
  for (Eigen::Index k = 0; k < n; ++k)
    impact.before.segment<3>(3 * k) = points_.velocity(impact.of[k]);
  return impact;
}

// No impulse at all would meet the laws too, if nothing pressed: what accelerations make of the
// velocities within the shortest of times.
// @param[in,out] velocities [3 n]
void ContactTransitions::lean_on_contacts(const std::vector<int>& of, VectorXd& velocities) const {
  VectorXd accelerations(velocities.size());
  for (std::size_t k = 0; k < of.size(); ++k)
    accelerations.segment<3>(3 * k) = points_.acceleration(of[k]);
  velocities += kLeans * velocities.norm() / accelerations.norm() * accelerations;
}

// Newton's law (11)-(15) of all closed contacts at once: of u+ + e u-, with e = e_T across the
// normal, and slip in the direction of that sum. Joints have velocities as they demand before and
// after it, by impulses of their own.
void ContactTransitions::hit(State& s, const std::vector<int>& closing, const ContactStep& step,
                             Kind kind) {
  powers_ = system_.external_powers(s);
  loads_ = powers_ - set_valued_powers(system_).whole;
  factorise_mass(s);
  satisfy_joints(s);
  VectorXd accelerations;
  system_.compute_rates(s, driven_rates_, accelerations);
  work_of_drives_ = 0.0;
  const double kinetic = kinetic_energies(system_, s).sum();
  // J, of each island: what closing gaps has given.
  VectorXd by_closing = VectorXd::Zero(system_.connectivity().n_islands());
  if (step.gaps.size() > 0) by_closing = total_energies(system_, s) - step.energies;
  const double closed_gaps = -by_closing.sum();
  const double created = kCreated * (kinetic + std::abs(closed_gaps));
  Impact impact = describe(s, closing, kind);
  const ContactCompliance c =
      contact_compliance(points_, impact.of, solve_, 1.0, system_.layout().n_unknowns());
  if (kind == Kind::impact_without_collision) lean_on_contacts(impact.of, impact.before);
  // Newton's law itself may create energy with friction; that is reported. Poisson's does not.
  const double conserved = kinetic + closed_gaps + created;
  const bool may_create = has_friction(impact) && !is_poissons(impact);
  const double allowed = may_create ? kAbsurd * kinetic + created : conserved;
  const std::optional<ImpactSolution> solution =
      find_impulses(s, step, c, {conserved, allowed}, impact);
  if (!solution)
    throw base::ComputationError(
        fmt::format("no impulses satisfy the impact laws of {}", points_.path(impact.of.front())));
  const double gained = own_energy(s) - kinetic;
  total_work_of_drives_ += work_of_drives_;
  if (!step.closing.is_empty() && !has_moving_surface(impact)) {
    pay_for_closing(s, step, by_closing, impact, c);
    slow_down(s, step, by_closing, impact);
  }
  apply(s, impact, *solution);
  const double round_off = created + kCreated * std::abs(work_of_drives_);
  if (gained > std::max(0.0, closed_gaps) + round_off && !has_moving_surface(impact))
    warn_of_created_energy(s.t, impact.of, solution->r, gained);
  if (solution->has_smallest_restitution) warn_of_smallest_restitution(s.t, impact.of.front());
}

// @param s with the velocities after the impact
void ContactTransitions::apply(State& s, const Impact& impact, const ContactSolution& solution) {
  const double scale = impact.before.cwiseAbs().maxCoeff();
  const double largest = solution.r.size() > 0 ? solution.r.lpNorm<Eigen::Infinity>() : 0.0;
  for (int k = 0; k < static_cast<int>(impact.of.size()); ++k) {
    const int i = impact.of[k];
    if (points_.is_moment(i)) {
      apply_to_moment(s, impact, solution, k, kNoSpeed * scale);
      continue;
    }
    const Vector3d u = points_.velocity(i), impulse = solution.r.segment<3>(3 * k);
    SetValuedPoint point = points_.read(s, i);
    const SetValuedPoint was = point;
    const ContactState state = solution.states[k];
    const bool stays = state != ContactState::open && impact.rebound[k] == 0.0;
    point.impulse += points_.axes(i) * impulse;
    const bool is_clutch = points_.law(i).kind == Law::clutch;
    point.phase = stays || is_clutch || u[0] <= kNoSpeed * scale ? Phase::closed : Phase::open;
    point.sticks =
        point.phase == Phase::closed && ((state == ContactState::stick && impact.is_stuck(k)) ||
                                         points_.sliding_speed(i) <= kNoSpeed * scale);
    if (point.phase == Phase::open) point.force.setZero();
    const bool is_hit = impact.is_new[k] || impulse[0] > kNoImpulse * largest;
    if (is_hit) {
      point.crowding = std::min(point.crowding + kCrowdingOfImpact, kCrowded + kCrowdingOfImpact);
      record(s.t, i, impact.kind, impact.before[3 * k], u[0], impulse[0]);
    }
    points_.write(s, i, point);
    if (was.phase == Phase::closed && point.phase == Phase::open)
      record(s.t, i, Kind::opens, 0.0, u[0], 0.0);
    else if (point.phase == Phase::closed &&
             (was.phase == Phase::open || was.sticks != point.sticks))
      record_sticking(s.t, i, point.sticks);
  }
  note_friction_after_impact(s, kNoSpeed * scale);
}

// Its contact, which comes before it, has opened or closed it.
void ContactTransitions::apply_to_moment(State& s, const Impact& impact,
                                         const ContactSolution& solution, int k, double nothing) {
  const int i = impact.of[k];
  SetValuedPoint moment = points_.read(s, i);
  moment.impulse += points_.axes(i) * solution.r.segment<3>(3 * k);
  moment.sticks = moment.phase == Phase::closed && (solution.states[k] == ContactState::stick ||
                                                    points_.sliding_speed(i) <= nothing);
  points_.write(s, i, moment);
}

// Of what had no part in it.
void ContactTransitions::note_friction_after_impact(State& s, double nothing) {
  for (const int i : points_.closed(s)) {
    SetValuedPoint point = points_.read(s, i);
    if (points_.law(i).kind != Law::friction ||
        point.sticks == (points_.sliding_speed(i) <= nothing))
      continue;
    point.sticks = !point.sticks;
    points_.write(s, i, point);
    record_sticking(s.t, i, point.sticks);
  }
}

}  // namespace solidyn::integrators
