// What closing gaps has given is taken from the velocities after an impact.
#include <algorithm>
#include <cmath>

#include "integrators/contact_transitions.h"
#include "integrators/directions_of_contacts.h"
#include "integrators/energies_of_islands.h"

namespace solidyn::integrators {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using system::State;

// Directions that move others by less than this part do so not at all.
constexpr double kRankOfHeldMoves = 1e-10;
// Of the velocities that make the move within the step: what is paid with at most.
constexpr double kMostOfMove = 2.0;

}  // namespace

std::vector<bool> ContactTransitions::islands_of(const Impact& impact) const {
  std::vector<bool> islands(system_.connectivity().n_islands(), false);
  for (const int i : impact.of) islands[points_.island(i)] = true;
  return islands;
}

// At most what closing gave: other gains are those of the impact law.
double ContactTransitions::left_of_closing(const State& s, const ContactStep& step,
                                           const VectorXd& by_closing,
                                           const std::vector<bool>& islands) {
  const VectorXd change = total_energies(system_, s) - step.energies;
  double gained = -work_of_drives_, most = 0.0;
  for (std::size_t i = 0; i < islands.size(); ++i)
    if (islands[i]) {
      gained += change[static_cast<Index>(i)];
      most += by_closing[static_cast<Index>(i)];
    }
  return std::min(gained, most);
}

// Stiff nodes that are moved onto a surface have more strain energy than their impulse takes. Had
// the bodies met where the surfaces did, that energy would have come from the velocities of the
// same nodes: so these lose it, along the move, less what closed contacts and joints hold of it.
// What the impact law itself has created is not theirs, nor do others pay than those that were hit.
void ContactTransitions::pay_for_closing(State& s, const ContactStep& step,
                                         const VectorXd& by_closing, const Impact& impact,
                                         const ContactCompliance& c) {
  const std::vector<bool> islands = islands_of(impact);
  const double gained = left_of_closing(s, step, by_closing, islands);
  if (!(gained > 0.0) || step.closing.small.isZero(0.0)) return;
  // Friction of a given size has no impulses, which would keep what sticks from being moved.
  for (int i = 0; i < points_.size(); ++i)
    if (points_.law(i).kind == forces::SetValuedLaw::Kind::friction && islands[points_.island(i)])
      return;
  const Velocities v(s);
  const auto energy_along = [&](double part, const Velocities& along) {
    v.give_to(s);
    along.add_to(s, part);
    system_.update(s);
    return kinetic_energies(system_, s).sum();
  };
  const Velocities along = held_by_contacts(s, step, islands, impact, c);
  const double now = energy_along(0.0, along), ahead = energy_along(1.0, along),
               behind = energy_along(-1.0, along);
  const double slope = 0.5 * (ahead - behind), curvature = ahead + behind - 2.0 * now;
  const double root = slope * slope - 2.0 * curvature * gained;
  double part = 0.0;
  if (curvature > 0.0)
    part = (-slope + std::copysign(std::sqrt(std::max(0.0, root)), slope)) / curvature;
  // Surfaces that have met within the step have gone no farther than their velocities led; of what
  // contacts and joints hold, hardly more than round-off is left.
  if (s.nodal.empty()) part = std::clamp(part, -kMostOfMove, kMostOfMove);
  energy_along(part, along);
}

// Velocities that make the move in a step, less what contacts that are held and joints have of it.
Velocities ContactTransitions::held_by_contacts(State& s, const ContactStep& step,
                                                const std::vector<bool>& islands,
                                                const Impact& impact, const ContactCompliance& c) {
  const Velocities v(s);
  const Index n_v = s.v.size(), n_l = system_.layout().n_constraints();
  const auto takes_part = [&](bodies::BodyIndex b) {
    return islands[system_.connectivity().island_of_body(b)];
  };
  s.v = step.closing.small / step.h;
  for (const bodies::BodyIndex b : system_.bodies())
    if (!takes_part(b))
      s.v.segment(system_.layout().velocity_offset(b), system_.layout().n_velocities(b)).setZero();
  for (std::size_t k = 0; k < s.nodal.size(); ++k) {
    const double share =
        takes_part(system_.layout().body_of_nodal(static_cast<int>(k))) ? 1.0 / step.h : 0.0;
    SOLIDYN_PETSC(VecCopy(step.closing.nodal[k], s.nodal[k].du));
    SOLIDYN_PETSC(VecScale(s.nodal[k].du, share));
  }
  VectorXd Gv, rhs = VectorXd::Zero(n_v + n_l), x;
  system_.multiply_G(s.v, Gv);
  rhs.tail(n_l) = -Gv;
  solve_.solve(rhs, x);
  std::vector<Index> held;
  for (std::size_t k = 0; k < impact.of.size(); ++k)
    for (Index direction = 0; direction < (points_.law(impact.of[k]).has_friction() ? 3 : 1);
         ++direction)
      held.push_back(static_cast<Index>(3 * k) + direction);
  const DirectionsOfContacts directions(c.A, std::move(held), kRankOfHeldMoves);
  const VectorXd moved = c.W.transpose() * (s.v + x.head(n_v));
  x -= c.X * directions.forces_for(moved(directions.directions()));
  s.v += x.head(n_v);
  follow_ports(system_, x, &bodies::NodalState::du, s);
  Velocities along(s);
  restore_velocities(s, v);
  return along;
}

}  // namespace solidyn::integrators
