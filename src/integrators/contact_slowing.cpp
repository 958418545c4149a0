// What closing gaps has given, where the move itself cannot pay for it
// (doc/theory/nonsmooth.md, What closing a gap costs).
#include <algorithm>
#include <cmath>

#include "integrators/contact_transitions.h"
#include "integrators/energies_of_islands.h"
#include "integrators/joined_clusters.h"

namespace solidyn::integrators {

using Eigen::Index;
using Eigen::VectorXd;
using system::State;

// Bodies that fixed ones hold up, directly or through others, lose of all of their velocities:
// these meet the laws then as before, and the ground takes the momentum. Others keep theirs.
void ContactTransitions::slow_down(State& s, const ContactStep& step, const VectorXd& by_closing,
                                   const Impact& impact, const ContactCompliance& c) {
  if (!s.nodal.empty() || !driven_rates_.isZero(0.0)) return;
  const double gained = left_of_closing(s, step, by_closing, islands_of(impact));
  if (!(gained > 0.0)) return;
  const Clusters& clusters = points_.clusters();
  const JoinedClusters joined(clusters, c.W);
  std::vector<bool> has_ground(clusters.unknowns.size(), false);
  for (Index k = 0; k < static_cast<Index>(impact.of.size()); ++k) {
    const std::vector<int>& of = joined.of_point(k);
    if (of.size() == 1) has_ground[joined.root(of.front())] = true;
  }
  const VectorXd v = s.v;
  VectorXd slowed = v;
  for (Index i = 0; i < v.size(); ++i)
    if (has_ground[joined.root(clusters.of_unknown[i])]) slowed[i] = 0.0;
  const double kinetic = kinetic_energies(system_, s).sum();
  s.v = slowed;
  system_.update(s);
  const double removable = kinetic - kinetic_energies(system_, s).sum();
  if (!(removable > 0.0)) {
    s.v = v;
  } else {
    const double part = std::sqrt(std::max(0.0, 1.0 - gained / removable));
    s.v = slowed + part * (v - slowed);
  }
  system_.update(s);
}

}  // namespace solidyn::integrators
