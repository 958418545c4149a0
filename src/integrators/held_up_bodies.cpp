#include "integrators/held_up_bodies.h"

#include <algorithm>
#include <cmath>

#include "integrators/energies_of_islands.h"
#include "integrators/joined_clusters.h"

namespace solidyn::integrators {

using Eigen::Index;
using Eigen::VectorXd;
using system::State;

namespace {

// Of each velocity of the system.
std::vector<bool> are_held_up(const ContactPoints& points, const std::vector<int>& of, Index n_v) {
  const Clusters& clusters = points.clusters();
  const JoinedClusters joined(clusters, points.directions(of));
  std::vector<bool> holds(clusters.unknowns.size(), false);
  for (std::size_t k = 0; k < of.size(); ++k) {
    const std::vector<int>& moved = joined.of_point(static_cast<Index>(k));
    if (moved.empty()) continue;
    const auto is_grounded = [&](int cluster) { return clusters.is_grounded[cluster]; };
    if (points.is_on_ground(of[k]) || std::any_of(moved.begin(), moved.end(), is_grounded))
      holds[joined.root(moved.front())] = true;
  }
  std::vector<bool> held(n_v);
  for (Index i = 0; i < n_v; ++i) held[i] = holds[joined.root(clusters.of_unknown[i])];
  return held;
}

}  // namespace

double take_from_held_up_bodies(system::System& system, const ContactPoints& points,
                                const std::vector<int>& of, double energy, State& s) {
  const VectorXd v = s.v;
  const std::vector<bool> held = are_held_up(points, of, v.size());
  VectorXd rest = v;
  for (Index i = 0; i < v.size(); ++i)
    if (held[i]) rest[i] = 0.0;
  const double kinetic = kinetic_energies(system, s).sum();
  s.v = rest;
  system.update(s);
  const double removable = std::max(0.0, kinetic - kinetic_energies(system, s).sum());
  const double part = removable > 0.0 ? std::sqrt(std::max(0.0, 1.0 - energy / removable)) : 1.0;
  s.v = rest + part * (v - rest);
  system.update(s);
  return std::max(0.0, energy - removable);
}

}  // namespace solidyn::integrators
