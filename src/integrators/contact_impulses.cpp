// Impulses of impacts: which restitution there is, by which law, and whether its energy is allowed.
#include <algorithm>
#include <cmath>

#include "integrators/contact_transitions.h"
#include "integrators/energies_of_islands.h"
#include "solidyn/base/log.h"

namespace solidyn::integrators {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using system::State;

// Of the velocities: by how much the laws may be missed by impulses that are taken.
constexpr double kMisses = 1e-6;
// Of the velocities before an impact: others that are smaller are round-off.
constexpr double kNothing = 1e-13;

}  // namespace

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
  const double asked = points_.solver().options().tolerance;  // 0: as exactly as possible
  const double missed =
      std::max(kMisses * speed, 2.0 * asked * (impact.before + impact.added).norm());
  if (!(solution.error <= missed) || !s.v.allFinite()) return false;
  const double round_off = kCreated * std::abs(work_of_drives_);
  return has_moving_surface(impact) || own_energy(s) <= energy_allowed + round_off;
}

// Kinetic energy without what drives have given by impulses of their joints: G v is nu before and
// after the impact, so that these do -nu . p.
double ContactTransitions::own_energy(const State& s) const {
  return kinetic_energies(system_, s).sum() - work_of_drives_;
}

// An impact without collision has no restitution, for which both laws are the same.
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
        return Restitutions::OfPoint{impact.part * restitution(s, impact.of[k], met, h),
                                     met / speed};
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
  const VectorXd x = c.X * solution.r, jump = x.head(s.v.size());
  work_of_drives_ = -driven_rates_.dot(x.tail(driven_rates_.size()));
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
  const double elastic = own_energy(s);
  restore_velocities(s, v);
  solution = solve(Restitution::none, 1.0);
  const double plastic = own_energy(s), work_without = work_of_drives_;
  if (!is_met(s, impact, solution, std::max(energies.allowed, plastic))) return std::nullopt;
  if (has_friction(impact) && !is_poissons(impact) && !(elastic <= energies.allowed))
    warn_of_refused_restitution(s.t, impact.of.front());
  // Without friction energies are those of the impact without restitution and its square's share.
  const double part = (energies.conserved - plastic) / (elastic - plastic);
  const bool is_newtons = has_friction(impact) && !is_poissons(impact);
  if (is_newtons || !(part > 0.0 && part < 1.0)) return solution;
  const Velocities after(s);
  restore_velocities(s, v);
  ImpactSolution smaller = solve(Restitution::at_the_end, std::sqrt(part));
  if (is_met(s, impact, smaller, energies.conserved + kCreated * elastic)) return smaller;
  restore_velocities(s, after);
  work_of_drives_ = work_without;
  demand(s, step, Restitution::none, impact);
  return solution;
}

void ContactTransitions::restore_velocities(State& s, const Velocities& v) {
  v.give_to(s);
  system_.update(s);
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
