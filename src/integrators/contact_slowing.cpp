// What closing gaps has given, where the move itself cannot pay for it
// (doc/theory/nonsmooth.md, What closing a gap costs).
#include <cmath>

#include "integrators/contact_transitions.h"
#include "integrators/energies_of_islands.h"
#include "integrators/held_up_bodies.h"

namespace solidyn::integrators {

using Eigen::VectorXd;
using system::State;

namespace {

// Of the energies: what closing gaps has given beyond that is no round-off.
constexpr double kGiven = 1e-13;

}  // namespace

// After an impact. Bodies that nothing fixed holds up keep their velocities.
void ContactTransitions::slow_down(State& s, const ContactStep& step, const VectorXd& by_closing,
                                   const Impact& impact) {
  if (!s.nodal.empty() || !driven_rates_.isZero(0.0)) return;
  const double gained = left_of_closing(s, step, by_closing, islands_of(impact));
  if (gained > 0.0) take_from_held_up_bodies(system_, points_, impact.of, gained, s);
}

// Gaps that have closed in a step without an impact: of contacts that roll on edges, and of bodies
// that rattle, whose points may part already. @pre step.closing is what has been moved
void ContactTransitions::slow_down_without_impact(State& s, const ContactStep& step) {
  if (!s.nodal.empty() || step.closing.small.isZero(0.0)) return;
  const VectorXd now = total_energies(system_, s), kinetic = kinetic_energies(system_, s);
  std::vector<std::vector<int>> touching(now.size());
  std::vector<bool> moves(now.size(), false);
  for (int i = 0; i < points_.size(); ++i) {
    const bool is_met =
        points_.law(i).has_gap() && points_.exists(i) && points_.gap(i) <= kTouching;
    if (!is_met && !points_.is_closed(s, i)) continue;
    touching[points_.island(i)].push_back(i);
    moves[points_.island(i)] = moves[points_.island(i)] || points_.moves(i);
  }
  bool has_no_drives = false;
  for (Eigen::Index k = 0; k < now.size(); ++k) {
    const double given = now[k] - step.energies[k];
    const double round_off = kGiven * (std::abs(now[k]) + kinetic[k]);
    if (touching[k].empty() || moves[k] || !(given > round_off)) continue;
    if (!has_no_drives) {
      VectorXd accelerations;
      system_.update_accelerations();
      system_.compute_rates(s, driven_rates_, accelerations);
      if (!driven_rates_.isZero(0.0)) return;
      has_no_drives = true;
    }
    take_from_held_up_bodies(system_, points_, touching[k], given, s);
  }
}

}  // namespace solidyn::integrators
