// Impacts: velocities that jump at the end of a step.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "integrators/contact_transitions.h"
#include "integrators/energies_of_islands.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
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
// Of the velocities: by how much the laws may be missed by impulses that are taken.
constexpr double kMisses = 1e-6;
// Of the kinetic energy: what an impact creates beyond that is not round-off.
constexpr double kCreated = 1e-9;
// Of the velocities before an impact: others that are smaller are round-off.
constexpr double kNothing = 1e-13;
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
  for (int i = 0; i < points_.size(); ++i) {
    const bool is_new = std::find(closing.begin(), closing.end(), i) != closing.end();
    const bool is_beside =
        points_.is_closed(s, i) &&
        (closing.empty() || std::any_of(closing.begin(), closing.end(), [&](int other) {
           return points_.island(other) == points_.island(i);
         }));
    if ((!is_new && !is_beside) || points_.law(i).kind == Law::friction) continue;
    impact.of.push_back(i);
    impact.is_new.push_back(is_new);
  }
  const auto n = static_cast<Eigen::Index>(impact.of.size());
  impact.before.resize(3 * n);
  for (Eigen::Index k = 0; k < n; ++k)
    impact.before.segment<3>(3 * k) = points_.velocity(impact.of[k]);
  return impact;
}

// The speed where the surfaces met, which is not where the step ends; between those at its ends,
// since stiff forces have accelerations there that say nothing of the way.
double ContactTransitions::approach(int point, const ContactStep& step, double now) const {
  if (step.gaps.size() == 0) return now;
  const double depth = std::max(0.0, -step.gaps[point]), first = -step.first_rates[point];
  const double there =
      std::sqrt(std::max(0.0, now * now + 2.0 * points_.acceleration(point)[0] * depth));
  return std::clamp(there, std::max(0.0, std::min(first, now)), std::max(first, now));
}

// None of impacts that are slow, none where the contact would be closed again within the step, and
// none where impacts follow each other faster than steps: then they end there.
// @param approach m/s, > 0
double ContactTransitions::restitution(const State& s, int point, double approach, double h) const {
  const forces::SetValuedLaw& law = points_.law(point);
  if (approach < law.slow_speed || points_.read(s, point).crowding >= kCrowded) return 0.0;
  const double acceleration = points_.acceleration(point)[0];
  const bool returns = 2.0 * law.restitution * approach <= -acceleration * h;
  return returns ? 0.0 : law.restitution;
}

void ContactTransitions::demand(const State& s, const ContactStep& step, Restitution how,
                                Impact& impact) const {
  const auto n = static_cast<Eigen::Index>(impact.of.size());
  impact.rebound.setZero(n);
  impact.added.setZero(3 * n);
  impact.more.setZero(n);
  impact.part = how == Restitution::none ? 0.0 : 1.0;
  if (how == Restitution::none) return;
  for (Eigen::Index k = 0; k < n; ++k) {
    const Vector3d u = impact.before.segment<3>(3 * k);
    const double at_the_end = std::max(0.0, -u[0]);
    double speed = at_the_end;
    const bool met = how == Restitution::where_surfaces_met && impact.is_new[k];
    if (met && impact.kind == Kind::impact) speed = approach(impact.of[k], step, speed);
    impact.more[k] = speed * speed - at_the_end * at_the_end;
    impact.rebound[k] = restitution(s, impact.of[k], speed, step.h) * speed;
    impact.added[3 * k] = -impact.rebound[k];
    impact.added.segment<2>(3 * k + 1) =
        points_.law(impact.of[k]).tangential_restitution * u.tail<2>();
  }
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

bool ContactTransitions::has_friction(const Impact& impact) const {
  return std::any_of(impact.of.begin(), impact.of.end(),
                     [&](int point) { return points_.law(point).has_friction(); });
}

bool ContactTransitions::has_moving_surface(const Impact& impact) const {
  return std::any_of(impact.of.begin(), impact.of.end(),
                     [&](int point) { return points_.moves(point); });
}

// Where bodies jam, impulses without bound may seem to meet the laws.
// @param s with the velocities after the impact
bool ContactTransitions::is_met(const State& s, const Impact& impact,
                                const ContactSolution& solution, double energy_allowed) const {
  const double speed =
      std::max(impact.before.lpNorm<Eigen::Infinity>(), impact.added.lpNorm<Eigen::Infinity>());
  if (!(solution.error <= kMisses * speed) || !s.v.allFinite()) return false;
  return has_moving_surface(impact) || kinetic_energies(system_, s).sum() <= energy_allowed;
}

// Restitution that an impact without collision does not have, nor one without any.
bool ContactTransitions::is_poissons(const Impact& impact) const {
  return impact.kind == Kind::impact &&
         std::any_of(impact.of.begin(), impact.of.end(), [&](int point) {
           return points_.law(point).impact_law == forces::SetValuedLaw::ImpactLaw::poisson;
         });
}

bool ContactTransitions::is_sequence(const Impact& impact) const {
  return impact.kind == Kind::impact && multiple_ == MultipleImpacts::sequential;
}

// @param before [3 n] velocities of the points, which impulses change by c.A  @pre demand()
ImpactSolution ContactTransitions::solve_laws(const State& s, const Impact& impact,
                                              const VectorXd& before, const ContactCompliance& c,
                                              double h) const {
  const double nothing = kNothing * impact.before.lpNorm<Eigen::Infinity>();
  const Restitutions restitutions{
      [&](int k, double speed, bool is_first) {
        const double more = is_first ? impact.more[k] : 0.0;
        const double met = std::sqrt(std::max(0.0, speed * speed + more));
        return impact.part * met / speed * restitution(s, impact.of[k], met, h);
      },
      impact.part};
  if (is_sequence(impact)) return solve_in_sequence(points_, c, before, restitutions, nothing);
  if (is_poissons(impact)) return solve_poissons_law(points_, c, before, restitutions, nothing);
  const auto n = static_cast<Eigen::Index>(impact.of.size());
  const VectorXd q = before + impact.added;
  VectorXd speeds(n);
  for (Eigen::Index k = 0; k < n; ++k) speeds[k] = q.segment<2>(3 * k + 1).norm();
  ImpactSolution solution;
  static_cast<ContactSolution&>(solution) =
      solve_contacts(points_, c, c.A, q, VectorXd::Zero(3 * n), std::vector<bool>(n, true), speeds);
  return solution;
}

// Velocities after the impact, in `s`, which has those before it. @pre demand()
ImpactSolution ContactTransitions::solve_impact(State& s, const Impact& impact,
                                                const ContactCompliance& c, double h) {
  if (has_approximate_masses(system_)) return solve_impact_of_meshes(s, impact, c, h);
  ImpactSolution solution = solve_laws(s, impact, impact.before, c, h);
  const VectorXd jump = (c.X * solution.r).head(s.v.size());
  s.v += jump;
  follow_ports(system_, jump, &bodies::NodalState::du, s);
  system_.update(s);
  return solution;
}

// By the law with the speeds of where the surfaces met; else with those at the end of the step;
// where these give the bodies energy too, as they may after several gaps were closed, with smaller
// restitution; and where nothing meets the law, with none, for which there is a solution unless
// bodies jam. Velocities after the impact in `s`.
// @param conserved  kinetic energy that keeps the sum as it was before gaps were closed, J
// @return nothing where no impulses meet any of these
std::optional<ImpactSolution> ContactTransitions::find_impulses(State& s, const ContactStep& step,
                                                                const ContactCompliance& c,
                                                                const KineticEnergies& energies,
                                                                Impact& impact) {
  const Velocities v(s);
  const auto solve = [&](Restitution how, double part) {
    demand(s, step, how, impact);
    impact.scale(part);
    return solve_impact(s, impact, c, step.h);
  };
  ImpactSolution solution = solve(Restitution::where_surfaces_met, 1.0);
  if (is_met(s, impact, solution, energies.conserved)) return solution;
  restore_velocities(s, v);
  solution = solve(Restitution::at_the_end, 1.0);
  if (is_met(s, impact, solution, energies.allowed)) return solution;
  const double elastic = kinetic_energies(system_, s).sum();
  restore_velocities(s, v);
  solution = solve(Restitution::none, 1.0);
  const double plastic = kinetic_energies(system_, s).sum();
  if (!is_met(s, impact, solution, std::max(energies.allowed, plastic))) return std::nullopt;
  if (has_friction(impact) && !is_poissons(impact) && !(elastic <= energies.allowed))
    warn_of_refused_restitution(s.t, impact.of.front());
  // Without friction energies are those of the impact without restitution and its square's share.
  const double part = (energies.conserved - plastic) / (elastic - plastic);
  if (has_friction(impact) || !(part > 0.0 && part < 1.0)) return solution;
  const Velocities after(s);
  restore_velocities(s, v);
  ImpactSolution smaller = solve(Restitution::at_the_end, std::sqrt(part));
  if (is_met(s, impact, smaller, energies.conserved + kCreated * elastic)) return smaller;
  restore_velocities(s, after);
  demand(s, step, Restitution::none, impact);
  return solution;
}

// Newton's law (11)-(15) of all closed contacts at once: of u+ + e u-, with e = e_T across the
// normal, and slip in the direction of that sum. Joints have velocities as they demand before and
// after it, by impulses of their own.
void ContactTransitions::hit(State& s, const std::vector<int>& closing, const ContactStep& step,
                             Kind kind) {
  powers_ = system_.external_powers(s);
  factorise_mass(s);
  satisfy_joints(s);
  const double kinetic = kinetic_energies(system_, s).sum();
  const double closed_gaps =
      step.gaps.size() > 0 ? step.energy - total_energies(system_, s).sum() : 0.0;
  const double created = kCreated * (kinetic + std::abs(closed_gaps));
  Impact impact = describe(s, closing, kind);
  const ContactCompliance c =
      contact_compliance(points_, impact.of, solve_, 1.0, system_.layout().n_unknowns());
  if (kind == Kind::impact_without_collision) lean_on_contacts(impact.of, impact.before);
  // Newton's law itself may create energy with friction; that is reported. Poisson's does not.
  const double conserved = kinetic + closed_gaps + created;
  const double with_friction = is_poissons(impact) ? kinetic + std::max(0.0, closed_gaps) + created
                                                   : kAbsurd * kinetic + created;
  const double allowed = has_friction(impact) ? with_friction : conserved;
  const std::optional<ImpactSolution> solution =
      find_impulses(s, step, c, {conserved, allowed}, impact);
  if (!solution)
    throw base::ComputationError(
        fmt::format("no impulses satisfy the impact laws of {}", points_.path(impact.of.front())));
  const double gained = kinetic_energies(system_, s).sum() - kinetic;
  if (!step.closing.is_empty() && !has_moving_surface(impact)) pay_for_closing(s, step, impact, c);
  apply(s, impact, *solution);
  if (gained > std::max(0.0, closed_gaps) + created && !has_moving_surface(impact))
    warn_of_created_energy(s.t, impact.of, solution->r, gained);
  if (solution->has_smallest_restitution) warn_of_smallest_restitution(s.t, impact.of.front());
}

void ContactTransitions::restore_velocities(State& s, const Velocities& v) {
  v.give_to(s);
  system_.update(s);
}

// @param s with the velocities after the impact
void ContactTransitions::apply(State& s, const Impact& impact, const ContactSolution& solution) {
  const double scale = impact.before.cwiseAbs().maxCoeff();
  const double largest = solution.r.size() > 0 ? solution.r.lpNorm<Eigen::Infinity>() : 0.0;
  for (int k = 0; k < static_cast<int>(impact.of.size()); ++k) {
    const int i = impact.of[k];
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

// Once, with the contact of the largest friction.
void ContactTransitions::warn_of_created_energy(double t, const std::vector<int>& of,
                                                const VectorXd& r, double energy) {
  if (has_warned_) return;
  has_warned_ = true;
  int worst = 0;
  const auto friction = [&](int k) { return r.segment<2>(3 * k + 1).norm(); };
  for (int k = 1; k < static_cast<int>(of.size()); ++k)
    if (friction(k) > friction(worst)) worst = k;
  base::log_warning(
      "t = {:.6g} s, contact {}: Newton's impact law creates {:.2g} J, as it may with friction; choose  impact_law: poisson,  or smaller restitution or friction there; this is reported once",
      t, points_.name(of[worst]), energy);
}

// Of an impact that Newton's law was not made for.
void ContactTransitions::warn_of_refused_restitution(double t, int point) {
  if (has_refused_restitution_) return;
  has_refused_restitution_ = true;
  base::log_warning(
      "t = {:.6g} s, contact {}: Newton's impact law would more than double the kinetic energy, as it may with friction; this impact has no restitution; choose  impact_law: poisson,  or smaller restitution or friction there; this is reported once",
      t, points_.name(point));
}

void ContactTransitions::warn_of_smallest_restitution(double t, int point) {
  if (has_warned_of_smallest_) return;
  has_warned_of_smallest_ = true;
  base::log_warning(
      "t = {:.6g} s, contact {} and others: with restitutions that differ Poisson's impact law would create energy; all take the smallest of them here; this is reported once",
      t, points_.name(point));
}

}  // namespace solidyn::integrators
